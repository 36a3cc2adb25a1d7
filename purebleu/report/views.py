"""Views, for a terminal: tables of scores by kinds of segments, and single segments with marks."""

from __future__ import annotations

from ..errors import printable
from . import DELIMITED_FORMATS, TABLE_FORMATS
from .colors import colored
from .layouts import LAYOUTS, Section
from .matrices import MATRIX_HEADINGS, CrossView, LengthView
from .page.words import (
    DELETED,
    INSERTED,
    SAME,
    difference_texts,
    score_text,
    split_words,
    visible,
)
from .tables import markdown_text
from .view import TableView, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Mapping, Sequence

    from ..analysis.bucket_scores import Buckets, Estimate
    from .layouts import Layout
    from .page.words import Difference
    from .style import Style
    from .tables import Column


#: The formats of these views, and those of the views in `matrices`, which have more.
VIEW_FORMATS = ("text", "json", "markdown")
MATRIX_FORMATS = (*VIEW_FORMATS, *[form for form in TABLE_FORMATS if form not in VIEW_FORMATS], *DELIMITED_FORMATS)

#: The marks around words that an output lacks, and around words that it has instead, as in git's word diffs.
_TEXT_MARKS = {DELETED: ("[-", "-]"), INSERTED: ("{+", "+}")}
_MARKDOWN_MARKS = {DELETED: ("~~", "~~"), INSERTED: ("**", "**")}
_MARK_COLORS = {DELETED: "red", INSERTED: "green"}


class BucketView(TableView):
    """A table of the scores of systems on kinds of segments, or of words.

    Attributes:
        names: the names of the systems.
        scored: the name of the scores, such as a metric's.
        counted: the units that are counted: segments or words.
        buckets: the kinds, with their scores.
        metric: the index of the metric in `buckets`.
        places: a function from the usual number of decimal places to that of this metric.
    """

    def __init__(self, names: Sequence[str], scored: str, buckets: Buckets, metric: int,
                 counted: str = "segments", places: Callable[[int], int] = int) -> None:
        self.names = names
        self.scored = scored
        self.counted = counted
        self.buckets = buckets
        self.metric = metric
        self.places = places

    @property
    def heading(self) -> str:
        title = self.buckets.title
        return f"{self.scored} by {title[:1].lower()}{title[1:]}"

    def table(self, width: int) -> list[Column]:
        labels, counts = zip(*self.buckets.groups or [("none", 0)])  # (there may be no words at all)
        table: list[Column] = [("Bucket", labels)]
        if None not in counts:
            table.append((self.counted.capitalize(), [f"{count}" for count in counts]))
        for name, estimates in zip(self.names, self.buckets.estimates[self.metric]):
            table.append((name, [_estimate_text(estimate, self.places(width)) for estimate in estimates or [None]]))
        return table

    def as_object(self) -> Mapping[str, object]:
        estimates = self.buckets.estimates[self.metric]
        return {"view": self.heading, "buckets": [
            {"bucket": label, **({} if count is None else {self.counted: count}),
             "scores": {name: _estimate_object(system_estimates[index])
                        for name, system_estimates in zip(self.names, estimates)}}
            for index, (label, count) in enumerate(self.buckets.groups)]}


class ScoredSegment:
    """A segment with the outputs and scores of all systems.

    Attributes:
        number: the number of its line, from 1.
        systems: the names of the systems.
        metrics: the names of the metrics.
        scores: for each metric, the sentence score of each system.
        places: for each metric, the decimal places of scores.
        identifier: its id in the test set; `None` if it has none.
        source: the source; `None` if it is unknown.
        references: the references in the order of the streams; `None` for a missing one.
        outputs: the output of each system (`None` if there are only rows); empty if there are no texts.
    """

    def __init__(self, number: int, systems: Sequence[str], metrics: Sequence[str], scores: Sequence[Sequence[float]],
                 places: Sequence[int], *, identifier: str | None = None, source: str | None = None,
                 references: Sequence[str | None] = (), outputs: Sequence[str | None] = ()) -> None:
        self.number = number
        self.systems = systems
        self.metrics = metrics
        self.scores = scores
        self.places = places
        self.identifier = identifier
        self.source = source
        self.references = references
        self.outputs = outputs


class SegmentView(View):
    """Selected segments.

    Attributes:
        heading: a heading that says how they are selected.
        segments: the segments in the order in which they are shown.
    """

    def __init__(self, heading: str, segments: Sequence[ScoredSegment]) -> None:
        self._heading = heading
        self.segments = segments

    @property
    def heading(self) -> str:
        return self._heading

    def as_object(self) -> Mapping[str, object]:
        return {"view": self.heading, "segments": list(map(_segment_object, self.segments))}

    def as_text(self, layout: Layout, style: Style) -> str:
        segments = [_in_markdown(segment) if style.form == "markdown" else _in_text(segment, style.color)
                    for segment in self.segments]
        return "\n\n".join([layout.section(Section(self.heading)).rstrip("\n"), *segments])


