"""Normalization of a text, before a SentencePiece model segments it."""

from __future__ import annotations

import struct
from contextlib import suppress
from functools import lru_cache
from itertools import dropwhile

from ...runtime.errors import PurebleuError
from ...runtime.hints import Callable, Iterable, Sequence
from .model_file import SPACE, USER_DEFINED, Model, Pieces

#: The largest number of cached steps through the trie. (A corpus needs fewer steps.)
_MAX_CACHED_STEPS = 1 << 16

#: The largest length of a mapped string, in characters, and of its replacement, in bytes. (In SentencePiece's own maps,
#: these lengths are up to 4 and 33.)
_MAX_KEY = 1 << 6
_MAX_TEXT = 1 << 7

#: The largest number of nodes that `CharacterMap.following` searches. (SentencePiece's own maps need up to 8 nodes.)
_MAX_NODES = 1 << 5

#: The bytes that continue a character in UTF-8.
_CONTINUATION = range(0x80, 0xC0)

_DAMAGED = "the model's character map is damaged"


class CharacterMap:
    """A compiled map from strings to their replacements. Most of the strings are single characters.

    The map is a double-array trie (as in the library darts-clone) of strings in UTF-8. The values of the trie are
    offsets of replacements. Each replacement ends with NUL.
    """

    def __init__(self, content: bytes) -> None:
        size = int.from_bytes(content[:4], "little")
        if content and (size % 4 or not 0 < size <= len(content) - 4):
            raise PurebleuError(_DAMAGED)
        self._units = struct.unpack_from(f"<{size // 4}I", content, 4 if content else 0)
        self._texts = content[4 + size:]
        #: The node at which `step` starts. If the map is empty, the node is -1.
        self.root = _offset(self._units[0]) if self._units else -1
        # (This cache is freed with the map. The cache of a decorated method would stay in memory.)
        self.step: Callable[[int, str], tuple[int, str | None]] = lru_cache(_MAX_CACHED_STEPS)(self._step)

    def _step(self, node: int, character: str) -> tuple[int, str | None]:
        """Follow a character from `node`. Return the next node, and a replacement.

        The replacement is for the string of the map that ends at the next node. If no string ends at the next node, the
        replacement is `None`. If no string continues with the character, the next node is -1.
        """
        units = self._units
        if node < 0:
            return -1, None
        leaf = False
        for byte in character.encode("utf-8", "surrogatepass"):
            node ^= byte
            if node >= len(units) or units[node] & 0x800000FF != byte:
                return -1, None
            leaf = bool(units[node] >> 8 & 1)
            node ^= _offset(units[node])
        if not leaf:
            return node, None
        if node >= len(units):
            raise PurebleuError(_DAMAGED)
        return node, self._read_text(units[node] & 0x7FFFFFFF)

    def following(self, node: int) -> set[str] | None:
        """Return the characters that can follow a node; `None` if that takes too long, or if the map is damaged."""
        if node < 0:  # (the usual case, because most characters are mapped alone)
            return set()
        units = self._units
        characters: list[bytes] = []
        pending = [(node, b"")]
        for _ in range(_MAX_NODES):
            if not pending:
                with suppress(UnicodeDecodeError):
                    return set(b"".join(characters).decode("utf-8", "surrogatepass"))
                break
            node, before = pending.pop()
            for byte in _CONTINUATION if before else range(0x100):
                offset = node ^ byte
                if offset < len(units) and units[offset] & 0x800000FF == byte:
                    text = before + bytes((byte,))
                    if len(text) == _size(text[0]):
                        characters.append(text)
                    else:
                        pending.append((offset ^ _offset(units[offset]), text))
        return None

    def _read_text(self, start: int) -> str:
        """Return the replacement at an offset. (Replacements can't overlap, so their total size is limited.)"""
        end = self._texts.find(b"\0", start, start + _MAX_TEXT + 1)
        if end < 0 or (start > 0 and self._texts[start - 1] != 0):
            raise PurebleuError(_DAMAGED)
        return self._texts[start:end].decode("utf-8", "replace")


def _offset(unit: int) -> int:
    """Return the offset that a unit of the double array has. If bit 9 is set, the offset is multiplied by 256."""
    return unit >> 10 << ((unit & 0x200) >> 6)


def _size(first: int) -> int:
    """Return the size of a character in UTF-8, from its first byte."""
    return 1 + (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0)


