"""Parse a command line: find its command, and read the values of its options."""

from __future__ import annotations

import os

from ...runtime.errors import LeftOutError, OptionError, PurebleuError, close_names, nearest, warn
from ...runtime.hints import Any, Sequence
from ...version import FULL_VERSION
from ..commands import COMMANDS, command_named, commands_here
from .command import Command, CorpusValues, LineValues
from .groups import OF_ONE_PAIR, SACREBLEU_NAMES, Option
from .values import check_metric, check_needs, metric_settings


class TextRequested(Exception):
    """Raised with the text to print, if `--help` or `--version` is given."""


def read_line(arguments: Sequence[str]) -> tuple[Command, Any]:
    """Return the command of a command line, and the values of its options.

    If the first word is not the name of a command, the command is `score`.

    Raises:
        OptionError: an option is wrong, or belongs to another command.
        TextRequested: the command line has `--help` or `--version`.
    """
    first = arguments[0] if arguments else ""
    if first in ("-h", "--help"):
        from ..commands.help import help_text

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
        warn(f"{first} is both a command and a file, and is read as the command: write ./{first} for the file")
    return command, values


def _read_options(command: Command, arguments: Sequence[str]) -> tuple[Command, Any]:
    try:
        values = parse(command, arguments)
    except OptionError:
        for argument in arguments:
            # (An option of another command may look like a short option with its value: -sl is read as -s l.)
            if len(argument) > 2 and argument[:2] in command.names and argument not in command.names and (
                    any(argument in other.names for other in commands_here().values())):
                raise unknown_option(command, argument) from None
        raise
    if getattr(values, "signature", ""):
        from .signature import with_signature

        with_signature(values, command, parse)
    values.arguments = [*([] if command.word == "score" else [command.word]), *arguments]
    return command, values


def _check_words(references: Sequence[str]) -> None:
    """Raise `PurebleuError` if a file of references does not exist, and its name is similar to a command."""
    for name in references:
        if os.path.lexists(name):
            continue
        near = [] if "." in name or "/" in name else close_names(name, list(COMMANDS), 1, 0.75)
        if near:
            raise PurebleuError(f"{name}: No such file or directory; a command must be the first word: purebleu "
                                f"{near[0]} ...")


