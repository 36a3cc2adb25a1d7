"""Compiled MeCab dictionaries: the words of a language, rules for unknown words, and the costs of neighbours."""

from __future__ import annotations

import os
from functools import lru_cache
from struct import Struct
from struct import error as StructError

from ...errors import PurebleuError
from ...files.writing import check_no_device, named_errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Mapping, Tuple

    #: The entries of a word. Each has two ids, for the connections to the word before it and to the word after it; its
    #: cost; and its cost after whitespace. (Costs are scaled negative log-probabilities.)
    Entries = Tuple[Tuple[int, int, int, int], ...]

    #: The properties of a character for unknown words: a bit for each of its categories; the entries of unknown words
    #: of its main category; their largest number of characters; whether a run of such characters may be one word; and
    #: whether unknown words are considered even if the dictionary has words there.
    Category = Tuple[int, Entries, int, bool, bool]

#: The stand-in for a word, if none ends at a node of a trie.
NO_WORD = -1

_HEADER = Struct("<10I32s")
_TOKEN = Struct("<HHHhII")
_MAGIC = 0xEF718F77
_VERSION = 102

#: The number of code points in a table of characters. (The next one is a non-character.)
_CODE_POINTS = 0xFFFF

#: The largest numbers of cached steps through the trie, of tokens, and of characters: about as many as a large corpus
#: has, in at most 30 MB. For a small dictionary, fewer are cached, in proportion to its size.
_MAX_CACHED_STEPS, _BYTES_PER_STEP = 1 << 16, 128
_MAX_CACHED_TOKENS, _BYTES_PER_TOKEN = 1 << 16, 64
_MIN_CACHED = 1 << 10
_MAX_CACHED_CHARACTERS = 1 << 13


