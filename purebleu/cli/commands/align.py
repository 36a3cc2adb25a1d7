"""`purebleu align`: errors word by word."""

from __future__ import annotations

from ...files.writing import write_named
from ...metrics import metric_class
from ...metrics.alignment import AlignedMetric, Alignment
from ...metrics.base import Metric
from ...metrics.evaluation import warn_of_doubts
from ...metrics.score import Score
from ...report.alignments import AlignedSegment, AlignedSystem, AlignmentView, ConfusionView, alignment_lines
from ...report.views import VIEW_FORMATS, views_report
from ...runtime.blocks import EDIT_SEGMENTS, slices
from ...runtime.hints import Any, Iterator, Sequence
from ..arguments.command import Answer, Command, CorpusValues, style_of
from ..arguments.groups import COMPUTED, OUTPUT, Option, input_groups
from ..arguments.values import MAX_NUMBER, check_needs, check_takes, positive
from ..corpus.inputs import inputs_of
from ..corpus.read import CorpusTexts
from ..corpus.score import MetricChoice, Scored, Scoring, scored_from

#: The metrics that align outputs with references, the default first.
_ALIGNED = ("ter", "wer", "cer", "mer", "wil")


class AlignValues(CorpusValues):
    """The values of the options of `purebleu align`."""

    show: int = 0
    confusions: int = 0
    output: str = ""


def run_align(values: AlignValues) -> Answer:
    """Show, count or write the errors of outputs."""
    values.metrics = values.metrics or [_ALIGNED[0]]
    is_aligned = any(issubclass(metric_class(name), AlignedMetric) for name in values.metrics)
    check_needs(is_aligned, "align", f"a metric that aligns words: -m {', '.join(_ALIGNED)}", "metrics")
    check_takes(not values.output or values.output.lower().endswith(".json"), "--output",
                f"a name that ends in .json, not {values.output}", "output")
    shown = values.show or (0 if values.confusions or values.output else MAX_NUMBER)
    values.check_uses(ids=(shown or values.output, "--show or --output (--confusions counts all segments together)"))
    style = style_of(values)
    inputs = inputs_of(values)
    choice = MetricChoice(values, inputs)
    choice.check_unused()
    inputs.check_targets({"--output": values.output})
    scored = scored_from(inputs, choice, Scoring(values.jobs), [])
    warn_of_doubts(scored.systems, scored.names_in_warnings)
    text = None
    if shown or values.confusions:
        first = next(name for name in values.metrics if issubclass(metric_class(name), AlignedMetric))
        views = list(alignment_views(first, scored, shown, values.confusions))
        signatures = {score.name: score.signature.format(style.short) for score in scored.systems[0].scores()}
        text = views_report(views, signatures, style)
    if values.output:
        write_alignments(values.output, scored, values.short)
    return Answer(text)


def write_alignments(path: str, scored: Scored, short: bool) -> None:
    """Write alignments to a file, as JSON: those of each system under each metric that aligns outputs."""
    texts = scored.texts
    assert texts is not None, "alignments need texts"
    aligned_systems: list[AlignedSystem] = []
    for name, lines in zip(scored.names, texts.outputs):
        for metric, signature in zip(scored.metrics, scored.signatures):
            aligned = _aligned(metric)
            if aligned:
                aligned_systems.append(AlignedSystem(name, type(metric).__name__, signature.format(short),
                                                     _aligned_segments(aligned, lines, texts)))

    def write(file: Any) -> None:
        for line in alignment_lines(aligned_systems):
            file.write(line.encode("utf-8") + b"\n")

    write_named(path, write)


def alignment_views(name: str, scored: Scored, shown: int, confusions: int) -> Iterator[AlignmentView | ConfusionView]:
    """Yield views of the segments with errors and of the most frequent confusions under one metric.

    Args:
        name: the name of the metric in the registry, in lower case.
        scored: the systems.
        shown: the largest number of segments with errors that are shown for each system; 0: no such views.
        confusions: the largest number of confusions of each kind; 0: no such view.
    """
    texts = scored.texts
    assert texts is not None, "alignments need texts"
    metric = next(aligned for aligned in map(_aligned, scored.metrics)
                  if aligned and type(aligned).__name__.lower() == name)
    systems = list(zip(scored.names, texts.outputs))
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
        segments_of_systems = [_aligned_segments(metric, lines, texts) for _, lines in systems]
        yield ConfusionView(scored.names, name.upper(), segments_of_systems, confusions)


def _aligned(metric: Metric[Score]) -> AlignedMetric[Score, Alignment] | None:
    return metric if isinstance(metric, AlignedMetric) else None  # pyright: ignore[reportUnknownVariableType]  # its kinds of score and alignment


def _aligned_segments(metric: AlignedMetric[Score, Alignment], lines: Sequence[str],
                      texts: CorpusTexts) -> Iterator[AlignedSegment]:
    """Align the segments of a system. (They are aligned in slices, which saves memory.)"""
    columns = texts.listed.columns
    numbers = iter(texts.listed.numbers)
    identifiers = iter(columns["id"]) if "id" in columns else None
    for indices in slices(len(lines), EDIT_SEGMENTS):
        streams = [stream[indices] for stream in texts.references]
        for alignment in metric.corpus_alignments(lines[indices], streams):
            identifier = None if identifiers is None else next(identifiers)
            yield AlignedSegment(next(numbers), identifier, alignment, metric.value(alignment.statistics()))


ALIGN = Command(
    "align", "align [options] {REFERENCE ... | -t NAME -l SRC-TRG} [-i FILE ...]",
    "Show errors word by word. TER (or -m wer, cer, mer, wil) aligns each output with its closest reference.",
    run_align, AlignValues, (
        Option("--show", form="optional", constant=MAX_NUMBER, convert=positive, metavar="N",
               help="print the errors of the first N segments that have errors, or of all such segments (the default)",
               more="the output is below the reference; the next line marks substitutions (S), deletions (D), "
                    "insertions (I) and TER's shifts (numbers); of several metrics, the first metric of -m is shown"),
        Option("--confusions", form="optional", constant=20, convert=positive, metavar="N",
               help="print the N (default: 20) most frequent substitutions, deletions and insertions of words (with "
                    "-m cer, of characters)"),
        Option("--output", "-o", metavar="FILE",
               help="write the alignments of all segments of all systems to a file, as JSON"),
        "ids",
    ), (*input_groups("manifest"), *COMPUTED, OUTPUT.without("width")),
    VIEW_FORMATS, (
        ("ref.txt -i out.txt", "all segments with errors"),
        ("ref.txt -i out.txt --confusions", "which words are wrong"),
    ))
