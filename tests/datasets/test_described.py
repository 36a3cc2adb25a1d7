"""Test sets that a file describes: their text, checksums, bundles, and what is refused."""

from __future__ import annotations

import contextlib
import copy
import functools
import hashlib
import json
import os
import random
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Iterator

import pytest

from purebleu.datasets import DATASETS
from purebleu.datasets.bundle import write_bundle
from purebleu.datasets.described import _described_by, read_description, schema_text

from ..helpers import needs_processes, refusal, run_python, told, write_lines, write_texts
from .conftest import sha256

SOURCE = ["A house.", "Two dogs ran home.", "The end."]
REFERENCES = [["Ein Haus.", "Zwei Hunde liefen heim.", "Das Ende."], ["Das Haus.", "Hunde liefen heim.", "Ende."]]
OUTPUT = ["Ein Haus.", "Zwei Hunde gingen dann heim.", "Ende."]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache, in a home folder."""
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path))
    return tmp_path / ".sacrebleu"


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """The paths that are opened during a test."""
    paths: list[str] = []
    is_over = False
    sys.addaudithook(lambda event, given: None if is_over or event != "open" else paths.append(str(given[0])))
    yield paths
    is_over = True


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with texts, a table, and their description."""
    folder = tmp_path / "sets"
    folder.mkdir()
    for name, lines in (("src.en", SOURCE), *zip(("A.de", "B.de"), REFERENCES), ("out.de", OUTPUT),
                        ("docs.tsv", ["document\tdomain", "d1\tnews", "d1\tnews", "d2\tspeech"])):
        write_lines(folder / name, lines)
    save(folder, description(folder))
    return folder


def description(folder: Path) -> dict[str, Any]:
    sources = {"src": "src.en", "ref:A": "A.de", "ref:B": "B.de", "docid": "docs.tsv", "domain": "docs.tsv"}
    fields: dict[str, Any] = {name: {"path": path, "sha256": sha256(folder / path)} for name, path in sources.items()}
    fields["docid"]["column"] = "document"
    fields["domain"]["column"] = "domain"
    return {"name": "mine", "description": "Three lines", "citation": "@misc{mine,\n title = {Mine}}",
            "pairs": {"en-de": {"fields": fields}}}


def save(folder: Path, described: object) -> None:
    (folder / "mine.json").write_text(json.dumps(described, indent=1), encoding="utf-8")


ASKED = ("-t", "./mine.json", "-l", "en-de")


def test_a_described_set_gives_the_numbers_of_its_files(folder: Path) -> None:
    from_files, _ = told(folder, "A.de", "B.de", "-i", "out.de", "-l", "en-de", "-b", "-w", "9")
    assert told(folder, *ASKED, "-i", "out.de", "-b", "-w", "9")[0] == from_files
    lines, _ = told(folder, *ASKED, "--echo", "src", "docid", "domain")
    assert lines.splitlines()[2] == "The end.\td2\tspeech"
    assert "title = {Mine}" in told(folder, *ASKED[:2], "--citation")[0]
    assert "unit:doc" in told(folder, *ASKED, "-i", "out.de", "-ci", "-f", "text", "--unit", "doc")[0]
    listed, _ = told(folder, "--list", PUREBLEU_TESTSETS=str(folder))
    name = read_description(str(folder / "mine.json")).name
    assert name == f"mine@{sha256(folder / 'mine.json')[:12]}"
    assert f"{name}             : Three lines ({folder / 'mine.json'})" in listed
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PUREBLEU_TESTSETS", str(folder))
        assert DATASETS["mine"] is DATASETS["mine"]
    for given in ("mine", name):
        asked = ("-t", given, "-l", "en-de", "-i", "out.de", "-f", "text")
        assert f"|test:{name}|" in told(folder, *asked, PUREBLEU_TESTSETS=str(folder))[0]
    save(folder, {**description(folder), "description": "Others"})
    assert f"|test:{name}|" not in told(folder, *ASKED, "-i", "out.de", "-f", "text")[0]


def test_a_changed_byte_is_refused(folder: Path, cache: Path) -> None:
    good = (folder / "A.de").read_bytes()
    for _ in range(2):  # (before the cache has the text, and afterwards)
        (folder / "A.de").write_bytes(good.replace(b"Haus", b"Hans"))
        assert "A.de: the SHA-256 sum of the file is" in refusal(folder, *ASKED, "-i", "out.de", code=1)
        (folder / "A.de").write_bytes(good)
        told(folder, *ASKED, "-i", "out.de")
    _described_by.cache_clear()  # (as in another process, which verifies what the cache has)
    [stored] = cache.glob("mine@*/*.ref-A")
    stored.write_bytes(stored.read_bytes().replace(b"Haus", b"Hans"))
    assert told(folder, *ASKED, "--echo", "ref:A")[0].startswith("Ein Haus.")


