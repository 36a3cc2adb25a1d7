"""From options to metrics: which options are a metric's."""

from __future__ import annotations

from ..metrics import METRIC_FAMILIES, metric_class
from .corpus import target_language

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from ..metrics.base import Metric
    from ..metrics.score import Score

#: The prefixes of the options of metrics that have those of their family.
_PREFIXES = {name: family for family, names in METRIC_FAMILIES.items() for name in names}


def make_metrics(options: Namespace) -> list[Metric[Score]]:
    """The metrics that are asked for; their options are those with the metric's name as prefix, and some of BLEU's."""
    metrics: list[Metric[Score]] = []
    for name in options.metrics:
        prefix = option_of(name, "")
        arguments: dict[str, Any] = {
            key[len(prefix):]: value for key, value in vars(options).items() if key.startswith(prefix)
        }
        if name == "bleu":
            arguments["effective_order"] = options.sentence_level or options.mbr
        made_of = metric_class(name.upper())
        arguments.update({argument: getattr(options, option_of(name, argument))
                          for argument in made_of.OPTIONS_OF_BLEU})
        if "tokenize" in made_of.OPTIONS_OF_BLEU or name == "bleu":
            arguments["trg_lang"] = target_language(options)
        metrics.append(made_of(**arguments))
    return metrics


def option_of(metric: str, argument: str) -> str:
    """The option, by its destination, that an argument of a metric comes from.

    >>> option_of("rougel", "stemmer"), option_of("wer", "lowercase")
    ('rouge_stemmer', 'bleu_lowercase')
    """
    if argument in metric_class(metric.upper()).OPTIONS_OF_BLEU:
        return f"bleu_{argument}"
    return f"{_PREFIXES.get(metric, metric)}_{argument}"
