"""Segmenting normalized text into pieces: the algorithm of a model, and its pieces as SentencePiece shows them."""

from __future__ import annotations

from .merging import PairMerging
from .model import BPE
from .pieces import byte_piece
from .unigram import Unigram

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from .model import Model
    from .normalization import UserDefinedSymbols
    from .pieces import Scores


def make_algorithm(model: Model, symbols: UserDefinedSymbols) -> Unigram | PairMerging:
    """The algorithm that the pieces of a model were made for."""
    return PairMerging(model.pieces, symbols) if model.algorithm == BPE else Unigram(model.pieces)


def pieces(segmented: Sequence[bytes], known: Scores, byte_fallback: bool) -> list[bytes]:
    """The pieces of a text as SentencePiece shows them.

    Args:
        segmented: the pieces of a `Segmentation`.
        known: the pieces of the model that text may end up in; others are single characters.
        byte_fallback: whether unknown pieces become pieces for their bytes; else, neighbouring ones become one.

    Example:
        >>> pieces([b"a", b"b", b"c"], {b"a": -1.0}, False), pieces([b"b"], {}, True)
        ([b'a', b'bc'], [b'<0x62>'])
    """
    found: list[bytes] = []
    unknown: list[bytes] = []
    for text in segmented:
        if text not in known:
            unknown.append(text)
            continue
        if unknown:
            found += _unknown_pieces(unknown, byte_fallback)
            unknown = []
        found.append(text)
    return found + _unknown_pieces(unknown, byte_fallback) if unknown else found


def _unknown_pieces(texts: Sequence[bytes], byte_fallback: bool) -> list[bytes]:
    text = b"".join(texts)
    return list(map(byte_piece, text)) if byte_fallback else [text]
