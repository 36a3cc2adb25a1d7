"""NIST (Doddington, 2002): matched n-grams count by their information, which depends on all references of a corpus."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from itertools import chain, compress, count, repeat
from operator import add

from ..engines.exact import LOGARITHM_BITS, POWER_BITS, fixed_exp2, fixed_log2
from ..runtime.errors import PurebleuError
from ..runtime.hints import Any, Callable, Hashable, Iterable, Mapping, Row, Segment, Sequence, Streams, Tokens
from .base import Metric
from .evaluation import References
from .score import Score
from .signature import CASE_FIELD, ORACLE_FIELD, Field, TokenizerField
from .tokens import advice_on_tokenizer, tokenizer_for, tokens_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Tuple

    Ngram = Tuple[Hashable, ...]

#: The number of hexadecimal digits of a checksum in signatures.
_DIGITS = 12

_UPPER_TO_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


class NISTScore(Score):
    """A NIST score, which has no upper limit, and the numbers that it was computed from.

    Attributes:
        orders: the part of the score that comes from each order of n-grams, from 1 to 5: the information of the
            matched n-grams, in bits per n-gram of the hypotheses, times `bp`.
        bp: the penalty for short hypotheses, from 0 to 1.
        sys_len: the length of the hypotheses, in tokens.
        ref_len: the length of the references, in tokens (for each segment, the mean over its references).
        ratio: `sys_len / ref_len`, or 0 if `ref_len` is 0.
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
    """NIST (Doddington, 2002), as mteval-v13a.pl computes it.

    A row of sufficient statistics has 11 integers. The first five are the information of the matched n-grams of each
    order from 1 to 5. The next five are the numbers of n-grams of the hypothesis. The last integer is the mean length
    of the references. Information and mean length are in units of 2 ** -64, so sums are exact, and the same on every
    machine.

    The weight of an n-gram is its information. The information depends on the n-gram's frequency in the references of
    the constructor or, if the constructor has none, in the references of the scored corpus (or segment). An n-gram that
    is not in the references has a frequency of 1. Rows may be added only if they have the same weights. The signature
    has a checksum of the weights. Resampling does not change the weights.

    Args:
        lowercase: convert the letters A to Z to lower case, as mteval-v13a.pl does. (Other metrics convert all
            letters.)
        tokenize: as for `BLEU`.
        trg_lang: the code of the target language, such as `ja`, which selects the default tokenizer.
        references: streams of references for the weights, which are preprocessed only once, even for many systems.
        tokenize_name: the name in signatures, such as `mine-1`, if `tokenize` is a function.

    Raises:
        OptionError: the tokenizer is unknown.

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

    #: Another program that computes the same scores.
    ORACLE = "mteval-v13a"

    def __init__(self, lowercase: bool = False, tokenize: str | Callable[[str], object] | None = None,
                 trg_lang: str = "", references: Streams | None = None, *, tokenize_name: str = "") -> None:
        self.lowercase = lowercase
        self.trg_lang = trg_lang
        self.tokenizer = tokenizer_for(tokenize, trg_lang, tokenize_name)
        self.tokenizer_signature = self.tokenizer.signature()
        self._information: NgramInformation | None = None
        self.weights_signature = "segment"  # (the weights come from each segment's own references)
        super().__init__(references)

    def advice_without_spaces(self, language: str) -> str:
        return advice_on_tokenizer(self.tokenizer_signature, language)

    def lacks_weights(self) -> bool:
        return self._information is None

    def take_weights(self, blocks: Iterable[Sequence[Sequence[Any]]]) -> None:
        columns = chain.from_iterable(blocks)
        self._information = information_in(chain.from_iterable(columns))
        self.weights_signature = self._information.digest()[:_DIGITS]

    def preprocess_lines(self, segments: Sequence[Segment]) -> Sequence[Tokens]:
        tokens = tokens_of(segments, self.tokenizer, lowercase=False)
        return [list(map(_lowered, words)) for words in tokens] if self.lowercase else tokens

    def segment_statistics(self, hypothesis: Tokens, references: Sequence[Tokens]) -> Row:
        information = self._information or information_in(references)
        length = len(hypothesis)
        return (*information.matched_information(hypothesis, references),
                *[max(0, length - order) for order in range(INFORMATION_ORDER)],
                (sum(map(len, references)) << LOGARITHM_BITS) // len(references))

    def block_statistics(self, hypotheses: Sequence[Segment], references: References) -> list[Row]:
        if self._information is None:
            raise PurebleuError("NIST first needs weights from all references of a corpus: give all references to the "
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
    """Return the token with its ASCII letters in lower case."""
    if isinstance(token, str):
        return token.lower() if token.isascii() else token.translate(_UPPER_TO_LOWER)
    return token.lower() if isinstance(token, bytes) else token  # (`bytes.lower` changes ASCII letters only)


def _means(sums: Sequence[int]) -> list[int]:
    """Return the information per n-gram of the hypotheses, for each order, in units of 2 ** -`LOGARITHM_BITS`."""
    return [information // max(1, ngrams)
            for information, ngrams in zip(sums[:INFORMATION_ORDER], sums[INFORMATION_ORDER:])]


def _penalty(length: int, reference_length: int) -> int:
    """Return the penalty for short hypotheses, as an integer in units of 2 ** -`POWER_BITS`.

    `reference_length` is in units of 2 ** -`LOGARITHM_BITS`. If the ratio of the lengths is below 1, the penalty is
    2 ** -((log(ratio) / log(2 / 3)) ** 2). For a ratio of 2/3, the penalty is 1/2.
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
    """Return the product of a mean and the penalty as a float, rounded once."""
    return number * penalty / (1 << LOGARITHM_BITS + POWER_BITS)


