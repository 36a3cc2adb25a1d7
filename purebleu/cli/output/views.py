"""Views of where systems differ: kinds of segments, single segments, systems against each other."""

from __future__ import annotations

from copy import deepcopy
from functools import cached_property

from ...analysis.buckets import (
    reference_lengths,
    score_buckets,
    score_counts,
    segment_groups,
    word_buckets,
    word_f_values,
    word_rows_of,
)
from ...analysis.cross_scores import cross_scores, length_totals
from ...analysis.segments import extreme_segments, limits_of, segment_scores, sentence_metric
from ...engines.resampling.intervals import bootstrap_scores
from ...errors import OptionError
from ...metrics import BLEU
from ...metrics.bleu import BLEUScore
from ...metrics.evaluation import signature_of, warn_of_doubts
from ...metrics.score import Signature
from ...report.formats import Style
from ...report.page.words import SEGMENT_PLACES
from ...report.views import ScoredSegment, SegmentView, TableView, bucket_view, cross_view, length_view, views_report
from ...significance.sampling import Sampling
from ..arguments.groups import LookValues, SamplingValues
from ..corpus.texts import labels_of, tokens_of_corpus

TYPE_CHECKING = False
if TYPE_CHECKING:

    from ...analysis.buckets import Tokens
    from ..corpus.inputs import Inputs
    from ..corpus.scored import Scored

_UNKNOWN_KIND = "the segments have no {} (some test sets do)"

#: The headings of views of segments, by the names of options.
_HEADINGS = {"worst": "Worst segments of {first} ({metric})",
             "best": "Best segments of {first} ({metric})",
             "differences": "Segments in which systems differ most ({metric})"}


def views_text(looks: LookValues, sampling: SamplingValues, scored: Scored, first: str, jobs: int, style: Style) -> str:
    """The views that are asked for, as text.

    Args:
        looks: the views.
        sampling: the options of resampling, for intervals.
        scored: the systems.
        first: the name of the metric under which segments are chosen, in lower case; empty: the first one.
        jobs: the number of processes for `cross`.
        style: the style of the text.

    Raises:
        OptionError: a view needs a property, texts or scores that are not there.
    """
    warn_of_doubts(scored.systems, scored.names_in_warnings)
    shown = _Views(sampling, scored, first)
    views: list[SegmentView | TableView] = []
    for kind in dict.fromkeys(looks.buckets):
        views += shown.bucket_views(kind, style.width)
    views += [shown.segment_view(which, count) for which, count in
              (("worst", looks.worst), ("best", looks.best), ("differences", looks.differences)) if count]
    signatures: dict[str, str] = {}
    kinds = [kind for kind in looks.buckets if kind != "score"]
    if kinds:
        signatures = {score.name: shown.signed(score.signature).format(style.short) for score in shown.scores}
    if len(kinds) < len(looks.buckets) or looks.worst or looks.best or looks.differences:
        for name, signature in shown.segment_signatures().items():
            text = signature.format(style.short)
            if signatures.get(name, text) != text:
                name = f"{name} of segments"
            signatures[name] = text
    if looks.cross:
        crossed = shown.cross_views(jobs, style.width)
        views += crossed
        signatures.update({view.signed_as: signature_of(metric, {1}).format(style.short)
                           for view, metric in zip(crossed, scored.metrics)})
    if looks.lengths:
        signature, lengths = _lengths(scored)
        views.append(length_view(scored.names, lengths))
        signatures["lengths"] = signature.format(style.short)
    return views_report(views, signatures, style)


def check_labels(kinds: list[str], inputs: Inputs) -> None:
    """Raise `OptionError` for kinds of segments that no test set and no file tells."""
    for kind in ("document", "origlang", "domain"):
        if kind in kinds and not inputs.selection and not inputs.rows and not (kind == "document" and inputs.docs):
            raise OptionError(_UNKNOWN_KIND.format(kind), option="buckets")


