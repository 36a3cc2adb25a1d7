"""The tokenizers that are SentencePiece models: those of spBLEU (Goyal et al., 2022), and any other."""

from __future__ import annotations

from ..engines.sentencepiece.normalization import Normalizer, UserDefinedSymbols
from ..engines.sentencepiece.pieces import NORMAL, SPACE
from ..engines.sentencepiece.published import get_model, signed_model
from ..engines.sentencepiece.segmentation import make_algorithm, pieces
from ..errors import warn
from ..unicode.whitespace import WHITESPACE
from .base import BaseTokenizer
from .separation import words_of_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Sequence, Tuple

    from ..engines.sentencepiece.model import Model
    from ..engines.sentencepiece.segmentation import Segmentation

    #: The tokens of a word, and `score` and `max_score` of its `Segmentation`. (A tuple, because that is measurably
    #: faster: all of its parts are read for every word of every line.)
    Word = Tuple[List[bytes], float, float]

#: Limits of the word cache: the number of its words and their tokens, and the length of a word with its tokens (in
#: characters and bytes).
_MAX_CACHED = 1 << 18
_MAX_CACHED_LENGTH = 256

_WHITESPACE = frozenset(WHITESPACE)


class PieceTokenizer(BaseTokenizer):
    """Splits lines into the pieces of a SentencePiece model.

    Args:
        name: one of `published.MODELS`, or `spm`, which is another name for `flores101`.
        path: the file of another model, of which the name says nothing then.
        content: that of the file, if it has been read already.

    Raises:
        PurebleuError: the model can't be fetched or read, or is none.
    """

    def __init__(self, name: str, path: str | None = None, content: bytes | None = None) -> None:
        if name == "spm" and path is None:
            warn("the tokenizer 'spm' is 'flores101' now, and sacreBLEU may remove that name")
            name = "flores101"
        if path is None:
            model = get_model(name)
            self._signature = name
        else:
            # Read only once, here and in all processes: it may be a pipe.
            model, content, checksum = signed_model(path, content)
            # Another file is another tokenizer, so the signature has the checksum of its content.
            self._signature = f"{name}-sha256-{checksum}"
        self._arguments = name, path, content
        self._segmenter = Segmenter(model)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments  # what is cached can't be sent to another process

    def signature(self) -> str:
        return self._signature

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[bytes]]:
        return list(map(self._segmenter.tokens, lines))


class Segmenter:
    """Splits lines into the pieces of a model (Kudo and Richardson, 2018).

    A word that comes again is not segmented again, where the model lets words be segmented one by one: its pieces have
    spaces at their beginning only, and its normalizer leaves spaces alone.
    """

    def __init__(self, model: Model) -> None:
        symbols = UserDefinedSymbols(model.pieces)
        self._byte_fallback = model.byte_fallback
        self._normalizer = Normalizer(model, symbols)
        self._algorithm = make_algorithm(model, symbols)
        self._by_word = (
            self._algorithm.by_word and model.remove_extra_whitespaces and model.escape_whitespaces
            and model.add_dummy_prefix and not model.whitespace_as_suffix and not self._normalizer.maps_spaces()
            and model.pieces.find(SPACE)[1] == NORMAL and not model.pieces.has_inner_spaces)
        self._cache = _WordCache()

    def tokens(self, line: str) -> list[bytes]:
        """The pieces of a line, in UTF-8, split at whitespace, should they contain any."""
        words = self._words_of(line)
        # The invariant of the cache, for a line of words w1 ... wn (no score is above zero):
        #     |score(w1) + ... + score(wn)| < min(max_score(w1), ..., max_score(wn))
        #     implies segment(line) = segment(w1) + ... + segment(wn)
        if words and -sum([score for _, score, _ in words]) < min([max_score for _, _, max_score in words]):
            return [token for tokens, _, _ in words for token in tokens]
        return self._tokens(self._algorithm.segment(self._normalizer.normalize(line)))

    def _words_of(self, line: str) -> list[Word]:
        """The words of a line; none, where the pieces of one may depend on those next to it."""
        words: list[Word] = []
        cached = self._cache.words
        for text in line.split(" ") if self._by_word else ():
            word = cached[text] if text in cached else self._cache.added(text, self._word(text))
            if word is None:
                return []
            words.append(word)
        return words

    def _tokens(self, segmentation: Segmentation) -> list[bytes]:
        found = pieces(segmentation.pieces, self._byte_fallback)
        if all(map(_WHITESPACE.isdisjoint, found)):
            return " ".join(found).encode("utf-8", "surrogatepass").split()
        return words_of_lines([" ".join(found)])[0]

    def _word(self, word: str) -> Word | None:
        """A word of a line; `None` where its pieces may depend on the words next to it."""
        text = word
        if not self._normalizer.leaves(word):
            parts, undecided = self._normalizer.parts(word)
            text = "".join(parts)
            if undecided or "  " in text:
                return None
        if SPACE in text:
            return None
        # (The normalizer may make several words of one, or none.)
        found = [self._algorithm.segment(SPACE + one) for one in text.split(" ") if one]
        return ([token for one in found for token in self._tokens(one)],
                sum([one.score for one in found]), min([one.max_score for one in found], default=float("inf")))


class _WordCache:
    """Words by their text; `None` for those whose pieces may depend on the words next to them.

    It is emptied when it is full: the words of a corpus that come often are soon there again.
    """

    def __init__(self) -> None:
        self.words: dict[str, Word | None] = {}
        self._size = 0  # in words and tokens

    def added(self, text: str, word: Word | None) -> Word | None:
        """The word, which is cached unless it is very long."""
        tokens = word[0] if word else []
        if len(text) + sum(map(len, tokens)) <= _MAX_CACHED_LENGTH:
            self._size += 1 + len(tokens)
            if self._size > _MAX_CACHED:
                self.words.clear()
                self._size = 1 + len(tokens)
            self.words[text] = word
        return word
