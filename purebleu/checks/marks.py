"""Outputs that are tokenized otherwise than the references, as far as marks and spaces tell."""

from __future__ import annotations

from ..unicode.scripts import UNSPACED_BLOCKS, is_in, unspaced_characters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Sequence, Tuple

    from .against import Against, Found

    #: The numbers of places that are separated by spaces, and of those that could be.
    Places = Tuple[int, int]

#: Marks that no orthography separates from the word before them, or after them. (French has a space before other ones.)
_CLOSING = frozenset(".,)]。、，！？；：）」』")
_OPENING = frozenset("([（「『")
_MARKS = _CLOSING | _OPENING

#: The number of characters of a script without spaces that make a place for one, in text that is split into words:
#: few words are longer.
_CHARACTERS_OF_PLACE = 4

#: Fewer spaces than this may stand between names or phrases.
_MIN_SPACES = 3


def tokenized_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """The outputs whose marks are separate words more often, or less often, than in each reference of the segment.

    The value is the difference of shares: of the marks that spaces separate from their words, or of spaces between
    words in a script that has none. References without any mark are taken to be as all references together are.

    >>> from purebleu.checks.against import Against
    >>> tokenized_lines(["Yes , I know .", "Yes, I know."], Against(None, [["Yes, he knows."] * 2]), 0.5)
    [(0, 1.0)]
    """
    usual = against.value_of_references(share_of_separate_marks)
    found: Found = []
    for index, output in enumerate(outputs):
        # (Where the references have attached marks, few lines have anything to be counted.)
        if usual < threshold and _MARKS.isdisjoint(output.split()) and not unspaced_characters(output):
            continue
        references = list(map(_counts_of_line, against.references_of(index)))
        value = max([_difference(counts, [of_reference[kind] for of_reference in references], usual * (kind == 0))
                     for kind, counts in enumerate(_counts_of_line(output))])
        if value >= threshold:
            found.append((index, value))
    return found


def share_of_separate_marks(lines: Iterable[str]) -> float:
    """The share of marks that spaces separate from their words, in all lines.

    >>> share_of_separate_marks(["Yes , I know ."]), share_of_separate_marks(["Yes, I know."])
    (1.0, 0.0)
    """
    separate = places = 0
    for line in lines:
        of_line = _counts_of_marks(line.split())
        separate += of_line[0]
        places += of_line[1]
    return separate / places if places else 0.0


def _difference(ours: Places, theirs: Sequence[Places], usual: float) -> float:
    """The difference of a share to the closest one of references, which have the usual one where nothing is counted."""
    separate, places = ours
    return min([abs(separate / places - (other / of_other if of_other else usual)) for other, of_other in theirs],
               default=0.0) if places else 0.0


def _counts_of_line(line: str) -> tuple[Places, Places]:
    """The counts of marks in a line, and those of spaces between characters of a script without spaces."""
    words = line.split()
    unspaced = unspaced_characters(line)
    return _counts_of_marks(words), _counts_of_spaces(words, unspaced) if unspaced else (0, 0)


def _counts_of_marks(words: Sequence[str]) -> Places:
    """The counts of marks; one before the first word or after the last belongs to none."""
    separate = sum([word in _CLOSING for word in words[1:]]) + sum([word in _OPENING for word in words[:-1]])
    attached = sum([len(word) > 1 and (word[-1] in _CLOSING) + (word[0] in _OPENING) for word in words])
    return separate, separate + attached


def _counts_of_spaces(words: Sequence[str], unspaced: int) -> Places:
    """The counts of spaces between characters of a script without spaces; the words have `unspaced` of these."""
    spaces = sum([is_in(before[-1], UNSPACED_BLOCKS) and is_in(word[0], UNSPACED_BLOCKS)
                  for before, word in zip(words, words[1:])])
    if spaces < _MIN_SPACES:
        return 0, 0
    return spaces, max(spaces, unspaced // _CHARACTERS_OF_PLACE)