class UserDefinedSymbols:
    """The user-defined symbols of a model: pieces that are neither normalized nor split."""

    def __init__(self, pieces: Pieces) -> None:
        #: The symbols by their first characters, the longest first.
        self.by_character: dict[str, list[str]] = {}
        for symbol in sorted(map(bytes.decode, pieces.by_kind[USER_DEFINED]), key=len, reverse=True):
            self.by_character.setdefault(symbol[0], []).append(symbol)

    def end_of_match(self, text: str, start: int) -> int:
        """Return the end of the longest symbol that begins at `start`. If there is no such symbol, return `start`."""
        for symbol in self.by_character.get(text[start], ()):
            if text.startswith(symbol, start):
                return start + len(symbol)
        return start


class Normalizer:
    """Normalizes text for a model, as SentencePiece does before segmentation."""

    def __init__(self, model: Model, symbols: UserDefinedSymbols) -> None:
        self._map = CharacterMap(model.character_map)
        self._symbols = symbols
        self._model = model
        self._mapped: dict[int, str] = {}  # mapped characters, by code point, for `str.translate`
        #: Characters that may be mapped together with neighbours. A word that has none of these characters can be
        #: normalized with `_mapped` alone.
        self._joining: set[str] = set()

    def normalize(self, text: str) -> str:
        """Return the normalized text for segmentation. For most models, spaces are replaced by `SPACE`."""
        model = self._model
        parts = self.parts(text)[0]
        if model.remove_extra_whitespaces:
            parts = list(dropwhile(" ".__eq__, parts))
        if not parts:
            return ""
        words = _single_spaced(parts) if model.remove_extra_whitespaces else "".join(parts)
        space = " "
        if model.escape_whitespaces:
            space = SPACE
            words = words.replace(" ", SPACE)
        if model.add_dummy_prefix and not model.whitespace_as_suffix:
            words = space + words
        if model.remove_extra_whitespaces:
            # sacreBLEU-compat: a `SPACE` that the text itself has at its end is removed, too. (fixtures: sentencepiece)
            words = words.rstrip(space)
        return words + space if model.add_dummy_prefix and model.whitespace_as_suffix else words

    def words(self, words: Sequence[str]) -> list[str | None]:
        """Return the normalized text of each word, or `None` if a space after the word might change the text."""
        # Characters that are mapped together are rare. A word without such characters is mapped by `str.translate`.
        characters = set(" ".join(words) + " ")
        self._learn(characters)
        if self._joining.isdisjoint(characters):
            return [word.translate(self._mapped) for word in words]
        return [word.translate(self._mapped) if self._joining.isdisjoint(word + " ") else self._word(word)
                for word in words]

    def _word(self, word: str) -> str | None:
        """Return the result of `words` for one word."""
        parts, undecided = self.parts(word)
        return None if undecided else "".join(parts)

    def _learn(self, characters: set[str]) -> None:
        """Cache the mappings of characters, and collect characters that may be mapped together with neighbours."""
        for character in [one for one in characters if ord(one) not in self._mapped]:
            node, mapped = self._map.step(self._map.root, character)
            self._mapped[ord(character)] = character if mapped is None else mapped
            following = self._map.following(node)
            if following is None or character in self._symbols.by_character:
                self._joining.add(character)
            else:
                self._joining |= following

    def maps_spaces(self) -> bool:
        """Return whether the character map replaces a space, or a string that begins with a space."""
        return self._map.step(self._map.root, " ")[0] >= 0

    def parts(self, text: str) -> tuple[list[str], bool]:
        """Return the parts of the mapped text, and whether a space after the text might have changed these parts."""
        step = self._map.step
        parts: list[str] = []
        undecided = False
        start = 0
        while start < len(text):
            end = self._symbols.end_of_match(text, start)
            part = text[start:end]
            if end == start:
                # The longest string that begins with this character, and that is in the map, is replaced. If the map
                # has no such string, the character stays as it is.
                part, end = text[start], start + 1
                node = self._map.root
                for ahead in range(start, min(start + _MAX_KEY, len(text))):
                    node, mapped = step(node, text[ahead])
                    if mapped is not None:
                        part, end = mapped, ahead + 1
                    if node < 0:
                        break
                else:
                    undecided = undecided or step(node, " ")[0] >= 0
            parts.append(part)
            start = end
        return parts, undecided


def _single_spaced(parts: Iterable[str]) -> str:
    """Join the parts. Remove spaces at the beginning, and replace several spaces in a row by one space."""
    kept: list[str] = []
    after_space = True
    for part in parts:
        if after_space:
            part = part.lstrip(" ")
        if part:
            kept.append(part)
            after_space = part.endswith(" ")
    return "".join(kept)
