"""`purebleu compare`: where systems differ, in the terminal."""

from __future__ import annotations

from copy import deepcopy
from functools import cached_property

from ...analysis.cross_scores import cross_scores, length_totals
from ...analysis.segments import extreme_segments, limits_of, segment_scores, sentence_metric
from ...analysis.summary import reference_lengths, score_buckets, score_counts, segment_groups, word_score_buckets
from ...metrics import BLEU
from ...metrics.bleu import BLEUScore
from ...metrics.evaluation import signature_of, warn_of_doubts
from ...metrics.score import Signature
from ...report.formats import DELIMITED_FORMATS, Style
from ...report.page.words import SEGMENT_PLACES
from ...report.views import (
    MATRIX_FORMATS,
    VIEW_FORMATS,
    ScoredSegment,
    SegmentView,
    TableView,
    bucket_view,
    cross_view,
    length_view,
    views_report,
)
from ...runtime.errors import OptionError
from ...significance.sampling import Sampling
from ..arguments.command import FOR_PROGRAMS, Answer, Command, CorpusValues, check_format, style_of
from ..arguments.groups import OUTPUT, Option, SamplingValues, corpus_groups, resampling
from ..arguments.values import check_apart, check_needs, positive
from ..corpus.inputs import Inputs, check_several, inputs_of
from ..corpus.score import MetricChoice, Scored, Scoring, scored_from

#: The values of `--buckets`: properties of segments and of words (`analysis.summary`).
BUCKET_KINDS = ("length", "score", "frequency", "document", "origlang", "domain")

#: The number of segments in the overview.
_FEW_SEGMENTS = 3

#: The headings of views of segments, by the names of options.
_HEADINGS = {"worst": "Worst segments of {first} ({metric})",
             "best": "Best segments of {first} ({metric})",
             "differences": "Segments in which systems differ most ({metric})"}


class CompareValues(CorpusValues, SamplingValues):
    """The values of the options of `purebleu compare`."""

    buckets: list[str] = []
    worst: int = 0
    best: int = 0
    differences: int = 0
    cross: bool = False
    lengths: bool = False


def run_compare(values: CompareValues) -> Answer:
    """Show where systems differ: the views that options ask for, or else an overview."""
    style = style_of(values)
    values.check_uses(confidence_n=(values.confidence, "--confidence"))
    has_views = _has_views(values)
    inputs = inputs_of(values, needs_files=True)
    choice = MetricChoice(values, inputs)
    _check_labels(values.buckets, inputs)
    inputs.check_targets({})
    scored = scored_from(inputs, choice, Scoring(values.jobs, keeps_rows=True), [])
    if not has_views:
        values.buckets = ["length"]
        setattr(values, "differences" if len(scored.systems) > 1 else "worst", _FEW_SEGMENTS)
    return Answer(_views_text(values, scored, style))


def _has_views(values: CompareValues) -> bool:
    """Return whether options ask for views. Raise `OptionError` if options conflict."""
    of_segments = bool(values.worst or values.best or values.differences)
    has_scores = bool(values.buckets or of_segments or values.cross)
    formats: tuple[str, ...] = VIEW_FORMATS
    called = "the overview"
    if values.buckets or of_segments:
        called = "a view by --buckets, --worst, --best or --differences"
    elif values.cross or values.lengths:
        formats, called = MATRIX_FORMATS, "a view by --cross or --lengths"
    check_format(values.format, formats, called)
    if not (has_scores or values.lengths):
        return False
    of_scores = has_scores, "a view of scores (--lengths always counts the tokens of BLEU)"
    of_texts = of_segments, "--worst, --best or --differences"
    values.check_uses(metrics=of_scores, scores=of_scores,
                      confidence=({*values.buckets} - {"score"}, "--buckets with a kind other than score"),
                      width=(values.buckets or values.cross, "--buckets or --cross"),
                      source=of_texts, ids=of_texts)
    return True


