"""The information of n-grams in bits (Doddington, 2002): how surprising their last token is after those before it."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from itertools import chain, compress, count, repeat
from operator import add

from ..exact import fixed_log2

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Hashable, Iterable, Mapping, Sequence, Tuple

    from .counting import Symbols

    Ngram = Tuple[Hashable, ...]

#: The highest order of n-grams.
INFORMATION_ORDER = 5

#: The id after the last token of a segment. No n-gram contains it.
_END = 0

#: The token "0", which is special, in the two types in which tokenizers return it.
_ZEROS = frozenset((b"0", "0"))


class NgramInformation:
    """The information of n-grams, from how often they occur in all references of a corpus.

    The information of w1..wn is log2(count(w1..wn-1) / count(w1..wn)). The empty n-gram occurs once for each token.
    Only n-grams that occur more than once are kept: all others count as occurring once.

    Args:
        counts: the counts of n-grams that occur at least twice, of orders up to `INFORMATION_ORDER`.
        tokens: the number of tokens.
    """

    def __init__(self, counts: Mapping[Ngram, int], tokens: int) -> None:
        self._logarithms = dict(zip(counts, map(fixed_log2, counts.values())))
        self._logarithms[()] = fixed_log2(max(1, tokens))
        self._counts = counts
        self._tokens = tokens

    def matched_information(self, hypothesis: Symbols, references: Sequence[Symbols]) -> list[int]:
        """Return the information of the n-grams that a hypothesis shares with its references.

        Args:
            hypothesis: the tokens of the hypothesis.
            references: the tokens of one or more references. An n-gram matches at most as often as it occurs in a
                single one.

        Returns:
            The sum for each order, as an integer in units of `2 ** -LOGARITHM_BITS`.

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
                # mteval-compat: "0" is false in Perl, so a bigram that starts with it counts as a unigram. (fixture:
                # nist)
                sums[-1] += sum([logarithm_of((), 0) - logarithm_of(ngram[:1], 0) for ngram in matches
                                 if ngram[0] in _ZEROS])
        return [*sums, *repeat(0, INFORMATION_ORDER - len(sums))]

    def digest(self) -> str:
        """Return a SHA-256 sum, in hexadecimal digits, of all counts. With equal sums, information is equal, too."""
        import hashlib

        encoded = {ngram[0]: _encoded(ngram[0]) for ngram in self._counts if len(ngram) == 1}
        lines = [b"%d%s" % (times, b"".join(map(encoded.__getitem__, ngram))) for ngram, times in self._counts.items()]
        return hashlib.sha256(b"\n".join([b"%d" % self._tokens, *sorted(lines)])).hexdigest()


class InformationCounter:
    """Counts the n-grams of all references of a corpus. It keeps four bytes for each token, and not the text."""

    def __init__(self) -> None:
        self._ids: defaultdict[Hashable, int] = defaultdict(count(_END + 1).__next__)
        self._sequence = array("I")

    def add(self, segments: Iterable[Symbols | None]) -> None:
        """Take in the tokens of segments; `None` for a missing reference."""
        for tokens in segments:
            if tokens:
                self._sequence.extend(map(self._ids.__getitem__, tokens))
                self._sequence.append(_END)

    def information(self) -> NgramInformation:
        """Return the information of n-grams in the segments so far."""
        sequence = self._sequence + array("I", [_END] * INFORMATION_ORDER)
        tokens, base = list(self._ids), _END + 1 + len(self._ids)
        counts: dict[Ngram, int] = {}
        # If an n-gram repeats, so does the n-gram without its last token. So n-grams of an order are counted only if
        # they begin with a repeated n-gram of the order below, which has an id.
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
        return NgramInformation(counts, len(self._sequence) - self._sequence.count(_END))


def _matches(hypothesis: Symbols, references: Sequence[Symbols], order: int) -> list[Any]:
    """Return the n-grams that a hypothesis shares with its references, each as often as it matches."""
    ours = _tuples(hypothesis, order)
    theirs = [_tuples(reference, order) for reference in references]
    different = set(ours)
    matches: list[Any] = list(different.intersection(theirs[0] if len(theirs) == 1 else chain.from_iterable(theirs)))
    if len(different) < len(ours):
        # (Most n-grams occur once, and only the others are counted.)
        repeated = [(ngram, times) for ngram, times in Counter(ours).items() if times > 1]
        in_references = [Counter(ngrams) for ngrams in theirs]
        for ngram, times in repeated:
            matches += repeat(ngram, min(times, max([counts[ngram] for counts in in_references])) - 1)
    return matches


def _tuples(symbols: Symbols, order: int) -> list[Ngram]:
    return list(zip(symbols, *[symbols[start:] for start in range(1, order)]))


def _encoded(token: Hashable) -> bytes:
    """Return a token as bytes, so that a sequence of tokens can be read in only one way."""
    text = token if isinstance(token, bytes) else str(token).encode("utf-8", "surrogatepass")
    return b" %d:%s" % (len(text), text)
