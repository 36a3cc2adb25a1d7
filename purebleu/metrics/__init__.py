"""The metrics by name. A metric is imported when it is first used.

Read `bleu` first, then `base`, which has what all metrics share, and `evaluation`, which takes in a corpus. `faster`
has faster ways of their steps.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import (base as base, bleu as bleu, character as character, chrf as chrf, eed as eed, gleu as gleu,
                   helpers as helpers, nist as nist, ribes as ribes, rouge as rouge, ter as ter, wer as wer)
    from .base import Metric
    from .bleu import BLEU as BLEU, BLEUScore as BLEUScore
    from .character import CHARACTER as CHARACTER, CHARACTERScore as CHARACTERScore
    from .chrf import CHRF as CHRF, CHRFScore as CHRFScore
    from .eed import EED as EED, EEDScore as EEDScore
    from .external import SegmentScores as SegmentScores
    from .gleu import GLEU as GLEU, GLEUScore as GLEUScore
    from .nist import NIST as NIST, NISTScore as NISTScore
    from .ribes import RIBES as RIBES, RIBESScore as RIBESScore
    from .rouge import (ROUGE1 as ROUGE1, ROUGE1Score as ROUGE1Score, ROUGE2 as ROUGE2, ROUGE2Score as ROUGE2Score,
                        ROUGEL as ROUGEL, ROUGELScore as ROUGELScore, ROUGELSUM as ROUGELSUM,
                        ROUGELSUMScore as ROUGELSUMScore)
    from .score import Score
    from .suber import (SUBER as SUBER, SUBERCASED as SUBERCASED, SUBERCASEDScore as SUBERCASEDScore,
                        SUBERScore as SUBERScore)
    from .ter import TER as TER, TERScore as TERScore
    from .wer import (CER as CER, CERScore as CERScore, MER as MER, MERScore as MERScore, WER as WER,
                      WERScore as WERScore, WIL as WIL, WILScore as WILScore)

#: The registry: a metric's name (on the command line, in lower case), and the module that has a class of that name.
MODULES = {
    "BLEU": "bleu",
    "CHRF": "chrf",
    "TER": "ter",
}

#: Metrics that sacreBLEU lacks, likewise.
FURTHER_MODULES = {
    "WER": "wer",
    "CER": "wer",
    "MER": "wer",
    "WIL": "wer",
    "GLEU": "gleu",
    "NIST": "nist",
    "ROUGE1": "rouge",
    "ROUGE2": "rouge",
    "ROUGEL": "rouge",
    "ROUGELSUM": "rouge",
    "RIBES": "ribes",
    "CHARACTER": "character",
    "EED": "eed",
    "SUBER": "suber",
    "SUBERCASED": "suber",
}

#: Scores that come from outside, likewise.
OUTSIDE_MODULES = {"SegmentScores": "external"}

__all__ = ["METRICS", *[name + end for name in (*MODULES, *FURTHER_MODULES) for end in ("", "Score")], *OUTSIDE_MODULES]  # pyright: ignore[reportUnsupportedDunderAll]

#: Names on the command line that stand for several metrics.
METRIC_FAMILIES = {"rouge": ("rouge1", "rouge2", "rougel", "rougelsum")}

#: The classes of `MODULES` by these names, as sacreBLEU has them; they are imported when this is first asked for.
METRICS: dict[str, type[Metric[Score]]]


def metric_class(name: str) -> type[Metric[Score]]:
    """The class of the metric called `name` in `MODULES`, `FURTHER_MODULES` or `OUTSIDE_MODULES`."""
    from importlib import import_module

    module = MODULES.get(name) or FURTHER_MODULES.get(name) or OUTSIDE_MODULES[name]
    metric: type[Metric[Score]] = getattr(import_module("." + module, __name__), name)
    return metric


if not TYPE_CHECKING:
    def __getattr__(name: str) -> object:
        """A metric, or its score (`BLEU`, `BLEUScore`); all of them; or a module that clients reach as an attribute."""
        from importlib import import_module

        if name in (*MODULES.values(), *FURTHER_MODULES.values(), "base", "helpers"):
            return import_module("." + name, __name__)
        if name == "METRICS":
            return globals().setdefault(name, {metric: metric_class(metric) for metric in MODULES})
        metric = name[:-len("Score")] if name.endswith("Score") else name
        module = MODULES.get(metric) or FURTHER_MODULES.get(metric) or OUTSIDE_MODULES.get(name)
        if module is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module("." + module, __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