def parse(command: Command, arguments: Sequence[str]) -> Any:
    """Return the values of a command's options.

    Raises:
        OptionError: an option is wrong, or the command lacks it.
        TextRequested: the arguments have `--help` or `--version`.
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    words = expanded(arguments[:end], command) if command.word == "score" else arguments[:end]
    for word in words:  # (help is shown even if another word is wrong)
        if word in command.names:
            _answer_if_asked(command.names[word], command)
    values = command.values()
    files = [*_read(words, command, values), *arguments[end + 1:]]
    if files:
        _check_texts("an argument", files)
        names = [option.destination for option in command.all_options if option.form == "positional"]
        if not names:
            raise OptionError(f"purebleu {command.word} takes only options, not {files[0]}")
        setattr(values, names[0], files)
    check_together(values, command)
    if isinstance(values, CorpusValues):
        _set_metrics(values, command)
    return values


def _answer_if_asked(option: Option, command: Command) -> None:
    """Raise `TextRequested` if an option is `--help` or `--version`."""
    if option.destination == "version":
        raise TextRequested(f"purebleu {FULL_VERSION}")
    if option.destination == "help":
        from ..commands.help import help_on_command

        raise TextRequested(help_on_command(command))


def _read(words: Sequence[str], command: Command, values: Any) -> list[str]:
    """Set the values of options. Return the other words, which must be adjacent (as in sacreBLEU)."""
    files: list[str] = []
    has_ended = False
    waiting = list(reversed(words))
    while waiting:
        word = waiting.pop()
        option, text = _option_in(word, command)
        if option is None:
            if has_ended:
                raise unknown_option(command, word)
            files.append(word)
            continue
        has_ended = bool(files)
        _answer_if_asked(option, command)
        texts = [] if text is None else [text]
        if option.form != "switch":
            takes_all = option.form == "several" and text is None
            while waiting and (takes_all or not texts) and not _option_in(waiting[-1], command)[0]:
                texts.append(waiting.pop())
            name = word.partition("=")[0]
            _check_texts(name if name in command.names else word[:2], texts)
        elif text is not None:
            if word.startswith("--") or f"-{text[:1]}" not in command.names:
                raise _wrong(option, command, f"ignored explicit argument {text!r}")
            waiting.append(f"-{text}")  # (several switches may stand together, such as -qb)
        _set(values, option, texts, command)
    return files


def _option_in(word: str, command: Command) -> tuple[Option | None, str | None]:
    """Return the option that a word names, and the value in the same word. Each may be `None`.

    A word that begins with a dash and a digit, a dot (`-.5`) or a colon (`-:jsonl:text`) is a value, not an option.

    Raises:
        OptionError: the word looks like an option, but the command lacks it.
    """
    if word[:1] != "-" or word[1:2] in ("", ":", ".", *"0123456789"):
        return None, None
    name, equals, text = word.partition("=")
    if name in command.names:
        return command.names[name], text if equals else None
    if word[:2] in command.names:
        return command.names[word[:2]], word[2:]
    if " " in word:
        return None, None
    raise unknown_option(command, word)


def unknown_option(command: Command, argument: str) -> OptionError:
    """Return the error for an option that a command lacks. The message names other commands that have the option."""
    name = argument.partition("=")[0]
    see = f"(see purebleu {command.word} --help)"
    if not name.startswith("-"):
        return OptionError(f"unrecognized arguments: {argument} {see}")
    takers = [word for word, other in commands_here().items() if name in other.names]
    if not takers and name[2:] in COMMANDS:
        return OptionError(f"{name} is not an option: write the command as purebleu {name[2:]}")
    if takers:
        return OptionError(f"{name} is an option of purebleu {', '.join(takers)}, not of {command.word}")
    bare = [known.lstrip("-") for known in command.names]
    near = nearest(name, list(command.names)) if nearest(name.lstrip("-"), bare) else ""
    return OptionError(f"unrecognized arguments: {argument}{near} {see}")


def _set(values: Any, option: Option, texts: Sequence[str], command: Command) -> None:
    """Set the value of an option from its texts on the command line."""
    destination = option.destination
    value: Any = option.constant
    if option.form == "switch":
        before = values.__dict__.get(destination, value)
        if before != value:
            raise _wrong(option, command, f"not allowed with argument {command.name_of(destination, before)}")
    elif texts:
        converted = [_converted(text, option, command) for text in texts]
        value = [*getattr(values, destination), *converted] if option.form in ("several", "each") else converted[0]
    elif option.form != "optional":
        raise _wrong(option, command, f"expected {'at least ' if option.form == 'several' else ''}one argument")
    setattr(values, destination, value)


def _converted(text: str, option: Option, command: Command) -> object:
    """Convert a text to a value of an option, or raise `OptionError` if the option does not take the value."""
    choices = command.formats if option.destination == "format" else option.choices
    if choices and text not in choices:
        raise _wrong(option, command, f"invalid choice: {text!r} (choose from {', '.join(map(repr, choices))})"
                                      f"{nearest(text, choices)}")
    try:
        return option.convert(text) if option.convert else text
    except LeftOutError:
        raise
    except ValueError as error:
        raise _wrong(option, command, str(error)) from error


def _wrong(option: Option, command: Command, message: str) -> OptionError:
    """Return the error for a wrong value of an option."""
    return OptionError(f"argument {'/'.join(option.names)}: {message} (see purebleu {command.word} --help)",
                       option.destination)


def _check_texts(name: str, texts: Sequence[str]) -> None:
    """Raise `OptionError` if a text is empty (for example, from an unset shell variable) or has a NUL character."""
    for text in texts:
        if not text:
            raise OptionError(f"{name}: the value is empty (is a shell variable unset?)")
        if "\0" in text:
            raise OptionError(f"{name} takes only text without NUL characters, not {text!r}")


def _set_metrics(values: CorpusValues, command: Command) -> None:
    """Replace the names of metrics by their registered names, and set the options that the names imply.

    The metrics in `--min` and `--max` are added to the metrics in `-m`.
    """
    # (Each item of `values.metrics` is a list of the names in one word of -m.)
    names = {name: "--metrics/-m" for given in values.metrics for name in given}
    limits = [(name, option) for option in ("min", "max") for name, _ in getattr(values, option, ())]
    if limits and (names or not values.rows):  # (files of rows have the names of metrics)
        chosen, _ = metric_settings(list(names))
        for name, option in limits:
            if name not in chosen:
                names.setdefault(name, f"--{option}")
    if not values.rows:
        outside = [name.lower() for name, _ in values.scores]
        for name, option in names.items():
            check_metric(name, option, option[2:].partition("/")[0], outside)
    if not names:
        return
    values.metrics, settings = metric_settings(list(names))
    for destination, value in settings.items():
        current = vars(values).get(destination, value)
        if current != value:
            raise OptionError(f"-m sets {command.options[destination].name} to {value}, but {current} "
                              "is given", option="metrics")
        setattr(values, destination, value)


def expanded(arguments: Sequence[str], command: Command) -> list[str]:
    """Replace abbreviated options of sacreBLEU by their full names.

    An abbreviation is the beginning of a name in `SACREBLEU_NAMES`, but is not itself the name of an option.

    Raises:
        OptionError: an argument is the beginning of the names of several options.
    """
    known = command.names
    written: list[str] = []
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not argument.startswith("-") or not name.strip("-") or name in known or argument in known:
            written.append(argument)
            continue
        found = [other for other in SACREBLEU_NAMES if other.startswith(name)]
        if not name.startswith("--") and argument[:2] in SACREBLEU_NAMES:
            found.append(argument[:2])  # (the argument may be a short option and its value)
        meant = {known[other].destination + str(known[other].constant) for other in found if other in known}
        if len(meant) > 1:
            raise OptionError(f"ambiguous option: {argument} could match {', '.join(found)}")
        written.append(f"{found[0]}{equals}{value}" if found and found[0] != argument[:2] else argument)
    return written


def check_together(values: Any, command: Command) -> None:
    """Raise `OptionError` if an option is given without an option that it needs, or with a conflicting option."""
    _check_needs(values, command)
    given = {name: value for name, value in values.given().items() if name in command.options}
    for option in command.all_options:
        name = option.destination
        if name not in given or (option.form == "switch" and given[name] != option.constant):
            continue
        refused = option.not_with
        if name == "manifest" and values.langpair:
            refused = (*[other for other in refused if other not in OF_ONE_PAIR], "autorank")
        for other in given:
            if other in refused:
                raise OptionError(f"{command.name_of(other, given[other])} does not go with "
                                  f"{command.name_of(name, given[name])}", other)


def _check_needs(values: object, command: Command) -> None:
    """Raise `OptionError` if an option is given without one of the options that it needs."""
    chosen: dict[str, Any] = vars(values)
    given = [name for name, value in chosen.items() if value != []]  # (also options given with their defaults)
    for destination, option in command.options.items():
        needed = [other for other in option.needs if other in command.options]
        if "unit" in needed:  # (--docs implies --unit, so an option that --unit needs is enough)
            needed += command.options["unit"].needs
            if not command.options["unit"].needs:
                continue
        if destination in given and needed:
            *most, last = [option.name for other in needed for option in command.options_to(other)]
            check_needs(any(other in given for other in needed), command.name_of(destination, chosen[destination]),
                        f"{', '.join(most)}{' or ' if most else ''}{last}", destination)
