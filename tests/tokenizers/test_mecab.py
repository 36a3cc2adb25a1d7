"""Words of MeCab's dictionaries: as MeCab and mecab-ko split them, and what becomes of files that are not right."""

from __future__ import annotations

import contextlib
import os
import pickle
import random
import struct
import sys
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Iterator

import pytest

from purebleu.engines import mecab
from purebleu.metrics.bleu import BLEU
from purebleu.runtime.errors import PurebleuError
from purebleu.tokenizers.separation import words_of_lines
from purebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab
from purebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab
from purebleu.unicode.properties import WHITESPACE

from ..helpers import read_fixture, refusal, shares, unpacked

CASES = read_fixture("mecab.json.gz")["cases"]
FILES = {case["name"]: unpacked(case["content"]) for case in read_fixture("mecab.dictionary.json.gz")["cases"]}
BINARY_FILES = sorted(name for name in FILES if name != "dicrc")

Memory = Callable[[], int]


def write_files(folder: Path, **changed: bytes) -> str:
    folder.mkdir(exist_ok=True)
    for name, content in FILES.items():
        (folder / name).write_bytes(changed.get(name.replace(".", "_"), content))
    return str(folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_files(tmp_path_factory.mktemp("mecab"))


def words(line: str, opened: Any) -> list[str]:
    return [word.decode() for word in words_of_lines([" ".join(mecab.split(line.strip(WHITESPACE), opened))])[0]]


@shares(4)
def test_lines_are_split_as_by_mecab_and_mecab_ko(folder: str, share: int) -> None:
    assert len(CASES) > 1000
    otherwise = [case for case in CASES if case[1] != case[2]]  # mecab-ko's penalties make a difference
    assert len(otherwise) > 20
    plain = mecab.Dictionary(folder)
    with_penalties = mecab.Dictionary(folder, mecab.penalties_after_space(folder))
    for line, *expected in [*otherwise, *CASES[share::4]]:
        assert [words(line, plain), words(line, with_penalties)] == expected, line


@pytest.mark.full
def test_a_very_long_line_is_split(folder: str) -> None:
    line = "".join("".join([line for line, _, _ in CASES]).split()).replace("\0", "").replace("\u00d0", "")[:50_000]
    assert len(line) == 50_000
    assert "".join(mecab.split(line, mecab.Dictionary(folder))) == line


def test_a_file_that_is_cut_off_or_missing_is_an_error(tmp_path: Path) -> None:
    for name, size in product(BINARY_FILES, (0, 1, 3, 40, 100, -1, -4, None)):
        place = write_files(tmp_path / "cut", **{name.replace(".", "_"): FILES[name][:size]})
        if size is None:
            os.remove(os.path.join(place, name))
        with pytest.raises(PurebleuError, match=name):
            mecab.Dictionary(place)


@shares(4)
def test_damage_is_an_error_or_changes_words_at_most(tmp_path: Path, share: int) -> None:
    for seed in range(share, 150, 4):
        rng = random.Random(seed)
        name = rng.choice(BINARY_FILES)
        content = bytearray(FILES[name])
        for _ in range(rng.choice((1, 10, 1000))):
            content[rng.randrange(len(content))] = rng.choice((0, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        place = write_files(tmp_path / "damaged", **{name.replace(".", "_"): bytes(content)})
        try:
            opened = mecab.Dictionary(place)
            for line, _, _ in rng.sample(CASES, 20):
                text = line.partition("\0")[0]
                assert [word for word in mecab.split(text, opened) if word not in text] == [], seed
        except PurebleuError as error:
            assert place in str(error)


@pytest.fixture
def memory() -> Iterator[Memory]:
    """A function that gives the most memory that was allocated since the test began."""
    tracemalloc = pytest.importorskip("tracemalloc")  # not on PyPy
    tracemalloc.start()
    yield lambda: int(tracemalloc.get_traced_memory()[1])
    tracemalloc.stop()


def dictionary_of(units: dict[int, tuple[int, int]], entries: int, words: int) -> bytes:
    """The content of a dictionary without features, from the units of a double array that are not 0."""
    trie = b"".join([struct.pack("<2i", *units.get(place, (0, 0))) for place in range(max(units) + 100)])
    tokens = struct.pack("<HHHhII", 1, 1, 0, 0, 0, 0) * entries
    header = struct.pack("<9I32s", 102, 0, words, 7, 9, len(trie), len(tokens), 0, 0, b"utf8")
    return struct.pack("<I", (4 + len(header + trie + tokens)) ^ 0xEF718F77) + header + trie + tokens


def size_of(folder: str) -> int:
    return sum([os.path.getsize(os.path.join(folder, name)) for name in FILES])


@pytest.mark.full
@pytest.mark.parametrize("shift", [0, 1])
def test_words_that_share_entries_do_not_fill_up_the_memory(tmp_path: Path, shift: int, memory: Memory) -> None:
    content = bytearray(FILES["sys.dic"])
    trie, tokens = struct.unpack_from("<2I", content, 24)
    units = memoryview(content)[72:72 + trie].cast("i")
    leaves = [place for place in range(0, len(units), 2) if units[place] < 0]
    for number, place in enumerate(leaves):
        units[place] = -(shift * (number % (tokens // 16 - 255)) << 8 | 255) - 1
    folder = write_files(tmp_path / "shared", sys_dic=bytes(content))
    opened = mecab.Dictionary(folder)
    for line, _, _ in CASES[::100]:
        with contextlib.suppress(PurebleuError):
            mecab.split(line, opened)
    assert memory() < 10 * size_of(folder)


@pytest.mark.full
@pytest.mark.parametrize("words_end", [True, False])
def test_a_dictionary_of_endless_words_does_not_fill_memory(tmp_path: Path, words_end: bool, memory: Memory) -> None:
    # A double array that returns to its only node with each "a": so any number of them is a word, or begins one.
    units = {0: (4, 0), 4 + ord("a") + 1: (4, 4)}
    if words_end:
        units[4] = -(0 << 8 | 1) - 1, 4
    folder = write_files(tmp_path / "endless", sys_dic=dictionary_of(units, 1, 1))
    opened = mecab.Dictionary(folder)
    if words_end:
        with pytest.raises(PurebleuError, match="the dictionary is damaged"):
            mecab.split("a" * 3000, opened)
    else:
        assert "".join(mecab.split("a" * 3000, opened)) == "a" * 3000
    assert memory() < 10 * size_of(folder)


def test_long_words_of_many_entries_each_do_not_fill_up_the_memory(tmp_path: Path, memory: Memory) -> None:
    # A double array in which each of "a", "aa" ... is a word, up to 256 letters, with 255 entries of its own.
    length, entries = 256, 255
    bases = [4 + 3 * number for number in range(length + 1)]
    units = {0: (bases[0], 0)}
    for number, (base, following) in enumerate(zip(bases, bases[1:])):
        units[base + ord("a") + 1] = following, base
        units[following] = -(number << 8 | entries) - 1, following
    folder = write_files(tmp_path / "long", sys_dic=dictionary_of(units, length + entries, length))
    opened = mecab.Dictionary(folder)
    with pytest.raises(PurebleuError, match="the dictionary is damaged"):
        mecab.split("a" * length, opened)
    assert memory() < 10 * size_of(folder)


def test_a_dictionary_in_another_encoding_is_an_error(tmp_path: Path) -> None:
    content = FILES["sys.dic"].replace(b"utf8" + bytes(28), b"euc-jp" + bytes(26))
    place = write_files(tmp_path / "euc", sys_dic=content)
    with pytest.raises(PurebleuError, match="the encoding of the dictionary is 'euc-jp', not UTF-8"):
        mecab.Dictionary(place)


@pytest.mark.skipif(os.name != "posix" or not os.path.exists("/dev/zero"), reason="needs a device without an end")
def test_a_dictionary_is_no_device(tmp_path: Path) -> None:
    place = write_files(tmp_path / "endless")
    os.remove(os.path.join(place, "sys.dic"))
    os.symlink("/dev/zero", os.path.join(place, "sys.dic"))
    with pytest.raises(PurebleuError, match="is a device that never ends"):
        mecab.Dictionary(place)


def test_penalties_are_those_of_the_settings(tmp_path: Path, folder: str) -> None:
    settings = tmp_path / "dicrc"
    assert mecab.penalties_after_space(folder) == {3: 3000, 5: 6000}
    for content, expected in (("; left-space-penalty-factor = 1,2\ncost-factor = 800\n", {}),
                              ("node-format = a=%m\nleft-space-penalty-factor = 1,2\n", {1: 2})):
        settings.write_text(content, encoding="utf-8")
        assert mecab.penalties_after_space(str(tmp_path)) == expected
    for content in ("=\n" * 10_000, "left-space-penalty-factor = " + "1," * 9_000 + "1\n"):
        settings.write_text(content, encoding="utf-8")
        with pytest.raises(PurebleuError, match="dicrc: the file is too large"):
            mecab.penalties_after_space(str(tmp_path))
    for value in ("one,2", "1,2,x", "1," + "9" * 20, "1,-" + "9" * 4000):
        settings.write_text(f"left-space-penalty-factor = {value}\n", encoding="utf-8")
        with pytest.raises(PurebleuError, match=r"dicrc: the setting left-space-penalty-factor.*not a list of numbers"):
            mecab.penalties_after_space(str(tmp_path))


# The tokenizers

@pytest.fixture(params=[TokenizerJaMecab, TokenizerKoMecab])
def kind(request: pytest.FixtureRequest, folder: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A tokenizer's class, with the small dictionary for the large one, and without MeCab."""
    wanted = request.param.DICTIONARY
    monkeypatch.setattr(request.param, "DICTIONARY", wanted._replace(size=mecab.Dictionary(folder).words.size))
    monkeypatch.setenv(wanted.variable, folder)
    for binding in ("MeCab", "mecab_ko"):
        monkeypatch.setitem(sys.modules, binding, None)
    return request.param


def tokenizer_of(kind: Any) -> Any:
    mecab.fastest_split.cache_clear()  # (with another MeCab, or none)
    return kind()


def test_a_tokenizer_splits_lines(kind: Any) -> None:
    tokenizer = tokenizer_of(kind)
    cases, column = CASES[::10], 1 if kind is TokenizerJaMecab else 2  # (`split` is tried with all of them above.)
    found = [[token.decode() for token in tokens] for tokens in tokenizer.tokenize_lines([case[0] for case in cases])]
    assert found == [case[column] for case in cases]
    assert pickle.loads(pickle.dumps(tokenizer))("日本 語") == tokenizer("日本 語")
    assert tokenizer.signature() == ("ja-mecab-0.996-IPA" if kind is TokenizerJaMecab else "ko-mecab-0.996/ko-0.9.2-KO")
    score = BLEU(trg_lang="ja" if kind is TokenizerJaMecab else "ko").corpus_score(["日本語の東京"], [["日本語の東京"]])
    assert score.score > 0 and "mecab-0.996" in str(score.signature)


def test_mecab_itself_does_the_work_if_it_is_installed(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Tagger:
        def __init__(self, arguments: str) -> None:
            assert "-Owakati" in arguments and os.environ[kind.DICTIONARY.variable] in arguments

        def version(self) -> str:
            return "0.997"

        def parse(self, text: str) -> str:
            return f"{text[:1]} {text[1:]} \n"

    for binding in ("MeCab", "mecab_ko"):
        monkeypatch.setitem(sys.modules, binding, SimpleNamespace(Tagger=Tagger))
    tokenizer = tokenizer_of(kind)
    assert tokenizer("abc d") == "a bc d"
    # (Spaces of Unicode are words of MeCab, but none for BLEU.)
    assert tokenizer("a\u3000d") == "a \u3000d" and tokenizer.tokenize_line("a\u3000d") == [b"a", b"d"]
    assert "-mecab-0.997" in tokenizer.signature()


def test_another_dictionary_is_refused(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kind, "DICTIONARY", kind.DICTIONARY._replace(size=392126))
    with pytest.raises(PurebleuError, match="has 392,126, so scores would differ"):
        tokenizer_of(kind)


def test_without_a_dictionary_the_error_says_how_to_get_one(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(kind.DICTIONARY.variable)
    monkeypatch.setattr(mecab, "find_spec", lambda _: None)
    with pytest.raises(PurebleuError, match=rf"install (ipadic|it) \(from PyPI\).*{kind.DICTIONARY.variable}"):
        mecab.find_dictionary(kind.DICTIONARY._replace(folders=["/nowhere"]))


def test_a_wrong_folder_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a b\n", encoding="utf-8")
    for name, variable in (("ja-mecab", "PUREBLEU_MECAB_DICDIR"), ("ko-mecab", "PUREBLEU_MECAB_KO_DICDIR")):
        error = refusal(tmp_path, "text", "-i", "text", "-tok", name, code=1, stdin=b"", **{variable: "nowhere"})
        assert error.startswith("purebleu: error: nowhere")