#: The highest order of n-grams.
INFORMATION_ORDER = 5

#: The id that stands after the last token of a segment, and that no n-gram contains.
_END = 0

#: The token "0", which is an exception in `matched_information`, as `bytes` and as `str`.
_ZEROS = frozenset((b"0", "0"))


class NgramInformation:
    """The information of n-grams, from their counts in all references of a corpus.

    The information of w1..wn is log2(count(w1..wn-1) / count(w1..wn)). The count of the empty n-gram is the number of
    tokens. An n-gram without an entry in `counts` has the count 1.

    Args:
        counts: the counts of n-grams that occur at least twice, of orders up to `INFORMATION_ORDER`.
        tokens: the number of tokens.
    """

    def __init__(self, counts: Mapping[Ngram, int], tokens: int) -> None:
        self._logarithms = dict(zip(counts, map(fixed_log2, counts.values())))
        self._logarithms[()] = fixed_log2(max(1, tokens))
        self._counts = counts
        self._tokens = tokens

    def matched_information(self, hypothesis: Tokens, references: Sequence[Tokens]) -> list[int]:
        """Return the information of the n-grams that a hypothesis shares with its references.

        Args:
            hypothesis: the tokens of the hypothesis.
            references: the tokens of one or more references. An n-gram matches at most as often as it occurs in any
                single reference.

        Returns:
            The sum of the information for each order, as an integer in units of `2 ** -LOGARITHM_BITS`.

        Example:
            >>> information = NgramInformation({("a",): 2}, tokens=8)
            >>> [bits >> 64 for bits in information.matched_information(["a", "b"], [["c", "a", "b"]])]
            [5, 1, 0, 0, 0]
        """
        logarithm_of = self._logarithms.get
        sums: list[int] = []
        for order in range(1, 1 + min(INFORMATION_ORDER, len(hypothesis))):
            matches = _matches(hypothesis, references, order)
            if not matches:
                break  # (longer n-grams do not match, either)
            sums.append(sum([logarithm_of(ngram[:-1], 0) - logarithm_of(ngram, 0) for ngram in matches]))
            if order == 2 and not _ZEROS.isdisjoint(hypothesis):
                # mteval-compat: mteval looks up a bigram's first word, and "0" is false in Perl. So after "0", the
                # number of all tokens takes the place of the first word's count, as for a unigram. (fixture: nist)
                sums[-1] += sum([logarithm_of((), 0) - logarithm_of(ngram[:1], 0) for ngram in matches
                                 if ngram[0] in _ZEROS])
        return [*sums, *repeat(0, INFORMATION_ORDER - len(sums))]

    def digest(self) -> str:
        """Return the SHA-256 sum of all counts, in hexadecimal digits. Equal sums mean equal information."""
        import hashlib

        encoded = {ngram[0]: _encoded(ngram[0]) for ngram in self._counts if len(ngram) == 1}
        lines = [b"%d%s" % (times, b"".join(map(encoded.__getitem__, ngram))) for ngram, times in self._counts.items()]
        return hashlib.sha256(b"\n".join([b"%d" % self._tokens, *sorted(lines)])).hexdigest()


