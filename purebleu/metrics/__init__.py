"""The metrics. `METRICS` is the registry: the name on the command line, in capitals, and the class."""

from .bleu import BLEU, BLEUScore
from .chrf import CHRF, CHRFScore

METRICS = {
    "BLEU": BLEU,
    "CHRF": CHRF,
}

__all__ = ["BLEU", "CHRF", "METRICS", "BLEUScore", "CHRFScore"]
