"""chrF (Popović, 2015), an F-score of character n-grams; and chrF++ (Popović, 2017), which adds word n-grams.

    p_n  = matched n-grams / n-grams of the hypotheses, counted over the whole corpus
    r_n  = matched n-grams / n-grams of the references, counted over the whole corpus
    P, R = means of p_n and of r_n over all orders
    chrF = 100 * (1 + beta ** 2) * P * R / (beta ** 2 * P + R)

The orders n are 1 to 6 for characters, without whitespace. chrF++ adds the orders 1 and 2 for words, after splitting
off punctuation marks. An order is left out if the hypotheses or the references have no n-grams of this order. If a
segment has several references, chrF uses the reference with the highest F-score.
"""

from __future__ import annotations

from ..engines.ngrams.counting import checked_order, count_matches
from ..runtime.errors import OptionError, is_between
from ..runtime.hints import Any, Iterable, Mapping, Row, Segment, Sequence, Streams
from ..unicode.casing import lower_case
from ..unicode.properties import SPACES
from . import named_metric
from .base import Metric
from .score import Score
from .signature import CASE_FIELD, FlagField, IntegerField

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Counter, List, Tuple

    #: A preprocessed segment: its characters, and its words in UTF-8 (no words if `word_order` is 0).
    Compared = Tuple[str, List[bytes]]

#: The ASCII punctuation marks, which are split off words.
_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

#: The value that epsilon smoothing gives to the precision and the recall of an order without n-grams.
_EPSILON = 1e-16

#: The largest beta. (The square of a larger beta might be too large for a float32.)
_MAX_BETA = 10 ** 15


class CHRFScore(Score):
    """A chrF score. The name of the score, such as `chrF2++`, has beta, and a plus sign for each order of words.

    Attributes:
        char_order: the maximum order of character n-grams.
        word_order: the maximum order of word n-grams.
        beta: the weight of recall relative to precision.
    """

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        super().__init__(f"chrF{beta}" + "+" * word_order, score)


