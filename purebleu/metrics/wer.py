"""WER, CER, MER and WIL (Morris et al., 2004): error rates of speech recognition, with the alignments of jiwer."""

from __future__ import annotations

from itertools import groupby, islice

from ..engines.edits.alignment import DELETION, HIT, INSERTION, SUBSTITUTION, align, count_operations
from ..runtime.blocks import EDIT_SEGMENTS, slices
from ..runtime.hints import Callable, Row, Segment, Sequence, Streams
from ..unicode.properties import WHITESPACE
from .alignment import DELETED, INSERTED, MATCHED, SUBSTITUTED, AlignedMetric, Alignment
from .evaluation import References, pairs_of_segments
from .score import Score
from .signature import BEST_REFERENCE_FIELD, CASE_FIELD, ORACLE_FIELD, FixedField

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engines.edits.alignment import Counts
    from .alignment import Operation

_OTHER_WHITESPACE = WHITESPACE.replace(" ", "")


def jiwer_words(lines: Sequence[str]) -> list[list[str]]:
    r"""Return the words of each line. Words are separated by a space, or by two or more whitespace characters.

    A single tab or no-break space is therefore part of a word, unless it is at the start or the end of the line.

    >>> jiwer_words(["one  two \t", "one\ttwo\t three"])
    [['one', 'two'], ['one\ttwo', 'three']]
    """
    if _has_other_whitespace("\n".join(lines), line_feeds=len(lines) - 1):
        lines = [_with_spaces(line) if _has_other_whitespace(line) else line for line in lines]
    return [list(filter(None, line.split(" "))) for line in lines]


def jiwer_characters(lines: Sequence[str]) -> list[str]:
    """Return the characters of lines, without whitespace at their ends.

    >>> jiwer_characters([" one two "])
    ['one two']
    """
    return [line.strip(WHITESPACE) for line in lines]


def _has_other_whitespace(text: str, line_feeds: int = 0) -> bool:
    """Return whether a text has more than `line_feeds` line feeds, or whitespace besides spaces and line feeds."""
    return text.count("\n") > max(0, line_feeds) or any(space in text for space in _OTHER_WHITESPACE if space != "\n")


def _with_spaces(line: str) -> str:
    """Return the line without whitespace at its ends. Two or more successive whitespace characters become a space."""
    runs = [(is_space, "".join(run)) for is_space, run in groupby(line.strip(WHITESPACE), WHITESPACE.__contains__)]
    return "".join([" " if is_space and len(run) > 1 else run for is_space, run in runs])


class WERScore(Score):
    """A word error rate in percent, and the numbers that it was computed from.

    Attributes:
        hits: the number of words that are the same in hypotheses and references.
        substitutions: the number of words of the hypotheses that stand in place of words of the references.
        deletions: the number of words of the references that the hypotheses lack.
        insertions: the number of words of the hypotheses that the references lack.
    """

    NAME = "WER"
    lower_is_better = True
    range: tuple[int | None, int | None] = (0, None)

    def __init__(self, score: float, hits: int, substitutions: int, deletions: int, insertions: int) -> None:
        super().__init__(self.NAME, score)
        self.hits = hits
        self.substitutions = substitutions
        self.deletions = deletions
        self.insertions = insertions


class CERScore(WERScore):
    """A character error rate in percent. The attributes are those of `WERScore`, but count characters."""

    NAME = "CER"


class MERScore(WERScore):
    """A match error rate in percent. The attributes are those of `WERScore`."""

    NAME = "MER"
    range = (0, 100)


class WILScore(WERScore):
    """The word information lost, in percent. The attributes are those of `WERScore`."""

    NAME = "WIL"
    range = (0, 100)


