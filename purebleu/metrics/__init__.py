"""The metrics by name. A metric is imported when it is first used.

Read `bleu` first, then `base`, which has what all metrics share, and `evaluation`, which takes in a corpus. `faster`
has faster ways of their steps.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import base as base
    from . import bleu as bleu
    from . import character as character
    from . import chrf as chrf
    from . import eed as eed
    from . import gleu as gleu
    from . import helpers as helpers
    from . import nist as nist
    from . import ribes as ribes
    from . import rouge as rouge
    from . import ter as ter
    from . import wer as wer
    from .base import Metric
    from .bleu import BLEU as BLEU
    from .bleu import BLEUScore as BLEUScore
    from .character import CHARACTER as CHARACTER
    from .character import CHARACTERScore as CHARACTERScore
    from .chrf import CHRF as CHRF
    from .chrf import CHRFScore as CHRFScore
    from .eed import EED as EED
    from .eed import EEDScore as EEDScore
    from .external import SegmentScores as SegmentScores
    from .gleu import GLEU as GLEU
    from .gleu import GLEUScore as GLEUScore
    from .nist import NIST as NIST
    from .nist import NISTScore as NISTScore
    from .ribes import RIBES as RIBES
    from .ribes import RIBESScore as RIBESScore
    from .rouge import ROUGE1 as ROUGE1
    from .rouge import ROUGE2 as ROUGE2
    from .rouge import ROUGEL as ROUGEL
    from .rouge import ROUGELSUM as ROUGELSUM
    from .rouge import ROUGE1Score as ROUGE1Score
    from .rouge import ROUGE2Score as ROUGE2Score
    from .rouge import ROUGELScore as ROUGELScore
    from .rouge import ROUGELSUMScore as ROUGELSUMScore
    from .score import Score
    from .ter import TER as TER
    from .ter import TERScore as TERScore
    from .wer import CER as CER
    from .wer import MER as MER
    from .wer import WER as WER
    from .wer import WIL as WIL
    from .wer import CERScore as CERScore
    from .wer import MERScore as MERScore
    from .wer import WERScore as WERScore
    from .wer import WILScore as WILScore

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
}

#: Scores that come from outside, likewise.
OUTSIDE_MODULES = {"SegmentScores": "external"}

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
