"""ROUGE (Lin, 2004): n-grams and subsequences of words that a text and a reference have in common."""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice

from ..engines.bits import positions_of_items
from ..engines.exact import QUOTIENT_BITS, fixed_mean, truncate_to_fixed
from ..engines.ngrams.counting import count_matches
from ..runtime.errors import OptionError
from ..runtime.hints import Any, Callable, Hashable, Iterable, Row, Segment, Sequence, SignatureValue, Streams
from ..tokenizers.rouge_words import RougeTokenizer, UnicodeWordTokenizer
from ..tokenizers.tokenizer_base import BaseTokenizer, CustomTokenizer
from .base import Metric
from .score import Score
from .signature import BEST_REFERENCE_FIELD, ORACLE_FIELD, FixedField, FlagField, TokenizerField

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Tuple

    Words = Sequence[Hashable]

    #: The words of each line of a text.
    Lines = List[Words]

    #: The number of matches, and the numbers of items (such as n-grams) of the hypothesis and of the reference.
    Counts = Tuple[int, int, int]

#: The names of tokenizers in options and in signatures.
ROUGE_TOKENIZER, UNICODE_TOKENIZER = "rouge", "unicode"


class ROUGEScore(Score):
    """A ROUGE score: the mean F-measure of segments, from 0 to 100.

    Attributes:
        precision: the mean precision of segments, from 0 to 100.
        recall: the mean recall of segments, from 0 to 100.
    """

    def __init__(self, name: str, precision: float, recall: float, fmeasure: float) -> None:
        super().__init__(name, 100 * fmeasure)
        self.precision = 100 * precision
        self.recall = 100 * recall
        self._verbose = f"(P = {self.precision:.1f} R = {self.recall:.1f})"


class RougeMetric(Metric[ROUGEScore]):
    """The base class of the variants of ROUGE (Lin, 2004).

    A row of sufficient statistics is (precision, recall, F-measure, 1). The first three numbers are integers in units
    of 2 ** -104. If a segment has several references, the row compares the hypothesis with the reference that gives the
    highest F-measure (at a tie, the first). The score of a corpus is the mean over segments. (The library `evaluate`
    returns the median of resampled means instead.)

    Args:
        stemmer: compare the stems of words (Porter, 1980), with the tokenizer `rouge` only.
        tokenize: `rouge` (words are runs of ASCII letters and digits, in lower case), `unicode` (words are runs of
            letters, marks and digits of any script, or single ideographs, in lower case), or a function that returns
            the tokens of a text.
        references: streams of references, which are preprocessed only once, even for many systems.

    Raises:
        OptionError: the tokenizer is unknown, or `stemmer` is used with a tokenizer other than `rouge`.
    """

    SIGNATURE_FIELDS = (FixedField("case", "lc"), TokenizerField([ROUGE_TOKENIZER, UNICODE_TOKENIZER]),
                        FlagField("stem", "stemmer"), BEST_REFERENCE_FIELD, ORACLE_FIELD)

    #: Another program that computes the same scores.
    ORACLE = "rouge_score-0.1.2"

    #: The name of the score.
    NAME = "ROUGE"

    #: The number of fractional bits of the numbers in rows.
    BITS = QUOTIENT_BITS

    def __init__(self, stemmer: bool = False, tokenize: str | Callable[[str], object] = ROUGE_TOKENIZER,
                 references: Streams | None = None) -> None:
        self.stemmer = stemmer
        self.tokenizer = _rouge_tokenizer(tokenize, stemmer)
        self.tokenizer_signature = self.tokenizer.signature()
        super().__init__(references)

    # Step 1: from a line to its words

    def preprocess_lines(self, segments: Sequence[Segment]) -> Sequence[Any]:
        return self.tokenizer.tokenize_lines([segment for segment in segments if isinstance(segment, str)])

    # Step 2: from segments to rows of statistics

    def segment_statistics(self, hypothesis: Any, references: Sequence[Any]) -> Row:
        return self.best_row([self.counts(hypothesis, reference) for reference in references])

    @staticmethod
    def best_row(counts_by_reference: Iterable[Counts]) -> Row:
        """Return the row for the reference with the highest F-measure."""
        best = 0.0, 0.0, -1.0
        for matches, hypothesis_ngrams, reference_ngrams in counts_by_reference:
            precision, recall = matches / (hypothesis_ngrams or 1), matches / (reference_ngrams or 1)
            fmeasure = 2 * precision * recall / (precision + recall) if matches else 0.0
            if fmeasure > best[2]:
                best = precision, recall, fmeasure
        return (*[truncate_to_fixed(number, QUOTIENT_BITS) for number in best], 1)

    def counts(self, hypothesis: Any, reference: Any) -> Counts:
        """Return the number of matches, and the numbers of items (words or n-grams) of hypothesis and reference."""
        raise NotImplementedError

    # Step 3: from sums of rows to a score

    def score(self, totals: Sequence[float]) -> ROUGEScore:
        self._check_sums(totals, 4)
        precision, recall, fmeasure, segments = totals
        return ROUGEScore(self.NAME, *[fixed_mean(total, segments, QUOTIENT_BITS)
                                       for total in (precision, recall, fmeasure)])

    def value(self, totals: Sequence[float]) -> float:
        return 100 * fixed_mean(totals[2], totals[3], QUOTIENT_BITS)

    # Methods for an evaluation

    def signature_fields(self, given_tokens: bool) -> dict[str, SignatureValue]:
        fields = super().signature_fields(given_tokens)
        if isinstance(self.tokenizer, CustomTokenizer):
            fields["case"] = None
        if isinstance(self.tokenizer, UnicodeWordTokenizer):
            fields["oracle"] = None  # (rouge_score has no such tokenizer)
        return fields

    def advice_without_spaces(self, language: str) -> str:
        if self.tokenizer_signature != ROUGE_TOKENIZER:
            return ""
        return f"--rouge-tokenize {UNICODE_TOKENIZER} (tokenize= in Python)" if language else "-m chrf"

    def column_names(self) -> list[str]:
        return ["precision", "recall", "fmeasure", "segments"]


