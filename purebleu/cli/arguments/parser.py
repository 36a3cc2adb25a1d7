"""From the arguments of a process to `Options`: each option by itself."""

from __future__ import annotations

import os

from ...errors import OptionError, nearest
from ...report import FORMATS
from ...version import __version__
from .options import Options
from .table import ANSWER, EACH, GROUPS, OPTIONAL, OPTIONS, POSITIONAL, SEVERAL, SWITCH, Option
from .values import check_metric, metric_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from typing import Any, NoReturn, Sequence


class TextRequested(Exception):
    """`--help` or `--version` was given: the text that answers it is the only argument."""


def parse_arguments(arguments: Sequence[str]) -> Options:
    """The options in arguments, each checked by itself.

    Raises:
        OptionError: one is wrong.
        TextRequested: for `--help` and `--version`.
    """
    _check_arguments(arguments)
    # (--help takes all that follows it: the words to look up may be the name of an option, too.)
    if asked := [index for index, argument in enumerate(arguments[:-1]) if argument in OPTIONS["help"].names]:
        arguments = [*arguments[:asked[0]], f"--help={' '.join(arguments[asked[0] + 1:])}"]
    # (argparse would take a column of standard input, such as -:jsonl:text, for an option.)
    marked = ["\0" + argument if argument.startswith("-:") else argument for argument in arguments]
    # (The value of --doctor is optional, and a file that follows is not that value.)
    marked = ["--doctor=text" if argument == "--doctor" and following not in OPTIONS["doctor"].choices else argument
              for argument, following in zip(marked, [*marked[1:], ""])]
    options = build_parser().parse_args(marked, namespace=Options())
    if marked != arguments:
        for destination, value in vars(options).items():
            if repr("\0-:")[1:-1] in repr(value):
                raise OptionError(f"{OPTIONS[destination].names[0]} takes no value that begins with -: (a column of "
                                  "standard input)", option=destination)
    return _with_metrics(_flattened(options))


def _flattened(options: Options) -> Options:
    """The options with the lists of repeated arguments joined."""
    if "fail_on" not in vars(options):
        return options
    # (The parser makes a list for each time that the option is given.)
    return options.replace(fail_on=list(dict.fromkeys([name for names in options.fail_on for name in names])))


def _with_metrics(options: Options) -> Options:
    """The options with metrics by their registered names, and with the other options that their names imply."""
    _check_names(options)
    if "metrics" not in vars(options):
        return options
    # (The parser makes a list for each time that the option is given.)
    metrics, settings = metric_settings([name for names in options.metrics for name in names])
    for destination, value in settings.items():
        current = vars(options).get(destination, value)
        if current != value:
            raise OptionError(f"-m, as it is written, says {OPTIONS[destination].names[0]} {value}, but {current} is "
                              "given", option="metrics")
    return options.replace(**settings, metrics=metrics)


def _check_names(options: Options) -> None:
    """Raise `OptionError` for a metric that is neither in the registry nor among scores from outside."""
    if options.rows:
        return  # (stored rows name their own metrics)
    outside = options.outside_metrics
    for name in [name for names in options.metrics for name in names]:
        check_metric(name, "--metrics/-m", "metrics", outside)
    for destination, limits in (("fail_under", options.fail_under), ("fail_over", options.fail_over)):
        for name, _ in limits:
            check_metric(name, OPTIONS[destination].names[0], destination, outside)


def build_parser() -> ArgumentParser:
    """The parser of all options in `table.GROUPS`."""
    from argparse import Action, ArgumentParser

    class Parser(ArgumentParser):
        """Reports a wrong option as an error like any other, in one line."""

        def error(self, message: str) -> NoReturn:
            names = {name: option for option in OPTIONS.values() for name in option.names}
            start, _, rest = message.partition("unrecognized arguments: ")
            unknown = rest.split(" ")[0].partition("=")[0]
            is_near = nearest(unknown.lstrip("-"), [name.lstrip("-") for name in names])  # (all begin with dashes)
            near = "" if start or not is_near else nearest(unknown, names)
            # (Its messages begin with "argument -m/--metrics: ".)
            wrong = names.get(message.partition("argument ")[2].partition(":")[0].split("/")[0])
            if wrong and "invalid choice: '" in message:
                near = nearest(message.partition("invalid choice: '")[2].partition("'")[0], wrong.choices)
            raise OptionError(f"{message}{near} (see {self.prog} --help)", wrong.destination if wrong else None)

    class Answer(Action):
        """Ends the parsing with a text. (argparse's own actions print theirs, and do not notice a failure of that.)"""

        def __call__(self, parser: ArgumentParser, _: object, value: Any, __: object = None) -> NoReturn:
            raise TextRequested(_answer_to(self.dest, value))

    parser = Parser(prog="purebleu", add_help=False,
                    usage="%(prog)s [options] {REFERENCE ... | -t NAME -l SRC-TRG} [-i FILE ...]")
    # Arguments are added to a group: the parser itself would format the help of each one to check it, which takes half
    # of the time of parsing, and imports `shutil`.
    arguments = parser.add_argument_group()
    tests = arguments.add_mutually_exclusive_group()
    for group in GROUPS:
        for option in group.options:
            where = tests if option.destination == "test" else arguments
            where.add_argument(*option.names, **_described(option, Answer))
    return parser


def _described(option: Option, answer: type) -> dict[str, Any]:
    """The arguments of argparse's `add_argument` for an option, besides its names."""
    if option.form == POSITIONAL:
        return {"nargs": "*", "type": option.convert, "metavar": option.metavar}
    from argparse import SUPPRESS

    if option.form == ANSWER:
        return {"action": answer, "nargs": 0 if option.metavar is None else "?", "default": SUPPRESS}
    keywords: dict[str, Any] = {"dest": option.destination, "default": SUPPRESS}  # (`Options` has the defaults.)
    if option.form == SWITCH:
        return {**keywords, "action": "store_const", "const": option.constant}
    if option.form == OPTIONAL:
        keywords.update(nargs="?", const=option.constant)
    elif option.form == SEVERAL:
        keywords.update(action="extend", nargs="+")
    elif option.form == EACH:
        keywords.update(action="append")
    return {**keywords, "type": option.convert, "choices": option.choices or None, "metavar": option.metavar}


def _answer_to(destination: str, value: str | None) -> str:
    if destination == "version":
        return f"purebleu {__version__}"
    from .lookup import help_on

    return help_on(value)


def _check_arguments(arguments: Sequence[str]) -> None:
    """Raise `OptionError` for arguments that are wrong as the value of any option.

    These are an argument with a NUL character, an empty one (as from a variable that is not set), and `--`, which
    argparse drops from the values of an option before Python 3.13.
    """
    latest, are_options = "an argument", True
    for argument in arguments:
        if "\0" in argument:
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
