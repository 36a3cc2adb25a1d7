"""The base of tokenizers: each defines the tokens of a line. Many lines are a loop over that, or have a faster way."""

from __future__ import annotations

from functools import lru_cache

from ..engines import wants_plain
from ..hints import Any, Callable, Hashable, Sequence
from ..unicode.properties import SPACES


class BaseTokenizer:
    """A tokenizer. Called with a line, it returns the tokens of the line, joined by spaces.

    A derived class defines `SIGNATURE` or `signature`, and `tokenize_line` or `tokenize_lines`.
    """

    #: The value of `tok:` in signatures, if it is always the same.
    SIGNATURE = ""

    #: Whether tokens are characters, so that the tokens of a line are a string.
    OF_CHARACTERS = False

    #: Whether whole blocks of lines are tokenized faster than parts that fit into a processor's cache.
    WHOLE_BLOCKS = False

    #: The key of a function in `separation.FASTER` that returns the same tokens in less time. It holds only for the
    #: class that has it: a derived class may have other tokens.
    FASTER = ""

    def signature(self) -> str:
        """Return the value of `tok:` in signatures."""
        if not self.SIGNATURE:
            raise NotImplementedError
        return self.SIGNATURE

    def tokenize_line(self, line: str) -> Sequence[Hashable]:
        """Return the tokens of a line: the definition of the tokenizer.

        Tokens are hashable values of one type, such as `str`, or `bytes` of UTF-8. To show tokens, call the tokenizer.
        """
        raise NotImplementedError

    def tokenize_lines(self, lines: Sequence[str]) -> Sequence[Sequence[Any]]:
        """Return the tokens of each line, as `tokenize_line` defines them."""
        faster = None if wants_plain() else _faster_way(type(self))  # type: ignore[arg-type]  # classes are hashable
        return faster(self, lines) if faster else [self.tokenize_line(line) for line in lines]

    def __call__(self, line: str) -> str:
        """Return the tokens of a line, joined by spaces."""
        return " ".join(map(_as_text, self.tokenize_lines([line])[0]))


class CustomTokenizer(BaseTokenizer):
    """A tokenizer from a function that returns a list or tuple of tokens, or a string of tokens to split.

    `name` is what signatures call it; without one, they have the function's own name in brackets.

    Example:
        >>> CustomTokenizer(str.split).signature()
        'custom[split]'
        >>> CustomTokenizer(str.split, "words-1").signature()
        'words-1'
    """

    def __init__(self, function: Callable[[str], object], name: str = "") -> None:
        self._function = function
        self._name = name

    def signature(self) -> str:
        if self._name:
            return self._name
        name = getattr(self._function, "__name__", "")
        # (The name "<lambda>" says nothing, and a name must not contain the separators of signatures.)
        return f"custom[{name}]" if isinstance(name, str) and name.isidentifier() else "custom"

    def tokenize_line(self, line: str) -> Sequence[Hashable]:
        tokens = self._function(line)
        if isinstance(tokens, str):
            return tokens.split()
        if isinstance(tokens, (list, tuple)):
            return tokens  # pyright: ignore[reportUnknownVariableType]  # that its items are hashable shows later
        raise TypeError(f"the tokenizer {self._function!r} returned {type(tokens).__name__}; "
                        "a string, list or tuple is needed")


def words_of(line: str) -> list[bytes]:
    r"""Return the words of a line between whitespace, in UTF-8.

    >>> words_of("a b\u3000c")
    [b'a', b'b', b'c']
    """
    # (Lone surrogates, which Python's strings may have, are characters like others here.)
    return line.translate(SPACES).encode("utf-8", "surrogatepass").split()


@lru_cache(maxsize=None)
def brackets(boundaries: tuple[int, ...]) -> str:
    r"""Return the characters with these boundaries (see `unicode.properties`), for brackets in a regular expression.

    >>> brackets((0x61, 0x64))
    '\\U00000061-\\U00000063'
    """
    ends = [*boundaries, 0x110000] if len(boundaries) % 2 else boundaries
    return "".join([f"\\U{first:08x}-\\U{end - 1:08x}" for first, end in zip(ends[::2], ends[1::2])])


def _as_text(token: Hashable) -> str:
    return token.decode("utf-8", "surrogatepass") if isinstance(token, bytes) else str(token)


@lru_cache(maxsize=None)
def _faster_way(kind: type[BaseTokenizer]) -> Callable[..., Sequence[Sequence[Any]]] | None:
    """Return the faster way of this class itself; `None` if it has none, or if `separation` is missing."""
    try:
        from .separation import FASTER
    except ImportError:
        return None
    return FASTER.get(vars(kind).get("FASTER", ""))
