"""TER (Snover et al., 2006): the edits that turn a hypothesis into its reference, per word of the reference.

    TER = 100 * edits / words of the references

An edit inserts, deletes or substitutes a word, or shifts a block of words to another position. `engines.edits.ter`
defines which shifts are tried. If a segment has several references, TER uses the lowest number of edits and the mean
number of words.
"""

from __future__ import annotations

from itertools import islice, starmap

from ..engines.edits.ter import TERCOM, count_edits, edit_distance, edits_and_shifts, shifted
from ..runtime.hints import Any, Row, Segment, Sequence, Streams
from ..tokenizers.tokenizer_ter import TercomTokenizer
from ..unicode.properties import WHITESPACE
from .alignment import DELETED, INSERTED, MATCHED, SUBSTITUTED, AlignedMetric, Alignment, TERShift
from .evaluation import pairs_of_segments
from .score import Score
from .signature import Field, FixedField, FlagField

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engines.edits.ter import Rules
    from .alignment import Operation

    Words = Sequence[bytes]

#: The counts of edits and of shifted words: the name of each count in Tercom's tables, and its name in columns of rows
#: and in `TERAlignment.counts`.
_KINDS_OF_EDITS = (("Ins", "insertions"), ("Del", "deletions"), ("Sub", "substitutions"), ("Shft", "shifts"),
                   ("WdSh", "shifted_words"))


