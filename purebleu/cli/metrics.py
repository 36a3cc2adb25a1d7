"""From options to metrics."""

from __future__ import annotations

from ..metrics import metric_class
from .corpus import target_language

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from ..metrics.base import Metric
    from ..metrics.score import Score


def make_metrics(options: Namespace) -> list[Metric[Score]]:
    """The metrics that are asked for; their options are those with the metric's name as prefix, and some of BLEU's."""
    metrics: list[Metric[Score]] = []
    for name in options.metrics:
        prefix = name + "_"
        arguments: dict[str, Any] = {
            key[len(prefix):]: value for key, value in vars(options).items() if key.startswith(prefix)
        }
        if name == "bleu":
            arguments["effective_order"] = options.sentence_level or options.mbr
        made_of = metric_class(name.upper())
        arguments.update({argument: getattr(options, f"bleu_{argument}") for argument in made_of.OPTIONS_OF_BLEU})
        if "tokenize" in arguments:
            arguments["trg_lang"] = target_language(options)
        metrics.append(made_of(**arguments))
    return metrics
