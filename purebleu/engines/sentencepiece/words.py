"""Splitting lines into the pieces of a SentencePiece model (Kudo and Richardson, 2018), word by word if possible."""

from __future__ import annotations

from contextlib import suppress
from itertools import chain

from ...runtime.hints import Sequence
from ...unicode.properties import SPACES, WHITESPACE
from .. import wants_plain
from .bpe import PairMerging
from .model_file import BPE, NORMAL, SPACE, SPACE_BYTES, Model, byte_piece
from .normalizer import Normalizer, UserDefinedSymbols
from .unigram import Unigram

#: Limits of the word cache: the sum of the numbers of words and tokens, and the number of characters of a word. (Words
#: that are segmented together may exceed the first limit.)
_MAX_CACHED = 1 << 18
_MAX_CACHED_LENGTH = 256

#: A word in `Segmenter._tokens` has the same pieces in each line of up to this number of characters.
_MAX_SAFE_LENGTH = 512

_WHITESPACE = frozenset(WHITESPACE) - {" "}


class Segmenter:
    """Splits lines into the pieces of a model (Kudo and Richardson, 2018).

    If words can be segmented one by one, a repeated word is not segmented again. Words can be segmented one by one if
    pieces have spaces only at their starts, and if the normalizer does not change spaces. But the pieces of a word in a
    line may differ from the pieces of the word alone. So each word has a *limit*: in a line whose absolute score is
    below the limit, the word has the same pieces (see `Unigram.segment`). There are three kinds of words:

    1. The limit of the word is higher than the absolute score of every line of up to `_MAX_SAFE_LENGTH` characters.
       `_tokens` has such words.
    2. The limit has to be compared with the score of the line. `_doubtful` has such words, with their limits.
    3. The pieces of the word may depend on neighbouring words. `_doubtful` has `None` for such words, and `tokens`
       segments their lines.
    """

    def __init__(self, model: Model) -> None:
        symbols = UserDefinedSymbols(model.pieces)
        self._byte_fallback = model.byte_fallback
        self._normalizer = Normalizer(model, symbols)
        self._algorithm = make_algorithm(model, symbols)
        self._by_word = (
            self._algorithm.by_word and model.remove_extra_whitespaces and model.escape_whitespaces
            and model.add_dummy_prefix and not model.whitespace_as_suffix and not self._normalizer.maps_spaces()
            and SPACE_BYTES in model.pieces.by_kind[NORMAL] and not model.pieces.has_inner_spaces)
        #: An upper bound for the absolute score of a line that has at most `_MAX_SAFE_LENGTH` characters, and whose
        #: words are all in `_tokens`.
        self._safe_score = -self._algorithm.unknown * (_MAX_SAFE_LENGTH + 1)
        self._tokens: dict[str, list[bytes]] = {}
        self._doubtful: dict[str, tuple[list[bytes], float] | None] = {}
        self._size = 0  # the number of words and tokens in both caches

    def tokens(self, line: str) -> list[bytes]:
        """Return the pieces of a line in UTF-8, split at whitespace. (`tokens_of_lines` is faster for many lines.)"""
        shown = self._shown(self._algorithm.segment(self._normalizer.normalize(line))[0])
        text = b" ".join(shown).decode("utf-8", "surrogatepass")
        return text.translate(SPACES).encode("utf-8", "surrogatepass").split()

    def tokens_of_lines(self, lines: Sequence[str]) -> list[list[bytes]]:
        """Return the `tokens` of each line. The tokens are computed word by word if the model allows this."""
        if not self._by_word or wants_plain():
            return list(map(self.tokens, lines))
        split_lines = [line.split(" ") for line in lines]
        self._cache(set(chain.from_iterable(split_lines)))
        tokens_of = self._tokens.__getitem__
        tokens_by_line: list[list[bytes]] = []
        for line, words in zip(lines, split_lines):
            tokens: list[bytes] | None = None
            if len(line) <= _MAX_SAFE_LENGTH:
                with suppress(KeyError):
                    tokens = list(chain.from_iterable(map(tokens_of, words)))
            if tokens is None:
                tokens = self._tokens_of_words(words)
            tokens_by_line.append(self.tokens(line) if tokens is None else tokens)
        return tokens_by_line

    def _tokens_of_words(self, words: Sequence[str]) -> list[bytes] | None:
        """Return the pieces of the words of a line. Return `None` if the line as a whole may have other pieces."""
        # For a line of words w1 ... wn whose scores are not above zero,
        #     |score(w1) + ... + score(wn)| < min(limit(w1), ..., limit(wn))
        #     implies segment(line) = segment(w1) + ... + segment(wn).
        tokens: list[bytes] = []
        limit = float("inf")
        for text in words:
            word = self._word(text)
            if word is None:
                return None
            tokens += word[0]
            limit = min(limit, word[1])
        score_of, unknown = self._algorithm.scores.get, self._algorithm.unknown
        # (`unknown` is the score of a single unknown character. A token has at most as many characters as bytes.)
        score = sum([score_of(token, unknown * len(token)) for token in tokens])
        return tokens if -score < limit else None

    def _word(self, text: str) -> tuple[list[bytes], float] | None:
        """Return the pieces and the limit of a word. Return `None` if its pieces may depend on neighbouring words."""
        if text in self._tokens:
            return self._tokens[text], self._safe_score
        if text in self._doubtful:
            return self._doubtful[text]
        normalized = self._normalized([text])[text]
        return None if normalized is None else self._segmented(normalized)

    def _segmented(self, text: str) -> tuple[list[bytes], float]:
        """Return the pieces and the limit of a normalized word, which may contain spaces."""
        segmented = [self._algorithm.segment(SPACE + word) for word in text.split(" ") if word]
        return ([token for found, _ in segmented for token in self._shown(found)],
                min([max_score for _, max_score in segmented], default=float("inf")))

    def _shown(self, segmented: list[bytes]) -> list[bytes]:
        """Return the pieces as SentencePiece shows them."""
        known = self._algorithm.scores
        return segmented if all(map(known.__contains__, segmented)) else pieces(segmented, known, self._byte_fallback)

    def _normalized(self, words: Sequence[str]) -> dict[str, str | None]:
        """Return the normalized text of each word, or `None` if the word's pieces may depend on neighbouring words."""
        normalized: dict[str, str | None] = {}
        for word, text in zip(words, self._normalizer.words(words)):
            # (Only `tokens` handles words with whitespace, because it splits pieces at whitespace.)
            doubtful = text is None or "  " in text or SPACE in text or not _WHITESPACE.isdisjoint(text)
            normalized[word] = None if doubtful else text
        return normalized

    def _cache(self, words: set[str]) -> None:
        """Segment new words of up to `_MAX_CACHED_LENGTH` characters, and cache their pieces.

        Many words are segmented together, which takes less time. A full cache is emptied first.
        """
        if self._size > _MAX_CACHED:
            self._tokens.clear()
            self._doubtful.clear()
            self._size = 0
        new = [word for word in words.difference(self._tokens, self._doubtful) if len(word) <= _MAX_CACHED_LENGTH]
        normalized = self._normalized(new[:_MAX_CACHED])
        texts = sorted({text for text in normalized.values() if text and " " not in text})
        segmented = dict(zip(texts, self._algorithm.segment_sorted([SPACE + text for text in texts])))
        known = self._algorithm.scores
        unknown = set(chain.from_iterable([found for found, _ in segmented.values()])).difference(known)
        for word, text in normalized.items():
            if text is None:
                self._doubtful[word] = None
                self._size += 1
                continue
            if text in segmented:
                tokens, max_score = segmented[text]
                if not unknown.isdisjoint(tokens):
                    tokens = self._shown(tokens)
            else:  # (the normalized text is empty, or contains spaces)
                tokens, max_score = self._segmented(text)
            # (If normalization makes a word longer, the length of a line does not limit the score of the line.)
            if max_score > self._safe_score and len(text) <= len(word):
                self._tokens[word] = tokens
            else:
                self._doubtful[word] = tokens, max_score
            self._size += 1 + len(tokens)


