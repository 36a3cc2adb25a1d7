"""Splitting text into words as MeCab does (Kudo et al., 2004), with MeCab's dictionaries, but without MeCab itself.

`Dictionary` opens a compiled dictionary: the words of a language, rules for unknown words, and the costs of two
neighbouring words. `split` finds the cheapest way to split a text into words, by Viterbi's search through a lattice.
`find_dictionary` finds an installed dictionary. `fastest_split` uses MeCab itself if it is installed.
"""

from __future__ import annotations

import os
from functools import lru_cache, partial
from importlib import import_module
from importlib.util import find_spec
from struct import Struct
from struct import error as StructError

from ..files.opening import check_end
from ..files.writing import named_errors
from ..runtime.errors import PurebleuError
from ..runtime.hints import Any, Callable, Mapping, NamedTuple, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Optional, Tuple

    #: The entries of a word. An entry has the word's id for connections to the word before, its id for connections to
    #: the word after, its cost, and its cost after whitespace. (A cost is a scaled negative log-probability.)
    Entries = Tuple[Tuple[int, int, int, int], ...]

    #: The properties of a character. The first property has a bit for each category of the character. The other
    #: properties are about unknown words that start with the character: their entries, their largest number of
    #: characters, whether a run of characters of one category may be such a word, and whether unknown words are tried
    #: even if the dictionary has a word.
    Category = Tuple[int, Entries, int, bool, bool]

    #: A word of the text: its start, its end, and the cheapest word before it (`None` before the first word). (During
    #: the search, Python frees a word if no later word is linked to it.)
    Word = Optional[Tuple[int, int, Any]]

    #: For each word that ends at a position: the cost of the text up to its end, its id for connections to the word
    #: after, and the word.
    Ends = List[Tuple[int, int, Word]]

#: The value of a trie node at which no word ends.
NO_WORD = -1

_HEADER = Struct("<10I32s")
_TOKEN = Struct("<HHHhII")
_MAGIC = 0xEF718F77
_VERSION = 102

#: The number of code points in a table of characters. (The next code point, U+FFFF, is a non-character.)
_CODE_POINTS = 0xFFFF

#: The largest numbers of cached steps through the trie, of words, and of characters. The caches suffice for a large
#: corpus, and take at most 30 MB.
_MAX_CACHED_STEPS = 1 << 16
_MAX_CACHED_WORDS = 1 << 15
_MAX_CACHED_CHARACTERS = 1 << 13


