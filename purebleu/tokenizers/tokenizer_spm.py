"""The tokenizers with SentencePiece models: the models of spBLEU (Goyal et al., 2022), and models of users."""

from __future__ import annotations

import os
from functools import lru_cache

from ..engines.sentencepiece.published import get_model, model_path, signed_model
from ..engines.sentencepiece.words import Segmenter
from ..runtime.errors import warn
from ..runtime.hints import Any, Sequence
from .tokenizer_base import BaseTokenizer

#: The number of lines whose words are segmented together.
_BLOCK_LINES = 4096


class TokenizerSPM(BaseTokenizer):
    """Splits lines into the pieces of a SentencePiece model.

    Args:
        key: a key of `published.MODELS`, or `spm`, which is another name for `flores101`; `None`: the class's `KEY`.
        path: the file of another model. If there is a path, `key` is only the model's name in signatures.
        content: the content of the file, if it has been read already.

    Raises:
        PurebleuError: the model can't be downloaded or read, or the file is not a model.
    """

    KEY = "spm"
    WHOLE_BLOCKS = True  # (words with the same beginning are segmented together)

    def __init__(self, key: str | None = None, path: str | None = None, content: bytes | None = None) -> None:
        key = key or self.KEY
        if key == "spm" and path is None:
            warn("the tokenizer 'spm' is called 'flores101' now; sacreBLEU may remove the name 'spm'")
            key = "flores101"
        if path is None:
            path_of_model = model_path(key)
            changed = os.path.getmtime(path_of_model) if os.path.exists(path_of_model) else 0.0
            self._segmenter = _published_segmenter(key, path_of_model, changed)
            self._signature = key
        else:
            # The file may be a pipe, so it is read only once. Other processes get the content of the file.
            model, content, checksum = signed_model(path, content)
            # The signature has the checksum of the content, because different models are different tokenizers.
            self._signature = f"{key}-sha256-{checksum}"
            self._segmenter = Segmenter(model)
        self._arguments = key, path, content

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments  # (caches are not copied to another process)

    def signature(self) -> str:
        return self._signature

    def tokenize_line(self, line: str) -> list[bytes]:
        return self._segmenter.tokens(line)

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[bytes]]:
        tokens: list[list[bytes]] = []
        for start in range(0, len(lines), _BLOCK_LINES):
            tokens += self._segmenter.tokens_of_lines(lines[start:start + _BLOCK_LINES])
        return tokens


@lru_cache(maxsize=None)
def _published_segmenter(key: str, path: str, changed: float) -> Segmenter:
    """Return the segmenter of a published model. A segmenter is made only once, unless the model's file changes."""
    return Segmenter(get_model(key))


class Flores101Tokenizer(TokenizerSPM):
    """Splits lines into the pieces of the model of FLORES-101."""

    KEY = "flores101"


class Flores200Tokenizer(TokenizerSPM):
    """Splits lines into the pieces of the model of FLORES-200."""

    KEY = "flores200"


class spBLEU1KTokenizer(TokenizerSPM):
    """Splits lines into the pieces of the model of spBLEU-1K."""

    KEY = "spBLEU-1K"