def test_a_bundle_has_the_description(folder: Path, tmp_path: Path, cache: Path) -> None:
    expected, _ = told(folder, *ASKED, "-i", "out.de", "-f", "text")
    told(folder, "bundle", str(tmp_path / "sets.zip"), *ASKED)
    write_lines(tmp_path / "out.de", OUTPUT)
    for path in folder.iterdir():
        path.unlink()
    shutil.rmtree(cache)
    told(tmp_path, "unbundle", "sets.zip")
    assert told(tmp_path, "-t", "mine", "-l", "en-de", "-i", "out.de", "-f", "text")[0] == expected


def test_bundles_can_not_name_files(folder: Path, tmp_path: Path, opened: list[str]) -> None:
    path = str(tmp_path / "sets.zip")
    write_bundle(path, [(read_description(str(folder / "mine.json")), "en-de")])
    for name in (str(folder / "mine.json"), "mine"):
        with zipfile.ZipFile(path) as archive:
            described = json.loads(archive.read("bundle.json"))
        described["contents"][0].update(test_set=name)
        described["contents"][0].pop("description", None)
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("bundle.json", json.dumps(described))
        opened.clear()
        _, error = told(tmp_path, "unbundle", path, code=1, PUREBLEU_TESTSETS=str(folder))
        assert f"there is no test set {name!r:.40} in the catalogue" in error
        assert not [one for one in opened if one.endswith("mine.json")]


@pytest.mark.full
@needs_processes
def test_a_bundled_program_has_the_set(folder: Path, tmp_path: Path) -> None:
    expected, _ = told(folder, *ASKED, "-i", "out.de", "-f", "text")
    told(folder, "bundle", str(tmp_path / "eval.pyz"), *ASKED, "--with-program")
    asked = ["-t", "mine", "-l", "en-de", "-i", str(folder / "out.de"), "-f", "text"]
    done = run_python(["-I", str(tmp_path / "eval.pyz"), *asked], cwd=str(tmp_path),
                      env={**os.environ, "PUREBLEU_CACHE": os.path.join(os.devnull, "x")})
    assert done.stdout.decode() == expected, done.stderr


def test_rows_members_and_paragraphs(folder: Path) -> None:
    write_lines(folder / "set.jsonl", map(json.dumps, [
        {"s": "One.\n\nTwo\nlines.", "t": {"a": "Eins.\n\nZwei."}, "bad": False},
        {"s": "Bad.", "t": {"a": "Übel."}, "bad": True}]))
    with tarfile.open(folder / "all.tar.gz", "w:gz") as archive:
        archive.add(folder / "set.jsonl", "in/set.jsonl")
    shared = {"path": "all.tar.gz", "sha256": sha256(folder / "all.tar.gz"), "member": "in/set.jsonl"}
    fields = {"src": "s", "ref": "t.a"}
    save(folder, {"name": "packed", "description": "x", **shared, "fields": fields, "paragraphs": True,
                  "pairs": {"en-de": {"where": [{"column": "bad", "is": "=", "value": "false"}]}}})
    assert told(folder, *ASKED, "--echo", "all")[0] == "One.\tEins.\nTwo lines.\tZwei.\n"
    assert "en-de: 2 segments: src, ref" in told(folder, "testset", "check", "mine.json")[0]


def test_new_describes_a_spreadsheet(folder: Path) -> None:
    write_texts(folder, {"table.csv": 'en;de\n"One; two";"Eins; zwei"\n', "table.dat": "en\tde\nOne\tEins\n"})
    told(folder, "testset", "new", "sheet.json", "src=table.csv:en", "ref=table.csv:de", "-l", "en-de")
    told(folder, "testset", "new", "sheet.json", "src=table.dat:de", "ref=table.dat:en", "-l", "de-en")
    assert "de-en: 1 segment: src, ref" in told(folder, "testset", "check", "sheet.json")[0]
    assert told(folder, "-t", "sheet.json", "-l", "en-de", "--echo", "all")[0] == "One; two\tEins; zwei\n"
    form = "expected FIELD=PATH"
    for code, given, error in ((1, f"src={os.devnull}", "outside of"), (2, "table.csv:en", form), (2, "src=", form),
                               (2, "src=-", "not standard input")):
        assert error in refusal(folder, "testset", "new", "y.json", given, "-l", "en-de", code=code)
    assert json.loads(told(folder, "testset", "schema")[0]) == json.loads(schema_text())


MISSING = object()

ZEROS = "0" * 64

