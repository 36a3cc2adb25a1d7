"""chrF (Popović, 2015) and chrF++ (Popović, 2017): F-scores of character n-grams, and of word n-grams with them."""

from __future__ import annotations

from itertools import repeat
from operator import add

from ..blocks import CACHED_SEGMENTS, slices
from ..engines.ngrams.characters import ids_of_characters
from ..engines.ngrams.counting import checked_order, count_matches
from ..engines.ngrams.ids import MAX_TOKENS, ids_of_tokens
from ..engines.ngrams.matching import NgramMatcher
from ..errors import OptionError
from ..tokenizers.separation import block_with_spaces, lines_without_spaces, positions_of, split_block
from ..unicode.casing import lower_case, lower_case_of_lines
from .base import Metric
from .fields import CASE_FIELD, FlagField, IntegerField, number_of
from .score import Score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Counter, Iterable, List, Mapping, Sequence, Tuple

    from ..engines.ngrams.matching import Counts
    from .contract import References, Row
    from .segments import Segment

    #: The compared parts of a segment: its characters, and its words (none where they don't count).
    Compared = Tuple[str, List[bytes]]

    #: For each kind that is compared (characters, words), the lengths of segments in it.
    Lengths = Sequence[List[int]]

#: A table for `bytes.translate`: "." for ASCII punctuation, " " for word separators, "-" for the rest.
_ASCII_MARKS = b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_CLASSES = bytes([(b"." if byte in _ASCII_MARKS else b" " if byte in b" \n" else b"-")[0] for byte in range(256)])

_NO_WORDS: list[bytes] = []
_NOTHING: Compared = ("", _NO_WORDS)

#: How n-grams of characters, and of words, are encoded to be matched: what `NgramMatcher` takes after their order.
_ENCODINGS: tuple[tuple[Any, ...], ...] = ((ids_of_characters,), (ids_of_tokens, MAX_TOKENS))

#: Precision and recall of an order without n-grams, with epsilon smoothing.
_EPSILON = 1e-16

#: The square of a larger one might be more than a float32 can hold.
_MAX_BETA = 10 ** 15