class WER(AlignedMetric[WERScore, "WERAlignment"]):
    """Word error rate, in percent, as in jiwer. Lower is better.

    A row of sufficient statistics has four integers: the numbers of hits (H), substitutions (S), deletions (D) and
    insertions (I) in jiwer's minimal alignment of the hypothesis and the reference. If a segment has several
    references, the row compares the hypothesis with the reference that gives the lowest score (at a tie, the first).
    The score is 100 * (S + D + I) / (H + S + D). If the references have no words, the divisor is 1.

    Args:
        lowercase: compare in lower case.
        references: streams of references, which are preprocessed only once, even for many systems.

    Example:
        >>> WER().corpus_score(["the cat sat on a mat"], [["the cat sat on the mat"]])
        WER = 16.67
    """

    LOWER_IS_BETTER = True
    SLOW_LENGTH = 200_000
    OPTIONS_OF_BLEU = ("lowercase",)
    SIGNATURE_FIELDS = (CASE_FIELD, FixedField("tok", attribute="UNITS"), BEST_REFERENCE_FIELD, ORACLE_FIELD)

    #: Another program that computes the same scores.
    ORACLE = "jiwer-4.0.0"

    #: The function that splits lines into the units that are compared.
    SPLIT: Callable[[Sequence[str]], Sequence[Sequence[str]]] = staticmethod(jiwer_words)
    SCORE = WERScore

    def __init__(self, lowercase: bool = False, references: Streams | None = None) -> None:
        self.lowercase = lowercase
        super().__init__(references)

    # Step 1: from a line to its words or characters

    def preprocess_lines(self, segments: Sequence[Segment]) -> Sequence[Sequence[str]]:
        lines = [segment for segment in segments if isinstance(segment, str)]
        if self.lowercase:
            from ..unicode.casing import lower_case_of_lines

            lines = lower_case_of_lines(lines)
        return self.SPLIT(lines)

    # Step 2: from segments to rows of statistics

    def segment_statistics(self, hypothesis: Sequence[str], references: Sequence[Sequence[str]]) -> Row:
        counts = count_operations([(hypothesis, reference) for reference in references])
        return min(counts, key=self.exact_value)

    @staticmethod
    def best_counts(metrics: Sequence[WER], hypotheses: Sequence[Sequence[str]],
                    references: Sequence[Sequence[Sequence[str]]]) -> list[list[Counts]]:
        """Return, for each metric and each hypothesis, the counts against the reference with the lowest score."""
        counts = iter(count_operations(pairs_of_segments(hypotheses, references)))
        by_segment = [list(islice(counts, len(segment))) for segment in references]
        best: list[list[Counts]] = []
        for metric in metrics:
            best.append([against[0] if len(against) == 1 else min(against, key=metric.exact_value)
                         for against in by_segment])
        return best

    def exact_value(self, counts: Counts) -> float:
        """Return the score of a segment. It is rounded only once, so equal ratios give equal scores."""
        numerator, denominator = self.exact_ratio(counts)
        return numerator / denominator

    def alignment_key(self) -> object:
        return self.UNITS, self.lowercase

    def rows_together(self, metrics: Sequence[WER], hypotheses: Sequence[Segment],
                      references: References) -> list[list[Row]]:
        rows: list[list[Row]] = [[] for _ in metrics]
        for indices in slices(len(hypotheses), EDIT_SEGMENTS):
            best = self.best_counts(metrics, self.preprocess_lines(hypotheses[indices]),
                                    references.part(indices).by_segment())
            for metric_rows, metric_counts in zip(rows, best):
                metric_rows += metric_counts
        return rows

    def advice_without_spaces(self, language: str) -> str:
        return "" if self.UNITS == CER.UNITS else "-m cer"

    # Step 3: from sums of rows to a score

    def score(self, totals: Sequence[float]) -> WERScore:
        self._check_sums(totals, 4)
        hits, substitutions, deletions, insertions = map(int, totals)
        return self.SCORE(self.value(totals), hits, substitutions, deletions, insertions)

    def value(self, totals: Sequence[float]) -> float:
        return 100 * self.rate(totals)

    def exact_ratio(self, totals: Sequence[int]) -> tuple[int, int]:
        hits, substitutions, deletions, insertions = totals
        return 100 * (substitutions + deletions + insertions), hits + substitutions + deletions or 1

    def rate(self, totals: Sequence[float]) -> float:
        """Return the score as a fraction, as in jiwer: 1 means 100 %."""
        hits, substitutions, deletions, insertions = totals
        return (substitutions + deletions + insertions) / (hits + substitutions + deletions or 1)

    def alignments_of(self, hypotheses: Sequence[Sequence[str]],
                      references: Sequence[Sequence[Sequence[str] | None]]) -> list[WERAlignment]:

        counts = iter(count_operations(pairs_of_segments(hypotheses, references)))
        found: list[WERAlignment] = []
        for hypothesis, segment in zip(hypotheses, references):
            present = [index for index, reference in enumerate(segment) if reference is not None]
            candidates = zip(present, islice(counts, len(present)))
            index, best_counts = min(candidates, key=lambda candidate: self.exact_value(candidate[1]))
            reference = list(segment[index] or ())
            found.append(WERAlignment(list(hypothesis), reference, index, sum(best_counts[1:]), len(reference)))
        return found

    # Methods for an evaluation

    def column_names(self) -> list[str]:
        return ["hits", "substitutions", "deletions", "insertions"]