class ROUGE1(RougeMetric):
    """ROUGE-1 (Lin, 2004): single words.

    For arguments, rows and errors, see `RougeMetric`.

    Example:
        >>> ROUGE1().corpus_score(["The cat sat on the mat."], [["The cat sat on a mat."]])
        ROUGE-1 = 83.33 (P = 83.3 R = 83.3)
    """

    NAME = "ROUGE-1"

    #: The order of n-grams.
    ORDER: int = 1

    def counts(self, hypothesis: Words, reference: Words) -> Counts:
        matches = count_matches(hypothesis, [reference], self.ORDER)[-1]
        return self.with_totals(matches, len(hypothesis), len(reference))

    def with_totals(self, matches: int, length: int, reference_length: int) -> Counts:
        """Return the counts for a hypothesis and a reference of these lengths, in words."""
        lost = self.ORDER - 1
        return matches, max(0, length - lost), max(0, reference_length - lost)


class ROUGE2(ROUGE1):
    """ROUGE-2 (Lin, 2004): pairs of adjacent words.

    For arguments, rows and errors, see `RougeMetric`.

    Example:
        >>> ROUGE2().corpus_score(["The cat sat on the mat."], [["The cat sat on a mat."]])
        ROUGE-2 = 60.00 (P = 60.0 R = 60.0)
    """

    NAME = "ROUGE-2"
    ORDER: int = 2


class ROUGEL(RougeMetric):
    """ROUGE-L (Lin, 2004): the longest common subsequence of words.

    For arguments, rows and errors, see `RougeMetric`.

    Example:
        >>> ROUGEL().corpus_score(["The mat has a cat."], [["The cat sat on a mat."]])
        ROUGE-L = 36.36 (P = 40.0 R = 33.3)
    """

    NAME = "ROUGE-L"

    def counts(self, hypothesis: Words, reference: Words) -> Counts:
        return longest_common(reference, hypothesis), len(hypothesis), len(reference)


class ROUGELSUM(RougeMetric):
    r"""ROUGE-Lsum (Lin, 2004): the longest common subsequences of lines.

    The matches of a reference line are the union of its longest common subsequences with all lines of the hypothesis.
    Line feeds separate the lines of a segment. For arguments, rows and errors, see `RougeMetric`.

    Example:
        >>> ROUGELSUM().corpus_score(["The cat sat.\nThe dog ran."], [["The dog ran.\nA cat sat there."]])
        ROUGE-Lsum = 76.92 (P = 83.3 R = 71.4)
    """

    NAME = "ROUGE-Lsum"

    def preprocess_lines(self, segments: Sequence[Segment]) -> Sequence[Lines]:
        lines: list[str] = []
        counts: list[int] = []
        for segment in segments:
            lines_of_segment = [line for line in str(segment).split("\n") if line]
            lines += lines_of_segment
            counts.append(len(lines_of_segment))
        words = iter(super().preprocess_lines(lines))
        return [list(islice(words, count)) for count in counts]

    def counts(self, hypothesis: Lines, reference: Lines) -> Counts:
        return union_matches(reference, hypothesis), sum(map(len, hypothesis)), sum(map(len, reference))


