"""The words that a shell offers for the next word of a command line: the completions in `scripts/share` ask for them."""

from __future__ import annotations

from ..errors import LeftOutError
from .arguments.option import EACH, OPTIONAL, POSITIONAL, SEVERAL, SWITCH
from .commands import COMMANDS, command_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterable, Iterator, Sequence

    from .arguments.command import Command
    from .arguments.option import Option

#: Stands for the names of files, which the shell knows.
FILE_NAMES = "FILE"


def next_words(line: Sequence[str], words_of_help: Callable[[], Iterable[str]]) -> list[str]:
    """The words that may stand at the end of a line; each may have a tab and a description after it.

    Args:
        line: the words after the program's name; the last one has been begun, or is empty.
        words_of_help: a function that returns the words that the command `help` takes besides commands.
    """
    *before, begun = [word for word in line[:-1] if word != "="] + [line[-1] if line else ""]
    first = before[0] if before else ""
    command = command_named(first if first in COMMANDS else "score")
    words = before[1:] if first in COMMANDS else before
    if command.word == "doctor":
        return [] if words == ["--json"] and begun.startswith("-") else next_words([*words, begun], words_of_help)
    if command.word == "help":
        return [*_described_commands(), *words_of_help()]
    if begun.startswith("-"):
        return [f"{name}\t{option.help}" for name, option in command.names.items() if name.startswith("-")]
    option = _option_before(words, command)
    found = [] if option is None else list(_words_of_option(option, command, words))
    if option is None or option.form == OPTIONAL:
        found += [FILE_NAMES for other in command.options.values() if other.form == POSITIONAL]
        found += _described_test_sets() if command.word == "bundle" else []
    return found if before else [*_described_commands(), *found]


def _option_before(words: Sequence[str], command: Command) -> Option | None:
    """The option that takes the word after these as its value; `None` if there is none."""
    for distance, word in enumerate(reversed(words)):
        if word.startswith("-") and word != "-":
            option = command.names.get(word)
            takes_it = option is not None and option.form in (SEVERAL, *([] if distance else [EACH, OPTIONAL, "one"]))
            return option if takes_it else None
    return None


def _words_of_option(option: Option, command: Command, words: Sequence[str]) -> Iterator[str]:
    """The words that an option takes, as far as they are known."""
    if option.destination == "format":
        yield from command.formats
    elif option.destination == "metrics":
        from ..metrics import FURTHER_MODULES, METRIC_FAMILIES, MODULES

        yield from [*map(str.lower, [*MODULES, *FURTHER_MODULES]), *METRIC_FAMILIES, "chrf++", "spbleu"]
    elif option.destination == "bleu_tokenize":
        from ..tokenizers import TOKENIZERS

        yield from TOKENIZERS
    elif option.destination in ("test_set", "download"):
        yield from _described_test_sets()
    elif option.destination == "langpair":
        yield from _language_pairs(words)
    elif option.choices:
        yield from option.choices
    elif option.form != SWITCH and ("FILE" in str(option.metavar) or option.metavar == "NAME=PATTERN"):
        yield FILE_NAMES


def _described_test_sets() -> Iterator[str]:
    try:
        from ..datasets import DATASETS
    except LeftOutError:
        return
    for name, test_set in DATASETS.items():
        yield f"{name}\t{test_set.description}"


def _language_pairs(words: Sequence[str]) -> list[str]:
    """The pairs of the test sets that the line names, or else of all of them."""
    try:
        from ..datasets import DATASETS
    except LeftOutError:
        return []
    named = [test_set for name, test_set in DATASETS.items() if name in words]
    return sorted({pair for test_set in named or DATASETS.values() for pair in test_set.langpairs})


def _described_commands() -> list[str]:
    return [f"{word}\t{purpose}" for word, (purpose, _) in COMMANDS.items()]