class Lexicon:
    """A file of words, or of the categories of unknown words: a trie whose values are entries.

    `entries_of` returns the entries for a whole key. `step` goes through the trie, character by character, and finds
    words; `entries` returns their entries. Raises `PurebleuError` if the file is obviously another one.
    """

    def __init__(self, path: str, penalties: Mapping[int, int]) -> None:
        self._path = path
        self._penalties = penalties
        content = _contents(path)
        try:
            magic, version, _, size, _, _, trie, tokens, features, _, charset = _HEADER.unpack(content[:_HEADER.size])
        except StructError:
            raise PurebleuError(f"{path}: not a MeCab dictionary") from None
        if magic ^ _MAGIC != len(content) or version != _VERSION or trie % 8 or tokens % _TOKEN.size or (
                _HEADER.size + trie + tokens + features != len(content)):
            raise PurebleuError(f"{path}: not a MeCab dictionary (of version {_VERSION}), or cut off")
        self.size: int = size
        self.charset: str = charset.rstrip(b"\0").decode("ascii", "replace").lower()
        self._trie = _integers(content[_HEADER.size:_HEADER.size + trie], "i")
        self._units = len(self._trie) // 2
        self._tokens = content[_HEADER.size + trie:_HEADER.size + trie + tokens]
        #: The node at which `step` starts.
        self.root = self._trie[0] if self._units else -1
        # (A decorated method would keep its cache longer than the dictionary.)
        steps = min(_MAX_CACHED_STEPS, max(_MIN_CACHED, len(content) // _BYTES_PER_STEP))
        self.step: Callable[[int, str], tuple[int, int]] = lru_cache(steps)(self._step)
        self._known: dict[int, Entries] = {}
        self._tokens_known = 0
        self._max_tokens = min(_MAX_CACHED_TOKENS, max(_MIN_CACHED, len(content) // _BYTES_PER_TOKEN))

    def entries_of(self, key: str) -> Entries:
        """Return the entries of a word; none if it is not in the trie."""
        node, word = self.root, NO_WORD
        for character in key:
            node, word = self.step(node, character)
        return self.entries(word) if word != NO_WORD else ()

    def entries(self, word: int) -> Entries:
        """Return the entries of a word that `step` found."""
        if word in self._known:
            return self._known[word]
        start, count = word >> 8, word & 0xFF
        tokens = self._tokens[start * _TOKEN.size:(start + count) * _TOKEN.size]
        if len(tokens) != count * _TOKEN.size:
            raise PurebleuError(f"{self._path}: the dictionary is damaged")
        self._tokens_known += 1 + count
        if self._tokens_known > self._max_tokens:
            self._known.clear()
            self._tokens_known = 1 + count
        self._known[word] = tuple([(left, right, cost, cost + self._penalties.get(part_of_speech, 0))
                                   for left, right, part_of_speech, cost, _, _ in _TOKEN.iter_unpack(tokens)])
        return self._known[word]

    def _step(self, node: int, character: str) -> tuple[int, int]:
        """Return the node that a character leads to from `node`, and the word that ends there, or else `NO_WORD`.

        From a node below zero, nothing follows.
        """
        trie, units = self._trie, self._units
        for byte in character.encode("utf-8", "surrogatepass"):
            unit = node + byte + 1
            if node < 0 or unit >= units or trie[2 * unit + 1] != node:
                return -1, NO_WORD
            node = trie[2 * unit]
        if not 0 <= node < units or trie[2 * node + 1] != node or trie[2 * node] >= 0:
            return node, NO_WORD
        return node, -trie[2 * node] - 1


class Dictionary:
    """A folder with a compiled dictionary in UTF-8.

    `penalties` are additional costs of words of certain parts of speech after whitespace.
    Files are mapped into memory, so that only the needed parts are read. Raises `PurebleuError` if one can't be read.
    """

    def __init__(self, folder: str, penalties: Mapping[int, int] | None = None) -> None:
        self.folder = folder
        self.words = Lexicon(os.path.join(folder, "sys.dic"), penalties or {})
        self._unknown = Lexicon(os.path.join(folder, "unk.dic"), penalties or {})
        for lexicon in (self.words, self._unknown):
            if lexicon.charset not in ("utf-8", "utf8"):
                raise PurebleuError(f"{folder}: the dictionary is in {lexicon.charset!r}, but UTF-8 is needed")
        self._open_connections(os.path.join(folder, "matrix.bin"))
        self._open_characters(os.path.join(folder, "char.bin"))
        self.category: Callable[[str], Category] = lru_cache(_MAX_CACHED_CHARACTERS)(self._category)

    def connections(self, right_part: int) -> memoryview:
        """Return the costs of connections to a word, by the id of the word before it."""
        start = right_part * self._lefts
        return self._connections[start:start + self._lefts]

    def _open_connections(self, path: str) -> None:
        content = _contents(path)
        self._lefts = int.from_bytes(content[:2], "little")
        if len(content) != 4 + 2 * self._lefts * int.from_bytes(content[2:4], "little"):
            raise PurebleuError(f"{path}: not a MeCab matrix, or cut off")
        self._connections = _integers(content[4:], "h")

    def _open_characters(self, path: str) -> None:
        content = _contents(path)
        count = int.from_bytes(content[:4], "little")
        start = 4 + 32 * count
        if len(content) != start + 4 * _CODE_POINTS:
            raise PurebleuError(f"{path}: not a MeCab table of characters, or cut off")
        self._categories = [bytes(content[offset:offset + 32]).rstrip(b"\0").decode("utf-8", "replace")
                            for offset in range(4, start, 32)]
        self._characters = _integers(content[start:], "I")

    def _category(self, character: str) -> Category:
        """Return the properties of a character (see `Category`)."""
        code = ord(character)
        # MeCab reads a zero after the end of the table, and treats characters beyond U+FFFF as U+0000.
        bits = 0 if code == _CODE_POINTS else self._characters[code if code < _CODE_POINTS else 0]
        kinds, category, longest = bits & 0x3FFFF, bits >> 18 & 0xFF, bits >> 26 & 0xF
        if category >= len(self._categories):
            raise PurebleuError(f"{self.folder}: the dictionary is damaged")
        entries = self._unknown.entries_of(self._categories[category])
        return kinds, entries, longest, bool(bits >> 30 & 1), bool(bits >> 31)


def _contents(path: str) -> memoryview:
    """Return the content of a file, mapped into memory if that is possible."""
    check_no_device(path)
    with named_errors(path), open(path, "rb") as file:
        try:
            from mmap import ACCESS_READ, mmap

            content: Any = mmap(file.fileno(), 0, access=ACCESS_READ)
        except (ImportError, OSError, ValueError):  # (the file system may not allow it, or the file may be empty)
            content = file.read()
    return memoryview(content)


def _integers(content: memoryview, code: str) -> memoryview:
    """Return the content as little-endian integers of a `struct` code."""
    import sys

    if sys.byteorder == "little":
        return content.cast(code)  # type: ignore[call-overload,no-any-return]  # it is one of three
    from array import array

    swapped = array(code, content.tobytes())
    swapped.byteswap()
    return memoryview(swapped)
