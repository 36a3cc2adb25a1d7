"""Compile a small, made-up MeCab dictionary, for tests.

    write_dictionary(folder, seed)

makes `sys.dic`, `unk.dic`, `matrix.bin`, `char.bin` and `dicrc`, which MeCab itself reads as well. Its words are those
of no language: strings over a few kanji, kana, hangul and Latin letters, many of them inside of one another, with
random costs, so that a line can be split in many ways. Some cost the same, so that ties decide.
"""

from __future__ import annotations

import random
import struct
from pathlib import Path
from typing import NamedTuple, Sequence

#: Characters of words.
ALPHABET = "日本語文字あいうえかのはがをアイウエカンー東京都가나다라은는을를ab"

#: Ids of words in connections: so many on the left, and on the right.
LEFT_IDS, RIGHT_IDS = 7, 9

#: Penalties of mecab-ko for white space before words of a part of speech, as in its dictionary's settings.
PENALTIES = {3: 3000, 5: 6000}

_VERSION = 102
_MAGIC = 0xEF718F77
_WORDS, _UNKNOWN_WORDS = 0, 2  # types of dictionaries


class Token(NamedTuple):
    """An entry of the dictionary."""

    left: int
    right: int
    part_of_speech: int
    cost: int


class Category(NamedTuple):
    """A category of characters: its ranges of code points, and what unknown words of it are like."""

    name: str
    ranges: Sequence[Sequence[int]]
    always: bool
    groups: bool
    longest: int


CATEGORIES = (
    Category("DEFAULT", (), False, True, 0),
    Category("SPACE", ((0x20, 0x20), (0xD0, 0xD0), (0x09, 0x09)), False, True, 0),
    Category("KANJI", ((0x3005, 0x3007), (0x4E00, 0x9FA5)), False, False, 2),
    Category("SYMBOL", ((0x21, 0x2F), (0x3A, 0x40), (0x3000, 0x3004), (0x3008, 0x301C), (0xFF01, 0xFF0F)),
             True, True, 0),
    Category("NUMERIC", ((0x30, 0x39), (0xFF10, 0xFF19)), True, True, 0),
    Category("ALPHA", ((0x41, 0x5A), (0x61, 0x7A), (0xC0, 0xCF), (0xD1, 0x24F)), True, True, 0),
    Category("HIRAGANA", ((0x3041, 0x309F),), False, True, 2),
    Category("KATAKANA", ((0x30A1, 0x30FF),), True, True, 2),
    Category("HANGUL", ((0xAC00, 0xD7A3), (0x1100, 0x11FF)), False, True, 3),
)

#: Characters that are of a second category, too.
ALSO = {0x30FC: "HIRAGANA", 0x4E00: "NUMERIC", 0x4E8C: "NUMERIC"}


def write_dictionary(folder: Path, seed: int) -> None:
    """Write the files of a dictionary into a folder."""
    rng = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    words = {"".join(rng.choices(ALPHABET, k=length)) for length in (1, 2, 2, 3, 3, 4, 6) for _ in range(150)}
    folder.joinpath("sys.dic").write_bytes(_lexicon(_some_tokens(rng, sorted(words)), _WORDS))
    names = sorted(category.name for category in CATEGORIES)
    folder.joinpath("unk.dic").write_bytes(_lexicon(_some_tokens(rng, names, cost=2500), _UNKNOWN_WORDS))
    costs = [rng.randrange(-20, 20) * 50 for _ in range(LEFT_IDS * RIGHT_IDS)]
    folder.joinpath("matrix.bin").write_bytes(struct.pack(f"<HH{len(costs)}h", LEFT_IDS, RIGHT_IDS, *costs))
    folder.joinpath("char.bin").write_bytes(_character_table())
    penalties = ",".join([f"{part_of_speech},{cost}" for part_of_speech, cost in PENALTIES.items()])
    folder.joinpath("dicrc").write_text(
        "cost-factor = 800\nbos-feature = BOS/EOS,*\neval-size = 1\nunk-eval-size = 1\nconfig-charset = UTF-8\n"
        f"left-space-penalty-factor = {penalties}\n", encoding="utf-8")