def ROUGE(variant: str = "1", **options: Any) -> RougeMetric:
    """Make one of the variants of ROUGE (Lin, 2004).

    Args:
        variant: `1` (single words), `2` (pairs of words), `L` (the longest common subsequence), or `Lsum` (the longest
            common subsequences of lines).
        options: `stemmer`, `tokenize` and `references` (see `RougeMetric`).

    Raises:
        OptionError: there is no such variant.

    Example:
        >>> ROUGE("L").corpus_score(["The mat has a cat."], [["The cat sat on a mat."]])
        ROUGE-L = 36.36 (P = 40.0 R = 33.3)
    """
    variants = {"1": ROUGE1, "2": ROUGE2, "L": ROUGEL, "Lsum": ROUGELSUM}
    if variant not in tuple(variants):
        raise OptionError(f"unknown variant {variant!r:.40} of ROUGE; choose from {', '.join(variants)}",
                          option="variant")
    return variants[variant](**options)


def _rouge_tokenizer(choice: str | Callable[[str], object], stemmer: bool) -> BaseTokenizer:
    if choice == ROUGE_TOKENIZER:
        return RougeTokenizer(stemmer)
    if stemmer:
        raise OptionError(f"the stemmer works only with the tokenizer {ROUGE_TOKENIZER!r}, not with {choice!r}")
    if choice == UNICODE_TOKENIZER:
        return UnicodeWordTokenizer()
    if isinstance(choice, str):
        raise OptionError(f"unknown tokenizer {choice!r}; ROUGE has the tokenizers {ROUGE_TOKENIZER!r} and "
                          f"{UNICODE_TOKENIZER!r}")
    return CustomTokenizer(choice)


def longest_common(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Return the length of a longest common subsequence.

    Example:
        >>> longest_common("abcbdab", "bdcaba")
        4
    """
    masks = positions_of_items(one)
    # A column of the matrix of subsequence lengths, as one bit for each row. A 0 means that the length rises by 1.
    column = full = (1 << len(one)) - 1
    for item in other:
        same = column & masks.get(item, 0)
        if same:
            # The lengths in a run of 1 bits are equal, and a 0 ends the run. The addition moves this 0 down to the
            # first row of the run with an equal item. In the run after the last 0, the first row with an equal item
            # becomes a new 0.
            column = (column + same) | (column - same)
    return len(one) - bin(column & full).count("1")


def common_positions(one: Sequence[Hashable], other: Sequence[Hashable]) -> list[int]:
    """Return the positions in `one` of a longest common subsequence, in descending order.

    If there are several, the subsequence is found from the ends of both sequences. If the last items are equal, they
    belong to it. Otherwise, the last item of `one` is left out or, if the subsequence then gets shorter, the last item
    of `other`.

    Example:
        >>> common_positions("abcbdab", "bdcaba")
        [5, 3, 2, 1]
    """
    masks = positions_of_items(one)
    column = (1 << len(one)) - 1
    columns = [column]
    for item in other:
        same = column & masks.get(item, 0)
        column = (column + same) | (column - same)
        columns.append(column)
    positions: list[int] = []
    row, index = len(one) - 1, len(other)
    while row >= 0 and index > 0:
        if one[row] == other[index - 1]:
            positions.append(row)
            row -= 1
            index -= 1
        elif columns[index] >> row & 1:
            row -= 1  # (without this item, the subsequence has the same length)
        else:
            index -= 1
    return positions


def union_matches(references: Sequence[Sequence[Hashable]], hypotheses: Sequence[Sequence[Hashable]]) -> int:
    """Count the matched items of texts with several sentences, by unions of subsequences (Lin, 2004, 3.2).

    An item in a sentence of the reference matches if it is in the longest common subsequence of this sentence and any
    sentence of the hypothesis. An item matches at most as often as it occurs in the hypothesis.

    Example:
        The reference shares "a b" with the first sentence of the hypothesis, and "a d" with the second sentence. The
        union is "a b d".

        >>> union_matches(["abcde"], ["abx", "ady"])
        3
    """
    if len(references) == len(hypotheses) == 1:
        return longest_common(references[0], hypotheses[0])
    remaining = Counter(chain.from_iterable(hypotheses))
    matches = 0
    for reference in references:
        positions = {position for hypothesis in hypotheses for position in common_positions(reference, hypothesis)}
        for position in positions:
            item = reference[position]
            # (Each position of the reference counts only once, so only the items of the hypothesis are counted down.)
            if remaining[item] > 0:
                remaining[item] -= 1
                matches += 1
    return matches