#: What may stand where in a broken description, by the last name on the way to it.
BROKEN: dict[str, list[Any]] = {
    "name": ["", "../x", "a/b", "wmt18", "a\n", 7, None, "x" * 99, "."],
    "description": [None, 1, ["x"], "two\nlines", "\x1b[31m", "\ud800", {}],
    "citation": [1, "\0", {}, "\x07"],
    "path": ["../secret.txt", "/etc/passwd", "..", "a/../../secret.txt", "", ".", "C:\\x", "\\\\host\\x", "a\0b", 3,
             "link", "missing.txt", "nul\n", "~/x/", "folder", "./src.en", "fifo"],
    "sha256": ["", ZEROS, "A" * 64, "0" * 63, 12, None, f"md5:{ZEROS[:32]}"],
    "column": ["no such column", 3, None, [], "\n", "\ud800"],
    "fields": [None, [], {}, {"src": 1}, {"src": "x", "../y": "x"}, {"ref": "x"}, {"SRC": "x"}],
    "pairs": [None, [], "en-de", {}, {"../../en-de": {}}, {"en": {}}, {"en-de": []}, {"en-de": {}}, {"en-de\n": {}}],
    "en-de": [None, {"fields": {"src": {"url": "file:///etc/passwd", "sha256": ZEROS}}}, {"where": 1}, {"run": "rm"},
              {"where": [{"column": "x", "is": "~", "value": ".*"}]}],
    "src": [None, 1, "no_file", {}, {"url": "https://../../x", "sha256": ZEROS}, {"url": "ftp://a/b"},
            {"url": "https://a.example/x"}, {"url": "https://a.example/x.tsv", "sha256": ZEROS, "column": "x"},
            {"path": "src.en", "encoding": "unicode_escape"}, {"path": "src.en", "url": "https://a.example/x"}],
}


def broken_descriptions(good: dict[str, Any], count: int) -> list[bytes]:
    """Descriptions, each with something wrong in it: a wrong value, a name too many, one too few, or bytes that differ.
    """
    ways: list[tuple[str, ...]] = []

    def visit(value: object, way: tuple[str, ...]) -> None:
        for name, member in value.items() if isinstance(value, dict) else ():
            ways.append((*way, name))
            visit(member, ways[-1])

    visit(good, ())
    text = json.dumps(good).encode()
    found = [text[:cut] for cut in range(0, len(text), 97)] + [b"\xff" + text, text + b"{}", b"\0" * 99]
    for way in ways:
        changes = [(way[-1], value) for value in BROKEN.get(way[-1], ())]
        changes += [(name, {}) for name in ("..", "exec", "Path", "url ", "\n", "ref:/x")]
        if way[-1] in {*BROKEN} - {"citation", "column"}:
            changes.append((way[-1], MISSING))
        for name, value in changes:
            broken: Any = copy.deepcopy(good)
            parent = functools.reduce(dict.__getitem__, way[:-1], broken)
            parent[name] = value
            if value is MISSING:
                del parent[name]
            found.append(json.dumps(broken).encode())
    found += [b" " * (1 << 20) + b"{}", b"[" * 100_000]
    assert len(found) > 300
    random.Random(67).shuffle(found)
    return found[:count]


@pytest.fixture
def secret(folder: Path, tmp_path: Path) -> Path:
    """A file outside of the folder, to which a link leads."""
    (tmp_path / "secret.txt").write_text("secret\n")
    with contextlib.suppress(OSError):  # (Windows may not allow it)
        (folder / "link").symlink_to(tmp_path / "secret.txt")
    return tmp_path / "secret.txt"


@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.full)])
def test_broken_descriptions_are_refused_in_one_line(folder: Path, secret: Path, opened: list[str], count: int) -> None:
    (folder / "folder").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "fifo")
    for broken in broken_descriptions(description(folder), count):
        (folder / "broken.json").write_bytes(broken)
        opened.clear()
        error = refusal(folder, "-t", "broken.json", "-l", "en-de", "--echo", "all", code=1, PUREBLEU_OFFLINE="1")
        assert "broken.json" in error and "\x1b" not in error, error
        assert not [path for path in opened if "secret" in path or "passwd" in path or path.endswith("link")], broken


def test_files_outside_are_not_read_even_with_their_checksum(folder: Path, tmp_path: Path, secret: Path,
                                                             opened: list[str]) -> None:
    (tmp_path / "mirror").mkdir()
    ways = [{"path": "../secret.txt"}, {"path": str(secret)}, {"url": "https://../secret.txt"},
            {"url": "https://a.example/../../secret.txt"}, {"url": f"file://{secret}"}]
    for way in [*ways, *[{"path": "link"}] * (folder / "link").exists()]:
        opened.clear()
        source = {**way, "sha256": hashlib.sha256(b"secret\n").hexdigest()}
        save(folder, {"name": "mine", "description": "x", "pairs": {"en-de": {"fields": {"src": source}}}})
        error = refusal(folder, *ASKED, "--echo", "src", "--mirror", str(tmp_path / "mirror"), "--offline", code=1)
        assert "is not of the form" in error or "is outside of the folder of the description" in error, error
        assert not any("secret" in path for path in opened)