class Lexicon:
    """A dictionary file: a trie from words (or from categories of unknown words) to their entries.

    `entries_of` looks up a whole word. `step` follows one character through the trie, and returns the word that ends
    with this character. `entries` returns the entries of such a word. The constructor raises `PurebleuError` if the
    file is cut off or is not a dictionary.
    """

    def __init__(self, path: str, penalties: Mapping[int, int]) -> None:
        self._path = path
        self._penalties = penalties
        content = _contents(path)
        try:
            magic, version, _, size, _, _, trie, tokens, features, _, charset = _HEADER.unpack(content[:_HEADER.size])
        except StructError:
            raise PurebleuError(f"{path}: the file is not a MeCab dictionary") from None
        if magic ^ _MAGIC != len(content) or version != _VERSION or trie % 8 or tokens % _TOKEN.size or (
                _HEADER.size + trie + tokens + features != len(content)):
            raise PurebleuError(f"{path}: the file is cut off or is not a MeCab dictionary of version {_VERSION}")
        self.size: int = size
        self.charset: str = charset.rstrip(b"\0").decode("ascii", "replace").lower()
        self._trie = _integers(content[_HEADER.size:_HEADER.size + trie], "i")
        self._units = len(self._trie) // 2
        self._tokens = content[_HEADER.size + trie:_HEADER.size + trie + tokens]
        #: The node at which `step` starts.
        self.root = self._trie[0] if self._units else -1
        # (These caches are freed with the dictionary. The cache of a decorated method would stay in memory.)
        self.step: Callable[[int, str], tuple[int, int]] = lru_cache(_MAX_CACHED_STEPS)(self._step)
        self.entries: Callable[[int], Entries] = lru_cache(_MAX_CACHED_WORDS)(self._entries)

    def entries_of(self, key: str) -> Entries:
        """Return the entries of a word. If the trie lacks the word, return an empty tuple."""
        node, word = self.root, NO_WORD
        for character in key:
            node, word = self.step(node, character)
        return self.entries(word) if word != NO_WORD else ()

    def _entries(self, word: int) -> Entries:
        """Return the entries of a word that `step` found."""
        start, count = word >> 8, word & 0xFF
        tokens = self._tokens[start * _TOKEN.size:(start + count) * _TOKEN.size]
        if len(tokens) != count * _TOKEN.size:
            raise PurebleuError(f"{self._path}: the dictionary is damaged")
        return tuple([(left, right, cost, cost + self._penalties.get(part_of_speech, 0))
                      for left, right, part_of_speech, cost, _, _ in _TOKEN.iter_unpack(tokens)])

    def _step(self, node: int, character: str) -> tuple[int, int]:
        """Follow a character from `node`. Return the next node, and the word that ends at the next node (or `NO_WORD`).

        If no word of the trie continues with the character, the next node is -1.
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

    `penalties` has, for parts of speech, the additional costs of words after whitespace. Files are mapped into memory,
    so that only the needed parts are read. The constructor raises `PurebleuError` if a file can't be read.
    """

    def __init__(self, folder: str, penalties: Mapping[int, int] | None = None) -> None:
        self.folder = folder
        self.words = Lexicon(os.path.join(folder, "sys.dic"), penalties or {})
        self._unknown = Lexicon(os.path.join(folder, "unk.dic"), penalties or {})
        for lexicon in (self.words, self._unknown):
            if lexicon.charset not in ("utf-8", "utf8"):
                raise PurebleuError(f"{folder}: the encoding of the dictionary is {lexicon.charset!r}, not UTF-8")
        self._open_connections(os.path.join(folder, "matrix.bin"))
        self._open_characters(os.path.join(folder, "char.bin"))
        self.category: Callable[[str], Category] = lru_cache(_MAX_CACHED_CHARACTERS)(self._category)

    def connections(self, right_part: int) -> memoryview:
        """Return the costs of connections to a word with the id `right_part`, indexed by the id of the word before."""
        start = right_part * self._lefts
        return self._connections[start:start + self._lefts]

    def _open_connections(self, path: str) -> None:
        content = _contents(path)
        self._lefts = int.from_bytes(content[:2], "little")  # the number of ids of words before
        if len(content) != 4 + 2 * self._lefts * int.from_bytes(content[2:4], "little"):
            raise PurebleuError(f"{path}: the file is cut off or is not a MeCab matrix")
        self._connections = _integers(content[4:], "h")

    def _open_characters(self, path: str) -> None:
        content = _contents(path)
        count = int.from_bytes(content[:4], "little")
        start = 4 + 32 * count
        if len(content) != start + 4 * _CODE_POINTS:
            raise PurebleuError(f"{path}: the file is cut off or is not a MeCab table of characters")
        self._categories = [bytes(content[offset:offset + 32]).rstrip(b"\0").decode("utf-8", "replace")
                            for offset in range(4, start, 32)]
        self._characters = _integers(content[start:], "I")

    def _category(self, character: str) -> Category:
        """Return the properties of a character (see `Category`)."""
        code = ord(character)
        # For U+FFFF, which the table lacks, MeCab reads a zero. MeCab treats characters beyond U+FFFF as U+0000.
        bits = 0 if code == _CODE_POINTS else self._characters[code if code < _CODE_POINTS else 0]
        kinds, category, longest = bits & 0x3FFFF, bits >> 18 & 0xFF, bits >> 26 & 0xF
        if category >= len(self._categories):
            raise PurebleuError(f"{self.folder}: the dictionary is damaged")
        entries = self._unknown.entries_of(self._categories[category])
        return kinds, entries, longest, bool(bits >> 30 & 1), bool(bits >> 31)


def _contents(path: str) -> memoryview:
    """Return the content of a file, mapped into memory if that is possible."""
    check_end(path)
    with named_errors(path), open(path, "rb") as file:
        try:
            from mmap import ACCESS_READ, mmap

            content: Any = mmap(file.fileno(), 0, access=ACCESS_READ)
        except (ImportError, OSError, ValueError):  # (for example, the file is empty)
            content = file.read()
    return memoryview(content)


def _integers(content: memoryview, code: str) -> memoryview:
    """Return little-endian content as integers. `code` is their type code in `struct`."""
    import sys

    if sys.byteorder == "little":
        return content.cast(code)  # type: ignore[call-overload,no-any-return]  # it is one of three
    from array import array

    swapped = array(code, content.tobytes())
    swapped.byteswap()
    return memoryview(swapped)


#: The largest number of characters of a run that is tried as one unknown word.
_MAX_RUN = 25

#: The largest number of characters of a word (up to 26 in the IPA dictionary), and the largest number of words that
#: contain the same position of the text (about 200 in Japanese text). Without these limits, a malicious dictionary
#: could fill the memory.
_MAX_WORD = 1 << 8
_MAX_WORDS = 1 << 10

#: The id in connections that stands for the start and the end of a text.
_BOUNDARY = 0


