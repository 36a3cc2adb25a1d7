"""Reading signatures: what a published score was computed with, as the arguments of a metric."""

from __future__ import annotations

from ..errors import OptionError
from . import FURTHER_MODULES, MODULES, metric_class
from .score import LEADING_FIELDS, SHORT_KEYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping

    from .base import Metric
    from .score import Score

#: The names of fields in sacreBLEU 1 (`BLEU+case.mixed+numrefs.1+...`), and their names since.
_FIELDS_OF_VERSION_1 = {"numrefs": "nrefs"}


class ReadSignature:
    """A signature that was read.

    Attributes:
        name: that of the score, such as `chrF2++`.
        metric: the metric's name in the registry, such as `CHRF`.
        fields: the values by the long names of fields, as they stand there.
    """

    def __init__(self, name: str, metric: str, fields: Mapping[str, str]) -> None:
        self.name = name
        self.metric = metric
        self.fields = dict(fields)

    def options(self) -> dict[str, Any]:
        """The arguments of the metric that make it sign like this.

        Raises:
            OptionError: for a value that the metric can't have.
        """
        return metric_class(self.metric).options_from_fields(self.name, self.fields)


def read_signature(text: str) -> ReadSignature:
    """The fields of a signature, in the long or the short form, with the name of the score before it.

    Args:
        text: as sacreBLEU and purebleu print it, such as `BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|...`;
            also in the form of sacreBLEU 1, `BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.4.2`.

    Raises:
        OptionError: it is no signature, or has fields that the metric does not have.

    Example:
        >>> read = read_signature("chrF2++|#:1|c:lc|e:yes|nc:6|nw:2|s:no|v:2.4.3")
        >>> read.metric, read.fields["case"], read.fields["space"]
        ('CHRF', 'lc', 'no')
    """
    name, *pairs = text.strip().split("|")
    separator = ":"
    if not pairs and "+" in text:
        name, *pairs = text.strip().split("+")
        separator = "."
    metric = _metric_of(name)
    if metric is None or not pairs:
        raise OptionError(f"{text!r:.80} is not a signature, such as 'BLEU|nrefs:1|case:mixed|eff:no|tok:13a'")
    long_keys = _long_keys(metric_class(metric)())
    fields: dict[str, str] = {}
    for pair in pairs:
        key, found, value = pair.partition(separator)
        key = _FIELDS_OF_VERSION_1.get(key, long_keys.get(key, key))
        if not (found and value) or key in fields or key not in long_keys.values():
            raise OptionError(f"the signature's field {pair!r:.40} is unknown for {metric}, or there twice")
        fields[key] = value
    return ReadSignature(name, metric, fields)


def _long_keys(metric: Metric[Score]) -> dict[str, str]:
    """The names of all fields that a signature of the metric may have, by their short ones."""
    keys = [*LEADING_FIELDS, *metric.signature_fields(False), "version"]
    short = {**SHORT_KEYS, **metric.SHORT_FIELDS}
    return {short.get(key, key): key for key in keys}


def _metric_of(name: str) -> str | None:
    """The metric whose scores have this name, such as chrF2++."""
    if name.startswith("chrF") and name[4:].rstrip("+").isdigit():
        return "CHRF"
    registered = name.replace("-", "").upper()  # (of ROUGE-L and CharacTER, say)
    return registered if registered in {*MODULES, *FURTHER_MODULES} - {"CHRF"} else None


def signature_pairs(text: str) -> dict[str, str]:
    """The fields of a signature in its long form, which has no name before it.

    >>> signature_pairs("nrefs:1|tok:13a")
    {'nrefs': '1', 'tok': '13a'}
    """
    return {key: value for key, _, value in [pair.partition(":") for pair in text.split("|")]}
