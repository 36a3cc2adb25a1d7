"""The base class of tokenizers. To split many lines, it calls a method for each line, or a faster function."""

from __future__ import annotations

from functools import lru_cache

from ..engines import wants_plain
from ..runtime.hints import Any, Callable, Hashable, Sequence
from ..unicode.properties import SPACES


class BaseTokenizer:
    """A tokenizer. It is called with a line, and returns the tokens of the line, joined by spaces.

    A subclass defines `SIGNATURE` or `signature`, and `tokenize_line` or `tokenize_lines`.
    """

    #: The value of `tok:` in signatures, if it is the same for all objects of the class.
    SIGNATURE = ""

    #: Whether each token is a character. If so, the tokens of a line are a string.
    OF_CHARACTERS = False

    #: Whether it is faster to tokenize a whole block of lines at once, instead of parts that fit into the cache.
    WHOLE_BLOCKS = False

    #: The key of a faster function in `separation.FASTER`. (A subclass does not inherit it, because its tokens may
    #: differ.)
    FASTER = ""

    def signature(self) -> str:
        """Return the value of `tok:` in signatures."""
        if not self.SIGNATURE:
            raise NotImplementedError
        return self.SIGNATURE

    def tokenize_line(self, line: str) -> Sequence[Hashable]:
        """Return the tokens of a line. This method defines the tokenizer.

        Tokens are hashable values of one type, such as `str`, or `bytes` in UTF-8.
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
    """A tokenizer that calls a function. The function returns the tokens of a line as a list, a tuple or a string.

    In signatures, the tokenizer has the name `name`. Without a `name`, it is `custom`, with the name of the function if
    this is an identifier.

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
        # (A name such as "<lambda>" says nothing, and other names may contain separators of signatures.)
        return f"custom[{name}]" if isinstance(name, str) and name.isidentifier() else "custom"

    def tokenize_line(self, line: str) -> Sequence[Hashable]:
        tokens = self._function(line)
        if isinstance(tokens, str):
            return tokens.split()
        if isinstance(tokens, (list, tuple)):
            return tokens  # pyright: ignore[reportUnknownVariableType]  # (counting fails if an item is not hashable)
        raise TypeError(f"the tokenizer {self._function!r} returned {type(tokens).__name__}; "
                        "a string, list or tuple is needed")


def words_of(line: str) -> list[bytes]:
    r"""Return the words of a line, separated by whitespace, in UTF-8.

    >>> words_of("a b\u3000c")
    [b'a', b'b', b'c']
    """
    # (Strings may contain lone surrogates, which count as characters.)
    return line.translate(SPACES).encode("utf-8", "surrogatepass").split()


@lru_cache(maxsize=None)
def brackets(boundaries: tuple[int, ...]) -> str:
    r"""Return the characters between boundaries (see `boundaries_of`), for brackets in a regular expression.

    >>> brackets((0x61, 0x64))
    '\\U00000061-\\U00000063'
    """
    ends = [*boundaries, 0x110000] if len(boundaries) % 2 else boundaries
    return "".join([f"\\U{first:08x}-\\U{end - 1:08x}" for first, end in zip(ends[::2], ends[1::2])])


def _as_text(token: Hashable) -> str:
    return token.decode("utf-8", "surrogatepass") if isinstance(token, bytes) else str(token)


@lru_cache(maxsize=None)
def _faster_way(kind: type[BaseTokenizer]) -> Callable[..., Sequence[Sequence[Any]]] | None:
    """Return the faster function of a class, or `None` if there is none or a vendored copy lacks `separation`."""
    try:
        from .separation import FASTER
    except ImportError:
        return None
    return FASTER.get(vars(kind).get("FASTER", ""))
