"""Shell completion: the words that may come next in a command line (used by `scripts/share`)."""

from __future__ import annotations

from ..metrics import METRIC_FAMILIES
from ..runtime.errors import LeftOutError
from ..runtime.hints import Callable, Iterator, Sequence
from .arguments.command import Command
from .arguments.groups import Option
from .arguments.values import METRIC_NAMES
from .commands import COMMANDS, command_named, names_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..datasets.catalogue import Record

#: The word that stands for file names. (The shell completes file names itself.)
FILES = "FILE"


def next_words(line: Sequence[str], words_of_help: Callable[[], list[str]]) -> list[str]:
    """Return the words that can complete the last word of a line. (The last word may be empty.)

    A returned word may have a tab and a description after it, and `FILES` stands for the names of files. The function
    `words_of_help` returns the words, other than commands, that `purebleu help` takes.
    """
    *before, begun = [word for word in line[:-1] if word != "="] + [line[-1] if line else ""]
    first = before[0] if before else ""
    is_command = first in COMMANDS
    command, words = command_named(first if is_command else "score"), before[1:] if is_command else before
    if command.word == "doctor":
        is_done = words == ["--json"] and begun.startswith("-")
        return [] if is_done else next_words([*words, begun], words_of_help)
    if command.word == "help":
        return [*_described_commands(), *words_of_help()]
    name, equals, value = begun.partition("=")
    if equals and name in command.names:
        # (zsh and fish pass an option and its value as one word; bash passes three words.)
        return [f"{name}={word}" for word in _values(command.names[name], command, words, value) if word != FILES]
    if begun.startswith("-"):
        return [f"{name}\t{option.help}" for name, option in command.names.items() if name.startswith("-")]
    option = _option_before(words, command)
    found = [] if option is None else list(_values(option, command, words, begun))
    if option is None or option.form == "optional":
        found += [FILES for other in command.options.values() if other.form == "positional"]
        found += _described_test_sets() if command.word == "bundle" else []
    return found if before else [*_described_commands(), *found]


def _option_before(words: Sequence[str], command: Command) -> Option | None:
    """Return the option that expects a value after these words; `None` if no option does."""
    for distance, word in enumerate(reversed(words)):
        if word.startswith("-") and word != "-":
            option = command.names.get(word)
            forms = ("several",) if distance else ("several", "each", "optional", "one")
            return option if option is not None and option.form in forms else None
    return None


def _values(option: Option, command: Command, words: Sequence[str], begun: str) -> Iterator[str]:
    """Yield the known values of an option; `begun` is the part of the word that has been typed."""
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
    """Return the records of the test sets in the catalogue. (Importing records is faster than importing test sets.)"""
    try:
        from ..datasets.catalogue import Record, catalogue
    except LeftOutError:
        return {}
    return {name: Record(name, text) for name, text in catalogue().items()}


def _language_pairs(words: Sequence[str], begun: str) -> list[str]:
    """Return the language pairs of the test sets that the line names, or else of all test sets that list their pairs.

    A test set of many languages has tens of thousands of pairs. Of these, only pairs that start with `begun` are
    returned.
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


def _described_commands() -> list[str]:
    return [f"{word}\t{COMMANDS[word]}" for word in names_here()]
