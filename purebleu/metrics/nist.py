"""NIST (Doddington, 2002): n-grams count by their information, which comes from all references of a corpus."""

from __future__ import annotations

from ..engines.exact import LOGARITHM_BITS, POWER_BITS, fixed_exp2, fixed_log2
from ..engines.ngrams.information import INFORMATION_ORDER, InformationCounter
from ..errors import PurebleuError
from ..hints import Callable, Columns, Hashable, Iterable, Row, Segment, Sequence, Tokens
from .base import Metric
from .score import Score
from .signature import CASE_FIELD, ORACLE_FIELD, Field, TokenizerField
from .tokens import advice_on_tokenizer, tokenizer_for, tokens_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engines.ngrams.information import NgramInformation
    from .evaluation import References

#: The hexadecimal digits in a signature that tell tables of weights apart.
_DIGITS = 12

_MAX_BITS = 64

#: The value in a signature if the weights come from each segment's own references.
_OF_SEGMENT = "segment"

_UPPER_TO_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


class NISTScore(Score):
    """A NIST score, from 0 up, and what it was computed from. (It is not scaled to 100.)

    Attributes:
        orders: what n-grams of each order, from 1 to 5, add to the score: their information, in bits per n-gram of the
            hypotheses, times the penalty.
        bp: the penalty for short hypotheses, from 0 to 1.
        sys_len: the length of the hypotheses, in tokens.
        ref_len: the length of the references, in tokens; of several references, the mean.
        ratio: `sys_len / ref_len`, or 0 if there is no reference length.
    """

    range = (0, None)

    def __init__(self, score: float, orders: Sequence[float], bp: float, sys_len: int, ref_len: float) -> None:
        super().__init__("NIST", score)
        self.orders = list(orders)
        self.bp = bp
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.ratio = sys_len / ref_len if ref_len else 0.0
        self._verbose = (f"{'/'.join([f'{order:.4f}' for order in orders])} (BP = {bp:.3f} ratio = {self.ratio:.3f} "
                         f"hyp_len = {sys_len:d} ref_len = {ref_len:.12g})")