def split(text: str, dictionary: Dictionary) -> list[str]:
    """Split a text into words, as MeCab does (Kudo et al., 2004). Whitespace between words is left out.

    Raises:
        PurebleuError: the dictionary is damaged.
    """
    # sacreBLEU-compat: MeCab takes C strings, which end at a NUL. (fixtures: mecab)
    text = text.partition("\0")[0]
    try:
        word = _last_word(text, dictionary)
    except IndexError:
        raise PurebleuError(f"{dictionary.folder}: the dictionary is damaged") from None
    words: list[str] = []
    while word is not None:
        begin, end, word = word
        words.append(text[begin:end])
    return words[::-1]


def _last_word(text: str, dictionary: Dictionary) -> Word:
    """Return the last word of the cheapest split. Each word is linked to the word before it.

    For each position at which a word ends, from left to right:

    1. Find the words that may start at the position, or after whitespace at the position (`_candidates`).
    2. Link each of these words to the cheapest word before it (`_extend`).
    """
    categories = [dictionary.category(character) for character in text]
    runs = _ends_of_runs(categories)
    spaces = dictionary.category(" ")[0]
    ends: list[Ends] = [[] for _ in range(len(text) + 1)]
    ends[0].append((0, _BOUNDARY, None))
    latest: Ends = []
    waiting = 0  # the number of words that contain the position
    for position, category in enumerate(categories):
        if ends[position]:
            # If words have the same cost, MeCab takes the word that starts last in the text. If several words have this
            # start, MeCab takes the first of these words in the dictionary. So the list, which has the opposite order,
            # is reversed.
            latest = ends[position][::-1]
            begin = runs[position] if category[0] & spaces else position
            if begin < len(text):
                candidates = _candidates(text, begin, categories, runs, dictionary)
                waiting += sum([len(entries) for _, entries in candidates])
                if waiting > _MAX_WORDS:
                    raise PurebleuError(f"{dictionary.folder}: the dictionary is damaged")
                _extend(ends, latest, begin, position < begin, candidates, dictionary)
        waiting -= len(ends[position])
        ends[position] = []
    # (If the text ends with whitespace, `latest` has the words before the whitespace.)
    _, word = _cheapest(ends[-1][::-1] or latest, dictionary.connections(_BOUNDARY))
    return word


def _ends_of_runs(categories: list[Category]) -> list[int]:
    """Return, for each character, the end of the run from this character on. Neighbours in a run share a category."""
    runs = list(range(1, len(categories) + 1))
    for position in range(len(categories) - 2, -1, -1):
        if categories[position][0] & categories[position + 1][0]:
            runs[position] = runs[position + 1]
    return runs


def _candidates(text: str, begin: int, categories: list[Category], runs: list[int],
                dictionary: Dictionary) -> list[tuple[int, Entries]]:
    """Return the words that may start at a position, in MeCab's order. A word is given as its end and its entries."""
    candidates: list[tuple[int, Entries]] = []
    lexicon = dictionary.words
    step, node = lexicon.step, lexicon.root
    count = 0
    for end in range(begin + 1, min(begin + _MAX_WORD, len(text)) + 1):
        node, word = step(node, text[end - 1])
        entries = lexicon.entries(word) if word != NO_WORD else ()
        if entries:
            candidates.append((end, entries))
            count += len(entries)
            if count > _MAX_WORDS:
                break  # (a damaged dictionary: `_last_word` raises an error)
        if node < 0:
            break
    kinds, unknown, longest, groups, always = categories[begin]
    if candidates and not always:
        return candidates
    run = 0
    if groups:
        run = runs[begin]
        if run - begin <= _MAX_RUN:
            candidates.append((run, unknown))
    end = begin + 1
    for _ in range(longest):
        if end == run:
            break
        candidates.append((end, unknown))
        if end == len(text) or not kinds & categories[end][0]:
            break
        end += 1
    return candidates or [(end, unknown)]


def _extend(ends: list[Ends], lefts: Ends, begin: int, spaced: bool, candidates: list[tuple[int, Entries]],
            dictionary: Dictionary) -> None:
    """Connect each word that may start at a position to the cheapest word before it."""
    cheapest: dict[int, tuple[int, Word]] = {}
    for end, entries in reversed(candidates):
        for left, right, cost, cost_after_space in reversed(entries):
            if left not in cheapest:
                cheapest[left] = _cheapest(lefts, dictionary.connections(left))
            before, word = cheapest[left]
            ends[end].append((before + (cost_after_space if spaced else cost), right, (begin, end, word)))