class CHRFScore(Score):
    """A chrF score, whose name says its options: `chrF2`, with word n-grams `chrF2+`, `chrF2++`, ...

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
    """chrF (Popović, 2015) and chrF++ (Popović, 2017) of a corpus or of single segments.

    A row of sufficient statistics has three columns for each order, those of characters first: n-grams of the
    hypothesis (0 where the reference has none of that order), n-grams of the reference, matches; all are integers. Of
    several references, the row is that of the one with the best F-score (the first of them at a tie).

    Args:
        char_order: the maximum order of character n-grams; 0: none.
        word_order: the maximum order of word n-grams; 0: none; 2 makes it chrF++.
        beta: the weight of recall relative to precision, at least 0.
        lowercase: compare in lower case.
        whitespace: whether n-grams of characters include whitespace.
        eps_smoothing: whether orders without n-grams count almost nothing; else they are left out.
        references: streams that are prepared once, for scoring many systems against them.

    Raises:
        OptionError: for a number out of range, and where both orders are 0.

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
                 references: Sequence[Sequence[Segment | None]] | None = None) -> None:
        self.char_order = checked_order("character", char_order, lowest=0)
        self.word_order = checked_order("word", word_order, lowest=0)
        if not self.char_order and not self.word_order:
            raise OptionError("the character and the word n-gram order are both 0, so that there is nothing to compare")
        if not 0 <= beta <= _MAX_BETA:
            raise OptionError(f"beta must be a number from 0 to {_MAX_BETA}, not {beta!r}")
        self.beta = beta
        self.order = self.char_order + self.word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        super().__init__(references)

    # Step 1: from a line to what is compared

    def preprocess_lines(self, segments: Sequence[Segment]) -> Sequence[Compared]:
        lines = [segment for segment in segments if isinstance(segment, str)]
        if self.lowercase:
            lines = lower_case_of_lines(lines)
        block = block_with_spaces(lines)
        characters = lines if self.whitespace else lines_without_spaces(block)
        if not self.word_order:
            return list(zip(characters, repeat(_NO_WORDS)))
        return list(zip(characters, split_block(_split_punctuation(block))))

    # Step 2: from segments to rows of statistics

    def segment_statistics(self, hypothesis: Compared, references: Sequence[Compared]) -> Row:
        orders = (self.char_order, self.word_order)
        rows: list[Row] = []
        for reference in references:
            matches = [[count_matches(ours, [theirs], max_order)]
                       for ours, theirs, max_order in zip(hypothesis, reference, orders)]
            rows += self._rows(_lengths([hypothesis]), _lengths([reference]), matches)
        return self._best(rows)

    def block_statistics(self, hypotheses: Sequence[Segment], references: References) -> list[Row]:
        block = _Block((self.char_order, self.word_order))
        for indices in slices(len(hypotheses), CACHED_SEGMENTS):
            block.add([self.preprocess_lines(hypotheses[indices]), *references.part(indices).columns()])
        by_reference = [self._rows(block.lengths[0], lengths, matches)
                        for lengths, matches in zip(block.lengths[1:], block.matches())]
        if len(by_reference) == 1:
            return by_reference[0]
        return [self._best([row for reference, row in enumerate(rows) if (segment, reference) not in block.missing])
                for segment, rows in enumerate(zip(*by_reference))]

    def _rows(self, ours: Lengths, theirs: Lengths, matches: Sequence[Sequence[Sequence[int]]]) -> list[Row]:
        """The rows of segments against one reference each, from lengths and matches of each kind."""
        columns: list[Sequence[int]] = []
        for our_lengths, their_lengths, counts in zip(ours, theirs, matches):
            for order, matched in enumerate(zip(*counts)):
                in_references = [length - order if length > order else 0 for length in their_lengths]
                # sacreBLEU-compat: where a reference has no n-grams of an order, the hypothesis' do not count.
                in_hypotheses = [length - order if there and length > order else 0
                                 for length, there in zip(our_lengths, in_references)]
                columns += [in_hypotheses, in_references, matched]
        return list(zip(*columns))

    def _best(self, rows: Sequence[Row]) -> Row:
        """The row with the highest F-score, the first of them at a tie."""
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
        return self._score_from_sums(sum_of_precisions, sum_of_recalls, effective_order)

    def _score_from_sums(self, sum_of_precisions: float, sum_of_recalls: float, orders: int) -> float:
        """The score from the precisions and recalls of this number of orders."""
        if not sum_of_precisions + sum_of_recalls:
            return 0.0
        precision, recall = sum_of_precisions / orders, sum_of_recalls / orders
        factor = self.beta ** 2
        return 100 * ((1 + factor) * precision * recall / (factor * precision + recall))

    def values(self, sums: Sequence[Sequence[float]]) -> list[float]:
        if self.eps_smoothing or any(0 in column for column in (*sums[::3], *sums[1::3])):
            return super().values(sums)
        # Where no order is left out, order by order: half the time of one score after the other.
        precisions: Iterable[float] = repeat(0.0)
        recalls: Iterable[float] = repeat(0.0)
        for in_hypothesis, in_reference, matched in zip(sums[::3], sums[1::3], sums[2::3]):
            precisions = map(add, precisions, [one / other for one, other in zip(matched, in_hypothesis)])
            recalls = map(add, recalls, [one / other for one, other in zip(matched, in_reference)])
        return list(map(self._score_from_sums, precisions, recalls, repeat(self.order)))

    def _mean_f_score(self, orders: Iterable[tuple[float, float, float]]) -> float:
        """The mean of the orders' own F-scores, of which each counts, with or without n-grams."""
        sum_of_scores = 0.0
        for in_hypothesis, in_reference, matched in orders:
            sum_of_scores += self._f_score_of_order(in_hypothesis, in_reference, matched)
        return 100 * sum_of_scores / self.order

    def _f_score_of_order(self, in_hypothesis: float, in_reference: float, matched: float) -> float:
        factor = self.beta ** 2
        precision = matched / in_hypothesis if in_hypothesis > 0 else _EPSILON
        recall = matched / in_reference if in_reference > 0 else _EPSILON
        divisor = factor * precision + recall
        return (1 + factor) * precision * recall / divisor if divisor > 0 else _EPSILON

    # All pairs

    def pair_values(self, hypotheses: Sequence[Compared], references: Sequence[Compared]) -> list[list[float]]:
        from .pairs import mean_precisions, sums_over_orders

        orders = (self.char_order, self.word_order)
        if self.eps_smoothing:
            sums = sums_over_orders(hypotheses, references, orders, self._f_scores_of_order)
            return [[100 * sum_of_scores / self.order for sum_of_scores in row] for row in sums]
        precisions = mean_precisions(hypotheses, references, orders)
        recalls = precisions if references == hypotheses else mean_precisions(references, hypotheses, orders)
        # The same as in `value`, with the integers as floats before they get there.
        factor = self.beta ** 2
        precision_weight, both_weights = float(factor), float(1 + factor)
        return [[100.0 * (both_weights * precision * recall / (precision_weight * precision + recall)) if precision
                 else 0.0 for precision, recall in zip(*pairs)]
                for pairs in zip(precisions, zip(*recalls))]

    def _f_scores_of_order(self, ours: int, theirs: Sequence[int], matched: Sequence[int]) -> list[float]:
        """The F-scores of one order, from the numbers of n-grams of a hypothesis and of references, and of matches."""
        # sacreBLEU-compat: where a reference has no n-grams of an order, the hypothesis' do not count.
        return [self._f_score_of_order(ours if in_reference else 0, in_reference, matches)
                for in_reference, matches in zip(theirs, matched)]

    # Facts for the evaluation around it

    def column_names(self) -> list[str]:
        kinds = [f"char_{order}" for order in range(1, 1 + self.char_order)]
        kinds += [f"word_{order}" for order in range(1, 1 + self.word_order)]
        return [f"{part}_{kind}" for kind in kinds for part in ("sys", "ref", "correct")]

    @classmethod
    def options_from_fields(cls, name: str, fields: Mapping[str, str]) -> dict[str, Any]:
        # (sacreBLEU 1 signed without nw, and the name tells it, too, as it alone tells beta.)
        return {**super().options_from_fields(name, {"nw": str(name.count("+")), **fields}),
                "beta": number_of("name", name[len("chrF"):].rstrip("+"), int)}

    def scoring_options(self) -> dict[str, Any]:
        return {"char_order": self.char_order, "word_order": self.word_order, "beta": self.beta,
                "eps_smoothing": self.eps_smoothing}

    # Names that clients of sacreBLEU call

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
        words, = split_block(_split_punctuation(block_with_spaces([sent])))
        return [word.decode("utf-8", "surrogatepass") for word in words]

    @staticmethod
    def _get_match_statistics(hyp_ngrams: Counter[str], ref_ngrams: Counter[str]) -> list[Any]:
        from .helpers import match_statistics

        return match_statistics(hyp_ngrams, ref_ngrams)

    def _compute_f_score(self, statistics: Sequence[Any]) -> float:
        return self.value(statistics)