class _Views:
    """Makes views of systems.

    Attributes:
        scores: those of the first system under each metric.
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
    def _tokens(self) -> Tokens | None:
        return tokens_of_corpus(self._scored)

    @cached_property
    def _scores(self) -> list[list[list[float]]]:
        """Under each metric, for each system, the score of each segment."""
        sentence_metrics = list(map(sentence_metric, self._scored.metrics))
        return [[segment_scores(metric, rows[index]) for rows in self._scored.rows]
                for index, metric in enumerate(sentence_metrics)]

    def signed(self, signature: Signature) -> Signature:
        """A signature with the fields of resampling, if intervals were asked for."""
        return self._sampling.signed(signature) if self._sampling.resamples else signature

    def segment_signatures(self) -> dict[str, Signature]:
        """The signatures of the scores of single segments, by the names of metrics: BLEU has effective order."""
        signatures = {score.name: deepcopy(score.signature) for score in self.scores}
        for signature, metric in zip(signatures.values(), self._scored.metrics):
            if sentence_metric(metric) is not metric:
                signature.update("eff", True)
        return signatures

    def bucket_views(self, kind: str, width: int) -> list[TableView]:
        """Tables by one of `BUCKET_KINDS`: one for each metric, but for the frequency of words, only one."""
        scored = self._scored
        if kind == "score":
            return [bucket_view(scored.names, "Segments", score_counts(name, scores, limits_of(metric, scores)), 0, 0)
                    for name, scores, metric in zip(self._metric_names, self._scores, scored.metrics)]
        if kind == "frequency":
            if self._tokens is None:
                raise OptionError("--buckets frequency needs references, but there are none", option="buckets")
            rows = word_rows_of(self._tokens)
            resampled = bootstrap_scores(rows, [word_f_values] * len(rows), self._sampling.stream(),
                                         self._sampling.resamples) if self._sampling.resamples else []
            buckets = word_buckets(self._tokens, rows, resampled)
            return [bucket_view(scored.names, "F-score", buckets, 0, width, "words")]
        lengths = reference_lengths(scored.metrics, scored.rows[0], scored.signatures, self._tokens)
        groupings = segment_groups(lengths, labels_of(scored.texts))
        if kind not in groupings:
            why = _UNKNOWN_KIND.format(kind)
            if kind == "length":
                why = "there are no references" if scored.texts else "only rows of BLEU with one reference have lengths"
            raise OptionError(why, option="buckets")
        title, groups = groupings[kind]
        buckets = score_buckets(title, groups, scored.rows, scored.metrics, self._sampling)
        return [bucket_view(scored.names, score.name, buckets, index, score.places(width))
                for index, score in enumerate(self.scores)]

    def cross_views(self, jobs: int, width: int) -> list[TableView]:
        """A table for each metric, of the score of each system with each other one as its reference."""
        scored = self._scored
        if scored.texts is None:
            raise OptionError("--cross compares the texts of systems, but stored rows have no text", option="cross")
        lines = scored.texts.outputs
        if len(lines) < 2:
            raise OptionError("--cross needs two systems or more", option="cross")
        for name, metric in zip(self._metric_names, scored.metrics):
            if not metric.COUNTS_TEXT:
                raise OptionError("--cross computes the scores itself: leave out --scores", option="scores")
            if metric.lacks_weights():
                raise OptionError(f"{name} takes its weights from references, but --cross has no references: leave "
                                  f"{name} out of -m", option="metrics")
        return [cross_view(name, scored.names, matrix, width) for name, matrix in
                zip(self._metric_names, cross_scores(scored.metrics, lines, jobs))]

    def segment_view(self, which: str, count: int) -> SegmentView:
        """At most `count` segments, chosen as `extreme_segments` does under the first metric that was asked for."""
        scored, metric = self._scored, self._first
        if which == "differences" and len(scored.systems) < 2:
            raise OptionError("--differences needs two systems or more", option="differences")
        chosen = extreme_segments(which, self._scores[metric], count, scored.metrics[metric].LOWER_IS_BETTER)
        heading = _HEADINGS[which].format(first=scored.names[0], metric=self._metric_names[metric])
        return SegmentView(heading, [self._segment(index) for index in chosen])

    def _segment(self, index: int) -> ScoredSegment:
        scores = [[system_scores[index] for system_scores in metric_scores] for metric_scores in self._scores]
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
    """BLEU's signature; and for each system, the lengths that BLEU counts of its output and its references."""
    for index, metric in enumerate(scored.metrics):
        if isinstance(metric, BLEU):
            scores = [system.evaluations[index].score() for system in scored.systems]
            return scores[0].signature, [(score.sys_len, score.ref_len) for score in scores
                                         if isinstance(score, BLEUScore)]
    bleu = scored.counting_bleu
    if scored.texts is None or bleu is None:
        raise OptionError("--lengths needs rows of BLEU, but these stored rows have none", option="lengths")
    return bleu.get_signature(), length_totals(bleu, scored.texts.outputs, scored.texts.references)
