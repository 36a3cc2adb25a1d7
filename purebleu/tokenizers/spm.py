"""The tokenizers that are SentencePiece models: those of spBLEU (Goyal et al., 2022), and any other."""

from __future__ import annotations

from ..engines.sentencepiece.normalization import Normalizer, Symbols
from ..engines.sentencepiece.pieces import NORMAL, SPACE
from ..engines.sentencepiece.published import get_model, parse_model
from ..engines.sentencepiece.segmentation import make_algorithm, pieces
from ..errors import warn
from ..files.cache import read_whole
from ..files.download import sha256_of
from ..unicode.whitespace import WHITESPACE
from .base import BaseTokenizer
from .separation import words_of_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Sequence, Tuple

    from ..engines.sentencepiece.model import Model
    from ..engines.sentencepiece.segmentation import Segment

    #: The pieces of a word, the sum of their scores, and how far from zero that of the line may get.
    Word = Tuple[List[bytes], float, float]

#: Words are kept at hand until they have so many pieces together; but no longer ones than this, with their pieces.
_REMEMBERED = 1 << 18
_LONGEST_REMEMBERED = 256

_WHITESPACE = frozenset(WHITESPACE)


class Tokenizer(BaseTokenizer):
    """Splits lines into the pieces of a model.

    `name` is one of `MODELS`, or `spm`, which is another name for `flores101`; with `path`, the model is in that file,
    which is read unless its `content` is given.
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
            content = read_whole(path) if content is None else content
            model = parse_model(content, path)
            # Another file is another tokenizer, so the signature has the checksum of its content.
            self._signature = f"{name}-sha256-{sha256_of(content)}"
        self._arguments = name, path, content
        self._segmenter = Segmenter(model)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments  # what is cached can't be sent to another process

    def signature(self) -> str:
        return self._signature

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[bytes]]:
        return list(map(self._segmenter.tokens, lines))


class Segmenter:
    """Splits lines into the pieces of a model.

    A word that comes again is not segmented again, where the model lets words be segmented one by one: its pieces have
    spaces at their beginning only, and its normalizer leaves spaces alone.
    """

    def __init__(self, model: Model) -> None:
        symbols = Symbols(model.pieces)
        self._byte_fallback = model.byte_fallback
        self._normalizer = Normalizer(model, symbols)
        self._algorithm = make_algorithm(model, symbols)
        self._by_word = (
            self._algorithm.by_word and model.remove_extra_whitespaces and model.escape_whitespaces
            and model.add_dummy_prefix and not model.whitespace_as_suffix and not self._normalizer.maps_spaces()
            and model.pieces.find(SPACE)[1] == NORMAL and not model.pieces.has_inner_spaces)
        self._words: dict[str, Word | None] = {}
        self._pieces_remembered = 0

    def tokens(self, line: str) -> list[bytes]:
        """The pieces of a line, in UTF-8, split at white space, should they contain any."""
        words = self._words_of(line)
        if not words or sum([score for _, score, _ in words]) <= -min([limit for _, _, limit in words]):
            segments, _, _ = self._algorithm.segment(self._normalizer.normalize(line))
            return self._tokens(segments)
        return [token for tokens, _, _ in words for token in tokens]

    def _words_of(self, line: str) -> list[Word]:
        """The words of a line; none, where the pieces of one may depend on those next to it."""
        words: list[Word] = []
        for text in line.split(" ") if self._by_word else ():
            word = self._words[text] if text in self._words else self._word(text)
            if word is None:
                return []
            words.append(word)
        return words

    def _tokens(self, segments: Sequence[Segment]) -> list[bytes]:
        found = pieces(segments, self._byte_fallback)
        if all(map(_WHITESPACE.isdisjoint, found)):
            return " ".join(found).encode("utf-8", "surrogatepass").split()
        return words_of_lines([" ".join(found)])[0]

    def _word(self, word: str) -> Word | None:
        """A word of a line, which is kept at hand; `None` where its pieces may depend on the words next to it."""
        found = self._segmented(word)
        tokens = found[0] if found else []
        if len(word) + sum(map(len, tokens)) <= _LONGEST_REMEMBERED:
            self._pieces_remembered += 1 + len(tokens)
            if self._pieces_remembered > _REMEMBERED:
                self._words.clear()
                self._pieces_remembered = 1 + len(tokens)
            self._words[word] = found
        return found

    def _segmented(self, word: str) -> Word | None:
        text = word
        if not self._normalizer.leaves(word):
            parts, undecided = self._normalizer.parts(word)
            text = "".join(parts)
            if undecided or "  " in text:
                return None
        if SPACE in text:
            return None
        found = [self._algorithm.segment(SPACE + one) for one in text.split(" ") if one]
        return ([token for segments, _, _ in found for token in self._tokens(segments)],
                sum([score for _, score, _ in found]), min([limit for _, _, limit in found], default=float("inf")))