class NIST(Metric[NISTScore]):
    """NIST (Doddington, 2002) of a corpus or of single segments, as mteval-v13a.pl computes it.

    A row of sufficient statistics is (information of the matched 1-grams, ..., 5-grams, 1-grams, ..., 5-grams of the
    hypothesis, mean length of the references). Information and mean length are integers that count 2 ** -64; so sums
    are exact, and the logarithms are the same on every machine.

    The information of an n-gram comes from how often it occurs in all references of a corpus: in those that this is
    made with, whatever is scored; without them, in those of each corpus that is scored, or of the single segment, where
    it is but one. What occurs nowhere in them is taken to occur once. Rows add up only under the same weights, whose
    checksum is in the signature; resampling keeps the weights.

    Args:
        lowercase: compare in lower case: that of the letters A to Z, of tokens, as mteval-v13a.pl does it. (So `Ä` and
            `ä` differ, unlike with other metrics.)
        tokenize: as for `BLEU`.
        trg_lang: the code of the target language, such as `ja`, if it selects the tokenizer.
        references: streams that weights come from; they are prepared once, for scoring many systems against them.
        tokenize_name: the name in signatures of a function that `tokenize` is, such as `mine-1`.

    Raises:
        OptionError: for an unknown tokenizer.

    Example:
        >>> nist = NIST(references=[["The cat sat on a mat.", "A dog sat on it."]])
        >>> nist.corpus_score(["The cat sat on the mat.", "The dog sat on it."], None)
        NIST = 2.87 2.6696/0.0909/0.1111/0.0000/0.0000 (BP = 1.000 ratio = 1.000 hyp_len = 13 ref_len = 13)
        >>> nist.sentence_score("The dog sat on it.", ["A dog sat on it."]).orders
        [2.5836997651175766, 0.2, 0.25, 0.0, 0.0]
    """

    OPTIONS_OF_BLEU = ("lowercase", "tokenize")
    SIGNATURE_FIELDS = (CASE_FIELD, TokenizerField(), Field("weights", "weights_signature"), ORACLE_FIELD)
    SCALE = 20

    #: The implementation whose numbers these are.
    ORACLE = "mteval-v13a"

    def __init__(self, lowercase: bool = False, tokenize: str | Callable[[str], object] | None = None,
                 trg_lang: str = "", references: Sequence[Sequence[Segment | None]] | None = None, *,
                 tokenize_name: str = "") -> None:
        self.lowercase = lowercase
        self.trg_lang = trg_lang
        self.tokenizer = tokenizer_for(tokenize, trg_lang, tokenize_name)
        self.tokenizer_signature = self.tokenizer.signature()
        self._information: NgramInformation | None = None
        self._digest = ""
        super().__init__(references)

    @property
    def weights_signature(self) -> str:
        """The checksum of the weights, or what stands for those of each segment's own references."""
        return self._digest or _OF_SEGMENT

    def advice_without_spaces(self, language: str) -> str:
        return advice_on_tokenizer(self.tokenizer_signature, language)

    def lacks_weights(self) -> bool:
        return self._information is None

    def take_weights(self, blocks: Iterable[Columns]) -> None:
        counter = InformationCounter()
        for block in blocks:
            for column in block:
                counter.add(column)
        self._information = counter.information()
        self._digest = self._information.digest()[:_DIGITS]

    def preprocess_lines(self, segments: Sequence[Segment]) -> Sequence[Tokens]:
        tokens = tokens_of(segments, self.tokenizer, lowercase=False)
        return [list(map(_lowered, words)) for words in tokens] if self.lowercase else tokens

    def segment_statistics(self, hypothesis: Tokens, references: Sequence[Tokens]) -> Row:
        information = self._information
        if information is None:
            counter = InformationCounter()
            counter.add(references)
            information = counter.information()
        length = len(hypothesis)
        return (*information.matched_information(hypothesis, references),
                *[max(0, length - order) for order in range(INFORMATION_ORDER)],
                (sum(map(len, references)) << LOGARITHM_BITS) // len(references))

    def block_statistics(self, hypotheses: Sequence[Segment], references: References) -> list[Row]:
        if self._information is None:
            raise PurebleuError("NIST needs weights from all references of a corpus first: give them to the "
                                "constructor, as references=")
        return super().block_statistics(hypotheses, references)

    def score(self, totals: Sequence[float]) -> NISTScore:
        self._check_sums(totals, 2 * INFORMATION_ORDER + 1)
        *sums, reference_length = map(int, totals)
        length = sums[INFORMATION_ORDER]
        penalty = _penalty(length, reference_length)
        means = _means(sums)
        return NISTScore(_product(sum(means), penalty), [_product(mean, penalty) for mean in means],
                         _product(1 << LOGARITHM_BITS, penalty), length, reference_length / (1 << LOGARITHM_BITS))

    def value(self, totals: Sequence[float]) -> float:
        *sums, reference_length = map(int, totals)
        return _product(sum(_means(sums)), _penalty(sums[INFORMATION_ORDER], reference_length))

    def column_names(self) -> list[str]:
        orders = range(1, INFORMATION_ORDER + 1)
        return [*[f"information_{order}" for order in orders], *[f"ngrams_{order}" for order in orders], "mean_ref_len"]


def _lowered(token: Hashable) -> Hashable:
    """A token with its ASCII letters in lower case."""
    if isinstance(token, str):
        return token.lower() if token.isascii() else token.translate(_UPPER_TO_LOWER)
    return token.lower() if isinstance(token, bytes) else token  # (which lowers these letters alone)


def _means(sums: Sequence[int]) -> list[int]:
    """The information per n-gram of the hypotheses, by order; integers that count 2 ** -`LOGARITHM_BITS`."""
    return [information // max(1, ngrams)
            for information, ngrams in zip(sums[:INFORMATION_ORDER], sums[INFORMATION_ORDER:])]


def _penalty(length: int, reference_length: int) -> int:
    """The penalty for hypotheses of this length, as an integer that counts 2 ** -`POWER_BITS`.

    `reference_length` counts 2 ** -`LOGARITHM_BITS`. If the ratio of the lengths is
    below 1, the penalty falls along a log-normal curve: it is 1/2 for 2/3.
    """
    length <<= LOGARITHM_BITS
    if length >= reference_length:
        return 1 << POWER_BITS
    if not length:
        return 0
    ratio = fixed_log2(length) - fixed_log2(reference_length)
    ratio_of_half = fixed_log2(2) - fixed_log2(3)
    return fixed_exp2(-(ratio * ratio << LOGARITHM_BITS) // (ratio_of_half * ratio_of_half))


def _product(number: int, penalty: int) -> float:
    """The product of a mean and the penalty, rounded once."""
    return number * penalty / (1 << LOGARITHM_BITS + POWER_BITS)
