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
from ...report.views import BucketView, CrossView, LengthView, ScoredSegment, SegmentView, View, views_report
from ...significance.sampling import Sampling
from ..arguments.groups import LookValues, SamplingValues
from ..corpus.texts import labels_of, tokens_of_corpus

TYPE_CHECKING = False
if TYPE_CHECKING:

    from ...analysis.buckets import Tokens
    from ..corpus.inputs import Inputs
    from ..corpus.scored import Scored

_UNKNOWN_KIND = "the segments have no {} (those of some test sets have)"

#: The headings of views of segments, by the names of options.
_HEADINGS = {"worst": "Segments that {first} gets worst ({metric})",
             "best": "Segments that {first} gets best ({metric})",
             "differences": "Segments in which systems differ most ({metric})"}


def views_text(looks: LookValues, sampling: SamplingValues, scored: Scored, first: str, jobs: int,
               style: Style) -> str:
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
    views: list[View] = []
    for kind in dict.fromkeys(looks.buckets):
        views += shown.bucket_views(kind)
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
        crossed = shown.cross_views(jobs)
        views += crossed
        signatures.update({view.signed_as: signature_of(metric, {1}).format(style.short)
                           for view, metric in zip(crossed, scored.metrics)})
    if looks.lengths:
        signature, lengths = _lengths(scored)
        views.append(LengthView(scored.names, lengths))
        signatures[LengthView.signed_as] = signature.format(style.short)
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
        self._metrics = scored.metrics
        self._metric_names = [score.name for score in self.scores]
        self._places = [score.places for score in self.scores]
        self._signatures = [score.signature for score in self.scores]
        self._systems = scored.rows
        self._names = scored.names
        self._texts = scored.texts
        self._bleu = scored.counting_bleu
        registered = [metric.registered_name.lower() for metric in scored.metrics]
        self._first = registered.index(first) if first else 0
        resamples = sampling.confidence_n if sampling.confidence else 0
        self._sampling = Sampling(resamples=resamples, rng=sampling.rng, seed=sampling.seed)

    @cached_property
    def _tokens(self) -> Tokens | None:
        if self._texts is None or self._bleu is None:
            return None
        return tokens_of_corpus(self._bleu, self._texts, len(self._systems))

    @cached_property
    def _scores(self) -> list[list[list[float]]]:
        """Under each metric, for each system, the score of each segment."""
        sentence_metrics = list(map(sentence_metric, self._metrics))
        return [[segment_scores(metric, rows[index]) for rows in self._systems]
                for index, metric in enumerate(sentence_metrics)]

    def signed(self, signature: Signature) -> Signature:
        """A signature with the fields of resampling, if intervals were asked for."""
        return self._sampling.signed(signature) if self._sampling.resamples else signature

    def segment_signatures(self) -> dict[str, Signature]:
        """The signatures of the scores of single segments, by the names of metrics: BLEU has effective order."""
        signatures = {name: deepcopy(signature) for name, signature in zip(self._metric_names, self._signatures)}
        for signature, metric in zip(signatures.values(), self._metrics):
            if sentence_metric(metric) is not metric:
                signature.update("eff", True)
        return signatures

    def bucket_views(self, kind: str) -> list[BucketView]:
        """Tables by one of `BUCKET_KINDS`: one for each metric, but for the frequency of words, only one."""
        if kind == "score":
            return [BucketView(self._names, "Segments", score_counts(name, scores, limits_of(metric, scores)), 0,
                               places=lambda _: 0)
                    for name, scores, metric in zip(self._metric_names, self._scores, self._metrics)]
        if kind == "frequency":
            if self._tokens is None:
                raise OptionError("--buckets frequency needs the words of references, and there are none")
            rows = word_rows_of(self._tokens)
            resampled = bootstrap_scores(rows, [word_f_values] * len(rows), self._sampling.stream(),
                                         self._sampling.resamples) if self._sampling.resamples else []
            buckets = word_buckets(self._tokens, rows, resampled)
            return [BucketView(self._names, "F-score", buckets, 0, "words")]
        lengths = reference_lengths(self._metrics, self._systems[0], self._signatures, self._tokens)
        groupings = segment_groups(lengths, labels_of(self._texts))
        if kind not in groupings:
            raise OptionError(("there are no references" if self._texts is not None else
                               "stored rows have the lengths of references only if they are of BLEU, with one "
                               "reference for each segment") if kind == "length"
                              else _UNKNOWN_KIND.format(kind))
        title, groups = groupings[kind]
        buckets = score_buckets(title, groups, self._systems, self._metrics, self._sampling)
        return [BucketView(self._names, name, buckets, index, places=places)
                for index, (name, places) in enumerate(zip(self._metric_names, self._places))]

    def cross_views(self, jobs: int) -> list[CrossView]:
        """A table for each metric, of the score of each system with each other one as its reference."""
        outputs = [] if self._texts is None else self._texts.outputs_of(len(self._systems))
        lines = [system_lines for system_lines in outputs if system_lines is not None]
        if len(lines) < len(self._systems):
            raise OptionError("--cross compares the texts of systems, and stored rows have none")
        if len(lines) < 2:
            raise OptionError("--cross needs two systems or more")
        for name, metric in zip(self._metric_names, self._metrics):
            if not metric.COUNTS_TEXT:
                raise OptionError(f"--cross scores texts, and those of {name} are from another program: leave out "
                                  "--scores", option="scores")
            if metric.lacks_weights():
                raise OptionError(f"{name} takes its weights from references, and --cross has none: leave it out of -m")
        return [CrossView(name, self._names, matrix) for name, matrix in
                zip(self._metric_names, cross_scores(self._metrics, lines, jobs))]

    def segment_view(self, which: str, count: int) -> SegmentView:
        """At most `count` segments, chosen as `extreme_segments` does under the first metric that was asked for."""
        if which == "differences" and len(self._systems) < 2:
            raise OptionError("--differences needs two systems or more", option="differences")
        metric = self._first
        chosen = extreme_segments(which, self._scores[metric], count, self._metrics[metric].LOWER_IS_BETTER)
        heading = _HEADINGS[which].format(first=self._names[0], metric=self._metric_names[metric])
        return SegmentView(heading, [self._segment(index) for index in chosen])

    def _segment(self, index: int) -> ScoredSegment:
        scores = [[system_scores[index] for system_scores in metric_scores] for metric_scores in self._scores]
        places = [places_of(SEGMENT_PLACES) for places_of in self._places]
        if self._texts is None:
            return ScoredSegment(index + 1, self._names, self._metric_names, scores, places)
        columns = self._texts.listed.columns
        identifiers = columns.get("id") or columns.get("docid")
        source = columns.get("src")
        return ScoredSegment(
            self._texts.listed.numbers[index], self._names, self._metric_names, scores, places,
            identifier=identifiers[index] if identifiers else None, source=source[index] if source else None,
            references=[stream[index] for stream in self._texts.references],
            outputs=[None if lines is None else lines[index] for lines in self._texts.outputs_of(len(self._systems))])


def _lengths(scored: Scored) -> tuple[Signature, list[tuple[int, int]]]:
    """BLEU's signature; and for each system, the lengths that BLEU counts of its output and its references."""
    for index, metric in enumerate(scored.metrics):
        if isinstance(metric, BLEU):
            scores = [system.evaluations[index].score() for system in scored.systems]
            return scores[0].signature, [(score.sys_len, score.ref_len) for score in scores
                                         if isinstance(score, BLEUScore)]
    bleu = scored.counting_bleu
    if scored.texts is None or bleu is None:
        raise OptionError("--lengths needs BLEU, and these stored rows have none")
    return bleu.get_signature(), length_totals(bleu, scored.texts.outputs, scored.texts.references)
