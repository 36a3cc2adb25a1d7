"""GLEU, the "Google BLEU" of Wu et al. (2016, section 6.2): the minimum of n-gram precision and n-gram recall."""

from __future__ import annotations

from ..engines.ngrams.counting import checked_order, count_matches
from ..runtime.hints import Callable, Iterable, Row, Segment, Sequence, Streams, Tokens
from .base import Metric
from .score import Score
from .signature import CASE_FIELD, ORACLE_FIELD, IntegerField, TokenizerField
from .tokens import advice_on_tokenizer, tokenizer_for, tokens_of

MIN_GLEU_ORDER = 1
MAX_GLEU_ORDER = 4


class GLEUScore(Score):
    """A GLEU score, from 0 to 100, and the numbers that it was computed from.

    Attributes:
        matches: the number of matched n-grams of all orders.
        ngrams: the number of n-grams of the hypothesis or of the reference, whichever is larger, summed over segments.
    """

    def __init__(self, matches: int, ngrams: int) -> None:
        super().__init__("GLEU", 100 * matches / ngrams if ngrams else 0.0)
        self.matches = matches
        self.ngrams = ngrams


class GLEU(Metric[GLEUScore]):
    """GLEU (Wu et al., 2016), which differs from the GLEU of grammatical error correction.

    A row of sufficient statistics has two integers: the number of matched n-grams of all orders, and the number of
    n-grams of the hypothesis or of the reference, whichever is larger. If a segment has several references, the row
    compares the hypothesis with the reference that gives the highest score (at a tie, the first). The score of a corpus
    is the ratio of the sums, as in nltk's `corpus_gleu`.

    Args:
        lowercase: compare in lower case.
        tokenize: as for `BLEU`.
        min_order: the lowest order of n-grams, from 1.
        max_order: the highest order of n-grams, from `min_order`.
        trg_lang: the code of the target language, such as `ja`, which selects the default tokenizer.
        references: streams of references, which are preprocessed only once, even for many systems.
        tokenize_name: the name in signatures, such as `mine-1`, if `tokenize` is a function.

    Raises:
        OptionError: the tokenizer is unknown, or an order is out of range.

    Example:
        >>> GLEU().corpus_score(["The cat sat on the mat."], [["The cat sat on a mat."]])
        GLEU = 59.09
    """

    TAKES_TOKENS = True
    OPTIONS_OF_BLEU = ("lowercase", "tokenize")
    SIGNATURE_FIELDS = (CASE_FIELD, TokenizerField(),
                        IntegerField("min", "min_order", MIN_GLEU_ORDER, leaves_out_default=True),
                        IntegerField("order", "max_order", MAX_GLEU_ORDER, leaves_out_default=True), ORACLE_FIELD)

    #: Another program that computes the same scores.
    ORACLE = "nltk-3.10"

    def __init__(self, lowercase: bool = False, tokenize: str | Callable[[str], object] | None = None,
                 min_order: int = MIN_GLEU_ORDER, max_order: int = MAX_GLEU_ORDER, trg_lang: str = "",
                 references: Streams | None = None, *, tokenize_name: str = "") -> None:
        self.lowercase = lowercase
        self.min_order = checked_order("minimum", min_order, lowest=1)
        self.max_order = checked_order("maximum", max_order, lowest=self.min_order)
        self.trg_lang = trg_lang
        self.tokenizer = tokenizer_for(tokenize, trg_lang, tokenize_name)
        self.tokenizer_signature = self.tokenizer.signature()
        super().__init__(references)

    def preprocess_lines(self, segments: Sequence[Segment]) -> Sequence[Tokens]:
        return tokens_of(segments, self.tokenizer, self.lowercase)

    def segment_statistics(self, hypothesis: Tokens, references: Sequence[Tokens]) -> Row:
        return self.best_row(len(hypothesis), [
            (len(reference), count_matches(hypothesis, [reference], self.max_order)) for reference in references])

    def best_row(self, length: int, references: Iterable[tuple[int, Sequence[int]]]) -> Row:
        """Return the row for the reference with the highest ratio of matches to n-grams.

        Args:
            length: the length of the hypothesis, in tokens.
            references: for each reference, its length, and the number of matches of each order.
        """
        rows = [(sum(matches[self.min_order - 1:]), max(self._ngrams(length), self._ngrams(reference_length)))
                for reference_length, matches in references]
        return max([row for row in rows if row[1]], key=lambda row: row[0] / row[1], default=(0, 0))

    def _ngrams(self, length: int) -> int:
        """Return the number of n-grams of all orders in a segment of `length` tokens."""
        return sum(range(length - self.min_order + 1, max(0, length - self.max_order), -1))

    def score(self, totals: Sequence[float]) -> GLEUScore:
        self._check_sums(totals, 2)
        matches, ngrams = totals
        return GLEUScore(int(matches), int(ngrams))

    def exact_ratio(self, totals: Sequence[int]) -> tuple[int, int]:
        matches, ngrams = totals
        return 100 * matches, ngrams or 1

    def advice_without_spaces(self, language: str) -> str:
        return advice_on_tokenizer(self.tokenizer_signature, language)

    def column_names(self) -> list[str]:
        return ["matches", "ngrams"]
