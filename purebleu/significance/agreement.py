"""Agreement with people: how often they find the system better that has the better score (Kocmi et al., 2024).

The curves were fitted to 6,530 pairs of systems of which people had judged which is better. They hold for scores that
were computed as there, and for no other metric.
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
            fields: the fields of signatures that scores have to have.
            plateau: the agreement at large differences.
            slope: how fast it is reached, for each point of the score.
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

#: Fields that a signature has only where their value is not the usual one.
_UNUSUAL = ("order",)

#: Below this, people side with the metric less often than a coin.
COIN_TOSS = 50.0

#: The sentence that always stands beside such figures.
CAVEAT = (
    "These figures are means over many pairs of systems, most of them of news, under direct human scores. Between "
    "unrelated systems, people agree with a metric less often than the curves say (BLEU 59.1 %, chrF 58.2 % of 1,422 "
    "such pairs) than between versions of one system (74.8 % and 77.0 % of 1,607 pairs). They say nothing of whether a "
    "difference is significant.")


def agreement(name: str, signature: Signature, difference: float) -> Agreement:
    """How often people agree that the system with the better score is better.

    Args:
        name: that of the score, such as `chrF2`.
        signature: of the evaluation.
        difference: of the scores of two systems, in whichever direction.

    Returns:
        The agreement in percent, and `None`; or `None`, and the reason for which there is no figure.

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
    said = {key: value_text(value) for key, value in signature.info.items()}
    reasons = [_mismatch(fit, said) for fit in _FITS[name]]
    for fit, reason in zip(_FITS[name], reasons):
        if not reason:
            return fit.plateau / (1 + exp(-fit.slope * abs(difference))), None
    known = " or ".join([fit.fields["tok"] for fit in _FITS[name] if "tok" in fit.fields])
    if all(reason.startswith("tok:") for reason in reasons):
        return None, f"curves were fitted to tok:{known}, not to tok:{said['tok']}"
    reason = next(reason for reason in reasons if not reason.startswith("tok:"))
    return None, f"the curve was fitted to {reason}"


def _mismatch(fit: Fit, said: Mapping[str, str | None]) -> str:
    """The first field in which a signature differs from those that a curve was fitted to; empty where none does."""
    for field in (*[field for field in fit.fields if field != "tok"], *_UNUSUAL, "tok"):
        if said.get(field) != fit.fields.get(field):
            return f"{field}:{fit.fields.get(field, 'usual')}, not to {field}:{said.get(field)}"
    return ""