class TERScore(Score):
    """A TER score, and the numbers that it was computed from.

    Attributes:
        num_edits: the number of edits.
        ref_length: the number of words of the references (for each segment, the mean over its references).
        insertions: the number of words of the hypotheses that the references lack. (Without `kinds`, this attribute
            and all further attributes are `None`.)
        deletions: the number of words of the references that the hypotheses lack.
        substitutions: the number of words of the hypotheses that stand in place of words of the references.
        shifts: the number of shifted blocks of words.
        shifted_words: the number of words in shifted blocks.
    """

    NAME = "TER"
    lower_is_better = True
    range = (0, None)
    BESIDE = _KINDS_OF_EDITS

    insertions: int | None = None
    deletions: int | None = None
    substitutions: int | None = None
    shifts: int | None = None
    shifted_words: int | None = None

    def __init__(self, score: float, num_edits: float, ref_length: float, kinds: Sequence[float] = ()) -> None:
        super().__init__(self.NAME, score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length
        if kinds:
            self.insertions, self.deletions, self.substitutions, self.shifts, self.shifted_words = map(int, kinds)
            counts = [f"{int(number)} {kind.replace('_', ' ')}" for (_, kind), number in zip(_KINDS_OF_EDITS, kinds)]
            self._verbose = f"({', '.join(counts)}; {self.num_edits} edits, {ref_length:.1f} words)"


class TER(AlignedMetric[TERScore, "TERAlignment"]):
    """Translation edit rate (Snover et al., 2006). Lower is better.

    A row of sufficient statistics is (edits, reference length). The first column, an integer, is the lowest number of
    edits that turn the hypothesis into one of its references. The second column, a float, is the mean number of words
    of the references. With `kinds`, a row has five more integers: the numbers of insertions, deletions, substitutions,
    shifts and shifted words, as Tercom counts them. (A shift of several words is one edit.)

    Args:
        normalized: separate punctuation from words, as the tokenizer 13a does.
        no_punct: remove punctuation.
        asian_support: apply `normalized` and `no_punct` to Chinese and Japanese, too; with `normalized`, each
            ideograph becomes a word.
        case_sensitive: whether words differ if only their case differs.
        references: streams of references, which are preprocessed only once, even for many systems.
        kinds: whether rows and scores have the number of each kind of edit. (Counting the kinds takes longer, and does
            not change TER.)

    Example:
        >>> score = TER().corpus_score(["the cat sat on a mat"], [["the cat sat on the mat"]])
        >>> score, score.num_edits
        (TER = 16.67, 1)
        >>> TER(kinds=True).corpus_score(["the mat sat on a cat"], [["the cat sat on the mat"]])
        TER = 50.00 (0 insertions, 0 deletions, 3 substitutions, 0 shifts, 0 shifted words; 3 edits, 6.0 words)
    """

    LOWER_IS_BETTER = True
    SHORT_FIELDS = {"tok": "t", "norm": "nr", "punct": "pn", "asian": "as", "kinds": "k"}
    SIGNATURE_FIELDS: tuple[Field, ...] = (
        FlagField("case", "case_sensitive", ("lc", "mixed")), FixedField("tok", "tercom"),
        FlagField("norm", "normalized"), FlagField("punct", "no_punct", (True, False)),
        FlagField("asian", "asian_support"), FlagField("kinds", "kinds", leaves_out_default=True))
    SLOW_LENGTH: int | None = 10_000
    SCORE = TERScore

    def __init__(self, normalized: bool = False, no_punct: bool = False, asian_support: bool = False,
                 case_sensitive: bool = False, references: Streams | None = None, kinds: bool = False) -> None:
        self.kinds = kinds
        self.normalized = normalized
        self.no_punct = no_punct
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self.tokenizer = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)
        self.tokenizer_signature = self.tokenizer.signature()
        super().__init__(references)

    # Step 1: from a line to its words

    def preprocess_lines(self, segments: Sequence[Segment]) -> Sequence[Words]:
        lines = [segment for segment in segments if isinstance(segment, str)]
        return self.tokenizer.tokenize_lines([line.rstrip(WHITESPACE) for line in lines])

    def preprocess_references(self, segments: Sequence[Segment]) -> Sequence[Words]:
        words = self.preprocess_lines(segments)
        if not self.normalized:
            return words
        # sacreBLEU-compat: references are tokenized twice. The second time splits "Ann's," further. (fixtures: ter)
        return self.tokenizer.tokenize_lines([b" ".join(line).decode("utf-8", "surrogatepass") for line in words])

    # Step 2: from segments to rows of statistics

    def segment_statistics(self, hypothesis: Words, references: Sequence[Words]) -> Row:
        if self.kinds:
            [row] = self.rows_with_kinds([hypothesis], [references])
            return row
        return self.row_of([count_edits(hypothesis, reference) for reference in references], references)

    @staticmethod
    def row_of(edits: Sequence[int], references: Sequence[Sequence[object]]) -> Row:
        """Return the row of a segment, from its number of edits against each reference."""
        return min(edits), sum(map(len, references)) / len(references)

    def rows_with_kinds(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> list[Row]:
        """Return the rows of segments, with a column for each kind of edit."""
        return [(*alignment.statistics(), *alignment.counts().values())
                for alignment in self.alignments_of(hypotheses, references)]

    # Step 3: from sums of rows to a score

    def score(self, totals: Sequence[float]) -> TERScore:
        self._check_sums(totals, len(self.column_names()))
        edits, reference_length, *kinds = totals
        return self.SCORE(self.value(totals), edits, reference_length, kinds)

    def value(self, totals: Sequence[float]) -> float:
        edits, reference_length = totals[:2]
        # If the references have no words, TER is 0 if there are no edits, else 100.
        return 100 * (edits / reference_length if reference_length > 0 else float(edits > 0))

    def exact_ratio(self, totals: Sequence[int]) -> tuple[int, int]:
        edits, reference_length = totals[:2]
        return (100 * edits, reference_length) if reference_length else (100 * (edits > 0), 1)

    def alignments_of(self, hypotheses: Sequence[Words],
                      references: Sequence[Sequence[Words | None]]) -> list[TERAlignment]:

        pairs = pairs_of_segments(hypotheses, references)
        faster = self._faster("traces")
        traces = iter(faster(pairs) if faster else starmap(edits_and_shifts, pairs))
        found: list[TERAlignment] = []
        for hypothesis, segment in zip(hypotheses, references):
            present = [index for index, reference in enumerate(segment) if reference is not None]
            index, (edits, shifts) = min(zip(present, islice(traces, len(present))), key=lambda trace: trace[1][0])
            lengths = [len(reference) for reference in segment if reference is not None]
            found.append(TERAlignment(_texts(hypothesis), _texts(segment[index] or ()), index, shifts, edits,
                                      sum(lengths) / len(lengths)))
        return found

    # Methods for an evaluation

    def advice_without_spaces(self, language: str) -> str:
        if not language:
            return "-m chrf"
        if self.normalized and self.asian_support:
            return ""
        return "--ter-normalized --ter-asian-support (normalized=True, asian_support=True in Python)"

    def scoring_options(self) -> dict[str, Any]:
        return {"kinds": True} if self.kinds else {}

    def column_names(self) -> list[str]:
        return ["num_edits", "ref_length", *([kind for _, kind in _KINDS_OF_EDITS] if self.kinds else ())]

    # Methods of sacreBLEU that programs call

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer(sent.rstrip(WHITESPACE))

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"ref_words": list(map(_texts, self.preprocess_references(refs)))}


