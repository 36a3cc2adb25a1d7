"""A command: its options, its formats, and the function that runs it."""

from __future__ import annotations

from .groups import EVERYWHERE, InputValues, MetricValues, OutputValues
from .option import Group

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Sequence

    from ..answer import Answer
    from .option import Option


class CorpusValues(InputValues, MetricValues, OutputValues):
    """The values of the options of a command that scores a corpus."""


class Command:
    """A command of the command line.

    Attributes:
        word: its name.
        usage: what follows the name.
        purpose: a line of help.
        run: the function that runs it, from the values of its options to the answer.
        values: the class of these values.
        own: its own options; may be empty.
        groups: the groups of options that it shares with other commands.
        formats: the values of `--format`, the default first; empty: it has no such option.
        examples: command lines without the name of the program, each with what it does.
        takes_line: whether all that follows its word is words (or another command line), not options.
        fetches: whether it may fetch test sets and models, so that those in an archive are unpacked first.
    """

    def __init__(self, word: str, usage: str, purpose: str, run: Callable[[Any], Answer], values: type[OutputValues],
                 own: Sequence[Option] = (), groups: Sequence[Group] = (), formats: Sequence[str] = (),
                 examples: Sequence[tuple[str, str]] = (), *, takes_line: bool = False, fetches: bool = True) -> None:
        self.word = word
        self.usage = usage
        self.purpose = purpose
        self.run = run
        self.values = values
        self.own = Group(word, f"options of {word}", own)
        self.groups = (*groups, EVERYWHERE)
        self.formats = tuple(formats)
        self.examples = examples
        self.takes_line = takes_line
        self.fetches = fetches

    @property
    def all_groups(self) -> list[Group]:
        """All groups of its options that are not empty."""
        return [group for group in (self.own, *self.groups) if group.options]

    @property
    def options(self) -> dict[str, Option]:
        """Its options by their destinations; of those that share one, the first."""
        found: dict[str, Option] = {}
        for group in self.all_groups:
            for option in group.options:
                found.setdefault(option.destination, option)
        return found

    def name_of(self, destination: str, value: object) -> str:
        """The name of the option with this destination; if several share it, that of the one that gives this value."""
        found = [option for group in self.all_groups for option in group.options if option.destination == destination]
        return next((option.name for option in found if option.constant == value), found[0].name)

    @property
    def names(self) -> dict[str, Option]:
        """Its options by all of their names."""
        return {name: option for group in self.all_groups for option in group.options for name in option.names}
