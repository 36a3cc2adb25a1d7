"""A command: its options, its formats and styles, and the function that runs it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence

from ...report.formats import DELIMITED_FORMATS, GITHUB, PAPER, SIGNED_JSON, Style
from ...runtime.errors import OptionError
from ...runtime.hints import Any
from ..process import columns_of, is_terminal, takes_colors
from .groups import EVERYWHERE, SHARED, Group, InputValues, MetricValues, Option, OutputValues
from .values import check_apart, check_needs


class Answer:
    """The answer of a command: its text and messages, which `main` prints, and its exit code.

    Attributes:
        pieces: the parts of the text for standard output, without line feeds at their ends; may be empty.
        messages: lines for standard error, which are printed after the text.
        exit_code: the exit code of the process.
    """

    def __init__(self, text: str | Iterable[str] | None = None, messages: Sequence[str] = (),
                 exit_code: int = 0) -> None:
        self.pieces: Iterable[str] = () if text is None else [text] if isinstance(text, str) else text
        self.messages = messages
        self.exit_code = exit_code


class CorpusValues(InputValues, MetricValues, OutputValues):
    """The values of the options of a command that scores a corpus."""


class LineValues(OutputValues):
    """The values of a command (such as `help`) whose words are not parsed. `line` has these words."""

    line: Sequence[str] = ()


class Command:
    """A command of the command line.

    The constructor's argument `run` is a function that takes the values of the options, and returns the answer.

    Attributes:
        word: the name of the command.
        usage: the name and the arguments of the command, as help shows them.
        purpose: what the command does, in a few sentences.
        values: the class of the values. If it is a `LineValues`, the words after the command's name are not parsed.
        own: the group of the command's own options. (The constructor also takes the destinations of `SHARED` options.)
        groups: the groups of options that the command shares with other commands.
        formats: the values of `--format`, the default first; empty: the command has no `--format`.
        ignored: pairs of the destination of an output option, and the formats that ignore this option.
        examples: command lines without the name of the program, each with its purpose.
        all_groups: the groups of `own` and `groups` that have options.
        all_options: the options of all groups.
        options: the first option that sets a destination, by destination.
        names: the options, by each of their names.
    """

    def __init__(self, word: str, usage: str, purpose: str, run: Callable[[Any], Answer], values: type[OutputValues],
                 own: Sequence[Option | str] = (), groups: Sequence[Group] = (), formats: Sequence[str] = (),
                 examples: Sequence[tuple[str, str]] = (), ignored: Sequence[tuple[str, Sequence[str]]] = ()) -> None:
        self.word = word
        self.usage = usage
        self.purpose = purpose
        self._run = run
        self.values = values
        self.own = Group(word, f"options of {word}", [
            SHARED[option] if isinstance(option, str) else option for option in own])
        self.groups = (*groups, EVERYWHERE)
        self.formats = tuple(formats)
        self.examples = examples
        self.ignored = ignored
        self.all_groups = [group for group in (self.own, *self.groups) if group.options]
        self.all_options = [option for group in self.all_groups for option in group.options]
        self.options: dict[str, Option] = {}
        for option in self.all_options:
            self.options.setdefault(option.destination, option)
        self.names = {name: option for option in self.all_options for name in option.names}

    def run(self, values: Any) -> Answer:
        """Run the command, and return its answer. Raise `OptionError` if the format ignores an option that is given."""
        for name, formats in self.ignored:
            reason = f"another format: {values.format} ignores this option"
            values.check_uses(**{name: (values.format not in formats, reason)})
        return self._run(values)

    def options_to(self, destination: str) -> list[Option]:
        """Return the options that set a destination."""
        return [option for option in self.all_options if option.destination == destination]

    def name_of(self, destination: str, value: object) -> str:
        """Return the name of the option that sets a destination to a value."""
        sharing = self.options_to(destination)
        return next((option for option in sharing if option.constant == value), sharing[0]).name


#: For each format, the options whose results it does not show.
_NO_ROOM: dict[str, Sequence[str]] = {PAPER: ("power", "autorank", "group"), GITHUB: ("group",)}

#: The formats for programs. They have all digits of numbers, and full signatures.
FOR_PROGRAMS = ("json", SIGNED_JSON, *DELIMITED_FORMATS)


def check_format(form: str, formats: Sequence[str], called: str) -> None:
    """Raise `OptionError` unless `form` is empty or one of `formats`. `called` is the subject of the message."""
    if form and form not in formats:
        raise OptionError(f"{called} takes only -f {', '.join(formats)}, not {form}", "format")


def style_of(values: OutputValues, form: str = "") -> Style:
    """Return the style of the output in the format `form` (default: the value of `--format`, else text)."""
    color = not (values.no_color or os.environ.get("NO_COLOR")) and takes_colors(sys.stdout)
    columns = columns_of(sys.stdout) if is_terminal(sys.stdout) else None
    form = form or values.format or "text"
    if values.label:
        check_needs(form == PAPER, "--label", f"-f {PAPER}", "label")
    for name in _NO_ROOM.get(form, ()):
        check_apart(name in values.given(), f"--{name}", f"-f {form}", "format", "choose another format")
    return Style(form, values.width, values.short, color, columns, values.label)