class _Block:
    """Segments whose n-grams are matched together, of each kind (characters, words) that has an order.

    `lengths` has those of the hypotheses, then of each stream of references, by kind; `missing` the indices of the
    segment and the stream of references that are not there.
    """

    def __init__(self, orders: Sequence[int]) -> None:
        self._kinds = [kind for kind, order in enumerate(orders) if order]
        self._matchers = [NgramMatcher(orders[kind], *_ENCODINGS[kind]) for kind in self._kinds]
        self._segments = 0
        self.lengths: list[list[list[int]]] = []
        self.missing: set[tuple[int, int]] = set()

    def add(self, columns: Sequence[Sequence[Compared | None]]) -> None:
        """Take in segments: the hypotheses, then each stream of references."""
        sides = [list(zip(*self._filled(column, reference))) for reference, column in enumerate(columns, -1)]
        self._segments += len(columns[0])
        self.lengths = self.lengths or [[[] for _ in self._kinds] for _ in sides]
        for matcher, kind in zip(self._matchers, self._kinds):
            matcher.add(sides[0][kind], [side[kind] for side in sides[1:]])
        for lengths_of_side, side in zip(self.lengths, sides):
            for lengths, kind in zip(lengths_of_side, self._kinds):
                lengths += map(len, side[kind])

    def _filled(self, column: Sequence[Compared | None], reference: int) -> Sequence[Compared]:
        """The column with an empty reference for each missing one: it is matched, but its row does not count."""
        if None not in column:
            return column  # type: ignore[return-value]  # just checked
        self.missing.update((segment, reference) for segment, compared in enumerate(column, self._segments)
                            if compared is None)
        return [_NOTHING if compared is None else compared for compared in column]

    def matches(self) -> list[tuple[list[Counts], ...]]:
        """For each stream of references, by kind, the clipped counts of each segment."""
        return list(zip(*[matcher.counts_by_reference() for matcher in self._matchers]))


def _lengths(column: Sequence[Compared]) -> Lengths:
    return [len(characters) for characters, _ in column], [len(words) for _, words in column]


def _split_punctuation(block: bytes) -> bytes:
    r"""The words of a `block_with_spaces`, with one punctuation mark split off the end of each, or else off its start.

    >>> _split_punctuation(b"\n(hi) 'tis (a -\n")
    b"\n(hi ) ' tis ( a -\n"
    """
    classes = block.translate(_CLASSES)
    # Most words have no mark at either end, so it pays to look for those that have, over many lines.
    cuts = [mark for mark in positions_of(b". ", classes) if classes[mark - 1:mark] != b" "]
    for space in positions_of(b" .", classes):
        end = classes.find(b" ", space + 1)
        if classes[end - 1:end] != b".":
            cuts.append(space + 2)
    cuts.sort()
    return b" ".join([block[start:end] for start, end in zip([0, *cuts], [*cuts, None])])
