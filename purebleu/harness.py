"""Scores and standard errors for harnesses, which are programs that evaluate language models.

`score` returns the scores of a corpus, with intervals and standard errors. `stderr` computes a standard error with the
random numbers of a harness. `bleu`, `chrf`, `chrf_plus` and `ter` score the items that a harness collects: pairs in the
lm-evaluation-harness, objects in lighteval. `bootstrap_stderr` replaces the function of this name in both harnesses.
"""

from __future__ import annotations

from math import sqrt

from .engines.resampling.intervals import bootstrap_scores, interval_ends
from .metrics.base import Metric
from .metrics.making import made_metrics, metric
from .metrics.segments import listed, transpose_references
from .report.compare import checked_texts, evaluated_texts
from .runtime.errors import OptionError
from .runtime.hints import Any, Callable, Iterable, Seed, Segment, Sequence
from .significance.results import results_of
from .significance.sampling import Sampling

__all__ = ["bleu", "bootstrap_stderr", "chrf", "chrf_plus", "score", "stderr", "ter"]

#: Harnesses draw at most this many resamples with one seed. The seeds are 0, 1, 2 and so on.
_RESAMPLES_OF_A_SEED = 1000


def score(predictions: Sequence[Segment], references: Sequence[str | Sequence[Segment | None]],
          metrics: str | Metric[Any] | Iterable[str | Metric[Any]] = ("bleu", "chrf", "ter"), *, resamples: int = 0,
          seed: Seed = "environment", jobs: int = 1) -> dict[str, dict[str, Any]]:
    """Score a corpus under several metrics.

    Args:
        predictions: segments, as for `corpus_score`.
        references: for each prediction, its reference, or a list of references.
        metrics: a metric or its name, or several of them.
        resamples: the number of bootstrap resamples for intervals and standard errors; 0: neither is computed.
        seed: the seed of the random stream; `None`: a new seed every time; `environment`: the seed that `Sampling`
            takes from the environment.
        jobs: the number of processes; 0: one for each processor.

    Returns:
        A dict for each metric, under its name in `metrics`. The keys are `score`, `low` and `high` (the ends of the
        interval with 95 % of the resampled scores), `standard_error` (the standard deviation of the resampled scores),
        `signature` (a text) and `lower_is_better`. Without resamples, `low`, `high` and `standard_error` are `None`.

    Raises:
        TypeError: an element has a wrong type.
        PurebleuError: there are no predictions, or a prediction has no reference.
        OptionError: the name of a metric is unknown, or occurs twice.

    Example:
        >>> scores = score(["a b", "c x"], [["a b"], ["c d", "c e"]], ["ter"], resamples=100, seed=1)
        >>> scores["ter"]["score"], scores["ter"]["low"], scores["ter"]["high"], scores["ter"]["lower_is_better"]
        (25.0, 0.0, 50.0, True)
    """
    names, made = made_metrics(metrics)
    if len({*names}) < len(names):
        raise OptionError(f"give each metric once: {', '.join(names)}", option="metrics")
    outputs, streams = checked_texts({"predictions": predictions}, _streams(references), made)
    [system], weighted = evaluated_texts(["predictions"], outputs, streams, made, jobs)
    results = results_of([system.rows], weighted, Sampling(resamples=resamples, differences=resamples, seed=seed))
    scores: dict[str, dict[str, Any]] = {}
    for index, (name, of_corpus, evaluation) in enumerate(zip(names, results.scores[0], system.evaluations)):
        low, high = interval_ends(results.resampled[0][index]) if resamples else (None, None)
        scores[name] = {
            "score": float(of_corpus), "low": low, "high": high,
            "standard_error": results.standard_errors[0][index] if resamples else None,
            "signature": str(results.signed(evaluation.signature())) if made[index].IS_SIGNED else None,
            "lower_is_better": of_corpus.lower_is_better,
        }
    return scores