def views_report(views: Sequence[View], signatures: Mapping[str, str], style: Style) -> str:
    """Views in one of `VIEW_FORMATS`; if all of them are from `matrices`, in one of `MATRIX_FORMATS`.

    Args:
        views: one or more.
        signatures: the signatures by the names of the metrics.
        style: the style of the output.
    """
    if style.format.kind == "json":
        from ..runtime.json_writer import to_json

        shown = [view.as_object() for view in views]
        return to_json({"signatures": dict(signatures), "views": shown}, indent=1, ascii_only=False)
    if style.format.kind == "lines":
        from .delimited import delimited

        return delimited(style.form, MATRIX_HEADINGS, [
            (*line, signatures[view.signed_as]) for view in views if isinstance(view, (CrossView, LengthView))
            for line in view.lines()])
    layout = LAYOUTS[style.form]
    parts = [view.as_text(layout, style) for view in views]
    parts.append(layout.section(Section("Metric signatures", items=list(signatures.items()))))
    return layout.document(parts)


def _estimate_text(estimate: Estimate, width: int) -> str:
    if estimate is None:
        return "–"
    value, interval = estimate
    if interval is None:
        return f"{value:.{width}f}"
    return f"{value:.{width}f} ({interval[0]:.{width}f} – {interval[1]:.{width}f})"


def _estimate_object(estimate: Estimate) -> object:
    if estimate is None:
        return None
    value, interval = estimate
    return value if interval is None else {"score": value, "low": interval[0], "high": interval[1]}


def _segment_object(segment: ScoredSegment) -> Mapping[str, object]:
    described: dict[str, Any] = {"line": segment.number}
    if segment.identifier is not None:
        described["id"] = segment.identifier
    if segment.source is not None:
        described["source"] = segment.source
    if segment.references:
        described["references"] = [text for text in segment.references if text is not None]
    systems: list[dict[str, Any]] = []
    for index, name in enumerate(segment.systems):
        scores = dict(zip(segment.metrics, _scores_of(segment, index)))
        described_system: dict[str, Any] = {"system": name, "scores": scores}
        output = segment.outputs[index] if segment.outputs else None
        if output is not None:
            described_system["output"] = output
            against, difference = _difference(output, segment)
            described_system["difference"] = [[kind, text] for kind, text, _ in difference]
            if against:
                described_system["against"] = against
        systems.append(described_system)
    return {**described, "systems": systems}


def _scores_of(segment: ScoredSegment, system: int) -> list[float]:
    return [metric_scores[system] for metric_scores in segment.scores]


def _difference(output: str, segment: ScoredSegment) -> tuple[int, list[Difference]]:
    """The number of the closest reference (0 where there is only one), and the output's difference from it."""
    present = [(number, visible(text)) for number, text in enumerate(segment.references, 1) if text is not None]
    if not present:
        return 0, []
    closest, difference = difference_texts(visible(output), [text for _, text in present])
    return present[closest][0] if len(present) > 1 else 0, difference


def _in_text(segment: ScoredSegment, color: bool) -> str:
    def marked(kind: str, text: str) -> str:
        if kind not in _TEXT_MARKS:
            return text
        text = text.join(_TEXT_MARKS[kind])
        return colored(text, _MARK_COLORS[kind]) if color else text

    identifier = "" if segment.identifier is None else f" ({printable(segment.identifier)})"
    lines = [f"line {segment.number}{identifier}"]
    for head, texts in _texts_of(segment):
        lines.append("  " + (colored(head, "cyan") if color else head))
        if texts is not None:
            lines.append("    " + (_joined(texts, marked) or "(empty)"))
    return "\n".join(lines)


def _in_markdown(segment: ScoredSegment) -> str:
    def marked(kind: str, text: str) -> str:
        return markdown_text(text).join(_MARKDOWN_MARKS.get(kind, ("", "")))

    identifier = "" if segment.identifier is None else f" ({markdown_text(printable(segment.identifier))})"
    lines = [f"**Line {segment.number}**{identifier}", ""]
    for head, texts in _texts_of(segment):
        shown = "" if texts is None else ": " + (_joined(texts, marked) or "*(empty)*")
        lines.append(f"- {markdown_text(head)}{shown}")
    return "\n".join(lines)


def _joined(runs: Sequence[Difference], marked: Callable[[str, str], str]) -> str:
    """Runs of tokens with their marks, and spaces where words begin."""
    return "".join([" " * gap + marked(kind, text) for kind, text, gap in runs])[bool(runs and runs[0][2]):]


def _texts_of(segment: ScoredSegment) -> list[tuple[str, list[Difference] | None]]:
    """The lines of a segment: heads, each with a text in runs, which may be marked; `None` without texts."""
    lines: list[tuple[str, list[Difference] | None]] = []
    given = [("Source", segment.source)]
    given += [(f"Reference {number}" if len(segment.references) > 1 else "Reference", text)
              for number, text in enumerate(segment.references, 1)]
    for head, text in given:
        if text is not None:
            words = " ".join(split_words(visible(text)))
            lines.append((head, [(SAME, words, True)] if words else []))
    for index, name in enumerate(segment.systems):
        scores = ", ".join([f"{metric} {score_text(score, places)}" for metric, score, places in
                            zip(segment.metrics, _scores_of(segment, index), segment.places)])
        output = segment.outputs[index] if segment.outputs else None
        against, difference = (0, None) if output is None else _difference(output, segment)
        marks = f" (marks: against reference {against})" if against else ""
        head = f"{printable(name)}: {scores}{marks}"
        lines.append((head, difference))
    return lines
