"""Minimum Bayes risk decoding (Kumar and Byrne, 2004): choose the sample that is most similar to the other samples."""

from __future__ import annotations

import math
from functools import partial
from operator import mul

from .metrics.base import Metric
from .metrics.score import ROUNDING
from .metrics.segments import listed
from .runtime.errors import LengthError, PurebleuError, counted
from .runtime.hints import Any, Iterable, Iterator, Sequence
from .runtime.progress import observer
from .runtime.workers import number_of_workers, spread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional, Tuple

    #: The index of the chosen sample, and its expected utility.
    Choice = Tuple[int, float]

    #: The samples of a segment, the references (`None`: the samples), and the weights of references (`None`: equal
    #: weights).
    Candidates = Tuple[Sequence[str], Optional[Sequence[str]], Optional[Sequence[float]]]


def mbr(samples: Sequence[Any], metric: Metric[Any], references: Sequence[Any] | None = None,
        weights: Sequence[Any] | None = None, jobs: int = 1) -> Any:
    """Choose the sample with the highest expected utility (minimum Bayes risk decoding; Kumar and Byrne, 2004).

    A sample is scored against each reference alone. The expected utility of a sample is the (weighted) mean of these
    scores. Under a metric whose lower scores are better, such as TER, the lowest mean is the best.

    Args:
        samples: the samples of a segment, as a list of strings; or a list with the samples of each segment.
        metric: the metric that measures utility. (BLEU should have `effective_order=True`.)
        references: any number of pseudo-references, for one segment or for each; `None`: the samples.
        weights: a weight for each reference, such as its probability; `None`: equal weights.
        jobs: the number of processes that share the segments; 0: one for each processor.

    Returns:
        The index of the best sample (of the first, if several samples are best) and the sample's expected utility, in
        the metric's unit. For several segments, a list of such pairs.

    Raises:
        PurebleuError: a segment has no samples or no references, the numbers of references and weights differ, or
            weights are negative, not finite, or all 0.

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
    """Yield the choice for each segment, in order. A segment is read only when it is needed."""
    workers = 1 if jobs == 1 else number_of_workers(jobs)
    return spread(partial(best_sample, metric), segments, workers, own_process)


def best_sample(metric: Metric[Any], candidates: Candidates) -> Choice:
    """Choose the best sample of one segment."""
    if metric.lacks_weights():
        raise PurebleuError(f"{type(metric).__name__} needs all references of a corpus: choose another metric, or make "
                            "the metric with the argument references=")
    samples, references, weights = candidates
    for name, texts in (("samples", samples), ("references", references)):
        if isinstance(texts, str) or not all(isinstance(text, str) for text in texts or ()):  # pyright: ignore
            raise TypeError(f"{name} must be a list of strings for each segment")
    scores = metric.pairwise(samples, samples if references is None else references)
    if weights is None:
        utilities = [math.fsum(row) / len(row) for row in scores]
    else:
        total = _checked_total(weights, len(scores[0]))
        utilities = [math.fsum(map(mul, weights, row)) / total for row in scores]
    observer().advance()
    best = min(utilities) if metric.LOWER_IS_BETTER else max(utilities)
    # (Equal utilities may differ in their last digits, because they are rounded.)
    index = next(index for index, utility in enumerate(utilities) if abs(utility - best) <= ROUNDING * abs(best))
    return index, utilities[index]


def _checked_total(weights: Sequence[float], references: int) -> float:
    """Return the sum of the weights. Raise an error if a weight is invalid, or if their number is not `references`."""
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
    """Yield the candidates of each segment, after checks of lengths and types."""
    for name, lists in (("references", references), ("weights", weights)):
        if lists is not None and len(lists) != len(samples):
            raise LengthError(f"there are samples for {len(samples)} segments, but {name} for {len(lists)} segments")
    for index, segment_samples in enumerate(samples):
        if isinstance(segment_samples, str):
            raise TypeError(f"samples[{index}] is a string, but must be a list of strings")
        candidates = listed(segment_samples, f"samples[{index}]")
        segment_references = references and listed(references[index], f"references[{index}]")
        if not candidates:
            raise PurebleuError(f"segment {index} has no samples")
        if references is not None and not segment_references:
            raise PurebleuError(f"segment {index} has no references")
        yield candidates, segment_references, weights and listed(weights[index], f"weights[{index}]")
