"""The computations of evaluate's metrics that are means of segments: ROUGE and CharacTER."""

from __future__ import annotations

from functools import reduce
from operator import add

from ..engines.exact import fixed_mean
from ..errors import OptionError
from .definitions import NoWordsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Hashable, Sequence

    from ..metrics.rouge import ROUGE
    from .definitions import Computed, Predictions, ReferenceLists, TokenFunction, Values

#: The types of ROUGE that evaluate computes by default.
_ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")

#: The digits that follow "rouge" in the names of orders of n-grams.
_ORDERS = "0123456789"


def compute_rouge(predictions: Predictions, references: ReferenceLists, rouge_types: Sequence[str] | None = None,
                  use_aggregator: bool = True, use_stemmer: bool = False,
                  tokenizer: TokenFunction | None = None) -> Computed:
    """ROUGE's F-measures, from 0 to 1: of each prediction, or their means (not medians of unseeded resamples)."""
    values: Values = {}
    metrics = [_rouge(kind, use_stemmer, tokenizer) for kind in rouge_types or _ROUGE_TYPES]
    for kind, metric in zip(rouge_types or _ROUGE_TYPES, metrics):
        rows = metric.corpus_statistics(predictions, references, transpose_references=True)
        scores = [int(row[2]) for row in rows]
        if use_aggregator:
            values[kind] = fixed_mean(sum(scores), len(scores), metric.BITS)
        else:
            values[kind] = [_number(metric, score, prediction, texts[0])
                            for score, prediction, texts in zip(scores, predictions, references)]
    return values, metrics[0].get_signature()


def _number(metric: ROUGE, score: int, prediction: str, first_reference: str) -> float:
    """The F-measure of a prediction, of the type that rouge_score gives it: without words, ROUGE-L is an integer there.

    (Of references with the same F-measure, the first one counts.)
    """
    from ..metrics.rouge import ROUGEL, ROUGELSUM

    if score or not isinstance(metric, (ROUGEL, ROUGELSUM)):
        return fixed_mean(score, 1, metric.BITS)
    _, *totals = metric.counts(*metric.preprocess_lines([prediction, first_reference]))
    return 0.0 if all(totals) else 0


def _rouge(kind: str, use_stemmer: bool, tokenizer: TokenFunction | None) -> ROUGE:
    """The metric for one of evaluate's types of ROUGE."""
    from ..metrics.rouge import ROUGE1, ROUGEL, ROUGELSUM

    name, order = kind[:5], kind[5:]
    options: dict[str, Any] = ({"stemmer": use_stemmer} if tokenizer is None else
                               {"tokenize": _as_lists(tokenizer)})
    if name == "rouge" and order in ("L", "Lsum"):
        return {"L": ROUGEL, "Lsum": ROUGELSUM}[order](**options)
    if name != "rouge" or len(order) != 1 or order not in _ORDERS[1:]:
        raise OptionError(f"there is no {kind!r}: there are rouge1 to rouge9, rougeL and rougeLsum")
    metric = ROUGE1(**options)
    metric.ORDER = int(order)
    return metric


def _as_lists(tokenizer: TokenFunction) -> Callable[[str], list[Hashable]]:
    """The tokenizer with lists as its results: evaluate compares the characters of a string."""
    def tokens(text: str) -> list[Hashable]:
        return list(tokenizer(text))

    tokens.__name__ = getattr(tokenizer, "__name__", "")
    return tokens


def compute_character(predictions: Predictions, references: ReferenceLists, aggregate: str = "mean",
                      return_all_scores: bool = False) -> Computed:
    """CharacTER, from 0 to 1: the mean, sum or median of predictions, and the score of each if asked for."""
    from ..metrics.character import CHARACTER

    if aggregate not in ("mean", "sum", "median"):
        raise OptionError(f"'aggregate' is {aggregate!r}, but it can only be mean, sum or median")
    metric = CHARACTER()
    for index, texts in enumerate(references):
        if not all(metric.prepared(texts)):
            raise NoWordsError(f"references[{index}] has no words: nothing can be divided by their number")
    rows = metric.corpus_statistics(predictions, references, transpose_references=True)
    scores = [fixed_mean(row[0], 1, metric.BITS) for row in rows]
    if aggregate == "mean":
        score = fixed_mean(sum([row[0] for row in rows]), len(rows), metric.BITS)
    elif aggregate == "sum":
        score = reduce(add, scores)  # rounded with each addition, which `sum` does before Python 3.12 only
    else:
        ordered = sorted(scores)
        score = ordered[len(ordered) // 2]
        if len(ordered) % 2 == 0:
            score = (ordered[len(ordered) // 2 - 1] + score) / 2
    values: Values = {"cer_score": score}
    if return_all_scores:
        values["cer_scores"] = scores
    return values, metric.get_signature()
