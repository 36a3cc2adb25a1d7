"""How a line is read: its command, its options, and errors that name the command of a misplaced word."""

from __future__ import annotations

import os

from ..errors import OptionError, PurebleuError, close_names, warn
from ..hints import Any, Sequence
from .arguments.command import MOVED, Command, LineValues
from .arguments.parser import TextRequested, parse, unknown_option
from .commands import COMMANDS, command_named, commands_here


def read_line(arguments: Sequence[str]) -> tuple[Command, Any]:
    """Return the command of a line, and the values of its options.

    If the first word is not a command, the command is `score`.

    Raises:
        OptionError: an option is wrong, or of another command.
        TextRequested: the line asks for help or the version.
    """
    first = arguments[0] if arguments else ""
    if first in ("-h", "--help"):
        from .commands.help import help_text

        raise TextRequested(help_text(arguments[1:]))
    if first not in COMMANDS:
        command, values = _read_options(command_named("score"), arguments)
        _check_words(values.references)
        return command, values
    command = command_named(first)
    line_values = command.values()
    if isinstance(line_values, LineValues) and arguments[1:] not in (["-h"], ["--help"]):
        line_values.line = arguments[1:]
        return command, line_values
    command, values = _read_options(command, arguments[1:])
    if os.path.isfile(first) and not values.quiet:
        warn(f"{first} is read as the command, not as the file of this name: write ./{first} for the file")
    return command, values


def _read_options(command: Command, arguments: Sequence[str]) -> tuple[Command, Any]:
    try:
        values = parse(command, arguments)
    except OptionError:
        for argument in arguments:
            # The parser reads an option of another command, such as -sl, as a short option with its value (-s l).
            if len(argument) > 2 and argument[:2] in command.names and argument not in command.names and (
                    any(argument in other.names for other in commands_here().values())):
                raise unknown_option(command, argument) from None
        raise
    if getattr(values, "signature", ""):
        from .arguments.signature import with_signature

        with_signature(values, command)
    values.arguments = [*([] if command.word == "score" else [command.word]), *arguments]
    return command, values


def _check_words(references: Sequence[str]) -> None:
    """Raise `PurebleuError` if a file of references does not exist, and its name is like that of a command."""
    for name in references:
        if os.path.lexists(name):
            continue
        if f"--{name}" in MOVED and name not in COMMANDS:
            raise PurebleuError(f"{name}: No such file or directory; the command for this is {MOVED[f'--{name}']}")
        near = [] if "." in name or "/" in name else close_names(name, list(COMMANDS), 1, 0.75)
        if near:
            raise PurebleuError(f"{name}: No such file or directory; commands come first: purebleu {near[0]} ...")
