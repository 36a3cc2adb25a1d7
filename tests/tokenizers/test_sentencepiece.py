"""Pieces of SentencePiece models: as SentencePiece has them, and what becomes of models that are not right."""

from __future__ import annotations

import functools
import hashlib
import io
import os
import pickle
import random
import re
import stat
import struct
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from purebleu.cli.corpus.selection import name_is_at_hand
from purebleu.datasets import bundle
from purebleu.engines.sentencepiece import model_file, words
from purebleu.engines.sentencepiece import normalizer as normalization
from purebleu.engines.sentencepiece import published as models
from purebleu.files import download as downloading
from purebleu.files.writing import read_whole
from purebleu.metrics.bleu import BLEU
from purebleu.runtime.errors import PurebleuError, PurebleuWarning
from purebleu.tokenizers import make_tokenizer

from ..helpers import needs_pipes, output_of, read_fixture, refusal, sent_through, shares, told, unpacked

CASES = {case["name"]: case["cases"] for case in read_fixture("sentencepiece.json.gz")["cases"]}
CONTENTS = {case["name"]: unpacked(case["content"]) for case in read_fixture("sentencepiece.models.json.gz")["cases"]}

assert len(CASES) > 30 and CASES.keys() == CONTENTS.keys() and all(len(cases) >= 70 for cases in CASES.values())


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def segmenter(name: str) -> Any:
    return words.Segmenter(model_file.Model(CONTENTS[name]))


segmenter_of = functools.lru_cache(maxsize=None)(segmenter)


def normalizer_of(content: bytes) -> Any:
    model = model_file.Model(content)
    return normalization.Normalizer(model, normalization.UserDefinedSymbols(model.pieces))


@pytest.mark.parametrize("name", CASES)
def test_lines_have_the_pieces_of_sentencepiece(name: str) -> None:
    one = segmenter_of(name)
    lines = [line for line, _ in CASES[name]]
    found = [one.tokens(line) for line in lines]
    assert segmenter(name).tokens_of_lines(lines) == found
    for (line, expected), tokens in zip(CASES[name], found):
        assert [token.decode() for token in tokens] == expected.encode().decode().split(), line


@pytest.mark.parametrize("name", ["trained 0", "trained 1", "trained 2", "trained 3"])
@given(line=st.one_of(st.text(max_size=60), st.text("abcdeß x\u2581.", max_size=200)))
@example(line="ab " + "ab\u2581" * 200)  # a word that is too long to be cached, with a space of the model in it
@example(line="ab " + "ab" * 200)
def test_words_one_by_one_have_the_pieces_of_the_line(name: str, line: str) -> None:
    one = segmenter_of(name)
    assert one._by_word and not segmenter_of("trained 4")._by_word  # (whose pieces may have spaces inside)
    assert one.tokens_of_lines([line])[0] == one.tokens(line)


