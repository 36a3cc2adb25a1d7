"""The alignments of outputs with references: as views, and in a file."""

from __future__ import annotations

from ...analysis.confusions import CONFUSION_KINDS, confusion_counts, frequent_confusions
from ...blocks import EDIT_SEGMENTS, slices
from ...files.writing import write_named
from ...metrics.alignment import AlignedMetric
from ...report.alignments import AlignedSegment, AlignedSystem, AlignmentView, ConfusionView, alignment_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Iterator, Sequence

    from ...metrics.alignment import Alignment
    from ...metrics.base import Metric
    from ...metrics.score import Score
    from ..corpus.scored import CorpusTexts, Scored


def write_alignments(path: str, scored: Scored, short: bool) -> None:
    """Write the alignments of systems under all metrics that have them to a file, as JSON."""
    texts = scored.texts
    assert texts is not None, "alignments are of text"
    aligned_systems: list[AlignedSystem] = []
    for name, lines in zip(scored.inputs, texts.outputs):
        for metric, signature in zip(scored.metrics, scored.signatures):
            aligned = _aligned(metric)
            if aligned:
                aligned_systems.append(AlignedSystem(name, type(metric).__name__, signature.format(short),
                                                     _aligned_segments(aligned, lines, texts)))

    def write(file: IO[bytes]) -> None:
        for line in alignment_lines(aligned_systems):
            file.write(line.encode("utf-8") + b"\n")

    write_named(path, write)


def alignment_views(name: str, scored: Scored, shown: int, confusions: int) -> Iterator[AlignmentView | ConfusionView]:
    """The views of segments with errors, and of frequent confusions, under a metric.

    Args:
        name: the metric's name in the registry, in lower case.
        scored: the systems.
        shown: the number of segments with errors to show of each system; 0: none.
        confusions: the number of confusions of each kind; 0: none.
    """
    texts = scored.texts
    assert texts is not None, "alignments are of text"
    metric = next(aligned for aligned in map(_aligned, scored.metrics)
                  if aligned and type(aligned).__name__.lower() == name)
    systems = list(zip(scored.inputs, texts.outputs))
    for system, lines in systems if shown else ():
        with_errors = 0
        segments: list[AlignedSegment] = []
        for segment in _aligned_segments(metric, lines, texts):
            if segment.alignment.num_edits:
                with_errors += 1
                if len(segments) < shown:
                    segments.append(segment)
        yield AlignmentView(system, name.upper(), metric.UNITS == "characters", segments, with_errors, len(lines))
    if confusions:
        counts = [confusion_counts(segment.alignment for segment in _aligned_segments(metric, lines, texts))
                  for _, lines in systems]
        yield ConfusionView([system for system, _ in systems], name.upper(),
                            [frequent_confusions(counts, kind, confusions) for kind in CONFUSION_KINDS])


def _aligned(metric: Metric[Score]) -> AlignedMetric[Score, Alignment] | None:
    return metric if isinstance(metric, AlignedMetric) else None  # pyright: ignore[reportUnknownVariableType]  # its kinds of score and alignment


def _aligned_segments(metric: AlignedMetric[Score, Alignment], lines: Sequence[str],
                      texts: CorpusTexts) -> Iterator[AlignedSegment]:
    """The segments of a system with their alignments, which are computed in slices, to save memory."""
    columns = texts.listed.columns
    numbers = iter(texts.listed.numbers)
    identifiers = iter(columns["id"]) if "id" in columns else None
    for indices in slices(len(lines), EDIT_SEGMENTS):
        streams = [stream[indices] for stream in texts.references]
        for alignment in metric.corpus_alignments(lines[indices], streams):
            identifier = None if identifiers is None else next(identifiers)
            yield AlignedSegment(next(numbers), identifier, alignment, metric.value(alignment.statistics()))
