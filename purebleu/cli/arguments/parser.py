"""From the arguments of a process to the values of a command's options: each option by itself."""

from __future__ import annotations

import os
import sys

from ...errors import OptionError, nearest
from ...report import FORMATS
from ...version import __version__
from .command import CorpusValues
from .option import ANSWER, EACH, OPTIONAL, POSITIONAL, SEVERAL, SWITCH
from .sacrebleu import expanded
from .together import check_together
from .values import check_metric, metric_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from typing import Any, Callable, NoReturn, Sequence

    from .command import Command
    from .option import Option

#: The mark of values that begin with `-:`, such as `-:jsonl:text`: argparse would take them for options.
_MARK = "\0"


class TextRequested(Exception):
    """`--help` or `--version` was given: the text that answers it is the only argument."""


class UnknownOptionError(OptionError):
    """An argument that a command does not have.

    Attributes:
        argument: the argument.
    """

    def __init__(self, command: Command, argument: str) -> None:
        super().__init__(f"unrecognized arguments: {argument} (see purebleu {command.word} --help)")
        self.argument = argument


def parse(command: Command, arguments: Sequence[str]) -> Any:
    """The values of a command's options, each checked by itself.

    Raises:
        OptionError: one is wrong, or the command does not have it.
        TextRequested: for `--help` and `--version`.
    """
    _check_arguments(arguments)
    end = arguments.index("--") if "--" in arguments else len(arguments)
    words = expanded(arguments[:end], command) if command.word == "score" else list(arguments[:end])
    _check_short_names(words, command)
    marked = [_MARK + word if word.startswith("-:") else word for word in words]
    values, unknown = build_parser(command).parse_known_args(marked, namespace=command.values())
    if unknown:
        raise UnknownOptionError(command, unknown[0].replace(_MARK, ""))
    files = list(arguments[end + 1:])
    if files:
        names = [option.destination for option in command.options.values() if option.form == POSITIONAL]
        if not names:
            raise OptionError(f"purebleu {command.word} takes no files after --")
        setattr(values, names[0], [*getattr(values, names[0]), *files])
    check_together(values, command)
    if isinstance(values, CorpusValues):
        _set_metrics(values, command)
    return values


def _check_short_names(words: Sequence[str], command: Command) -> None:
    """Raise `UnknownOptionError` for the beginning of a name with one dash, which argparse would take for the name."""
    known = command.names
    for word in words:
        looks_like_option = word.startswith("-") and word[1:2] not in ("", "-", ":", *"0123456789.") and " " not in word
        if looks_like_option and word.partition("=")[0] not in known and word[:2] not in known:
            raise UnknownOptionError(command, word)


def _set_metrics(values: CorpusValues, command: Command) -> None:
    """Set the registered names of metrics, with those that limits name, and the other options that names imply."""
    # (The parser makes a list for each time that the option is given.)
    names = {name: "--metrics/-m" for given in values.metrics for name in given}
    if names or not values.rows:  # (stored rows name their own metrics)
        chosen, _ = metric_settings(list(names))
        for option in ("min", "max"):
            limits: list[tuple[str, float]] = getattr(values, option, [])
            names.update({name: f"--{option}" for name, _ in limits if name not in (*names, *chosen)})
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
            raise OptionError(f"-m, as it is written, says {command.options[destination].name} {value}, but {current} "
                              "is given", option="metrics")
        setattr(values, destination, value)


