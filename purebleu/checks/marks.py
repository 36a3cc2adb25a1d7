"""Outputs that are tokenized otherwise than the references, judged by punctuation marks and spaces."""

from __future__ import annotations

from ..unicode.scripts import UNSPACED_BLOCKS, is_in, unspaced_characters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Sequence, Tuple

    from .against import Against, Found

    #: The number of positions with a separating space, and the number of all positions where there could be one.
    Places = Tuple[int, int]

#: Marks that no orthography separates from the word before them, or from that after them. (French has a space before
#: other marks.)
_CLOSING = frozenset(".,)]。、，！？；：）」』")
_OPENING = frozenset("([（「『")
_MARKS = _CLOSING | _OPENING

#: The number of characters of a script without spaces that count as one position for a space: few words are longer.
_CHARACTERS_PER_SPACE = 4

#: Fewer spaces than this may stand between names or phrases.
_MIN_SPACES = 3


def tokenized_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """The outputs whose marks are separate words more often, or less often, than in each reference of the segment.

    The value is the difference of two shares: of the marks that spaces separate from their words, or of spaces between
    words in a script that has none. For a reference without any mark, the share of all references together counts.

    >>> from purebleu.checks.against import Against
    >>> tokenized_lines(["Yes , I know .", "Yes, I know."], Against(None, [["Yes, he knows."] * 2]), 0.5)
    [(0, 1.0)]
    """
    usual = against.value_of_references(share_of_separate_marks)
    found: Found = []
    for index, output in enumerate(outputs):
        # (A fast test: where the references attach marks, only such a line can be found that separates one.)
        if usual < threshold and _MARKS.isdisjoint(output.split()) and not unspaced_characters(output):
            continue
        references = list(map(_line_counts, against.references_of(index)))
        value = max([_difference(counts, [reference[kind] for reference in references], usual * (kind == 0))
                     for kind, counts in enumerate(_line_counts(output))])
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
        line_separate, line_places = _mark_counts(line.split())
        separate += line_separate
        places += line_places
    return separate / places if places else 0.0


def _difference(output: Places, references: Sequence[Places], usual: float) -> float:
    """The difference between an output's share and the closest one of references; those without counts have `usual`."""
    separate, places = output
    return min([abs(separate / places - (reference_separate / reference_places if reference_places else usual))
                for reference_separate, reference_places in references], default=0.0) if places else 0.0


def _line_counts(line: str) -> tuple[Places, Places]:
    """The counts of marks in a line, and those of spaces between characters of a script without spaces."""
    words = line.split()
    unspaced = unspaced_characters(line)
    return _mark_counts(words), _space_counts(words, unspaced) if unspaced else (0, 0)


def _mark_counts(words: Sequence[str]) -> Places:
    """The counts of marks. A closing mark at the start of a line, or an opening one at its end, belongs to no word."""
    separate = sum([word in _CLOSING for word in words[1:]]) + sum([word in _OPENING for word in words[:-1]])
    attached = sum([len(word) > 1 and (word[-1] in _CLOSING) + (word[0] in _OPENING) for word in words])
    return separate, separate + attached


def _space_counts(words: Sequence[str], unspaced: int) -> Places:
    """The counts of spaces between characters of a script without spaces; the words have `unspaced` such characters."""
    spaces = sum([is_in(before[-1], UNSPACED_BLOCKS) and is_in(word[0], UNSPACED_BLOCKS)
                  for before, word in zip(words, words[1:])])
    if spaces < _MIN_SPACES:
        return 0, 0
    return spaces, max(spaces, unspaced // _CHARACTERS_PER_SPACE)
