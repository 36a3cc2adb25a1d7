"""Minimum Bayes risk decoding (Kumar and Byrne, 2004): the choice of the sample that is most similar to the others."""

from __future__ import annotations

import math
from functools import partial

from .errors import LengthError, PurebleuError, counted
from .hints import Any, Iterable, Iterator, Sequence
from .metrics.base import Metric
from .metrics.score import ROUNDING
from .metrics.segments import listed
from .runtime.progress import observer
from .runtime.workers import number_of_workers, spread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional, Tuple

    #: The index of the chosen sample, and its expected utility.
    Choice = Tuple[int, float]

    #: For a segment: samples, references (`None`: the samples), and weights of references (`None`: equal ones).
    Candidates = Tuple[Sequence[str], Optional[Sequence[str]], Optional[Sequence[float]]]


def mbr(samples: Sequence[Any], metric: Metric[Any], references: Sequence[Any] | None = None,
        weights: Sequence[Any] | None = None, jobs: int = 1) -> Any:
    """The sample with the highest expected utility (minimum Bayes risk decoding; Kumar and Byrne, 2004).

    The expected utility of a sample is the (weighted) mean of its scores against each reference alone. If a lower
    score is better, as with TER, the lowest mean is chosen.

    Args:
        samples: a list of strings, or a list of such lists, one for each segment.
        metric: the utility. (BLEU suits single segments with `effective_order=True`.)
        references: pseudo-references in the same shape, in any number; `None`: the samples.
        weights: weights of the references in the same shape, such as probabilities; `None`: equal ones.
        jobs: the number of processes that share the segments; 0: one for each processor.

    Returns:
        The index of the best sample (at a tie, the first) and its expected utility, in the metric's unit; for several
        segments, a list of these.

    Raises:
        PurebleuError: a segment lacks samples or references, numbers of references and weights differ, or weights
            are negative, not finite, or all 0.

    Example:
        >>> from purebleu import BLEU
        >>> index, utility = mbr(["a cat", "the cat sat", "the cat sits"], BLEU(effective_order=True))
        >>> index, round(utility, 2)
        (1, 60.85)
    """
    if not isinstance(metric, Metric):  # pyright: ignore[reportUnnecessaryIsInstance]  # not everyone checks types
        raise TypeError(f"metric must be a metric, such as purebleu.CHRF(), not {metric!r:.80}")
    samples = listed(samples, "samples")
    references = None if references is None else listed(references, "references")
    weights = None if weights is None else listed(weights, "weights")
    if not samples:
        raise PurebleuError("there are no samples")
    if isinstance(samples[0], str):
        return best_sample(metric, (samples, references, weights))
    segments = list(_segments(samples, references, weights))
    observer().begin("choosing", len(segments))
    return list(best_samples(metric, segments, jobs))


def best_samples(metric: Metric[Any], segments: Iterable[Candidates], jobs: int,
                 own_process: bool = False) -> Iterator[Choice]:
    """Yield the choice of each segment, in order. Segments are taken from their iterable when they are needed."""
    workers = 1 if jobs == 1 else number_of_workers(jobs)
    return spread(partial(best_sample, metric), segments, workers, own_process)


def best_sample(metric: Metric[Any], candidates: Candidates) -> Choice:
    """The choice of a segment."""
    if metric.lacks_weights():
        raise PurebleuError(f"{type(metric).__name__} needs all references of a corpus: choose another metric, or make "
                            "the metric with references=")
    samples, references, weights = candidates
    for name, texts in (("samples", samples), ("references", references)):
        if isinstance(texts, str) or not all(isinstance(text, str) for text in texts or ()):  # pyright: ignore
            raise TypeError(f"{name} must be a list of strings for each segment")
    scores = metric.pairwise(samples, samples if references is None else references)
    if weights is None:
        utilities = [math.fsum(row) / len(row) for row in scores]
    else:
        total = _checked_total(weights, len(scores[0]))
        utilities = [math.fsum([weight * score for weight, score in zip(weights, row)]) / total for row in scores]
    observer().advance()
    best = min(utilities) if metric.LOWER_IS_BETTER else max(utilities)
    # (The last digits of equal utilities may differ.)
    index = next(index for index, utility in enumerate(utilities) if abs(utility - best) <= ROUNDING * abs(best))
    return index, utilities[index]


def _checked_total(weights: Sequence[float], references: int) -> float:
    """Check that there is a weight for each reference, and that they are valid; return their sum."""
    if len(weights) != references:
        raise LengthError(f"weights has {counted(len(weights), 'number')}, but there are "
                          f"{counted(references, 'reference')}")
    try:
        total = math.fsum(weights)
    except TypeError:
        raise TypeError(f"weights must be numbers, not {weights!r:.80}") from None
    if min(weights) < 0 or not 0 < total < math.inf:
        raise PurebleuError("weights must be finite numbers of at least 0, and not all of them 0")
    return total


def _segments(samples: Sequence[Any], references: Sequence[Any] | None,
              weights: Sequence[Any] | None) -> Iterator[Candidates]:
    """Check lengths and types, and yield the candidates for each segment."""
    for name, lists in (("references", references), ("weights", weights)):
        if lists is not None and len(lists) != len(samples):
            raise LengthError(f"there are samples for {len(samples)} segments, but {name} for {len(lists)}")
    for index, segment_samples in enumerate(samples):
        if isinstance(segment_samples, str):
            raise TypeError(f"samples[{index}] is a string, unlike the lists of samples before it")
        candidates = listed(segment_samples, f"samples[{index}]")
        segment_references = references and listed(references[index], f"references[{index}]")
        if not candidates:
            raise PurebleuError(f"segment {index} has no samples")
        if references is not None and not segment_references:
            raise PurebleuError(f"segment {index} has no references")
        yield candidates, segment_references, weights and listed(weights[index], f"weights[{index}]")
