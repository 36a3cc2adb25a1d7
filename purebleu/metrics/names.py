"""Names of scores that come from outside: metrics that no registry has."""

from __future__ import annotations

from ..errors import OptionError
from . import FURTHER_MODULES, METRIC_FAMILIES, MODULES

#: Characters that no name may have: it stands in signatures, tables and options.
_NOT_IN_NAMES = "|=,:"


def check_name(name: str) -> None:
    """Raise `OptionError` for a name of scores from outside that tables, signatures and options could not tell apart.

    >>> check_name("COMET-22")
    """
    if not name or not name.isprintable() or name != name.strip() or any(sign in name for sign in _NOT_IN_NAMES):
        raise OptionError(f"{name!r:.40} is no name of scores: it must not be empty, and must not have any of "
                          f"{' '.join(_NOT_IN_NAMES)} in it")
    # (Names of scores, such as chrF2 and ROUGE-L, are those of metrics, too.)
    registered = name.replace("-", "").upper()
    is_known = registered in (*MODULES, *FURTHER_MODULES) or registered.startswith("CHRF")
    if is_known or registered.lower() in METRIC_FAMILIES:
        raise OptionError(f"{name} is a metric that purebleu computes: give the scores another name")
