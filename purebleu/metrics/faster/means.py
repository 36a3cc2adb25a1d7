"""Faster functions for CharacTER and RIBES: the words of many lines at once, and the rows of many segments at once."""

from __future__ import annotations

from itertools import islice

from ...engines.edits.character import character_scores
from ...tokenizers.separation import block_with_spaces, words_of_lines
from ...unicode.casing import lower_case_of_lines
from ..evaluation import pairs_of_segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...runtime.hints import Any, Row, Segment, Sequence
    from ..character import CharacTER
    from ..ribes import RIBES


def character_words(metric: CharacTER, segments: Sequence[Segment]) -> list[list[str]]:
    lines = [segment for segment in segments if isinstance(segment, str)]
    block = block_with_spaces(lower_case_of_lines(lines) if metric.lowercase else lines)
    text = block.decode("utf-8", "surrogatepass")
    return [list(filter(None, line.split(" "))) for line in text.split("\n")[1:-1]]


def character_rows(metric: CharacTER, hypotheses: Sequence[Any], references: Sequence[Sequence[Any]]) -> list[Row]:
    scores = iter(character_scores(pairs_of_segments(hypotheses, references)))
    return [metric.best_row(list(islice(scores, len(segment)))) for segment in references]


def ribes_words(metric: RIBES, segments: Sequence[Segment]) -> list[list[bytes]]:
    lines = [segment for segment in segments if isinstance(segment, str)]
    return words_of_lines(lower_case_of_lines(lines) if metric.lowercase else lines)


RIBES_WAYS = {"preprocess_lines": ribes_words}
CHARACTER_WAYS = {"preprocess_lines": character_words, "rows_of": character_rows}
