"""Agreement with people: how often they prefer the system with the better score (Kocmi et al., 2024).

The curves were fitted to 6,530 pairs of systems with human judgements. They hold only for the metrics in that study,
computed with the same options.
"""

from __future__ import annotations

from math import exp

from ..metrics.score import value_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, NamedTuple, Tuple, Union

    from ..metrics.score import Signature

    class Fit(NamedTuple):
        """A curve: `plateau / (1 + exp(-slope * difference))`, in percent.

        Attributes:
            fields: the fields that the signature of scores has to have.
            plateau: the agreement at large differences.
            slope: how fast the agreement rises, per point of the score.
        """

        fields: Mapping[str, str]
        plateau: float
        slope: float

    #: The agreement in percent, if there is a figure, else the reason.
    Agreement = Union[Tuple[float, None], Tuple[None, str]]
else:
    from collections import namedtuple

    Fit = namedtuple("Fit", "fields plateau slope")

_BLEU = {"nrefs": "1", "case": "mixed", "eff": "no", "smooth": "exp"}
_CHRF = {"nrefs": "1", "case": "mixed", "eff": "yes", "nc": "6", "nw": "0", "space": "no"}

#: The curves by the names of scores, with the values of Kocmi et al. (2024). (spBLEU is BLEU with pieces of flores.)
_FITS = {
    "BLEU": (Fit({**_BLEU, "tok": "13a"}, 88.33333333333225, 0.9663926931178954),
             Fit({**_BLEU, "tok": "flores200"}, 90.99999999998793, 0.8079046528617078),
             Fit({**_BLEU, "tok": "flores101"}, 84.58445492823891, 1.262507595109315)),
    "chrF2": (Fit(_CHRF, 92.999999999972, 1.1142732157139852),),
}

#: Fields that a signature has only where their value is unusual.
_UNUSUAL = ("order",)

#: Below this percentage, people agree with the metric less often than with a coin.
COIN_TOSS = 50.0

#: The caveat that goes with all such figures.
CAVEAT = (
    "These figures are means over many pairs of systems, most of them of news, under direct human scores. Between "
    "unrelated systems, people agree with a metric less often than the curves say (BLEU 59.1 %, chrF 58.2 % of 1,422 "
    "such pairs) than between versions of one system (74.8 % and 77.0 % of 1,607 pairs). They say nothing of whether a "
    "difference is significant.")


def agreement(name: str, signature: Signature, difference: float) -> Agreement:
    """The share of pairs of systems with such a difference of which people prefer the system with the better score.

    Args:
        name: the name of the score, such as `chrF2`.
        signature: the signature of the evaluation.
        difference: the difference between the scores of two systems, in either direction.

    Returns:
        The agreement in percent, and `None`; or `None`, and the reason why there is no figure.

    Example:
        >>> import purebleu
        >>> bleu = purebleu.BLEU()
        >>> _ = bleu.corpus_score(["a b c d"], [["a b c d"]])
        >>> percent, _ = agreement("BLEU", bleu.get_signature(), 1.0)
        >>> round(percent, 3)
        63.989
        >>> agreement("TER", bleu.get_signature(), 1.0)
        (None, 'no curve was fitted to TER')
    """
    if name not in _FITS:
        return None, f"no curve was fitted to {name}"
    fields = {key: value_text(value) for key, value in signature.info.items()}
    reasons = [_mismatch(fit, fields) for fit in _FITS[name]]
    for fit, reason in zip(_FITS[name], reasons):
        if not reason:
            return fit.plateau / (1 + exp(-fit.slope * abs(difference))), None
    known = " or ".join([fit.fields["tok"] for fit in _FITS[name] if "tok" in fit.fields])
    if all(reason.startswith("tok:") for reason in reasons):
        return None, f"curves were fitted to tok:{known}, not to tok:{fields['tok']}"
    reason = next(reason for reason in reasons if not reason.startswith("tok:"))
    return None, f"the curve was fitted to {reason}"


def _mismatch(fit: Fit, fields: Mapping[str, str | None]) -> str:
    """The first field in which a signature differs from that of a curve, in words; empty where all fields agree."""
    for field in (*[field for field in fit.fields if field != "tok"], *_UNUSUAL, "tok"):
        if fields.get(field) != fit.fields.get(field):
            return f"{field}:{fit.fields.get(field, 'usual')}, not to {field}:{fields.get(field)}"
    return ""