def _views_text(values: CompareValues, scored: Scored, style: Style) -> str:
    """Return the views that options ask for, as text.

    Raises:
        OptionError: a view needs a property, texts or scores that are missing.
    """
    warn_of_doubts(scored.systems, scored.names_in_warnings)
    shown = _Views(values, scored, next(iter(values.metrics), ""))
    views: list[SegmentView | TableView] = []
    for kind in dict.fromkeys(values.buckets):
        views += shown.bucket_views(kind, style.width)
    views += [shown.segment_view(which, count) for which, count in
              (("worst", values.worst), ("best", values.best), ("differences", values.differences)) if count]
    signatures: dict[str, str] = {}
    kinds = [kind for kind in values.buckets if kind != "score"]
    if kinds:
        signatures = {score.name: shown.signed(score.signature).format(style.short) for score in shown.scores}
    if len(kinds) < len(values.buckets) or values.worst or values.best or values.differences:
        for name, signature in shown.segment_signatures().items():
            text = signature.format(style.short)
            if signatures.get(name, text) != text:
                name = f"{name} of segments"
            signatures[name] = text
    if values.cross:
        crossed = shown.cross_views(values.jobs, style.width)
        views += crossed
        signatures.update({view.signed_as: signature_of(metric, {1}).format(style.short)
                           for view, metric in zip(crossed, scored.metrics)})
    if values.lengths:
        signature, lengths = _lengths(scored)
        views.append(length_view(scored.names, lengths))
        signatures["lengths"] = signature.format(style.short)
    return views_report(views, signatures, style)


def _check_labels(kinds: list[str], inputs: Inputs) -> None:
    """Raise `OptionError` if a kind of `--buckets` needs labels that the inputs can't have."""
    for kind in ("document", "origlang", "domain"):
        is_known = inputs.selection or inputs.rows or (kind == "document" and inputs.docs)
        _check_kind(kind not in kinds or is_known, kind)


def _check_kind(is_known: object, kind: str, needed: str = "") -> None:
    check_needs(is_known, f"--buckets {kind}", needed or f"the {kind} of segments, as in some test sets", "buckets")


class _Views:
    """Makes views of systems.

    Attributes:
        scores: the scores of the first system under each metric.
    """

    def __init__(self, sampling: SamplingValues, scored: Scored, first: str) -> None:
        self.scores = scored.systems[0].scores()
        self._scored = scored
        self._metric_names = [score.name for score in self.scores]
        registered = [metric.registered_name.lower() for metric in scored.metrics]
        self._first = registered.index(first) if first else 0
        resamples = sampling.confidence_n if sampling.confidence else 0
        self._sampling = Sampling(resamples=resamples, rng=sampling.rng, seed=sampling.seed)

    @cached_property
    def _scores(self) -> list[list[list[float]]]:
        """The scores of segments: by metric, then by system, then by segment."""
        scores: list[list[list[float]]] = []
        for index, metric in enumerate(map(sentence_metric, self._scored.metrics)):
            scores.append([segment_scores(metric, rows[index]) for rows in self._scored.rows])
        return scores

    def signed(self, signature: Signature) -> Signature:
        """Return a signature. If there are intervals, add the fields of resampling."""
        return self._sampling.signed(signature) if self._sampling.resamples else signature

    def segment_signatures(self) -> dict[str, Signature]:
        """Return the signatures of scores of segments, by metric. (BLEU of a segment has effective order.)"""
        signatures = {score.name: deepcopy(score.signature) for score in self.scores}
        for signature, metric in zip(signatures.values(), self._scored.metrics):
            if sentence_metric(metric) is not metric:
                signature.update("eff", True)
        return signatures

    def bucket_views(self, kind: str, width: int) -> list[TableView]:
        """Return a table for each metric, by a kind of `BUCKET_KINDS`. For `frequency`, return a table of F-scores."""
        scored = self._scored
        if kind == "score":
            return [bucket_view(scored.names, "Segments", score_counts(name, scores, limits_of(metric, scores)), 0, 0)
                    for name, scores, metric in zip(self._metric_names, self._scores, scored.metrics)]
        if kind == "frequency":
            if scored.tokens is None:
                raise OptionError("--buckets frequency needs references, but there are none", option="buckets")
            buckets = word_score_buckets(scored.tokens, self._sampling)
            return [bucket_view(scored.names, "F-score", buckets, 0, width, "words")]
        lengths = reference_lengths(scored.metrics, scored.rows[0], scored.signatures, scored.tokens)
        groupings = segment_groups(lengths, scored.labels)
        of_lengths = "references" if scored.texts else "stored rows of BLEU with one reference"
        _check_kind(kind in groupings, kind, of_lengths if kind == "length" else "")
        title, groups = groupings[kind]
        buckets = score_buckets(title, groups, scored.rows, scored.metrics, self._sampling)
        return [bucket_view(scored.names, score.name, buckets, index, score.places(width))
                for index, score in enumerate(self.scores)]

    def cross_views(self, jobs: int, width: int) -> list[TableView]:
        """Return a table for each metric: the score of each system, with each other system as its reference."""
        scored = self._scored
        assert scored.texts is not None, "--cross needs texts, and does not go with --rows"
        lines = scored.texts.outputs
        check_several(len(lines), "--cross", "cross")
        for name, metric in zip(self._metric_names, scored.metrics):
            check_apart(not metric.COUNTS_TEXT, "--cross", "--scores", "scores", "--cross computes all scores itself")
            check_apart(metric.lacks_weights(), "--cross", name, "metrics", f"{name} takes its weights from references")
        return [cross_view(name, scored.names, matrix, width) for name, matrix in
                zip(self._metric_names, cross_scores(scored.metrics, lines, jobs))]

    def segment_view(self, which: str, count: int) -> SegmentView:
        """Return a view of at most `count` segments, which `extreme_segments` chooses by the first metric of -m."""
        scored, metric = self._scored, self._first
        if which == "differences":
            check_several(len(scored.systems), "--differences", "differences")
        chosen = extreme_segments(which, self._scores[metric], count, scored.metrics[metric].LOWER_IS_BETTER)
        heading = _HEADINGS[which].format(first=scored.names[0], metric=self._metric_names[metric])
        return SegmentView(heading, [self._segment(index) for index in chosen])

    def _segment(self, index: int) -> ScoredSegment:
        scores = [[of_system[index] for of_system in of_metric] for of_metric in self._scores]
        places = [score.places(SEGMENT_PLACES) for score in self.scores]
        names, texts = self._scored.names, self._scored.texts
        if texts is None:
            return ScoredSegment(index + 1, names, self._metric_names, scores, places)
        columns = texts.listed.columns
        identifiers = columns.get("id") or columns.get("docid")
        source = columns.get("src")
        return ScoredSegment(
            texts.listed.numbers[index], names, self._metric_names, scores, places,
            identifier=identifiers[index] if identifiers else None, source=source[index] if source else None,
            references=[stream[index] for stream in texts.references],
            outputs=[lines[index] for lines in texts.outputs])


