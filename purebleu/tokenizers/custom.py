"""A tokenizer made from any callable of the user's."""

from __future__ import annotations

from .base import BaseTokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Hashable, Sequence


class CustomTokenizer(BaseTokenizer):
    """Wraps a callable that takes a line and returns its tokens: a list or tuple of them, or one string to split.

    Example:
        >>> CustomTokenizer(str.split).signature()
        'custom[split]'
    """

    def __init__(self, function: Callable[[str], object]) -> None:
        self._function = function

    def signature(self) -> str:
        name = getattr(self._function, "__name__", "")
        # A lambda's "<lambda>" says nothing, and no separator of the signature may get into it.
        return f"custom[{name}]" if isinstance(name, str) and name.isidentifier() else "custom"

    def tokenize_lines(self, lines: Sequence[str]) -> list[Sequence[Hashable]]:
        return [self._tokens(line) for line in lines]

    def _tokens(self, line: str) -> Sequence[Hashable]:
        tokens = self._function(line)
        if isinstance(tokens, str):
            return tokens.split()
        if isinstance(tokens, (list, tuple)):
            return tokens  # pyright: ignore[reportUnknownVariableType]  # that its items are hashable shows later
        raise TypeError(f"the tokenizer {self._function!r} returned {type(tokens).__name__}; "
                        "a string, list or tuple is needed")