def build_parser(command: Command) -> ArgumentParser:
    """The parser of the options of a command."""
    from argparse import Action, ArgumentError, ArgumentParser

    class Parser(ArgumentParser):
        """Reports a wrong option as an error like any other, in one line."""

        def error(self, message: str) -> NoReturn:
            wrong = sys.exc_info()[1]  # (it is called while that is handled)
            name = wrong.argument_name if isinstance(wrong, ArgumentError) else None
            option = command.names.get(name.split("/")[0]) if name else None
            raise OptionError(f"{message.replace(_MARK, '')} (see purebleu {command.word} --help)",
                              option.destination if option else None)

    class Answer(Action):
        """Ends the parsing with a text. (argparse's own actions print theirs, and do not notice a failure of that.)"""

        def __call__(self, parser: ArgumentParser, _: object, value: Any, __: object = None) -> NoReturn:
            if self.dest == "version":
                raise TextRequested(f"purebleu {__version__}")
            from .help import help_on_command

            raise TextRequested(help_on_command(command))

    parser = Parser(prog="purebleu", add_help=False, allow_abbrev=False, usage=f"purebleu {command.usage}")
    # Arguments are added to a group: the parser itself would format the help of each one to check it, which takes half
    # of the time of parsing, and imports `shutil`.
    arguments = parser.add_argument_group()
    tests = arguments.add_mutually_exclusive_group()
    for group in command.all_groups:
        for option in group.options:
            where = tests if option.destination == "test" else arguments
            where.add_argument(*option.names, **_described(option, Answer, command.formats))
    return parser


def _described(option: Option, answer: type, formats: Sequence[str]) -> dict[str, Any]:
    """The arguments of argparse's `add_argument` for an option, besides its names."""
    choices = formats if option.destination == "format" else option.choices
    convert = _converter(option.convert, choices)
    if option.form == POSITIONAL:
        return {"nargs": "*", "type": convert, "metavar": option.metavar}
    from argparse import SUPPRESS

    if option.form == ANSWER:
        return {"action": answer, "nargs": 0, "default": SUPPRESS}
    keywords: dict[str, Any] = {"dest": option.destination, "default": SUPPRESS}  # (the values' class has the defaults)
    if option.form == SWITCH:
        return {**keywords, "action": "store_const", "const": option.constant}
    if option.form == OPTIONAL:
        keywords.update(nargs="?", const=option.constant)
    elif option.form == SEVERAL:
        keywords.update(action="extend", nargs="+")
    elif option.form == EACH:
        keywords.update(action="append")
    return {**keywords, "type": convert, "metavar": option.metavar}


def _converter(convert: Callable[[str], object] | None, choices: Sequence[str]) -> Callable[[str], object]:
    """The function that takes the mark out of a text, checks that it is one of the choices, and converts it."""
    def converted(text: str) -> object:
        text = text.replace(_MARK, "")
        if choices and text not in choices:
            from argparse import ArgumentTypeError

            raise ArgumentTypeError(f"invalid choice: {text!r} (choose from {', '.join(map(repr, choices))})"
                                    f"{nearest(text, choices)}")
        return convert(text) if convert else text

    return converted


def _check_arguments(arguments: Sequence[str]) -> None:
    """Raise `OptionError` for arguments that are wrong as the value of any option.

    These are an argument with a NUL character, an empty one (as from a variable that is not set), and `--` as a value.
    """
    latest, are_options = "an argument", True
    for argument in arguments:
        if _MARK in argument:
            raise OptionError(f"the argument {argument!r} has a NUL character in it")
        if not argument:
            raise OptionError(f"{latest}: the value is empty (is a variable not set?)")
        if argument == "--":
            are_options = False  # from here on, all are files
        if are_options and argument.startswith("-") and argument != "-":
            latest, equals, value = argument.partition("=")
            if equals and not value:
                raise OptionError(f"{latest}: the value is empty (is a variable not set?)")
            if value == "--" or (len(argument) == 4 and argument.endswith("--")):
                raise OptionError(f"{argument}: -- is no value of an option")


def format_from_environment() -> str | None:
    """The format that the environment asks for, if it does.

    sacreBLEU-compat: it overrides the option. (fixtures: command_lines)
    """
    for variable in ("PUREBLEU_FORMAT", "SACREBLEU_FORMAT"):
        form = os.environ.get(variable, "").lower()
        if form in FORMATS:
            return form
        if form:
            raise OptionError(f"{variable} is {form!r}, but the formats are {', '.join(FORMATS)}")
    return None
