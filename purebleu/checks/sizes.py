"""Outputs of no length, or of an unlikely one."""

from __future__ import annotations

from ..unicode.scripts import unspaced_characters
from .words import visible_characters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from .against import Against, Found

#: The number of characters that is added to both lengths before they are compared, because short lines may well differ
#: by a large factor.
_MARGIN = 10


def empty_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """The outputs of at most `threshold` visible characters, with the number of these.

    Segments are left out whose source, or one of whose references, is as short as that.

    >>> from purebleu.checks.against import Against
    >>> empty_lines(["a", " ", ""], Against(["A", "B", ""]), 0)
    [(1, 0)]
    """
    found: Found = []
    for index, output in enumerate(outputs):
        length = len(visible_characters(output))
        if length <= threshold and not any(len(visible_characters(text)) <= threshold
                                           for text in against.texts_of(index)):
            found.append((index, length))
    return found


def outlying_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """The outputs that are far longer or shorter than expected, with the longer length divided by the shorter one.

    A length is the number of visible characters (twice that in scripts without spaces between words), plus ten. The
    expected length is that of the closest reference. Where a segment has none, it is that of the source, times the
    median ratio of outputs to sources. Blank outputs are left out.

    >>> from purebleu.checks.against import Against
    >>> outlying_lines(["a" * 40, "a" * 90], Against(None, [["b" * 40] * 2]), 2)
    [(1, 2.0)]
    """
    ratio: float | None = None
    found: Found = []
    for index, output in enumerate(outputs):
        length = _length(output)
        expected = [float(_length(text)) for text in against.references_of(index)]
        if not expected and against.source is not None:
            ratio = _median_ratio(outputs, against.source) if ratio is None else ratio
            expected = [ratio * _length(against.source[index])]
        if length and expected:
            factor = min([_factor(length + _MARGIN, other + _MARGIN) for other in expected])
            if factor >= threshold:
                found.append((index, factor))
    return found


def _length(line: str) -> int:
    return len(visible_characters(line)) + unspaced_characters(line)


def _factor(one: float, other: float) -> float:
    return max(one / other, other / one)


def _median_ratio(outputs: Sequence[str], source: Sequence[str]) -> float:
    """The median ratio of the length of an output to that of its source; 1 where there is none without a blank."""
    lengths = zip(map(_length, outputs), map(_length, source))
    ratios = sorted([output_length / source_length for output_length, source_length in lengths
                     if output_length and source_length])
    return ratios[len(ratios) // 2] if ratios else 1.0
