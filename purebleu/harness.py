"""Scores and standard errors for programs that evaluate language models.

`score` returns all figures of a corpus, and `stderr` a standard error from a harness's random numbers. `bleu`, `chrf`,
`chrf_plus` and `ter` take the items that the lm-evaluation-harness (pairs) and lighteval (objects) collect;
`bootstrap_stderr` replaces their function of this name.
"""

from __future__ import annotations

from math import sqrt

from .engines.resampling.intervals import bootstrap_scores, interval_ends
from .errors import OptionError
from .hints import Any, Callable, Iterable, Seed, Segment, Sequence
from .metrics.base import Metric
from .metrics.making import made_metrics, metric
from .metrics.segments import listed, transpose_references
from .report.compare import checked_texts, evaluated_texts
from .significance.results import results_of
from .significance.sampling import Sampling

__all__ = ["bleu", "bootstrap_stderr", "chrf", "chrf_plus", "score", "stderr", "ter"]

#: Harnesses draw at most this many resamples with one seed. Seeds are 0, 1, and so on.
_RESAMPLES_OF_A_SEED = 1000


def score(predictions: Sequence[Segment], references: Sequence[str | Sequence[Segment | None]],
          metrics: str | Metric[Any] | Iterable[str | Metric[Any]] = ("bleu", "chrf", "ter"), *, resamples: int = 0,
          seed: Seed = "environment", jobs: int = 1) -> dict[str, dict[str, Any]]:
    """Score a corpus under several metrics.

    Args:
        predictions: segments, as for `corpus_score`.
        references: for each prediction, its reference, or a list of references.
        metrics: metrics or their names, one or several.
        resamples: the number of bootstrap resamples for intervals and standard errors; 0: none.
        seed: the seed of the random stream; `None`: a different one every time; `environment`: as `Sampling` has it.
        jobs: the number of processes; 0: one for each processor.

    Returns:
        For each metric, by its name in `metrics`, a dict: `score`; `low` and `high`, the ends of the interval that has
        95 % of the resampled scores; `standard_error`, the standard deviation of these (all three are `None` without
        resamples); `signature`, as text; `lower_is_better`.

    Raises:
        TypeError: for elements of a wrong type.
        PurebleuError: there are no predictions, or a prediction has no reference.
        OptionError: a name is unknown, or given twice.

    Example:
        >>> scores = score(["a b", "c x"], [["a b"], ["c d", "c e"]], ["ter"], resamples=100, seed=1)
        >>> scores["ter"]["score"], scores["ter"]["low"], scores["ter"]["high"], scores["ter"]["lower_is_better"]
        (25.0, 0.0, 50.0, True)
    """
    asked, made = made_metrics(metrics)
    if len({*asked}) < len(asked):
        raise OptionError(f"give each metric once: {', '.join(asked)}", option="metrics")
    outputs, streams = checked_texts({"predictions": predictions}, _streams(references), made)
    [system], weighted = evaluated_texts(["predictions"], outputs, streams, made, jobs)
    results = results_of([system.rows], weighted, Sampling(resamples=resamples, differences=resamples, seed=seed))
    scores: dict[str, dict[str, Any]] = {}
    for index, (name, found, evaluation) in enumerate(zip(asked, results.scores[0], system.evaluations)):
        low, high = interval_ends(results.resampled[0][index]) if resamples else (None, None)
        scores[name] = {
            "score": float(found), "low": low, "high": high,
            "standard_error": results.standard_errors[0][index] if resamples else None,
            "signature": str(results.signed(evaluation.signature())) if made[index].IS_SIGNED else None,
            "lower_is_better": found.lower_is_better,
        }
    return scores


def stderr(metric: str | Metric[Any], hypotheses: Sequence[Segment],
           references: Sequence[str | Sequence[Segment | None]], n: int = 100,
           choices: Callable[..., Sequence[Any]] | None = None) -> float:
    """The standard error of a score: the standard deviation of the scores of bootstrap resamples.

    Args:
        metric: the metric, or its name.
        hypotheses: segments, as for `corpus_score`.
        references: for each hypothesis, its reference, or a list of references.
        n: the number of resamples. (If it is above 1000, it is rounded down to whole thousands.)
        choices: a function that draws a resample, such as `random.Random(7).choices`. `None`: resamples are those of
            the lm-evaluation-harness and of lighteval, from `random.Random(0).choices`, with a new seed for each
            thousand.

    Raises:
        OptionError: there are fewer than 2 resamples.

    Example:
        >>> round(stderr("ter", ["a b", "c x"], ["a b", "c d"]), 4)
        17.5
    """
    _, [made] = made_metrics([metric])
    rows = made._rows_of_corpus(hypotheses, _streams(references))
    return _deviation(lambda drawn, count: bootstrap_scores([rows], [made.values], _Drawn(drawn), count)[0],  # type: ignore[arg-type]
                      n, choices)


