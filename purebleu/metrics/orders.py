"""BLEU-1, BLEU-2 and BLEU-3: BLEU with fewer orders, as separate metrics that one run can compute together."""

from __future__ import annotations

from ..runtime.hints import Any, Sequence
from .bleu import BLEU, BLEUScore
from .signature import Field, FixedField


class BLEU1(BLEU):
    """BLEU-1: BLEU with single words only.

    For arguments, rows and errors, see `BLEU`. All arguments are keyword arguments, without `max_ngram_order`.

    Example:
        >>> BLEU1().corpus_score(["The cat sat on the mat."], [["The cat sat on a mat."]])
        BLEU-1 = 85.71 85.7 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)
    """

    #: The highest order of n-grams.
    ORDER = 1
    SIGNATURE_FIELDS: tuple[Field, ...] = (*BLEU.SIGNATURE_FIELDS[:-1], FixedField("order", attribute="ORDER"))
    OPTIONS_OF_BLEU = ("lowercase", "force", "tokenize", "smooth_method", "smooth_value")

    def __init__(self, **options: Any) -> None:
        super().__init__(max_ngram_order=self.ORDER, **options)

    def score(self, totals: Sequence[float]) -> BLEUScore:
        score = super().score(totals)
        score.name = f"BLEU-{self.ORDER}"
        return score

    value = BLEU.value

    def scoring_options(self) -> dict[str, Any]:
        options = super().scoring_options()
        del options["max_ngram_order"]
        return options


class BLEU2(BLEU1):
    """BLEU-2: BLEU with n-grams of one and two words. For arguments, rows and errors, see `BLEU1`.

    Example:
        >>> BLEU2().corpus_score(["The cat sat on the mat."], [["The cat sat on a mat."]])
        BLEU-2 = 75.59 85.7/66.7 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)
    """

    ORDER = 2


class BLEU3(BLEU1):
    """BLEU-3: BLEU with n-grams of up to three words. For arguments, rows and errors, see `BLEU1`.

    Example:
        >>> BLEU3().corpus_score(["The cat sat on the mat."], [["The cat sat on a mat."]])
        BLEU-3 = 61.14 85.7/66.7/40.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)
    """

    ORDER = 3
