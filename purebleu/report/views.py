"""Views, which are printed instead of the usual table of scores.

Views are tables of scores by kind of segment, lists of single segments, and scores with each system as the reference.
"""

from __future__ import annotations

from ..runtime.errors import printable
from ..runtime.hints import Any, Callable, Mapping, NamedTuple, Sequence
from ..runtime.json_writer import to_json
from .formats import DELIMITED_FORMATS, TABLE_FORMATS, Style, colored, delimited, lower_first
from .page.words import DELETED, INSERTED, SAME, difference_texts, score_text, split_words, visible
from .tables import LAYOUTS, Section, TableColumn, columns_in, fitted_items, fitted_tables, markdown_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..analysis.summary import Buckets, Estimate
    from .page.words import Difference


class View:
    """Base class of views: a heading, with tables or texts below it.

    Attributes:
        heading: the heading of the view.
    """

    heading: str

    def as_object(self) -> Mapping[str, object]:
        """Return the view as an object of JSON."""
        raise NotImplementedError

    def section(self, style: Style) -> Section:
        """Return the heading and the tables of the view."""
        return Section(self.heading)

    def texts(self, style: Style) -> list[str]:
        """Return the texts below the heading."""
        return []


class TableView(View):
    """A view that is a single table.

    Attributes:
        columns: the columns of the table.
        members: the members of the view in JSON.
        lines: the lines of the view in CSV, each with all fields of `MATRIX_HEADINGS` except the signature; empty for
            views that have no CSV.
        signed_as: the name that the signature of `lines` has in the argument `signatures` of `views_report`.
    """

    def __init__(self, heading: str, columns: Sequence[TableColumn], members: Mapping[str, object],
                 lines: Sequence[Sequence[object]] = (), signed_as: str = "") -> None:
        self.heading = heading
        self.columns = columns
        self.members = members
        self.lines = lines
        self.signed_as = signed_as

    def as_object(self) -> Mapping[str, object]:
        return {"view": self.heading, **self.members}

    def section(self, style: Style) -> Section:
        return Section(self.heading, tables=fitted_tables(columns_in(style, self.columns), style.columns))


#: The formats that all views have, and the formats that matrices (`cross_view` and `length_view`) have.
VIEW_FORMATS = ("text", "json", "markdown")
MATRIX_FORMATS = (*VIEW_FORMATS, *[form for form in TABLE_FORMATS if form not in VIEW_FORMATS], *DELIMITED_FORMATS)

#: The marks around deleted words (which only the reference has) and inserted words (which only the output has), as in
#: git's word diffs.
_TEXT_MARKS = {DELETED: ("[-", "-]"), INSERTED: ("{+", "+}")}
_MARKDOWN_MARKS = {DELETED: ("~~", "~~"), INSERTED: ("**", "**")}
_MARK_COLORS = {DELETED: "red", INSERTED: "green"}


def bucket_view(names: Sequence[str], scored: str, buckets: Buckets, metric: int, places: int,
                counted: str = "segments") -> TableView:
    """Return a table of the scores of systems on each kind of segment or word.

    Args:
        names: the names of the systems.
        scored: the name of the scores, such as the name of a metric.
        buckets: the kinds, with their scores.
        metric: the index of the metric in `buckets`.
        places: the number of decimal places.
        counted: what has kinds: `segments` or `words`.
    """
    estimates = buckets.estimates[metric]
    labels, counts = zip(*buckets.groups or [("none", 0)])  # (texts without words have no groups)
    columns: list[TableColumn] = [("Bucket", labels)]
    if None not in counts:
        columns.append((counted.capitalize(), [f"{count}" for count in counts]))
    for name, of_system in zip(names, estimates):
        columns.append((name, [_estimate_text(estimate, places) for estimate in of_system or [None]]))
    has_intervals = any(estimate and estimate[1] for of_system in estimates for estimate in of_system)
    objects: list[dict[str, object]] = []
    for (label, count), of_bucket in zip(buckets.groups, zip(*estimates)):
        size = {} if count is None else {counted: count}
        scores = {name: _estimate_object(estimate, has_intervals) for name, estimate in zip(names, of_bucket)}
        objects.append({"bucket": label, **size, "scores": scores})
    return TableView(f"{scored} by {lower_first(buckets.title)}", columns, {"buckets": objects})


class ScoredSegment(NamedTuple):
    """A segment with the outputs and scores of all systems.

    Attributes:
        number: the number of its line, from 1.
        systems: the names of the systems.
        metrics: the names of the metrics.
        scores: for each metric, the sentence score of each system.
        places: for each metric, the decimal places of scores.
        identifier: the id of the segment in the test set; `None` if it has none.
        source: the source text; `None` if it is unknown.
        references: the reference of each stream; `None` for a missing reference.
        outputs: the output of each system (`None` for a system with rows only); empty if there are no texts.
    """

    number: int
    systems: Sequence[str]
    metrics: Sequence[str]
    scores: Sequence[Sequence[float]]
    places: Sequence[int]
    identifier: str | None = None
    source: str | None = None
    references: Sequence[str | None] = ()
    outputs: Sequence[str | None] = ()


class SegmentView(View):
    """Selected segments.

    Attributes:
        segments: the segments in the order in which they are shown.
    """

    def __init__(self, heading: str, segments: Sequence[ScoredSegment]) -> None:
        self.heading = heading
        self.segments = segments

    def as_object(self) -> Mapping[str, object]:
        return {"view": self.heading, "segments": list(map(_segment_object, self.segments))}

    def texts(self, style: Style) -> list[str]:
        return [_in_markdown(segment) if style.form == "markdown" else _in_text(segment, style.color)
                for segment in self.segments]