def stderr(metric: str | Metric[Any], hypotheses: Sequence[Segment],
           references: Sequence[str | Sequence[Segment | None]], n: int = 100,
           choices: Callable[..., Sequence[Any]] | None = None) -> float:
    """Compute the standard error of a score: the standard deviation of the scores of bootstrap resamples.

    Args:
        metric: the metric, or its name.
        hypotheses: segments, as for `corpus_score`.
        references: for each hypothesis, its reference, or a list of references.
        n: the number of resamples. (A number above 1000 is rounded down to whole thousands.)
        choices: a function that draws a resample, such as `random.Random(7).choices`. `None`: draw the resamples of the
            lm-evaluation-harness and of lighteval. (Each thousand resamples come from a new `random.Random`, with the
            seeds 0, 1, 2 and so on.)

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
    """Return the standard deviation of `n` resampled values.

    Args:
        resampled: a function that computes resampled values. Its arguments are a function that draws (as `choices`),
            and the number of values.
        n: the number of values.
        choices: a function that draws with replacement, with the arguments of `random.choices`; `None`: the method
            `choices` of `random.Random` with the seeds 0, 1, 2 and so on.
    """
    from random import Random

    if n < 2:
        raise OptionError(f"n must be at least 2 for a standard deviation, not {n}", option="n")
    size = min(_RESAMPLES_OF_A_SEED, n)
    values: list[float] = []
    for seed in range(n // size):
        values += resampled(choices or Random(seed).choices, size)
    # (Harnesses add values in the same order, so the last digit of the result is the same.)
    mean = sum(values) / len(values)
    return sqrt(sum([(value - mean) ** 2 for value in values]) / (len(values) - 1))


class _Drawn:
    """A random stream that draws indices with a function such as `random.choices`."""

    NUMBER = None

    def __init__(self, choices: Callable[..., Sequence[Any]]) -> None:
        self._choices = choices

    def sampler(self, items: Sequence[int]) -> Callable[[int], Iterable[int]]:
        return lambda count: self._choices(items, k=count)


def _streams(references: Sequence[str | Sequence[Segment | None]]) -> list[list[Segment | None]]:
    return transpose_references([[one] if isinstance(one, str) else one for one in listed(references, "references")])


# Functions with the names that harnesses use


def bleu(items: Iterable[Any]) -> float:
    """Compute BLEU of the items that a harness has collected.

    An item is a pair (references, prediction), or an object with the attributes `golds` and `preds`.

    >>> bleu([("The cat sat on a mat.", "The cat sat on the mat.")]) == bleu([(["The cat sat on a mat."],
    ...                                                                       ["The cat sat on the mat."])])
    True
    """
    return _score_of_items("bleu", items)


def chrf(items: Iterable[Any]) -> float:
    """Compute chrF of the items that a harness has collected (see `bleu`)."""
    return _score_of_items("chrf", items)


def chrf_plus(items: Iterable[Any]) -> float:
    """Compute chrF++ of the items that a harness has collected (see `bleu`)."""
    return _score_of_items("chrf++", items)


def ter(items: Iterable[Any]) -> float:
    """Compute TER of the items that a harness has collected (see `bleu`)."""
    return _score_of_items("ter", items)


#: The names of these functions, and the names of their metrics.
_METRICS = {"bleu": "bleu", "chrf": "chrf", "chrf_plus": "chrf++", "ter": "ter"}


def _score_of_items(name: str, items: Iterable[Any]) -> float:
    predictions, references = _texts_of_items(items)
    return float(metric(name).corpus_score(predictions, _streams(references)))


def _texts_of_items(items: Iterable[Any]) -> tuple[list[str], list[Any]]:
    """Return the predictions, and the reference or the references of each prediction."""
    predictions: list[str] = []
    references: list[Any] = []
    for item in items:
        golds, prediction = (item.golds, item.preds) if hasattr(item, "golds") else item
        predictions.append(prediction if isinstance(prediction, str) else prediction[0])
        references.append(golds)
    return predictions, references


def bootstrap_stderr(f: Callable[[Sequence[Any]], float], xs: Sequence[Any], iters: int) -> float:
    """Compute the standard error of a function of items with the resamples that a harness draws.

    The result equals that of `lm_eval.api.metrics.bootstrap_stderr` if all items have the same number of references.
    (lighteval divides this result by the square root of the number of resamples.) The computation takes place in one
    process. If `f` is a function of this module, or `bleu`, `chrf` or `ter` of the lm-evaluation-harness, the
    computation is fast, because only rows are resampled.

    Args:
        f: a function of items, such as `bleu`.
        xs: the items that the harness has collected.
        iters: the number of resamples.
    """
    if getattr(f, "__module__", "") in (__name__, "lm_eval.api.metrics") and f.__name__ in _METRICS:
        return stderr(_METRICS[f.__name__], *_texts_of_items(xs), n=iters)
    return _deviation(lambda drawn, count: [f(drawn(xs, k=len(xs))) for _ in range(count)], iters)
