"""Faster ways of the steps of metrics, for many segments at once: a table of the metrics that have any.

A function here equals the method of its name in `Metric`, which loops over a step in the singular. It holds for exactly
the metric's own class: a subclass may redefine a step.
"""

from __future__ import annotations

from functools import lru_cache

from ...engines.faster import wants_plain
from .. import metric_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Mapping

    from ..base import Metric

    #: Functions by the name of the step; their first argument is the metric.
    Ways = Mapping[str, Callable[..., Any]]


def faster_step(metric: Metric[Any], step: str) -> Callable[..., Any] | None:
    """The faster way of a step of a metric; `None` if there is none, or the plain ones are asked for."""
    kind: Any = type(metric)
    faster = _ways_of(kind).get(step)
    return None if faster is None or wants_plain() else faster


@lru_cache(maxsize=None)
def _ways_of(metric: Any) -> Ways:
    """The faster ways of a class of metrics."""
    name = metric.__name__
    return _WAYS[name]() if name in _WAYS and metric is metric_class(name) else {}


def _of_bleu() -> Ways:
    from .bleu import BLEU_WAYS

    return BLEU_WAYS


def _of_chrf() -> Ways:
    from .chrf import CHRF_WAYS

    return CHRF_WAYS


def _of_ter() -> Ways:
    from .ter import TER_WAYS

    return TER_WAYS


def _of_suber() -> Ways:
    from .ter import SUBER_WAYS

    return SUBER_WAYS


def _of_wer() -> Ways:
    from .wer import WER_WAYS

    return WER_WAYS


def _of_character() -> Ways:
    from .character import CHARACTER_WAYS

    return CHARACTER_WAYS


def _of_gleu() -> Ways:
    from .gleu import GLEU_WAYS

    return GLEU_WAYS


def _of_rouge() -> Ways:
    from .rouge import ROUGE_WAYS

    return ROUGE_WAYS


def _of_ribes() -> Ways:
    from .ribes import RIBES_WAYS

    return RIBES_WAYS


_WAYS: Mapping[str, Callable[[], Ways]] = {
    "BLEU": _of_bleu,
    "BLEU1": _of_bleu,
    "BLEU2": _of_bleu,
    "BLEU3": _of_bleu,
    "CHRF": _of_chrf,
    "TER": _of_ter,
    "SubER": _of_suber,
    "SubERCased": _of_suber,
    "WER": _of_wer,
    "CER": _of_wer,
    "MER": _of_wer,
    "WIL": _of_wer,
    "GLEU": _of_gleu,
    "ROUGE1": _of_rouge,
    "ROUGE2": _of_rouge,
    "CharacTER": _of_character,
    "RIBES": _of_ribes,
}
