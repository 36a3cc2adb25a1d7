"""The file of a SentencePiece model: a message of protocol buffers, with pieces, and settings for segmentation."""

from __future__ import annotations

from ...errors import PurebleuError
from .messages import MALFORMED, bytes_of, chosen_fields, fields, number_of
from .pieces import BYTE, DAMAGED, NORMAL, UNKNOWN, Pieces, byte_piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .messages import Values

#: Algorithms that pieces may be made for. (There are also 3, words, and 4, characters.)
UNIGRAM, BPE = 1, 2

#: Numbers of fields, in the messages of a model, its trainer and its normalizer.
_PIECES, _TRAINER, _NORMALIZER = 1, 2, 3
_TRAINER_FIELDS = _ALGORITHM, _WHITESPACE_AS_SUFFIX, _BYTE_FALLBACK = 3, 24, 35
_NORMALIZER_FIELDS = _CHARACTER_MAP, _ADD_DUMMY_PREFIX, _REMOVE_EXTRA_WHITESPACES, _ESCAPE_WHITESPACES = 2, 3, 4, 5


class Model:
    """The contents of a model's file.

    `pieces` are those that text is segmented into. `algorithm` is `UNIGRAM` or `BPE`; with `byte_fallback`, unknown
    characters become pieces of bytes. `character_map` is the compiled map of the normalizer (see `normalization`),
    which the other attributes set, too: whether a space is added before the text (`add_dummy_prefix`), or behind it
    (`whitespace_as_suffix`), whether spaces at its ends and repeated ones are removed, and whether spaces become `▁`.

    Args:
        content: that of the file.

    Raises:
        PurebleuError: it is no such file, or one that text can't be segmented with.
    """

    def __init__(self, content: bytes) -> None:
        self.pieces = Pieces(len(content))
        try:
            settings = self._read(content)
            if len(settings) < 2:  # they come last, so this is what is missing where a file is cut off
                raise PurebleuError(DAMAGED)
            self._take_trainer(chosen_fields(bytes(settings.pop(_TRAINER)), _TRAINER_FIELDS))
            self._take_normalizer(chosen_fields(bytes(settings.pop(_NORMALIZER)), _NORMALIZER_FIELDS))
        except MALFORMED:
            raise PurebleuError(DAMAGED) from None
        self._check_pieces()

    def _read(self, content: bytes) -> dict[int, bytearray]:
        """Add the pieces, and return the messages with settings, by their fields."""
        settings: dict[int, bytearray] = {}
        end = 0
        while end < len(content):
            for number, value, end in fields(content, end):  # noqa: B007, B020
                if number == _PIECES and isinstance(value, bytes):
                    if self.pieces.add(value) == NORMAL and len(self.pieces.by_kind[NORMAL]) == 1:
                        break  # Nearly all that follow are like this one.
                elif number in (_TRAINER, _NORMALIZER) and isinstance(value, bytes):
                    settings.setdefault(number, bytearray()).extend(value)
            end = self.pieces.add_plain(content, end)
        return settings

    def _check_pieces(self) -> None:
        pieces = self.pieces
        if len(pieces.by_kind[UNKNOWN]) != 1 or (pieces.by_kind[BYTE] and not self.byte_fallback):
            raise PurebleuError(DAMAGED)
        if self.byte_fallback and not all(byte_piece(byte) in pieces.by_kind[BYTE] for byte in range(256)):
            raise PurebleuError(DAMAGED)
        if self.algorithm == UNIGRAM and not pieces.by_kind[NORMAL]:
            raise PurebleuError("the model has no pieces to segment text into")

    def _take_trainer(self, settings: Values) -> None:
        self.algorithm = number_of(settings, _ALGORITHM, UNIGRAM)
        if self.algorithm not in (UNIGRAM, BPE):
            raise PurebleuError("the model is neither a unigram nor a BPE model")
        self.byte_fallback = bool(number_of(settings, _BYTE_FALLBACK, 0))
        self.whitespace_as_suffix = bool(number_of(settings, _WHITESPACE_AS_SUFFIX, 0))

    def _take_normalizer(self, settings: Values) -> None:
        self.character_map = bytes_of(settings, _CHARACTER_MAP)
        self.add_dummy_prefix = bool(number_of(settings, _ADD_DUMMY_PREFIX, 1))
        self.remove_extra_whitespaces = bool(number_of(settings, _REMOVE_EXTRA_WHITESPACES, 1))
        self.escape_whitespaces = bool(number_of(settings, _ESCAPE_WHITESPACES, 1))
