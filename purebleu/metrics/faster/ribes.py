"""A faster function for RIBES: the words of many lines at once."""

from __future__ import annotations

from ...tokenizers.separation import words_of_lines
from ...unicode.casing import lower_case_of_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...hints import Segment, Sequence
    from ..ribes import RIBES


def ribes_words(metric: RIBES, segments: Sequence[Segment]) -> list[list[bytes]]:
    lines = [segment for segment in segments if isinstance(segment, str)]
    return words_of_lines(lower_case_of_lines(lines) if metric.lowercase else lines)


RIBES_WAYS = {"preprocess_lines": ribes_words}