@pytest.mark.parametrize("name", ["trained 0", "trained 3"])
def test_the_limit_of_nodes_changes_no_word(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = sorted({word for line, _ in CASES[name] for word in line.split(" ")})
    expected = normalizer_of(CONTENTS[name]).words(words)
    monkeypatch.setattr(normalization, "_MAX_NODES", 0)
    assert normalizer_of(CONTENTS[name]).words(words) == expected


def test_words_are_cached_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_MAX_CACHED", 10)
    for word in ("word{}", "\u2581\u2581{}"):  # (of the latter, the pieces depend on other words)
        one = segmenter("trained 0")
        for number in range(40):
            one.tokens_of_lines([word.format(number)])
            assert len(one._tokens) + len(one._doubtful) <= 11
        assert one._tokens or one._doubtful


@pytest.mark.parametrize("name", ["trained 0", "trained 1"])
def test_a_very_long_line_without_spaces_is_segmented(name: str) -> None:
    line = ("".join(filter(str.isalpha, "".join([line for line, _ in CASES[name]]))) * 60)[:50_000]
    assert len(line) == 50_000
    assert len(b"".join(segmenter(name).tokens_of_lines([line])[0]).decode()) > 40_000


# Files that are not right

def assert_refused(content: bytes, message: str) -> None:
    with pytest.raises(PurebleuError, match=message):
        words.Segmenter(model_file.Model(content))


@pytest.mark.parametrize("name", ["trained 0", "trained 5", "made up 4"])
def test_a_model_that_is_cut_off_is_an_error(name: str) -> None:
    content = CONTENTS[name]
    for size in {0, 1, 2, 10, 50, len(content) // 2, len(content) - 300, len(content) - 1} | set(range(60, 120)):
        assert_refused(content[:min(size, len(content) - 1)], "model|damaged|cut off")


def test_models_that_are_not_right_are_errors() -> None:
    for content in (
        b"\x0a" + b"\xff" * 8 + b"\x7f", b"\x0a" + b"\xff" * 11, b"\x0b", b"\x08", b"a line of text\n", b"<html>",
        bytes(1000), b"\x12\x00\x1a\x00", long_number(11),
    ):
        assert_refused(content, "not a SentencePiece model")
    others = b"".join([piece(text, -1) for text in ("a", "ab", "abc", "abcd")])
    for bad in (piece("ab", -1), piece("<unk>", -1), piece("c", float("nan")), piece("c", float("inf")),
                field(1, field(1, b"\xff") + b"\x15" + struct.pack("<f", -1))):
        assert_refused(model_of(others + bad + piece("d", -1) + piece("e", -1)), "damaged")
    for score in (float("inf"), -float("inf"), float("nan")):
        assert_refused(model_of(piece("a", score)), "damaged")
    for length in (513, 100_000):
        assert_refused(model_of(piece("a" * length, -1)), "damaged")
    assert_refused(model_of(piece("<0x41>", 0, model_file.BYTE)), "damaged")  # without byte fallback
    assert_refused(model_of(piece("ab", 0, model_file.USER_DEFINED)), "no pieces to segment text into")
    for algorithm in (3, 4):  # words and characters
        assert_refused(CONTENTS["made up 0"].replace(b"\x12\x02\x18\x01", bytes([0x12, 2, 0x18, algorithm])),
                       "neither a unigram nor a BPE model")
    for character_map in (struct.pack("<I", 5) + bytes(20), struct.pack("<I", 400) + bytes(20),
                          struct.pack("<I", 0) + bytes(20), b"\4"):
        assert_refused(model_of(piece("a", -1), b"", field(2, character_map)), "character map is damaged")


def test_models_at_the_limits_are_fine() -> None:
    for content, text, score in (
        (long_number(10), b"a", -1), (model_of(piece("a" * 512, -1)), b"a" * 512, -1),
        (model_of(field(1, field(1, b"a") + field(4, 0) * 10)), b"a", 0),  # (with further fields beside the text)
    ):
        assert model_file.Model(content).pieces.by_kind[model_file.NORMAL][text] == score


def long_number(size: int) -> bytes:
    """A model that has an unknown number of so many bytes."""
    return varint(9 << 3) + b"\x80" * (size - 1) + b"\0" + model_of(piece("a", -1))


@shares(4)
def test_damage_is_an_error_or_changes_pieces_at_most(share: int) -> None:
    for seed in range(share, 200, 4):
        rng = random.Random(seed)
        name = rng.choice(sorted(CASES))
        content = bytearray(CONTENTS[name])
        for _ in range(rng.choice((1, 1, 5, 100))):
            content[rng.randrange(len(content))] = rng.choice((0, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        with suppress(PurebleuError):
            one = words.Segmenter(model_file.Model(bytes(content)))
            for line, _ in rng.sample(CASES[name], 20):
                assert all(isinstance(token, bytes) for token in one.tokens_of_lines([line])[0]), seed


def varint(number: int) -> bytes:
    low = number & 0x7F
    return bytes([low]) if number == low else bytes([low | 0x80]) + varint(number >> 7)


def field(number: int, value: bytes | int) -> bytes:
    """A field of a message of protocol buffers."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def piece(text: str, score: float | None = None, kind: int | None = None) -> bytes:
    """The field of a piece, without what is `None`."""
    return field(1, field(1, text.encode()) + (b"" if score is None else b"\x15" + struct.pack("<f", score))
                 + (b"" if kind is None else field(3, kind)))


def model_of(pieces: bytes, trainer: bytes = b"", normalizer: bytes = b"") -> bytes:
    """The content of a model's file."""
    return (piece("<unk>", 0, model_file.UNKNOWN) + pieces + field(2, field(3, model_file.UNIGRAM) + trainer)
            + field(3, normalizer))


def read_one_by_one(content: bytes) -> Any:
    """The pieces of a model, by the definition of its file: field by field."""
    found = model_file.Pieces()
    for number, value, _ in model_file.fields(content):
        if number == 1:
            assert isinstance(value, bytes)
            found.add(value)
    return found


_TEXTS = st.text("ab\n\x15\x0a\u2581 ß\U0001f600", min_size=1, max_size=20)


@given(st.dictionaries(_TEXTS, st.tuples(st.floats(width=32, allow_nan=False, allow_infinity=False),
                                         st.sampled_from([None, None, None, None, 1, 3, 4, 5]),
                                         st.sampled_from([0, 0, 0, 0, 0, 1, 2])), max_size=80))
@example({"a": (0.0, None, 0), "\n\u2581": (0.0, None, 0)})
def test_plain_pieces_are_read_like_others(expected: dict[str, tuple[float, int | None, int]]) -> None:
    expected.pop("<unk>", None)
    forms = [b"", field(7, b"other"), b"\x15\n\x05\n\x03"]
    content = model_of(b"".join([
        piece(text, score, kind) if not form else field(1, forms[form] + piece(text, score, kind)[2:])
        for text, (score, kind, form) in expected.items()]) + piece("c", -1))
    found = model_file.Model(content).pieces
    plain = read_one_by_one(content)
    assert [list(scores.items()) for scores in found.by_kind] == [list(scores.items()) for scores in plain.by_kind]
    assert found.has_inner_spaces == plain.has_inner_spaces


def test_a_map_without_end_is_not_followed_to_the_end_of_the_text() -> None:
    # From the root at 0 to a node that leads to itself with each "a".
    one = normalizer_of(model_of(piece("a", -1), b"", field(2, map_of({128 ^ ord("a"): ord("a") | ord("a") << 10}))))
    one._map.step = counted = mock.Mock(side_effect=one._map.step)
    assert "".join(one.parts("a" * 1000)[0]) == "a" * 1000
    assert 1000 * 60 < counted.call_count < 1000 * 70


def map_of(units: dict[int, int], text: bytes = b"") -> bytes:
    """A character map of these nodes and a root at 0, and with this text to map to."""
    nodes = {0: 128 << 10, **units}
    return struct.pack("<257I", 4 * 256, *[nodes.get(place, 0) for place in range(256)]) + text + b"\0"


def test_a_character_is_mapped_to_128_others_at_most() -> None:
    # From the root to a node, and from there to its value, the text at 0.
    node = 128 ^ ord("a")
    for length in (0, 128, 129, 1_000_000):
        one = normalization.CharacterMap(map_of({node: ord("a") | 1 << 8 | 1 << 10, node ^ 1: 1 << 31}, b"x" * length))
        assert one.step(one.root, "b") == (-1, None)
        if length <= 128:
            assert one.step(one.root, "a")[1] == "x" * length
        else:
            with pytest.raises(PurebleuError, match="character map is damaged"):
                one.step(one.root, "a")
    small = normalization.CharacterMap(struct.pack("<I", 4 * 65) + bytes(4 * 65) + b"\0")
    assert [small.step(small.root, character) for character in "@AB"] == [(-1, None)] * 3


# The tokenizers

@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PUREBLEU_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PUREBLEU_OFFLINE", "1")
    return tmp_path / "cache"


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with small models under the addresses of the large ones; their checksums count as the known ones."""
    for (name, urls), content in zip(models.MODELS.items(), CONTENTS.values()):
        path = in_mirror(tmp_path / "mirror", urls[0])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if name in models.SUMS:
            monkeypatch.setitem(models.SUMS, name, sha256(content))
    return tmp_path / "mirror"


def in_mirror(mirror: Path, url: str) -> Path:
    return mirror / url.split("://")[1]


def files_below(folder: Path) -> list[str]:
    return sorted([path.name for path in folder.rglob("*") if path.is_file()])


@pytest.mark.parametrize(("name", "signature"), [("flores101", "flores101"), ("flores200", "flores200"),
                                                 ("spBLEU-1K", "spBLEU-1K"), ("spm", "flores101")])
def test_a_model_is_fetched_once(name: str, signature: str, cache_folder: Path, mirror: Path) -> None:
    assert (name_is_at_hand(signature), name_is_at_hand("13a")) == (False, True)
    is_warned_of = pytest.warns(PurebleuWarning, match="^the tokenizer 'spm' ") if name == "spm" else nullcontext()
    with downloading.fetching(str(mirror), True), is_warned_of:
        tokenizer = make_tokenizer(name)
    assert tokenizer.signature() == signature and name_is_at_hand(signature)
    file = os.path.basename(models.model_path(signature))
    assert files_below(cache_folder / "models") == [file, f"{file}.sha256"][:1 + (signature != "flores200")]
    again = pickle.loads(pickle.dumps(tokenizer))  # from the cache, without the mirror
    assert again("a line of text") == tokenizer("a line of text")


def test_a_damaged_or_another_model_never_gets_into_the_cache(cache_folder: Path, mirror: Path) -> None:
    assert models.SUMS.keys() == {"flores200"}
    right = in_mirror(mirror, models.MODELS["flores200"][0]).read_bytes()
    registered = r"the SHA-256 sum of the file is \w+, but \w+ is registered"
    for name, content, reason in (("flores200", right[:-20], registered), ("flores101", right[:-20], "damaged"),
                                  ("flores200", CONTENTS["trained 5"], registered)):
        in_mirror(mirror, models.MODELS[name][0]).write_bytes(content)
        with downloading.fetching(str(mirror), True), pytest.raises(PurebleuError, match=f"{name}: .*{reason}"):
            models.get_model(name)
    assert files_below(cache_folder) == []
    # sacreBLEU's address is the last one.
    in_mirror(mirror, models.MODELS["flores200"][-1]).parent.mkdir()
    in_mirror(mirror, models.MODELS["flores200"][-1]).write_bytes(right)
    with downloading.fetching(str(mirror), True):
        assert models.published_content("flores200") == right
    with pytest.raises(PurebleuError, match="larger than 32 MB"):
        models.check_model("flores101", io.BytesIO(bytes((32 << 20) + 1)))


def test_a_model_in_the_cache_is_verified_when_it_is_used(cache_folder: Path, mirror: Path) -> None:
    for name in models.MODELS:
        with downloading.fetching(str(mirror), True):
            right = models.published_content(name)
        path = Path(models.model_path(name))
        path.write_bytes(CONTENTS["trained 7"])
        assert not models.model_is_at_hand(name)
        with pytest.raises(PurebleuError, match=rf"{re.escape(str(path))}: \w+ SHA-256 sum .*is \w+, but "):
            models.get_model(name)
        with downloading.fetching(str(mirror), True):
            assert models.published_content(name) == right  # fetched again
        in_mirror(mirror, models.MODELS[name][0]).write_bytes(CONTENTS["trained 7"])
        path.unlink()
        with downloading.fetching(str(mirror), True), pytest.raises(PurebleuError, match=r"\w+ SHA-256 sum .*is \w+"):
            models.get_model(name)
        assert not path.exists()


def test_the_first_file_counts_if_no_checksum_is_known(cache_folder: Path) -> None:
    path = Path(models.model_path("flores101"))
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENTS["trained 0"])  # as sacreBLEU leaves it
    models.get_model("flores101")
    checksum = sha256(CONTENTS["trained 0"])
    record = Path(f"{path}.sha256")
    assert record.read_text() == f"{checksum}  {path.name}\n"
    assert models.cached_checksum("flores101") == checksum
    path.write_bytes(CONTENTS["trained 5"])
    with pytest.raises(PurebleuError, match=f"but the first download of this model had {checksum} .in .*"):
        models.cached_checksum("flores101")
    for damaged in (f"{checksum[1:]}  {path.name}\n", f"{checksum}\n", "x\n"):
        record.write_text(damaged)
        with pytest.raises(PurebleuError, match="line 1 is not a SHA-256 sum with a name"):
            models.cached_checksum("flores101")


@pytest.mark.parametrize("name", ["{file}", "./{file}", "*{file}", "/srv/mirror/{url}"])
def test_a_model_is_held_to_the_checksums_that_the_user_names(
        name: str, cache_folder: Path, mirror: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = models.MODELS["flores101"][0].split("://")[1]
    name = name.format(file=url.rpartition("/")[2], url=url)
    right, other = sha256(CONTENTS["trained 0"]), sha256(CONTENTS["trained 1"])
    pins = tmp_path / "pins"
    monkeypatch.setenv("PUREBLEU_CHECKSUMS", str(pins))
    line = "{} {}\n".format if name.startswith("*") else "{}  {}\n".format
    in_mirror(mirror, models.MODELS["flores101"][0]).write_bytes(CONTENTS["trained 0"])
    with downloading.fetching(str(mirror), True):
        pins.write_text(f"{right}  other\n" + line(other, name))
        with pytest.raises(PurebleuError, match=f"the SHA-256 sum of the file is {right}, but {other} is listed in "):
            models.get_model("flores101")
        assert files_below(cache_folder) == []
        pins.write_text(line(right.upper(), name))
        models.get_model("flores101")
        pins.write_text(line(other, name))  # when it is used, too
        assert not models.model_is_at_hand("flores101")
        pins.write_text("no sum\n")
        with pytest.raises(PurebleuError, match="pins: line 1 is not a SHA-256 sum with a name"):
            models.get_model("flores101")
        pins.unlink()
        with pytest.raises(PurebleuError, match="pins: "):
            models.get_model("flores101")


@needs_pipes
def test_neither_a_pipe_nor_a_huge_file_in_the_cache_is_a_model(cache_folder: Path, mirror: Path) -> None:
    path = Path(models.model_path("flores101"))
    for file, most in ((path, "33,554,432"), (Path(f"{path}.sha256"), "1,024")):
        for is_pipe in (True, False):
            with downloading.fetching(str(mirror), True):
                models.get_model("flores101")
            file.unlink()
            if is_pipe:
                os.mkfifo(file)
            else:
                file.touch()
                os.truncate(file, 64 << 30)  # with holes
            message = "is not a regular file" if is_pipe else f"larger than {most} bytes"
            assert not models.model_is_at_hand("flores101")
            with pytest.raises(PurebleuError, match=message):
                models.get_model("flores101")
            file.unlink()


def test_a_model_may_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a model: mine"
    path.write_bytes(CONTENTS["trained 0"])
    score = BLEU(tokenize=f"spm:{path}").corpus_score(["one line", "another line"], [["one line", "another one"]])
    assert f"|tok:spm-sha256-{sha256(CONTENTS['trained 0'])}|" in str(score.signature)


@pytest.mark.skipif(os.name != "posix" or not os.path.exists("/dev/zero"), reason="needs a device without an end")
def test_a_model_is_no_device() -> None:
    with pytest.raises(PurebleuError, match="/dev/zero is a device that never ends"):
        BLEU(tokenize="spm:/dev/zero")


def test_a_model_is_no_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "disk").write_bytes(b"far too much")
    of_file = os.stat(tmp_path / "disk")
    of_disk = os.stat_result((stat.S_IFBLK | 0o600, *of_file[1:]))
    monkeypatch.setattr("purebleu.files.opening.os.stat", lambda path: of_disk)
    with pytest.raises(PurebleuError, match="disk is a device, not a file"):
        read_whole(str(tmp_path / "disk"))


@needs_pipes
@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.full)])
def test_a_model_may_come_through_a_pipe(tmp_path: Path, jobs: str) -> None:
    content = CONTENTS["trained 0"]
    (tmp_path / "text").write_text("a word\nand another\n" * 600, encoding="ascii")
    with sent_through(tmp_path / "model", content):
        text, _ = told(tmp_path, "text", "-i", "text", "-tok", "spm:model", "-j", jobs, "-f", "text")
    assert f"|tok:spm-sha256-{sha256(content)}|" in text


def test_the_command_line_takes_a_model(tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(CONTENTS["trained 0"])
    (tmp_path / "text").write_text("one line\n", encoding="utf-8")
    assert output_of(["text", "-i", "text", "-tok", "spm:model", "-b"], tmp_path) == "100.0\n"
    missing = "nowhere: No such file" if os.name == "posix" else "nowhere: "  # (in Windows's own words)
    for path, reason in (("nowhere", missing), ("text", "text: the file is damaged or is not a SentencePiece model")):
        assert reason in refusal(tmp_path, "text", "-i", "text", "-tok", f"spm:{path}", code=1)


def test_models_are_fetched_and_bundled_by_name(tmp_path: Path, mirror: Path) -> None:
    first, second = [{"PUREBLEU_CACHE": str(tmp_path / name)} for name in "12"]  # type: dict[str, Any], dict[str, Any]
    commands = (
        (["--download", "flores200", "--mirror", str(mirror)], first),
        (["bundle", "bundle", "flores200", "sample", "-l", "en-de", "--offline"], first),
        (["unbundle", "bundle"], second),
    )
    for arguments, environment in commands:
        output = output_of(arguments, tmp_path, **environment)
    assert output == "sample en-de\nflores200\n"
    (tmp_path / "text").write_text("one line\n", encoding="utf-8")
    command = ["text", "-i", "text", "--offline", "-f", "text", "-tok"]
    assert "|tok:flores200|" in told(tmp_path, *command, "flores200", **second)[0]
    assert "not in the cache, and --offline" in refusal(tmp_path, *command, "flores101", code=1, **second)


def test_bundles_neither_take_nor_pass_on_another_model(tmp_path: Path, cache_folder: Path, mirror: Path,
                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    right, path = models.SUMS["flores200"], str(tmp_path / "bundle")
    flores101, flores200 = [Path(models.model_path(name)) for name in ("flores101", "flores200")]
    record = Path(f"{flores101}.sha256")
    flores200.parent.mkdir(parents=True)
    flores200.write_bytes(CONTENTS["trained 5"])
    with pytest.raises(PurebleuError, match="is registered"):
        bundle.write_bundle(path, [], ["flores200"])
    assert not os.path.exists(path)
    other = sha256(CONTENTS["trained 5"])
    monkeypatch.setitem(models.SUMS, "flores200", other)
    flores101.write_bytes(CONTENTS["trained 5"])
    bundle.write_bundle(path, [], ["flores200", "flores101"])
    monkeypatch.setitem(models.SUMS, "flores200", right)
    flores200.unlink()
    flores101.unlink()
    with pytest.raises(PurebleuError, match=f"the SHA-256 sum of the file is {other}, but {right} is registered"):
        bundle.read_bundle(path)
    assert "flores200: the SHA-256 sum of the file" in bundle.examine_bundle(path)[1][0]
    monkeypatch.setitem(models.SUMS, "flores200", other)
    record.write_text(f"{right}  x\n")
    with pytest.raises(PurebleuError, match="but the first download of this model had "):
        bundle.read_bundle(path)
    assert files_below(cache_folder) == [record.name]
    record.unlink()
    assert bundle.read_bundle(path) == ["flores200", "flores101"]
    assert record.read_text().startswith(other)
