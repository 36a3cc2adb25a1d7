"""From options to metrics."""

from __future__ import annotations

from ...errors import OptionError
from ...metrics import BLEU, metric_class
from ..arguments.options import option_of
from .corpus import target_language

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence

    from ...metrics.base import Metric
    from ...metrics.score import Score
    from ..arguments.options import Options


def make_metrics(options: Options) -> list[Metric[Score]]:
    """The metrics that are asked for."""
    computed = options.text_metrics
    return [_make_metric(options, name) if name in computed else _outside_metric(options, name)
            for name in options.metrics]


def bleu_of(options: Options, metrics: Sequence[Metric[Score]]) -> BLEU:
    """The BLEU among the metrics, or else one made from the options; lengths are counted in its tokens."""
    for metric in metrics:
        if isinstance(metric, BLEU):
            return metric
    metric = _make_metric(options, "bleu")
    assert isinstance(metric, BLEU)
    return metric


def _outside_metric(options: Options, name: str) -> Metric[Score]:
    from .outside import make_outside_metric

    return make_outside_metric(options, name)


def _make_metric(options: Options, name: str) -> Metric[Score]:
    """A metric, from the options whose prefix is its name, and from those of BLEU's that it takes, too."""
    prefix = option_of(name, "")
    arguments: dict[str, Any] = {
        key[len(prefix):]: value for key, value in vars(options).items() if key.startswith(prefix)
    }
    if name == "bleu":
        arguments["effective_order"] = options.sentence_level or options.mbr or options.select is not None
    metric_type = metric_class(name.upper())
    arguments.update({argument: getattr(options, option_of(name, argument))
                      for argument in metric_type.OPTIONS_OF_BLEU})
    if "tokenize" in metric_type.OPTIONS_OF_BLEU or name == "bleu":
        arguments["trg_lang"] = target_language(options)
    try:
        return metric_type(**arguments)
    except OptionError as error:
        if error.option is not None:  # (an argument of the metric)
            error.option = option_of(name, error.option)
        raise