def _lengths(scored: Scored) -> tuple[Signature, list[tuple[int, int]]]:
    """Return BLEU's signature, and the lengths of output and references for each system, as BLEU counts them."""
    for index, metric in enumerate(scored.metrics):
        if isinstance(metric, BLEU):
            scores = [system.evaluations[index].score() for system in scored.systems]
            return scores[0].signature, [(score.sys_len, score.ref_len) for score in scores
                                         if isinstance(score, BLEUScore)]
    bleu = scored.counting_bleu
    if scored.texts is None or bleu is None:
        raise OptionError("--lengths needs rows of BLEU, but all stored rows are of other metrics", option="lengths")
    return bleu.get_signature(), length_totals(bleu, scored.texts.outputs, scored.texts.references)


COMPARE = Command(
    "compare", "compare [options] {REFERENCE ... | -t NAME -l SRC-TRG} -i FILE ...",
    "Show on which segments and kinds of segments systems differ. Without options, print an overview.",
    run_compare, CompareValues, (
        Option("--worst", convert=positive, metavar="N", help="print the N worst segments of the first system",
               more="the first metric of -m decides; also print each segment's source, references and all outputs, "
                    "with scores and with differences from the closest reference"),
        Option("--best", convert=positive, metavar="N", help="print the N best segments of the first system"),
        Option("--differences", convert=positive, metavar="N",
               help="print the N segments with the largest difference between any two systems"),
        Option("--buckets", form="several", choices=BUCKET_KINDS, metavar="KIND",
               help="print scores of groups of segments: by length (of references), by score, by frequency (of words), "
                    "or by document, origlang or domain (if a test set has such labels); -ci adds intervals"),
        Option("--cross", form="switch",
               help="score each system with each other system as its reference (cross-BLEU): print a matrix for each "
                    "metric of -m"),
        Option("--lengths", form="switch",
               help="print the numbers of tokens of systems and references, and their ratios, as BLEU counts tokens "
                    f"(only --cross and --lengths take -f {', '.join(MATRIX_FORMATS[len(VIEW_FORMATS):])})"),
        "confidence", "confidence_n", "source", "ids",
    ), (resampling(("confidence",)).only("seed", "rng"), *corpus_groups("rows", "manifest"), OUTPUT),
    ("text", *[form for form in MATRIX_FORMATS if form != "text"]), (
        ("ref.txt -i a.txt b.txt --source src.txt", "an overview"),
        ("ref.txt -i out.txt --worst 10", "the ten worst segments"),
    ), ignored=(("width", FOR_PROGRAMS), ("short", DELIMITED_FORMATS)))