def _cheapest(lefts: Ends, connections: memoryview) -> tuple[int, Word]:
    """Return the lowest cost of a text with a connection to the next word, and the last word of this text."""
    if not lefts:
        raise PurebleuError("the dictionary has no words for this text")
    costs = [cost + connections[right] for cost, right, _ in lefts]
    minimum = min(costs)
    return minimum, lefts[costs.index(minimum)][2]


#: The largest number of characters of a dictionary's settings (mecab-ko-dic has 1,419), and the largest penalty.
_MAX_SETTINGS = 1 << 14
_MAX_PENALTY = 1 << 30


class Distribution(NamedTuple):
    """A published dictionary, and the program that splits text with it.

    Attributes:
        name: the name of the dictionary in error messages.
        size: the number of words in the dictionary.
        variable: the environment variable that names the folder of the dictionary.
        package: the Python package that contains the dictionary.
        folders: the folders where operating systems install the dictionary.
        advice: how to install the dictionary.
        binding: the Python package of MeCab.
        version: the version of MeCab that splits text into the same words as `split`.
        has_penalties: whether the settings of the dictionary have costs of words after whitespace.
    """

    name: str
    size: int
    variable: str
    package: str
    folders: Sequence[str]
    advice: str
    binding: str
    version: str
    has_penalties: bool = False


def find_dictionary(wanted: Distribution) -> str:
    """Return the folder of a dictionary: from the environment variable, in the Python package, or among `folders`.

    Raises `PurebleuError` if the dictionary is not found. The error says how to install the dictionary.
    """
    if os.environ.get(wanted.variable):
        return os.environ[wanted.variable]
    spec = find_spec(wanted.package)
    installed = [os.path.join(folder, "dicdir") for folder in (spec.submodule_search_locations or ())] if spec else []
    for folder in (*installed, *wanted.folders):
        if os.path.exists(os.path.join(folder, "sys.dic")):
            return folder
    raise PurebleuError(f"{wanted.advice}, or set {wanted.variable} to the folder of the compiled dictionary")


@lru_cache(maxsize=None)  # (so that several tokenizers share a dictionary)
def fastest_split(folder: str, wanted: Distribution) -> tuple[Callable[[str], Sequence[str]], str]:
    """Return a function that splits a text into words, and the version of MeCab that gives the same words.

    The function calls MeCab if MeCab's Python package is installed. Otherwise, the function calls `split`.

    Raises:
        PurebleuError: the dictionary in the folder is damaged, or is another dictionary.
    """
    dictionary = Dictionary(folder, penalties_after_space(folder) if wanted.has_penalties else None)
    if dictionary.words.size != wanted.size:
        raise PurebleuError(f"{folder}: the dictionary has {dictionary.words.size:,} words, but {wanted.name} has "
                            f"{wanted.size:,}, so scores would differ from sacreBLEU's")
    tagger = _tagger(folder, wanted.binding)
    if tagger is None:
        return partial(split, dictionary=dictionary), wanted.version
    return partial(_split_by_mecab, tagger=tagger), str(tagger.version())


def _tagger(folder: str, binding: str) -> Any:
    """Return MeCab's tagger with a dictionary. Return `None` if MeCab is not installed, or does not work."""
    resources = os.path.join(folder, "mecabrc")
    if not os.path.exists(resources):
        resources = os.devnull
    try:
        return import_module(binding).Tagger(f'-r "{resources}" -d "{folder}" -Owakati')
    except (ImportError, RuntimeError):
        return None


def _split_by_mecab(text: str, tagger: Any) -> Sequence[str]:
    words = tagger.parse(text)
    if words is None:
        raise PurebleuError("the text is too long for MeCab")
    return (words,)


def penalties_after_space(folder: str) -> dict[int, int]:
    """Return the cost of whitespace before a word of each part of speech, from the settings of the dictionary."""
    path = os.path.join(folder, "dicrc")
    try:
        with named_errors(path), open(path, encoding="utf-8") as file:
            lines = file.read(_MAX_SETTINGS).split("\n")
            if file.read(1):
                raise PurebleuError(f"{path}: the file is too large for the settings of a dictionary")
    except UnicodeDecodeError as error:
        raise PurebleuError(f"{path}: the file is not valid UTF-8 ({error})") from error
    settings = dict([line.split("=", 1) for line in lines if "=" in line and line[0] not in "#;"])
    factors = {name.strip(): value for name, value in settings.items()}.get("left-space-penalty-factor", "")
    try:
        numbers = list(map(int, factors.split(","))) if factors.strip() else []
        if any(abs(number) > _MAX_PENALTY for number in numbers):
            raise ValueError
    except ValueError:
        raise PurebleuError(f"{path}: the setting left-space-penalty-factor is not a list of numbers") from None
    return dict(zip(numbers[::2], numbers[1::2]))