def _deviation(resampled: Callable[[Callable[..., Any], int], Sequence[float]], n: int,
               choices: Callable[..., Any] | None = None) -> float:
    """The standard deviation of n values of `resampled`, which takes a function that draws, and their number.

    A function that draws takes items, and their number as `k`, as `random.Random(0).choices` does, and returns a sample
    with replacement.
    """
    from random import Random

    if n < 2:
        raise OptionError(f"n must be at least 2 for a standard deviation, not {n}", option="n")
    size = min(_RESAMPLES_OF_A_SEED, n)
    values: list[float] = []
    for seed in range(n // size):
        values += resampled(choices or Random(seed).choices, size)
    # (Added up in the order of harnesses, so that the last digit is the same.)
    mean = sum(values) / len(values)
    return sqrt(sum([(value - mean) ** 2 for value in values]) / (len(values) - 1))


class _Drawn:
    """A random stream that draws with a function such as `random.choices`."""

    NUMBER = None

    def __init__(self, choices: Callable[..., Sequence[Any]]) -> None:
        self._choices = choices

    def sampler(self, items: Sequence[int]) -> Callable[[int], Iterable[int]]:
        return lambda count: self._choices(items, k=count)


def _streams(references: Sequence[str | Sequence[Segment | None]]) -> list[list[Segment | None]]:
    return transpose_references([[one] if isinstance(one, str) else one for one in listed(references, "references")])


# The names of harnesses


def bleu(items: Iterable[Any]) -> float:
    """BLEU of the items that a harness has collected.

    Items are pairs of references and prediction, or objects with `golds` and `preds`.

    >>> bleu([("The cat sat on a mat.", "The cat sat on the mat.")]) == bleu([(["The cat sat on a mat."],
    ...                                                                       ["The cat sat on the mat."])])
    True
    """
    return _score_of_items("bleu", items)


def chrf(items: Iterable[Any]) -> float:
    """chrF of the items that a harness has collected (see `bleu`)."""
    return _score_of_items("chrf", items)


def chrf_plus(items: Iterable[Any]) -> float:
    """chrF++ of the items that a harness has collected (see `bleu`)."""
    return _score_of_items("chrf++", items)


def ter(items: Iterable[Any]) -> float:
    """TER of the items that a harness has collected (see `bleu`)."""
    return _score_of_items("ter", items)


#: The names of metrics by those of the functions.
_METRICS = {"bleu": "bleu", "chrf": "chrf", "chrf_plus": "chrf++", "ter": "ter"}


def _score_of_items(name: str, items: Iterable[Any]) -> float:
    predictions, references = _texts_of_items(items)
    return float(metric(name).corpus_score(predictions, _streams(references)))


def _texts_of_items(items: Iterable[Any]) -> tuple[list[str], list[Any]]:
    """The predictions, and the reference or references of each."""
    predictions: list[str] = []
    references: list[Any] = []
    for item in items:
        golds, prediction = (item.golds, item.preds) if hasattr(item, "golds") else item
        predictions.append(prediction if isinstance(prediction, str) else prediction[0])
        references.append(golds)
    return predictions, references


def bootstrap_stderr(f: Callable[[Sequence[Any]], float], xs: Sequence[Any], iters: int) -> float:
    """The standard error of a function of the items that a harness has collected, with the random numbers of the
    harness.

    The result is that of `lm_eval.api.metrics.bootstrap_stderr`, but it is computed in one process and, for this
    module's functions and the lm-evaluation-harness's own `bleu`, `chrf` and `ter`, from rows. (lighteval divides it by
    the square root of the number of resamples.)

    Args:
        f: a function of items, such as `bleu`.
        xs: the items.
        iters: the number of resamples.
    """
    if getattr(f, "__module__", "") in (__name__, "lm_eval.api.metrics") and f.__name__ in _METRICS:
        return stderr(_METRICS[f.__name__], *_texts_of_items(xs), n=iters)
    return _deviation(lambda drawn, count: [f(drawn(xs, k=len(xs))) for _ in range(count)], iters)