def information_in(segments: Iterable[Tokens | None]) -> NgramInformation:
    """Return the information of the n-grams in some segments. `None` is a missing segment.

    The function keeps only four bytes for each token, not the text.
    """
    ids_of_tokens: defaultdict[Hashable, int] = defaultdict(count(_END + 1).__next__)
    sequence = array("I")
    for segment in segments:
        if segment:
            sequence.extend(map(ids_of_tokens.__getitem__, segment))
            sequence.append(_END)
    number_of_tokens = len(sequence) - sequence.count(_END)
    sequence.extend([_END] * INFORMATION_ORDER)
    tokens, base = list(ids_of_tokens), _END + 1 + len(ids_of_tokens)
    counts: dict[Ngram, int] = {}
    # An n-gram can occur twice only if its prefix (the n-gram without its last token) occurs twice. So only n-grams
    # with such a prefix are counted. Each of these prefixes has an id.
    ngrams: list[Ngram] = [()]
    starts = list(compress(range(len(sequence)), sequence))
    prefixes = [1] * len(starts)
    for order in range(INFORMATION_ORDER):
        last_tokens = map(sequence.__getitem__, map(add, starts, repeat(order)))
        keys = [prefix * base + token for prefix, token in zip(prefixes, last_tokens)]
        repeated = {key: times for key, times in Counter(keys).items() if times > 1 and key % base != _END}
        ngrams = [(*ngrams[key // base - 1], tokens[key % base - 1]) for key in repeated]
        counts.update(zip(ngrams, repeated.values()))
        ids = list(map(dict(zip(repeated, count(1))).get, keys))
        starts, prefixes = list(compress(starts, ids)), [number for number in ids if number]
    return NgramInformation(counts, number_of_tokens)


def _matches(hypothesis: Tokens, references: Sequence[Tokens], order: int) -> list[Any]:
    """Return the n-grams that a hypothesis shares with its references, each as often as it matches."""
    ours = _tuples(hypothesis, order)
    theirs = [_tuples(reference, order) for reference in references]
    different = set(ours)
    matches: list[Any] = list(different.intersection(theirs[0] if len(theirs) == 1 else chain.from_iterable(theirs)))
    if len(different) < len(ours):
        # (Only repeated n-grams have to be counted. Most n-grams occur once.)
        repeated = [(ngram, times) for ngram, times in Counter(ours).items() if times > 1]
        in_references = [Counter(ngrams) for ngrams in theirs]
        for ngram, times in repeated:
            matches += repeat(ngram, min(times, max([counts[ngram] for counts in in_references])) - 1)
    return matches


def _tuples(symbols: Tokens, order: int) -> list[Ngram]:
    return list(zip(symbols, *[symbols[start:] for start in range(1, order)]))


def _encoded(token: Hashable) -> bytes:
    """Return the length and the text of a token as bytes, so that joined tokens can be told apart."""
    text = token if isinstance(token, bytes) else str(token).encode("utf-8", "surrogatepass")
    return b" %d:%s" % (len(text), text)
