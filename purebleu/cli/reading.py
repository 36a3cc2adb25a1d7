"""How a line is read: its command, its options, and errors that name the command of a misplaced word or option."""

from __future__ import annotations

import os

from ..errors import OptionError, PurebleuError, close_names, nearest, warn
from ..hints import Any, Sequence
from .arguments.command import MOVED, Command, LineValues
from .arguments.parser import TextRequested, UnknownOptionError, parse
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
    except UnknownOptionError as error:
        raise _unknown_option(command, error.argument) from None
    except OptionError:
        for argument in arguments:
            # The parser reads an option of another command, such as -sl, as a short option with its value (-s l).
            if len(argument) > 2 and argument[:2] in command.names and argument not in command.names and (
                    any(argument in other.names for other in commands_here().values())):
                raise _unknown_option(command, argument) from None
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
        word = name if name in COMMANDS else ""
        if not word and "." not in name and "/" not in name:
            word = next(iter(close_names(name, list(COMMANDS), 1, 0.75)), "")
        if word:
            raise PurebleuError(f"{name}: No such file or directory; commands come first: purebleu {word} ...")


def _unknown_option(command: Command, argument: str) -> OptionError:
    """The error for an option that a command does not have."""
    name = argument.partition("=")[0]
    see = f"(see purebleu {command.word} --help)"
    if not name.startswith("-"):
        return OptionError(f"unrecognized arguments: {argument} {see}")
    if name in MOVED:
        return OptionError(f"{name} is now: {MOVED[name]}")
    takers = [word for word, other in commands_here().items() if name in other.names]
    if not takers and name[2:] in COMMANDS:
        return OptionError(f"{name} is now: purebleu {name[2:]}")
    if takers:
        return OptionError(f"{name} is an option of purebleu {', '.join(takers)}, not of {command.word}")
    bare = {known.lstrip("-"): known for known in command.names}
    near = nearest(name, list(command.names)) if nearest(name.lstrip("-"), list(bare)) else ""
    return OptionError(f"unrecognized arguments: {argument}{near} {see}")
