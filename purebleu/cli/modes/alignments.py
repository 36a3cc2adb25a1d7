"""`--alignments`, `--show-alignments`, `--confusions`: the alignments of hypotheses with references."""

from __future__ import annotations

from ...analysis.confusions import CONFUSION_KINDS, confusion_counts, frequent_confusions
from ...blocks import EDIT_SEGMENTS, slices
from ...errors import OptionError
from ...files.writing import write_named
from ...metrics import metric_class
from ...metrics.aligned import AlignedMetric
from ...report.alignment_files import (
    ALIGNMENT_ENDINGS,
    TERCOM_FORMS,
    AlignedSegment,
    AlignedSystem,
    alignment_lines,
    ending_of,
)
from ...report.alignment_views import AlignmentView, ConfusionView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Iterator, Sequence

    from ...metrics.alignments import Alignment
    from ...metrics.base import Metric
    from ...metrics.score import Score
    from ..arguments.options import Options
    from ..scoring.types import CorpusTexts, Scored

#: The metrics that are alignments, in the order in which an error names them.
_ALIGNED = ("ter", "wer", "cer", "mer", "wil")


def check_alignments(given: Options, metrics: Sequence[str]) -> None:
    """Raise `OptionError` where options ask for alignments that can't be made.

    Args:
        given: the options.
        metrics: the names of the metrics to compute.
    """
    if given.detail:
        raise OptionError("--alignments, --show-alignments and --confusions are for whole files: leave out --detail")
    classes = [metric_class(name.upper()) for name in metrics]
    if not any(issubclass(metric_type, AlignedMetric) for metric_type in classes):
        raise OptionError(f"only {', '.join(_ALIGNED)} have alignments: choose one of them with -m")
    if not given.alignments:
        return
    ending = ending_of(given.alignments)
    if ending is None:
        raise OptionError(f"the name {given.alignments!r} does not show in which form alignments should be written: "
                          f"it should end in {', '.join(ALIGNMENT_ENDINGS)}")
    if ending in TERCOM_FORMS and "ter" not in metrics:
        raise OptionError(f"{ending} is a form of TER's alignments: add -m ter, or choose a name that ends in .json")
    if ending in TERCOM_FORMS and len(given.input or ()) > 1:
        raise _several_systems_error(ending, len(given.input))


def _several_systems_error(ending: str, systems: int) -> OptionError:
    return OptionError(f"a file in the form {ending} is for one system, but there are {systems}: choose a name that "
                       "ends in .json")


def write_alignments(options: Options, scored: Scored) -> None:
    """Write the alignments of systems to the file that the options name, in the form that its ending selects."""
    texts = scored.texts
    assert texts is not None, "alignments are of text"
    ending = ending_of(options.alignments) or ""
    aligned_systems: list[AlignedSystem] = []
    references = [options.selection.name] if options.selection else options.references
    for name, lines in zip(scored.inputs, texts.outputs_of(len(scored.systems))):
        for metric, signature in zip(scored.metrics, scored.signatures):
            aligned = _aligned(metric)
            if lines is not None and aligned and (aligned.IS_TERCOMS or ending not in TERCOM_FORMS):
                aligned_systems.append(AlignedSystem(name, references, type(metric).__name__,
                                                     signature.format(options.short), aligned.case_sensitive,
                                                     _aligned_segments(aligned, lines, texts)))
    if ending in TERCOM_FORMS and len(aligned_systems) > 1:
        raise _several_systems_error(ending, len(aligned_systems))

    def write(file: IO[bytes]) -> None:
        for line in alignment_lines(aligned_systems, ending):
            file.write(line.encode("utf-8") + b"\n")

    write_named(options.alignments, write)


def alignment_views(options: Options, metrics: Sequence[Metric[Score]], names: Sequence[str],
                    texts: CorpusTexts) -> Iterator[AlignmentView | ConfusionView]:
    """The views of `--show-alignments` and of `--confusions`, under the first metric of `-m` that has alignments."""
    by_name = {type(aligned).__name__.lower(): aligned for aligned in map(_aligned, metrics) if aligned}
    name = next(name for name in options.metrics_as_given if name in by_name)
    metric = by_name[name]
    systems = [(system, lines) for system, lines in zip(names, texts.outputs_of(len(names))) if lines is not None]
    if options.show_alignments is not None:
        for system, lines in systems:
            with_errors = 0
            shown: list[AlignedSegment] = []
            for segment in _aligned_segments(metric, lines, texts):
                if segment.alignment.num_edits:
                    with_errors += 1
                    if len(shown) < options.show_alignments:
                        shown.append(segment)
            yield AlignmentView(system, name.upper(), metric.UNITS == "characters", shown, with_errors, len(lines))
    if options.confusions:
        counts = [confusion_counts(segment.alignment for segment in _aligned_segments(metric, lines, texts))
                  for _, lines in systems]
        yield ConfusionView([system for system, _ in systems], name.upper(),
                            [frequent_confusions(counts, kind, options.confusions) for kind in CONFUSION_KINDS])


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