class CER(WER):
    """Character error rate: like `WER`, but of characters (code points), including spaces.

    Example:
        >>> CER().corpus_score(["the cat sat on a mat"], [["the cat sat on the mat"]])
        CER = 13.64
    """

    UNITS = "characters"
    SPLIT = staticmethod(jiwer_characters)
    SCORE = CERScore
    SLOW_LENGTH = 45_000


class MER(WER):
    """Match error rate: all errors, divided by all steps of the alignment (H + S + D + I).

    Example:
        >>> MER().corpus_score(["the cat sat on a mat"], [["the cat sat on the mat"]])
        MER = 16.67
    """

    SCORE = MERScore

    def rate(self, totals: Sequence[float]) -> float:
        hits, substitutions, deletions, insertions = totals
        errors = substitutions + deletions + insertions
        return errors / (hits + errors) if errors else 0.0

    def exact_ratio(self, totals: Sequence[int]) -> tuple[int, int]:
        return 100 * sum(totals[1:]), sum(totals) or 1


class WIL(WER):
    """Word information lost: 1 - H / (H + S + D) * H / (H + S + I), in percent. Rows are those of `WER`.

    Example:
        >>> WIL().corpus_score(["the cat sat on a mat"], [["the cat sat on the mat"]])
        WIL = 30.56
    """

    SCORE = WILScore

    def rate(self, totals: Sequence[float]) -> float:
        hits, substitutions, deletions, insertions = totals
        if not substitutions + deletions + insertions:
            return 0.0
        if not hits:
            return 1.0
        # The operations have the same order as in jiwer, because their order determines the last bit.
        return 1 - hits / (hits + substitutions + deletions) * (hits / (hits + substitutions + insertions))

    def exact_ratio(self, totals: Sequence[int]) -> tuple[int, int]:
        hits, substitutions, deletions, insertions = totals
        if not hits:
            return 100 * any(totals), 1
        product = (hits + substitutions + deletions) * (hits + substitutions + insertions)
        return 100 * (product - hits ** 2), product


_KINDS_OF_RUNS = {HIT: MATCHED, SUBSTITUTION: SUBSTITUTED, DELETION: DELETED, INSERTION: INSERTED}


class WERAlignment(Alignment):
    """The edits that turn a hypothesis into the reference with the lowest score, word by word (or by character).

    The attributes are those of `Alignment`. There are no shifts, and `num_edits` is the number of errors.
    """

    __slots__ = ()

    def operations(self) -> list[Operation]:
        """Return the steps that turn the hypothesis into the reference, from left to right.

        Returns:
            The steps, in the same form as in `TERAlignment.operations`.

        Example:
            >>> from purebleu.metrics import WER
            >>> WER().alignment("b a", ["a b"]).operations()
            [('insertion', 'b', None), ('match', 'a', 'a'), ('deletion', None, 'b')]
        """
        found: list[Operation] = []
        for run, first, end, first_of_hypothesis, end_of_hypothesis in align(self.hypothesis, self.reference):
            length = max(end - first, end_of_hypothesis - first_of_hypothesis)
            ours: list[str | None] = [*self.hypothesis[first_of_hypothesis:end_of_hypothesis]]
            theirs: list[str | None] = [*self.reference[first:end]]
            found += zip([_KINDS_OF_RUNS[run]] * length, ours or [None] * length, theirs or [None] * length)
        return found

    def statistics(self) -> tuple[float, ...]:
        kinds = [kind for kind, _, _ in self.operations()]
        return tuple([kinds.count(kind) for kind in _KINDS_OF_RUNS.values()])

    def __repr__(self) -> str:
        return f"<WERAlignment {self.num_edits} errors>"
