"""Names that clients of sacreBLEU import from here."""

from .mteval13a import Tokenizer13a as Tokenizer13a

__all__ = ["Tokenizer13a"]
