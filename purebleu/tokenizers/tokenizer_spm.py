"""Names that clients of sacreBLEU import from here."""

from ..compat.tokenizers import Flores101Tokenizer, Flores200Tokenizer, TokenizerSPM, spBLEU1KTokenizer

__all__ = ["Flores101Tokenizer", "Flores200Tokenizer", "TokenizerSPM", "spBLEU1KTokenizer"]