def _texts(words: Words) -> list[str]:
    return [word.decode("utf-8", "surrogatepass") for word in words]


#: The kinds of steps. As in Tercom, a kind says what the system did: if a word must be deleted, the system inserted it.
_KINDS_OF_STEPS = (MATCHED, SUBSTITUTED, INSERTED, DELETED)


class TERAlignment(Alignment):
    """The edits that turn a hypothesis into its best reference: first the shifts, then the edits of single words.

    Attributes:
        hypothesis: the words of the hypothesis, in lower case unless the metric is case-sensitive.
        reference: the words of the reference that needs the fewest edits.
        reference_index: the index of this reference (at a tie, the first).
        shifts: the shifts, in the order in which they are applied.
        shifted: the words of the hypothesis after all shifts.
        num_edits: the number of edits, as in the score. A shift of several words is one edit.
        ref_length: the mean number of words of all references.
    """

    __slots__ = ("_rules",)

    def __init__(self, hypothesis: list[str], reference: list[str], reference_index: int,
                 blocks: Sequence[tuple[int, int, int]], num_edits: int, ref_length: float,
                 rules: Rules = TERCOM) -> None:
        super().__init__(hypothesis, reference, reference_index, num_edits, ref_length)
        self._rules = rules
        for start, length, target in blocks:
            words = self.shifted
            if start <= target <= start + length:  # (In Tercom, such a target counts from the end of the block.)
                target = min(target + length, len(words))
            self.shifts.append(TERShift(start, target, words[start:start + length]))
            self.shifted = shifted(words, start, length, target)

    def operations(self) -> list[Operation]:
        """Return the steps that turn the shifted words into the reference, from left to right.

        Returns:
            For each step, its kind, the word of the hypothesis, and the word of the reference. As in Tercom, the kind
            says what the system did: "match", "substitution", "insertion" (the word of the reference is `None`), or
            "deletion" (the word of the hypothesis is `None`).

        Example:
            >>> from purebleu import TER
            >>> TER().alignment("a c b", ["b c d"]).operations()
            [('substitution', 'a', 'b'), ('match', 'c', 'c'), ('substitution', 'b', 'd')]
        """
        found: list[Operation] = []
        ours, theirs = iter(self.shifted), iter(self.reference)
        for step in edit_distance(self.shifted, self.reference, self._rules)[1]:
            kind = _KINDS_OF_STEPS[step]
            one = None if kind == DELETED else next(ours)
            found.append((kind, one, None if kind == INSERTED else next(theirs)))
        return found

    def statistics(self) -> tuple[float, ...]:
        return self.num_edits, self.ref_length

    def __repr__(self) -> str:
        return f"<TERAlignment {self.num_edits} edits, {len(self.shifts)} of them shifts>"
