"""From the arguments of a process to the values of a command's options, each by itself, and then all together."""

from __future__ import annotations

import os
import sys

from ...errors import LeftOutError, OptionError, nearest
from ...report.formats import FORMATS
from ...version import FULL_VERSION
from .command import Command, CorpusValues
from .groups import METRIC_PREFIXES, SACREBLEU_NAMES, Option
from .values import check_metric, metric_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from typing import Any, Callable, NoReturn, Sequence


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
        names = [option.destination for option in command.options.values() if option.form == "positional"]
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
            raise OptionError(f"-m sets {command.options[destination].name} to {value}, but {current} "
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
                raise TextRequested(f"purebleu {FULL_VERSION}")
            from .help import help_on_command

            raise TextRequested(help_on_command(command))

    parser = Parser(prog="purebleu", add_help=False, allow_abbrev=False, usage=f"purebleu {command.usage}")
    # Arguments are added to a group: the parser itself would format the help of each one to check it, which takes half
    # of the time of parsing, and imports `shutil`.
    arguments = parser.add_argument_group()
    tests = arguments.add_mutually_exclusive_group()
    for option in command.all_options:
        where = tests if option.destination == "test" else arguments
        where.add_argument(*option.names, **_described(option, Answer, command.formats))
    return parser


def _described(option: Option, answer: type, formats: Sequence[str]) -> dict[str, Any]:
    """The arguments of argparse's `add_argument` for an option, besides its names."""
    choices = formats if option.destination == "format" else option.choices
    convert = _converter(option.convert, choices)
    if option.form == "positional":
        return {"nargs": "*", "type": convert, "metavar": option.metavar}
    from argparse import SUPPRESS

    if option.form == "answer":
        return {"action": answer, "nargs": 0, "default": SUPPRESS}
    keywords: dict[str, Any] = {"dest": option.destination, "default": SUPPRESS}  # (the values' class has the defaults)
    if option.form == "switch":
        return {**keywords, "action": "store_const", "const": option.constant}
    if option.form == "optional":
        keywords.update(nargs="?", const=option.constant)
    elif option.form == "several":
        keywords.update(action="extend", nargs="+")
    elif option.form == "each":
        keywords.update(action="append")
    return {**keywords, "type": convert, "metavar": option.metavar}


def _converter(convert: Callable[[str], object] | None, choices: Sequence[str]) -> Callable[[str], object]:
    """The function that takes the mark out of a text, checks that it is one of the choices, and converts it."""
    from argparse import ArgumentTypeError

    def converted(text: str) -> object:
        text = text.replace(_MARK, "")
        if choices and text not in choices:
            raise ArgumentTypeError(f"invalid choice: {text!r} (choose from {', '.join(map(repr, choices))})"
                                    f"{nearest(text, choices)}")
        try:
            return convert(text) if convert else text
        except LeftOutError:
            raise
        except ValueError as error:
            raise ArgumentTypeError(str(error)) from error

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
            raise OptionError(f"{latest}: the value is empty (is a shell variable unset?)")
        if argument == "--":
            are_options = False  # from here on, all are files
        if are_options and argument.startswith("-") and argument != "-":
            latest, equals, value = argument.partition("=")
            if equals and not value:
                raise OptionError(f"{latest}: the value is empty (is a shell variable unset?)")
            if value == "--" or (len(argument) == 4 and argument.endswith("--")):
                raise OptionError(f"{argument}: -- can't be the value of an option")


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


def expanded(arguments: Sequence[str], command: Command) -> list[str]:
    """The arguments with abbreviations of sacreBLEU's options written out, as its parser reads them.

    An abbreviation is the beginning of the name of one option. Names that a command has of its own are left as they
    are.

    Raises:
        OptionError: an argument is the beginning of several names.
    """
    known = command.names
    written: list[str] = []
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not argument.startswith("-") or argument == "-" or name in known or argument in known:
            written.append(argument)
            continue
        found = [other for other in SACREBLEU_NAMES if other.startswith(name)]
        if not name.startswith("--") and argument[:2] in SACREBLEU_NAMES:
            found.append(argument[:2])  # a short option, with its value behind it
        meant = {known[other].destination + str(known[other].constant) for other in found if other in known}
        if len(meant) > 1:
            raise OptionError(f"ambiguous option: {argument} could match {', '.join(found)}")
        written.append(f"{found[0]}{equals}{value}" if found and found[0] != argument[:2] else argument)
    return written


_FILES = ("references", "input", "num_refs", "paragraphs", "where", "group", "resegment", "save_resegmented", "ids",
          "srt_unit")
_TEST_SETS = ("test_set", "origlang", "subset")
_SCORES = ("scores", "scores_lower", "scores_signature", "equal_outputs")
#: Options that are for a single corpus of texts.
_OF_ONE_CORPUS = ("signature", "save_rows", "offset", "sentence_level", "detail", "score_only", "baseline", "fail_on",
                  "report", "audit", "human", "human_systems", "against")

#: For each kind of inputs that is no text of its own: the options that do not go with it. (`METRIC_PREFIXES` stands for
#: all options of metrics.)
NOT_WITH = {
    "rows": (*_FILES, *_TEST_SETS, *_SCORES, "normalize", "reference_encoding", "langpair", "source", "signature",
             "save_rows", "offset", "detail", "jobs", "fail_on", "audit", "human", "human_systems", "check_threshold",
             "runs", "manifest", "cross", "segments"),
    "runs": (*_OF_ONE_CORPUS[:-1], "input", "names", "ids", "source", "ter_kinds", "manifest", "power", "autorank",
             "group"),
    "manifest": (*_FILES, *_TEST_SETS, *_OF_ONE_CORPUS, "names", "docs", "unit", "strata", "ter_kinds", "source"),
}

#: Of these, the options that go with a single pair of a manifest.
_OF_ONE_PAIR = (*_OF_ONE_CORPUS, "docs", "unit", "strata", "ter_kinds", "source", "ids", "resegment",
                "save_resegmented", "paragraphs", "where", "group", "srt_unit")


def check_together(values: Any, command: Command) -> None:
    """Raise `OptionError` for an option that lacks one that it needs, or that does not go with another one."""
    _check_needs(values, command)
    given = {name: value for name, value in values.given().items() if name in command.options}
    refusing: dict[str, Sequence[str]] = {**NOT_WITH}
    for option in command.all_options:
        if option.not_with and (option.form != "switch" or given.get(option.destination) == option.constant):
            refusing[option.destination] = option.not_with
    for name, not_with in refusing.items():
        if name not in given:
            continue
        refused = not_with
        if name == "manifest" and values.langpair:
            refused = (*[other for other in not_with if other not in _OF_ONE_PAIR], "autorank")
        for other in given:
            if other in refused or (name == "rows" and other.startswith(METRIC_PREFIXES)):
                raise OptionError(f"{command.name_of(other, given[other])} does not go with "
                                  f"{command.name_of(name, given[name])}", option=other)


def _check_needs(values: object, command: Command) -> None:
    """Raise `OptionError` for an option that would do nothing without another one."""
    chosen: dict[str, Any] = vars(values)
    given = [name for name, value in chosen.items() if value != []]  # (also values that are the default)
    for destination, option in command.options.items():
        needed = [other for other in option.needs if other in command.options]
        if "unit" in needed:  # (what --unit needs will do in its place)
            needed += command.options["unit"].needs
            if not command.options["unit"].needs:
                continue
        if destination in given and needed and not any(other in given for other in needed):
            *most, last = [option.name for other in needed for option in command.options_to(other)]
            raise OptionError(f"{command.name_of(destination, chosen[destination])} goes with {', '.join(most)}"
                              f"{' or ' if most else ''}{last}", option=destination)
