"""The metrics. `METRICS` is the registry: the name on the command line, in capitals, and the class."""

from .bleu import BLEU, BLEUScore

METRICS = {
    "BLEU": BLEU,
}

__all__ = ["BLEU", "METRICS", "BLEUScore"]