def _some_tokens(rng: random.Random, keys: Sequence[str], cost: int = 0) -> dict[bytes, list[Token]]:
    """One to three tokens for each key."""
    # (The ids of a word on its left are those that may be on the right of a connection.)
    return {key.encode("utf-8"): [Token(rng.randrange(RIGHT_IDS), rng.randrange(LEFT_IDS), rng.randrange(7),
                                        cost + rng.randrange(0, 30) * 100)
                                  for _ in range(rng.choice((1, 1, 2, 3)))] for key in keys}


def _lexicon(tokens_of: dict[bytes, list[Token]], kind: int) -> bytes:
    """The file of a lexicon: a header, a trie, tokens, and a text of features, which all tokens share."""
    values: dict[bytes, int] = {}
    tokens: list[Token] = []
    for key, found in sorted(tokens_of.items()):
        values[key] = len(tokens) << 8 | len(found)
        tokens += found
    trie = _double_array(values)
    table = b"".join([struct.pack("<HHHhII", *token, 0, 0) for token in tokens])
    features = b"*\0"
    sizes = (len(tokens), LEFT_IDS, RIGHT_IDS, len(trie), len(table), len(features), 0)
    header = struct.pack("<II", _VERSION, kind) + struct.pack("<7I", *sizes) + b"utf8".ljust(32, b"\0")
    size = 4 + len(header) + len(trie) + len(table) + len(features)
    return struct.pack("<I", _MAGIC ^ size) + header + trie + table + features


def _double_array(values: dict[bytes, int]) -> bytes:
    """A trie (of Darts) with these values.

    A node is a place in an array of pairs; from the node at `b`, a byte leads to the place `b + byte + 1`, if the
    second number there is `b`, and the first one is the next node. At `b` itself, the end of a key has its value, as
    the complement of the first number.
    """
    children: dict[bytes, list[int]] = {b"": []}
    for key in sorted(values):
        for end in range(1, len(key) + 1):
            if key[:end] not in children:
                children[key[:end]] = []
                children[key[:end - 1]].append(key[end - 1])
    units: dict[int, tuple[int, int]] = {}
    used = set()

    def place(prefix: bytes) -> int:
        offsets = [byte + 1 for byte in children[prefix]] + ([0] if prefix in values else [])
        node = 1
        while node in used or any(node + offset in units for offset in offsets):
            node += 1
        used.add(node)
        for offset in offsets:
            units[node + offset] = (0, node)  # taken
        if prefix in values:
            units[node] = (-values[prefix] - 1, node)
        for byte in children[prefix]:
            units[node + byte + 1] = (place(prefix + bytes([byte])), node)
        return node

    root = place(b"")
    units[0] = (root, 0)
    # Whatever byte comes, MeCab looks without checking where the array ends.
    return b"".join([struct.pack("<iI", *units.get(number, (0, 0))) for number in range(max(units) + 258)])


def _character_table() -> bytes:
    names = [category.name for category in CATEGORIES]
    infos = [_character_info(0, [0])] * 0xFFFF
    for number, category in enumerate(CATEGORIES):
        for first, last in category.ranges:
            for code in range(first, last + 1):
                kinds = [number] + ([names.index(ALSO[code])] if code in ALSO else [])
                infos[code] = _character_info(number, kinds)
    head = struct.pack("<I", len(names)) + b"".join([name.encode().ljust(32, b"\0") for name in names])
    return head + struct.pack(f"<{len(infos)}I", *infos)


def _character_info(number: int, kinds: Sequence[int]) -> int:
    category = CATEGORIES[number]
    return (sum([1 << kind for kind in kinds]) | number << 18 | category.longest << 26 | category.groups << 30
            | category.always << 31)
