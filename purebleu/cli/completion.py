"""The words that a shell offers next in a command line: the completions in `scripts/share` ask for them."""

from __future__ import annotations

from ..errors import LeftOutError
from ..metrics import METRIC_FAMILIES
from .arguments.command import Command, names_here
from .arguments.groups import Option
from .arguments.values import METRIC_NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterator, Sequence

    from ..datasets.catalogue import Record
    from .arguments.command import Table

#: Stands for the names of files, which the shell knows.
FILES = "FILE"


def next_words(line: Sequence[str], table: Table, words_of_help: Callable[[Table], list[str]]) -> list[str]:
    """The words that may stand at the end of a line, whose last word has been begun, or is empty.

    Each may have a tab and a description after it; `FILES` stands for the names of files.

    Args:
        line: the words of the line.
        table: the commands.
        words_of_help: gives the words of help that are no commands.
    """
    *before, begun = [word for word in line[:-1] if word != "="] + [line[-1] if line else ""]
    first = before[0] if before else ""
    _, load = table[first if first in table else "score"]
    command, words = load(), before[1:] if first in table else before
    if command.word == "doctor":
        is_done = words == ["--json"] and begun.startswith("-")
        return [] if is_done else next_words([*words, begun], table, words_of_help)
    if command.word == "help":
        return [*_described_commands(table), *words_of_help(table)]
    name, equals, value = begun.partition("=")
    if equals and name in command.names:
        # (zsh and fish hand on an option and its value as one word, bash as three.)
        return [f"{name}={word}" for word in _values(command.names[name], command, words, value) if word != FILES]
    if begun.startswith("-"):
        return [f"{name}\t{option.help}" for name, option in command.names.items() if name.startswith("-")]
    option = _option_before(words, command)
    found = [] if option is None else list(_values(option, command, words, begun))
    if option is None or option.form == "optional":
        found += [FILES for other in command.options.values() if other.form == "positional"]
        found += _described_test_sets() if command.word == "bundle" else []
    return found if before else [*_described_commands(table), *found]


def _option_before(words: Sequence[str], command: Command) -> Option | None:
    """The option that takes the word after these as its value; `None` if there is none."""
    for distance, word in enumerate(reversed(words)):
        if word.startswith("-") and word != "-":
            option = command.names.get(word)
            forms = ("several",) if distance else ("several", "each", "optional", "one")
            return option if option is not None and option.form in forms else None
    return None


def _values(option: Option, command: Command, words: Sequence[str], begun: str) -> Iterator[str]:
    """The words that an option takes, as far as they are known; `begun` is the one that has been begun."""
    if option.destination == "format":
        yield from command.formats
    elif option.destination == "metrics":
        yield from [*METRIC_NAMES, *METRIC_FAMILIES, "chrf++", "spbleu"]
    elif option.destination == "bleu_tokenize":
        from ..tokenizers import TOKENIZERS

        yield from TOKENIZERS
    elif option.destination in ("test_set", "download"):
        yield from _described_test_sets()
    elif option.destination == "langpair":
        yield from _language_pairs(words, begun)
    elif option.choices:
        yield from option.choices
    elif option.form != "switch" and ("FILE" in str(option.metavar) or option.metavar == "NAME=PATTERN"):
        yield FILES


def _described_test_sets() -> Iterator[str]:
    for name, record in _records().items():
        yield f"{name}\t{record.description}"


def _records() -> dict[str, Record]:
    """What the catalogue says of each test set. (Test sets as such would take longer to import.)"""
    try:
        from ..datasets.catalogue import Record, catalogue
    except LeftOutError:
        return {}
    return {name: Record(name, text) for name, text in catalogue().items()}


def _language_pairs(words: Sequence[str], begun: str) -> list[str]:
    """The pairs of the test sets that the line names, or else of all sets that list theirs.

    If any two languages are a pair, there are ten thousands: those that the word begins.
    """
    records = _records()
    named = [name for name in records if name in words]
    pairs: set[str] = set()
    for name in named or records:
        if named and records[name].texts:
            from ..datasets import DATASETS

            pairs.update([pair for pair in DATASETS[name].langpairs if pair.startswith(begun)])
        pairs.update(records[name].pairs)
    return sorted(pairs)


def _described_commands(table: Table) -> list[str]:
    return [f"{word}\t{table[word][0]}" for word in names_here(table)]