def views_report(views: Sequence[View], signatures: Mapping[str, str], style: Style) -> str:
    """Return views as text in a format: one of `VIEW_FORMATS`, or one of `MATRIX_FORMATS` if all views are matrices.

    Args:
        views: one view or more.
        signatures: the signatures by the names of the metrics.
        style: the style of the output.
    """
    if style.format.kind == "json":
        shown = [view.as_object() for view in views]
        return to_json({"signatures": dict(signatures), "views": shown}, indent=1, ascii_only=False)
    if style.format.kind == "lines":
        lines: list[Sequence[object]] = []
        for view in views:
            if isinstance(view, TableView):
                lines += [(*line, signatures[view.signed_as]) for line in view.lines]
        return delimited(style.form, MATRIX_HEADINGS, lines)
    layout = LAYOUTS[style.form]
    parts = ["\n\n".join([layout.section(view.section(style)).rstrip("\n"), *view.texts(style)]) for view in views]
    items = fitted_items(list(signatures.items()), style.columns)
    parts.append(layout.section(Section("Metric signatures", items=items)))
    return layout.document(parts)


def _estimate_text(estimate: Estimate, width: int) -> str:
    if estimate is None:
        return "–"
    value, interval = estimate
    if interval is None:
        return f"{value:.{width}f}"
    return f"{value:.{width}f} ({interval[0]:.{width}f} – {interval[1]:.{width}f})"


def _estimate_object(estimate: Estimate, has_intervals: bool) -> object:
    if estimate is None or not has_intervals:
        return estimate and estimate[0]
    low, high = estimate[1] or (None, None)  # (a single segment has no interval)
    return {"score": estimate[0], "low": low, "high": high}


def _segment_object(segment: ScoredSegment) -> Mapping[str, object]:
    described: dict[str, Any] = {"line": segment.number, "id": segment.identifier, "source": segment.source}
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
    described["systems"] = systems
    return {member: value for member, value in described.items() if value is not None}


def _scores_of(segment: ScoredSegment, system: int) -> list[float]:
    return [metric_scores[system] for metric_scores in segment.scores]


def _difference(output: str, segment: ScoredSegment) -> tuple[int, list[Difference]]:
    """Return the number of the closest reference, and the difference of the output from this reference.

    If there are fewer than two references, the number is 0.
    """
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
    """Return runs of tokens as one text, with each run marked, and with spaces between words."""
    joined = ""
    for kind, text, gap in runs:
        if gap and joined:
            joined += " "
        joined += marked(kind, text)
    return joined


def _texts_of(segment: ScoredSegment) -> list[tuple[str, list[Difference] | None]]:
    """Return the head and the text of each line on a segment. A text is a list of runs. Unknown texts are `None`."""
    lines: list[tuple[str, list[Difference] | None]] = []
    texts = [("Source", segment.source)]
    texts += [(f"Reference {number}" if len(segment.references) > 1 else "Reference", text)
              for number, text in enumerate(segment.references, 1)]
    for head, text in texts:
        if text is not None:
            words = " ".join(split_words(visible(text)))
            lines.append((head, [(SAME, words, True)] if words else []))
    for index, name in enumerate(segment.systems):
        scores = ", ".join([f"{metric} {score_text(score, places)}" for metric, score, places in
                            zip(segment.metrics, _scores_of(segment, index), segment.places)])
        output = segment.outputs[index] if segment.outputs else None
        against, difference = (0, None) if output is None else _difference(output, segment)
        marks = f" (marks show the difference from reference {against})" if against else ""
        head = f"{printable(name)}: {scores}{marks}"
        lines.append((head, difference))
    return lines


#: The sign in place of the score of a system with itself as the reference.
_ITSELF = "–"

#: The headings of matrices in CSV and TSV.
MATRIX_HEADINGS = ("measure", "system", "reference", "value", "signature")


def cross_view(metric: str, names: Sequence[str], scores: Sequence[Sequence[float | None]], width: int) -> TableView:
    """Return a table of the scores of systems (rows) with each other system as the reference (columns)."""
    columns: list[TableColumn] = [("System", names)]
    for name, column in zip(names, zip(*scores)):
        columns.append((name, [_ITSELF if score is None else f"{score:.{width}f}" for score in column]))
    by_name: dict[str, dict[str, float]] = {}
    lines: list[Sequence[object]] = []
    for name, row in zip(names, scores):
        by_name[name] = {reference: score for reference, score in zip(names, row) if score is not None}
        lines += [(f"cross-{metric}", name, reference, score) for reference, score in by_name[name].items()]
    return TableView(f"Cross-{metric}: systems (lines) with other systems as references (columns)", columns,
                     {"scores": by_name}, lines, f"cross-{metric}")


def length_view(names: Sequence[str], lengths: Sequence[tuple[int, int]]) -> TableView:
    """Return a table of the lengths of systems.

    For each system, `lengths` has the numbers of tokens in its outputs and in the closest references.
    """
    ratios = [length / reference if reference else 0.0 for length, reference in lengths]
    columns = [("System", names), ("Tokens", [f"{length}" for length, _ in lengths]),
               ("Reference", [f"{reference}" for _, reference in lengths]),
               ("Ratio", [f"{ratio:.3f}" for ratio in ratios])]
    objects: list[dict[str, object]] = []
    lines: list[Sequence[object]] = []
    for name, (length, reference), ratio in zip(names, lengths, ratios):
        objects.append({"system": name, "tokens": length, "reference": reference, "ratio": ratio})
        lines += [("tokens", name, "", length), ("reference tokens", name, "", reference),
                  ("length ratio", name, "", ratio)]
    return TableView("Lengths in tokens", columns, {"systems": objects}, lines, "lengths")
