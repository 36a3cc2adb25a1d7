"""Alignments of segments in files of JSON."""

from __future__ import annotations

from ..metrics.alignment import DELETED, INSERTED, MATCHED, SUBSTITUTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Iterator, Sequence

    from ..metrics.alignment import Alignment

#: The letters of operations below words.
OPERATION_LETTERS = {MATCHED: " ", SUBSTITUTED: "S", INSERTED: "I", DELETED: "D"}


class AlignedSegment:
    """A segment with its alignment.

    Attributes:
        number: the number of its line, from 1.
        identifier: its id; `None` if it has none.
        alignment: the alignment with the best of its references.
        score: the score of the segment.
    """

    __slots__ = ("alignment", "identifier", "number", "score")

    def __init__(self, number: int, identifier: str | None, alignment: Any, score: float) -> None:
        self.number = number
        self.identifier = identifier
        self.alignment = alignment
        self.score = score


class AlignedSystem:
    """The alignments of a system under a metric, to be written to a file.

    Attributes:
        name: the name of the system.
        metric: the name of the metric.
        signature: the signature of the evaluation.
        segments: the segments, as an iterable that can be read once.
    """

    def __init__(self, name: str, metric: str, signature: str, segments: Iterable[AlignedSegment]) -> None:
        self.name = name
        self.metric = metric
        self.signature = signature
        self.segments = segments


def alignment_lines(systems: Sequence[AlignedSystem]) -> Iterator[str]:
    """The lines of a file of JSON with the alignments of systems."""
    yield '{"alignments": ['
    for index, system in enumerate(systems):
        head = {"system": system.name, "metric": system.metric, "signature": system.signature}
        yield f'{_alignment_json(head)[:-1]}, "segments": ['
        waiting = ""
        for segment in system.segments:
            if waiting:
                yield waiting + ","
            waiting = _alignment_json(segment_object(segment))
        yield waiting + ("]}," if index < len(systems) - 1 else "]}")
    yield "]}"


def _alignment_json(value: object) -> str:
    from ..runtime.json_writer import to_json

    text = to_json(value, indent=None, ascii_only=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # for halves of surrogate pairs
        return to_json(value, indent=None)
    return text


def segment_object(segment: AlignedSegment) -> dict[str, object]:
    """A segment as an object of JSON; an operation is a list: its kind, the hypothesis word, the reference word."""
    alignment: Alignment = segment.alignment
    return {
        "line": segment.number, **({} if segment.identifier is None else {"id": segment.identifier}),
        "score": segment.score, "edits": alignment.num_edits, "reference_length": alignment.ref_length,
        "reference": alignment.reference_index, "hypothesis": alignment.hypothesis,
        "shifts": [{"start": shift.start, "target": shift.target, "words": shift.words} for shift in alignment.shifts],
        "operations": [list(operation) for operation in alignment.operations()],
    }
