"""The registry of metrics by name. The module of a metric is imported when the metric is first used.

Read the module `bleu` first, then `base` (the base class of all metrics) and `evaluation` (the sums over a corpus). The
package `faster` has functions that compute the steps of metrics faster.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from . import (base as base, bleu as bleu, character as character, chrf as chrf, eed as eed, gleu as gleu,
                   helpers as helpers, nist as nist, ribes as ribes, rouge as rouge, ter as ter, wer as wer)
    from .base import Metric
    from .bleu import BLEU as BLEU, BLEUScore as BLEUScore
    from .character import CharacTER as CharacTER
    from .chrf import CHRF as CHRF, CHRFScore as CHRFScore
    from .eed import EED as EED
    from .external import SegmentScores as SegmentScores
    from .gleu import GLEU as GLEU
    from .nist import NIST as NIST
    from .orders import BLEU1 as BLEU1, BLEU2 as BLEU2, BLEU3 as BLEU3
    from .ribes import RIBES as RIBES
    from .rouge import ROUGE as ROUGE, ROUGE1 as ROUGE1, ROUGE2 as ROUGE2, ROUGEL as ROUGEL, ROUGELSUM as ROUGELSUM
    from .score import Score
    from .suber import SubER as SubER, SubERCased as SubERCased
    from .ter import TER as TER, TERScore as TERScore
    from .wer import CER as CER, MER as MER, WER as WER, WIL as WIL

#: sacreBLEU's metrics: the name of each metric, and the module with its class. (On the command line, names are in lower
#: case.)
MODULES = {
    "BLEU": "bleu",
    "CHRF": "chrf",
    "TER": "ter",
}

#: Metrics that sacreBLEU lacks, and their modules.
FURTHER_MODULES = {
    "BLEU1": "orders", "BLEU2": "orders", "BLEU3": "orders",
    "WER": "wer", "CER": "wer", "MER": "wer", "WIL": "wer",
    "GLEU": "gleu",
    "NIST": "nist",
    "ROUGE1": "rouge", "ROUGE2": "rouge", "ROUGEL": "rouge", "ROUGELSUM": "rouge",
    "RIBES": "ribes",
    "CharacTER": "character",
    "EED": "eed",
    "SubER": "suber", "SubERCased": "suber",
}

#: Metrics whose scores come from another program, and their modules.
OUTSIDE_MODULES = {"SegmentScores": "external"}

__all__ = ["METRICS", "ROUGE", *[name + end for name in MODULES for end in ("", "Score")], *FURTHER_MODULES,  # pyright: ignore[reportUnsupportedDunderAll]
           *OUTSIDE_MODULES]

#: Names on the command line that stand for several metrics.
METRIC_FAMILIES = {"rouge": ("rouge1", "rouge2", "rougel", "rougelsum")}

#: The classes of the metrics in `MODULES`, by name, as in sacreBLEU. They are imported when `METRICS` is first used.
METRICS: dict[str, type[Metric[Score]]]


def metric_class(name: str) -> type[Metric[Score]]:
    """Return the class of a metric from its name in any case. (Only the case of `SegmentScores` matters.)"""
    from importlib import import_module

    modules = {**MODULES, **FURTHER_MODULES, **OUTSIDE_MODULES}
    registered = name if name in modules else registered_metric(name) or name
    metric: type[Metric[Score]] = getattr(import_module("." + modules[registered], __name__), registered)
    return metric


def registered_metric(name: str) -> str | None:
    """Return a metric's name in `MODULES` or `FURTHER_MODULES`; `None` if the metric is unknown.

    The argument is the name of a metric or of a score, such as `ROUGE-L`, in any case.

    >>> registered_metric("bleu"), registered_metric("character"), registered_metric("ROUGE-L"), registered_metric("x")
    ('BLEU', 'CharacTER', 'ROUGEL', None)
    """
    known = {known.upper(): known for known in (*MODULES, *FURTHER_MODULES)}
    return {**known, "BLEU4": "BLEU"}.get(name.replace("-", "").upper())


#: The highest number of characters of beta in a name such as `chrF2.5`: the length of the longest `repr` of a float.
_LONGEST_BETA = 24


def named_metric(name: str) -> tuple[str | None, dict[str, Any]]:
    """Return a metric's registered name (`None` if it is unknown), and the options that the given name implies.

    Args:
        name: the name of a metric or of a score, in any case.

    Example:
        >>> named_metric("chrF3+"), named_metric("ROUGE-L"), named_metric("spBLEU")
        (('CHRF', {'beta': 3, 'word_order': 1}), ('ROUGEL', {}), ('BLEU', {'tokenize': 'flores200'}))
    """
    if name.lower() == "spbleu":
        return "BLEU", {"tokenize": "flores200"}
    beta = name[len("chrF"):].rstrip("+")
    word_order = len(name) - len("chrF" + beta)  # (the number of plus signs)
    is_beta = name.isascii() and len(beta) <= _LONGEST_BETA and (beta or "2").replace(".", "", 1).isdigit()
    if name[:len("chrF")].lower() != "chrf" or not is_beta:
        return registered_metric(name), {}
    options: dict[str, Any] = {"beta": float(beta) if "." in beta else int(beta)} if beta else {}
    return "CHRF", {**options, "word_order": word_order} if word_order else options


if not TYPE_CHECKING:
    def __getattr__(name: str) -> object:
        """Return the attribute `name`: `METRICS`, a module, or the class of a metric or of a score (`BLEUScore`)."""
        from importlib import import_module

        if name in (*MODULES.values(), *FURTHER_MODULES.values(), "base", "helpers"):
            return import_module("." + name, __name__)
        if name == "METRICS":
            return globals().setdefault(name, {metric: metric_class(metric) for metric in MODULES})
        module = MODULES.get(name[:-len("Score")] if name.endswith("Score") else name)
        module = module or {"ROUGE": "rouge", **FURTHER_MODULES, **OUTSIDE_MODULES}.get(name)
        if module is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module("." + module, __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
