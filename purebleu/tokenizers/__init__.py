"""Tokenizers by name: the registry, the defaults by language, and how a tokenizer is made.

To add one, write a module with a `Tokenizer` class in it (see `base`) and add a line to `TOKENIZERS`.
"""

from __future__ import annotations

from importlib import import_module

from ..errors import OptionError
from .base import BaseTokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

#: What `-tok` and `BLEU(tokenize=)` take, and the module of this package that holds it.
TOKENIZERS: dict[str, str] = {
    "13a": "mteval13a",
    "intl": "intl",
    "zh": "zh",
    "char": "char",
    "none": "none",
}

#: Names that sacreBLEU has and purebleu does not have yet: a clear error is better than "unknown".
PLANNED = ("ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K")

DEFAULT = "13a"

#: The tokenizer for a target language, where it is another than `DEFAULT`.
DEFAULT_BY_LANGUAGE = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}


def tokenizer_class(name: str) -> type[BaseTokenizer]:
    """The class of the tokenizer called `name`; it takes no arguments.

    Raises `OptionError` for a name that is unknown or not available yet. The module is imported only now.
    """
    if name in PLANNED:
        raise OptionError(f"the tokenizer {name!r} is not available in this version of purebleu; "
                          f"there are {', '.join(TOKENIZERS)}, and any callable through the Python API")
    if name not in TOKENIZERS:
        raise OptionError(f"unknown tokenizer {name!r}; there are {', '.join(TOKENIZERS)}")
    module = import_module("." + TOKENIZERS[name], __package__)
    found: type[BaseTokenizer] = module.Tokenizer
    return found


def make_tokenizer(choice: str | Callable[[str], object]) -> BaseTokenizer:
    """A tokenizer from its name, or from a function that takes a line and returns tokens (or one string of them)."""
    if isinstance(choice, str):
        return tokenizer_class(choice)()
    if callable(choice):
        from .custom import CustomTokenizer

        return CustomTokenizer(choice)
    raise TypeError(f"a tokenizer is a name or a callable, not {type(choice).__name__}")