class CHRF(Metric[CHRFScore]):
    """chrF (Popović, 2015) and chrF++ (Popović, 2017).

    A row of sufficient statistics has three integers for each order of characters, and then for each order of words:
    the number of n-grams of the hypothesis (0 if the reference has no n-grams of this order), the number of n-grams of
    the reference, and the number of matches. If a segment has several references, the row compares the hypothesis with
    the reference that gives the highest F-score (at a tie, the first).

    Args:
        char_order: the maximum order of character n-grams; 0 for none.
        word_order: the maximum order of word n-grams; 0 for none, and 2 for chrF++.
        beta: the weight of recall relative to precision, at least 0.
        lowercase: compare in lower case.
        whitespace: whether n-grams of characters include whitespace.
        eps_smoothing: whether orders without n-grams count as almost 0, instead of being left out.
        references: streams of references, which are preprocessed only once, even for many systems.

    Raises:
        OptionError: a number is out of range, or both orders are 0.

    Example:
        >>> CHRF(word_order=2).corpus_score(["The cat sat on the mat."], [["The cat sat on a mat."]])
        chrF2++ = 72.66
    """

    CHAR_ORDER = 6
    WORD_ORDER = 0
    BETA = 2
    SIGNATURE_FIELDS = (CASE_FIELD, FlagField("eff", "eps_smoothing", (True, False)),
                        IntegerField("nc", "char_order", CHAR_ORDER), IntegerField("nw", "word_order", WORD_ORDER),
                        FlagField("space", "whitespace"))

    def __init__(self, char_order: int = CHAR_ORDER, word_order: int = WORD_ORDER, beta: int = BETA,
                 lowercase: bool = False, whitespace: bool = False, eps_smoothing: bool = False,
                 references: Streams | None = None) -> None:
        self.char_order = checked_order("character", char_order, lowest=0)
        self.word_order = checked_order("word", word_order, lowest=0)
        if not self.char_order and not self.word_order:
            raise OptionError("the orders of character and word n-grams are both 0: one of them must be at least 1")
        if not is_between(beta, 0, _MAX_BETA):
            raise OptionError(f"beta must be a number from 0 to {_MAX_BETA}, not {beta!r}")
        self.beta = beta
        self.order = self.char_order + self.word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        super().__init__(references)

    # Step 1: from a line to its characters and words

    def preprocess(self, segment: Segment) -> Compared:
        assert isinstance(segment, str)
        line = lower_case(segment) if self.lowercase else segment
        characters = line if self.whitespace else "".join(line.translate(SPACES).split())
        words = words_and_marks(line) if self.word_order else []
        return characters, [word.encode("utf-8", "surrogatepass") for word in words]

    # Step 2: from segments to rows of statistics

    def segment_statistics(self, hypothesis: Compared, references: Sequence[Compared]) -> Row:
        return self.best_row([self.row_against(hypothesis, reference) for reference in references])

    def row_against(self, hypothesis: Compared, reference: Compared) -> Row:
        """Return the row of a hypothesis against one reference."""
        row: list[int] = []
        for symbols, reference_symbols, max_order in zip(hypothesis, reference, (self.char_order, self.word_order)):
            for index, matched in enumerate(count_matches(symbols, [reference_symbols], max_order)):
                in_hypothesis, in_reference = max(0, len(symbols) - index), max(0, len(reference_symbols) - index)
                # sacreBLEU-compat: if the reference has no n-grams of this order, the hypothesis gets 0 n-grams.
                row += [in_hypothesis if in_reference else 0, in_reference, matched]
        return tuple(row)

    def best_row(self, rows: Sequence[Row]) -> Row:
        """Return the row with the highest F-score; at a tie, the first row."""
        return rows[0] if len(rows) == 1 else max(rows, key=self.value)

    # Step 3: from sums of rows to a score

    def score(self, totals: Sequence[float]) -> CHRFScore:
        self._check_sums(totals, 3 * self.order)
        return CHRFScore(self.value(totals), self.char_order, self.word_order, self.beta)

    def value(self, totals: Sequence[float]) -> float:
        orders = zip(totals[::3], totals[1::3], totals[2::3])
        if self.eps_smoothing:
            return self._mean_f_score(orders)
        sum_of_precisions = sum_of_recalls = 0.0
        effective_order = 0
        for in_hypothesis, in_reference, matched in orders:
            if in_hypothesis > 0 and in_reference > 0:
                sum_of_precisions += matched / in_hypothesis
                sum_of_recalls += matched / in_reference
                effective_order += 1
        return self.score_from_sums(sum_of_precisions, sum_of_recalls, effective_order)

    def score_from_sums(self, sum_of_precisions: float, sum_of_recalls: float, orders: int) -> float:
        """Return the score from the sums of the precisions and of the recalls of `orders` orders."""
        if not sum_of_precisions + sum_of_recalls:
            return 0.0
        precision, recall = sum_of_precisions / orders, sum_of_recalls / orders
        factor = self.beta ** 2
        return 100 * ((1 + factor) * precision * recall / (factor * precision + recall))

    def _mean_f_score(self, orders: Iterable[tuple[float, float, float]]) -> float:
        """Return the score with epsilon smoothing: the mean of the F-scores of all orders."""
        sum_of_scores = 0.0
        factor = self.beta ** 2
        for in_hypothesis, in_reference, matched in orders:
            precision = matched / in_hypothesis if in_hypothesis > 0 else _EPSILON
            recall = matched / in_reference if in_reference > 0 else _EPSILON
            divisor = factor * precision + recall
            sum_of_scores += (1 + factor) * precision * recall / divisor if divisor > 0 else _EPSILON
        return 100 * sum_of_scores / self.order

    # Methods for an evaluation

    def column_names(self) -> list[str]:
        kinds = [f"char_{order}" for order in range(1, 1 + self.char_order)]
        kinds += [f"word_{order}" for order in range(1, 1 + self.word_order)]
        return [f"{part}_{kind}" for kind in kinds for part in ("sys", "ref", "correct")]

    @classmethod
    def options_from_fields(cls, name: str, fields: Mapping[str, str]) -> dict[str, Any]:
        # (Signatures lack beta, and signatures of sacreBLEU 1 lack the word order, but the score's name has both.)
        _, implied = named_metric(name)
        return {**implied, **super().options_from_fields(name, {"nw": str(implied.get("word_order", 0)), **fields})}

    def scoring_options(self) -> dict[str, Any]:
        return {"char_order": self.char_order, "word_order": self.word_order, "beta": self.beta,
                "eps_smoothing": self.eps_smoothing}

    # Methods of sacreBLEU that programs call

    def _preprocess_segment(self, sent: str) -> str:
        return lower_case(sent) if self.lowercase else sent

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"ref_ngrams": [self._extract_ngrams(self._preprocess_segment(ref)) for ref in refs]}

    def _extract_ngrams(self, line: str) -> list[Counter[str]]:
        from .helpers import extract_all_char_ngrams, extract_word_ngrams

        words = self._remove_punctuation(line)
        return [*extract_all_char_ngrams(line, self.char_order, self.whitespace),
                *[extract_word_ngrams(words, order) for order in range(1, 1 + self.word_order)]]

    def _remove_punctuation(self, sent: str) -> list[str]:
        return words_and_marks(sent)

    @staticmethod
    def _get_match_statistics(hyp_ngrams: Counter[str], ref_ngrams: Counter[str]) -> list[Any]:
        # sacreBLEU-compat: if the reference has no n-grams of this order, the hypothesis gets 0 n-grams.
        return [sum(hyp_ngrams.values()) if ref_ngrams else 0, sum(ref_ngrams.values()),
                sum([min(count, ref_ngrams[ngram]) for ngram, count in hyp_ngrams.items() if ngram in ref_ngrams])]

    def _compute_f_score(self, statistics: Sequence[Any]) -> float:
        return self.value(statistics)


def words_and_marks(line: str) -> list[str]:
    """Return the words of a line. A punctuation mark at the end of a word, or else at its start, is split off.

    >>> words_and_marks("(hi) 'tis (a -")
    ['(hi', ')', "'", 'tis', '(', 'a', '-']
    """
    words: list[str] = []
    for word in line.translate(SPACES).split():
        if len(word) > 1 and word[-1] in _PUNCTUATION:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in _PUNCTUATION:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words
