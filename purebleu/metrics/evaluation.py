"""From segments to a score: the sums of a corpus that is taken in block by block."""

from __future__ import annotations

from ..errors import warn
from ..runtime.progress import observer
from .contract import Contract, OfScore, OwnScore, sum_statistics
from .score import Score, Signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    from .contract import References, Row
    from .segments import Segment

#: From this number of hypotheses that end in " ." on, text is likely to be tokenized.
_MANY_TOKENIZED_LINES = 100


class Part:
    """The rows of one segment or more, with the counts that an evaluation needs.

    Rows that are not kept become one row of their sums, unless these depend on the order of additions (of floats).
    """

    def __init__(self, metric: Contract[Score], hypotheses: Sequence[Segment], references: References,
                 keep_rows: bool = True, rows: Sequence[Row] | None = None) -> None:
        self.rows: Sequence[Row] = metric.block_statistics(hypotheses, references) if rows is None else rows
        self.reference_counts = references.counts()
        self.tokenized_lines = metric.looks_tokenized(hypotheses)
        self.given_tokens = not isinstance(hypotheses[0], str)
        self.segments = len(hypotheses)
        observer().advance(len(hypotheses))
        if not keep_rows:
            totals = sum_statistics(self.rows)
            if not any(isinstance(total, float) for total in totals):
                self.rows = [tuple(totals)]


class Evaluation(OfScore[OwnScore]):
    """The sums of a corpus's statistics under one metric, from which its score and signature come.

    Nothing of the segments themselves is kept, so a corpus of any size can pass through it.

    Args:
        metric: that of the score.
        input_fields: fields of the signature for what was done to the text before: `reseg`, the tokens by which
            hypotheses were broken anew in the lines of references; `unicode`, the normal form of all text.

    Attributes:
        segments: the number of segments so far.
        suits_text: whether the metric finds the words of these segments; if not, that has been warned of, and no other
            advice is right.
    """

    def __init__(self, metric: Contract[OwnScore], input_fields: Mapping[str, str] | None = None) -> None:
        self._metric = metric
        self._input_fields = input_fields or {}
        self._totals: list[float] | None = None
        self._reference_counts: set[int] = set()
        self._tokenized_lines = 0
        self.segments = 0
        self.suits_text = True
        self._given_tokens = False

    def add(self, part: Part) -> None:
        """Add a part of the corpus; parts come in the order of their segments."""
        self._given_tokens = part.given_tokens
        self._tokenized_lines += part.tokenized_lines
        self.segments += part.segments
        self._reference_counts |= part.reference_counts
        self._totals = sum_statistics(part.rows if self._totals is None else [self._totals, *part.rows])

    def totals(self) -> Row:
        """The column sums of the segments so far, of which there is one or more."""
        assert self._totals is not None
        return tuple(self._totals)

    def signature(self) -> Signature:
        """The signature of the score of the segments so far."""
        signature = signature_of(self._metric, self._reference_counts, self._given_tokens)
        for key, value in self._input_fields.items():
            signature.info[key] = value
        return signature

    def warn_of_doubts(self, system: str = "") -> None:
        """Warn if the hypotheses look tokenized, or if the score says little of them.

        Args:
            system: the name of the system, where there are several.
        """
        start = f"{system}: " if system else ""
        if self._tokenized_lines >= _MANY_TOKENIZED_LINES:
            warn(f"{start}{self._tokenized_lines} hypotheses end in ' .': they look tokenized, but should be "
                 "detokenized text, or the score may suffer (--force, or force=True in Python, silences this)")
        doubt = self._metric.doubt_of(self.totals(), self.segments) if self.suits_text else ""
        if doubt:
            warn(f"{start}{doubt}")

    def score(self) -> OwnScore:
        """The score of the segments so far, of which there is one or more, with its signature."""
        score = self._metric.score(self.totals())
        score.signature = self.signature()
        return score


def signature_of(metric: Contract[Score], reference_counts: set[int], given_tokens: bool = False) -> Signature:
    """The signature of an evaluation in which segments had these numbers of references."""
    nrefs = next(iter(reference_counts), None) if len(reference_counts) < 2 else "var"
    return Signature(nrefs, metric.signature_fields(given_tokens), metric.SHORT_FIELDS)