def make_algorithm(model: Model, symbols: UserDefinedSymbols) -> Unigram | PairMerging:
    """Return the algorithm of a model, with the pieces of the model."""
    return PairMerging(model.pieces, symbols) if model.algorithm == BPE else Unigram(model.pieces)


def pieces(segmented: Sequence[bytes], known: dict[bytes, float], byte_fallback: bool) -> list[bytes]:
    """Return the pieces of a text as SentencePiece shows them.

    Args:
        segmented: the pieces of a segmentation.
        known: the pieces of the model that a segmentation can contain. All other pieces are unknown characters.
        byte_fallback: whether each byte of an unknown character becomes a piece. Otherwise, neighbouring unknown
            characters become one piece.

    Example:
        >>> pieces([b"a", b"b", b"c"], {b"a": -1.0}, False), pieces([b"b"], {}, True)
        ([b'a', b'bc'], [b'<0x62>'])
    """
    shown: list[bytes] = []
    unknown: list[bytes] = []
    for text in segmented:
        if text not in known:
            unknown.append(text)
            continue
        if unknown:
            shown += _unknown_pieces(unknown, byte_fallback)
            unknown = []
        shown.append(text)
    return shown + _unknown_pieces(unknown, byte_fallback) if unknown else shown


def _unknown_pieces(texts: Sequence[bytes], byte_fallback: bool) -> list[bytes]:
    text = b"".join(texts)
    return list(map(byte_piece, text)) if byte_fallback else [text]
