"""The methods of every tokenizer."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, Sequence


class BaseTokenizer:
    """A tokenizer: `tokenize_lines` splits many lines; called with one line, it returns its tokens joined by spaces."""

    #: Whether tokens are characters, so that those of a line are a string.
    OF_CHARACTERS = False

    #: Whether a whole block of lines takes less time together than in parts that fit into a processor's cache.
    WHOLE_BLOCKS = False

    def signature(self) -> str:
        """The value of `tok:` in signatures."""
        raise NotImplementedError

    def tokenize_lines(self, lines: Sequence[str]) -> Sequence[Sequence[Hashable]]:
        """The tokens of each of `lines`.

        Tokens are hashable values, equal where the tokens are; one tokenizer always returns one type of them, be it
        `str` or UTF-8 `bytes`. They are for counting; to show tokens, call the tokenizer.
        """
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """The tokens of `line`, separated by one space each."""
        return " ".join(map(_as_text, self.tokenize_lines([line])[0]))


def _as_text(token: Hashable) -> str:
    return token.decode("utf-8", "surrogatepass") if isinstance(token, bytes) else str(token)
