"""Faster functions for the steps of metrics. A faster function does a step for many segments at once.

A faster function returns the same results as the method of `Metric` that it replaces. The metrics in `_WAYS` use faster
functions, but not their subclasses, because a subclass may redefine a step.
"""

from __future__ import annotations

from functools import lru_cache

from ...engines import wants_plain
from .. import metric_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Mapping

    from ..base import Metric


def faster_step(metric: Metric[Any], step: str) -> Callable[..., Any] | None:
    """Return the faster function for a metric's step; `None` if there is none, or if plain code is requested."""
    kind: Any = type(metric)
    return None if wants_plain() else _ways_of(kind).get(step)


#: For each metric that has faster functions, the module of this package and the name of the dict with the functions.
_WAYS = {
    "BLEU": ("bleu", "BLEU_WAYS"), "BLEU1": ("bleu", "BLEU_WAYS"), "BLEU2": ("bleu", "BLEU_WAYS"),
    "BLEU3": ("bleu", "BLEU_WAYS"),
    "CHRF": ("chrf", "CHRF_WAYS"),
    "TER": ("edits", "TER_WAYS"), "SubER": ("edits", "SUBER_WAYS"), "SubERCased": ("edits", "SUBER_WAYS"),
    "WER": ("edits", "WER_WAYS"), "CER": ("edits", "WER_WAYS"), "MER": ("edits", "WER_WAYS"),
    "WIL": ("edits", "WER_WAYS"),
    "GLEU": ("ngrams", "GLEU_WAYS"), "ROUGE1": ("ngrams", "ROUGE_WAYS"), "ROUGE2": ("ngrams", "ROUGE_WAYS"),
    "CharacTER": ("means", "CHARACTER_WAYS"), "RIBES": ("means", "RIBES_WAYS"),
}


@lru_cache(maxsize=None)
def _ways_of(metric: Any) -> Mapping[str, Callable[..., Any]]:
    """Return the faster functions of a metric's class by the names of steps. The metric is their first argument."""
    from importlib import import_module

    name = metric.__name__
    if name not in _WAYS or metric is not metric_class(name):
        return {}
    module, ways = _WAYS[name]
    found: Mapping[str, Callable[..., Any]] = getattr(import_module("." + module, __name__), ways)
    return found
