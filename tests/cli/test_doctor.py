"""`doctor`: what it finds on machines that have, lack, or only seem to have something."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any, Callable

import pytest

from purebleu.cli.commands import doctor
from purebleu.datasets import DATASETS

from .. import PACKAGE
from ..datasets.test_bundled_program import fill_cache
from ..helpers import call_cli, needs_processes, output_of, refusal, run_cli, served, told

pytestmark = needs_processes


def found(*arguments: str, code: int = 0, start: tuple[str, ...] = (), **variables: str) -> dict[str, Any]:
    """The findings by their subjects, as JSON has them; the exit code is this one. `start`: in a process of its own."""
    line = ["doctor", "--json", *arguments]
    done = run_cli(line, env=variables, start=start) if start else call_cli(line, env=variables)
    report = json.loads(done.stdout.decode())
    assert (done.returncode, done.stderr, report["fine"]) == (code, b"", code == 0)
    return {finding["subject"]: finding for finding in report["findings"]}


@pytest.fixture
def cache(tmp_path: Path) -> str:
    """An empty cache."""
    (tmp_path / "cache").mkdir()
    return str(tmp_path / "cache")


def test_a_screen_of_findings(cache: str) -> None:
    lines = output_of(["doctor"], Path.cwd(), PUREBLEU_CACHE=cache).splitlines()
    assert len(lines) <= 24 and all(line.startswith(("ok ", "-- ", "    ")) for line in lines)
    assert any(line.startswith("ok cache") and line.endswith(cache) for line in lines)
    found_in_json = found(PUREBLEU_CACHE=cache)
    assert list(found_in_json) == [line[3:].split("  ")[0].strip() for line in lines if not line.startswith(" ")]
    assert sys.executable in found_in_json["Python"]["found"]


def test_a_line_has_its_verdict_first(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text("a b\n")
    for line in (["out.txt", "-i", "out.txt"], ["purebleu out.txt -i out.txt"], ["out.txt -i 'out.txt'"]):
        assert told(tmp_path, "doctor", *line)[0].startswith("ok the line"), line
    text, _ = told(tmp_path, "doctor", "out.txt -i none.txt", code=1)
    assert text.startswith("NO the line") and "none.txt" in text


def test_a_cache_that_can_not_be_written() -> None:
    for folder in (os.path.join(os.devnull, "cache"), ""):
        finding = found(PUREBLEU_CACHE=folder)["cache"]
        assert (finding["fine"], finding["advice"]) == (False, "set PUREBLEU_CACHE to a folder that can be written")


def test_data_at_hand_are_found(cache: str) -> None:
    fill_cache(Path(cache))
    model = Path(cache, "models", "sacrebleu_tokenizer_spm.model")
    line = ("-t", "wmt17", "-l", "en-de", "-tok", "flores101", "--offline")
    findings = found(*line, "-m", "bleu", "ter", PUREBLEU_CACHE=cache)
    assert findings["wmt17 en-de"]["found"] == "in the cache"
    assert findings["flores101"]["found"] == "its model is in the cache"
    assert "wmt17 en-de" in findings["test sets"]["found"]
    assert findings["models"]["found"] == f"flores101 (SHA-256 {hashlib.sha256(model.read_bytes()).hexdigest()})"
    assert findings["the line"]["asked"] and findings["the line"]["fine"]
    # A file that was cut off is as good as none.
    for path in (Path(cache, "wmt17", "wmt17.en-de.src"), model):
        path.write_bytes(path.read_bytes()[:3])
    findings = found(*line, code=1, PUREBLEU_CACHE=cache)
    assert not findings["wmt17 en-de"]["fine"] and not findings["flores101"]["fine"]
    assert not findings["models"]["fine"] and "sacrebleu_tokenizer_spm.model" in findings["models"]["found"]
    assert "--download wmt17" in findings["wmt17 en-de"]["advice"]


#: A test set, and where a mirror has its archive.
WMT18 = ("-t", "wmt18", "-l", "en-de")
ARCHIVE = DATASETS["wmt18"].archives_of("en-de")[0][0].partition("://")[2]


def test_data_that_could_be_fetched_are_named(cache: str, tmp_path: Path) -> None:
    archive = tmp_path / "mirror" / ARCHIVE
    archive.parent.mkdir(parents=True)
    archive.write_bytes(b"any")  # (it is only asked for)
    with served(tmp_path / "mirror") as server:
        findings = found(*WMT18, "--mirror", server, PUREBLEU_CACHE=cache)
    assert findings["wmt18 en-de"]["found"] == "missing, but it can be fetched"
    assert findings["fetching"]["found"].startswith(f"from {server}")
    assert findings["fetching"]["found"].endswith("(see wmt18 en-de)") and not findings["fetching"]["advice"]
    assert not os.listdir(cache)


def test_data_that_can_not_be_fetched_are_faults(cache: str, tmp_path: Path) -> None:
    finding = found(*WMT18, "--mirror", str(tmp_path), "--offline", code=1, PUREBLEU_CACHE=cache)["wmt18 en-de"]
    assert not finding["fine"] and "can't be fetched (" in finding["found"] and "test.tgz" in finding["found"]
    # (Windows has its own words for that, in its own language.)
    assert os.name == "nt" or "No such file" in finding["found"]
    findings = found(*WMT18, "--offline", "-i", "missing", code=1, PUREBLEU_CACHE=cache)
    assert not findings["-i"]["fine"] and "missing" in findings["-i"]["found"]
    for address in ("http://127.0.0.1:abc", "http://a b/"):
        assert not found(*WMT18, "--mirror", address, code=1, PUREBLEU_CACHE=cache)["wmt18 en-de"]["fine"]
    finding = found("--mirror", str(tmp_path / "none"), "--offline", PUREBLEU_CACHE=cache)["fetching"]
    assert not finding["fine"] and "is not a folder" in finding["found"]


def damaged(path: Path) -> None:
    path.write_bytes(b"no archive")


def pipe(path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    os.mkfifo(str(path))


def endless(path: Path) -> None:
    if os.name == "nt" or not os.path.exists("/dev/zero"):  # (wine shows that of the system beneath)
        pytest.skip("this system has no /dev/zero")
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize(("make", "reason"), [
    (damaged, "the MD5 sum of the file is "), (pipe, "not a regular file"), (endless, "not a regular file"),
    (Path.mkdir, "not a regular file")])
def test_a_mirror_with_something_else_than_the_archive(cache: str, tmp_path: Path, make: Callable[[Path], None],
                                                       reason: str) -> None:
    (tmp_path / ARCHIVE).parent.mkdir(parents=True)
    make(tmp_path / ARCHIVE)
    asked = [*WMT18, "--mirror", str(tmp_path), "--offline"]
    finding = found(*asked, code=1, PUREBLEU_CACHE=cache)["wmt18 en-de"]
    assert not finding["fine"] and reason in finding["found"]
    assert reason in refusal(tmp_path, *asked, "--echo", "src", code=1, PUREBLEU_CACHE=cache)


def test_wrong_usage() -> None:
    for arguments in (["doctor", "--json=x"], ["doctor", "-t", "nosuchset"], ["doctor", "ref", "-m", "meteor"],
                      ["doctor", "gate", "ref", "--worst", "1"]):
        refusal(Path.cwd(), *arguments)


@pytest.mark.parametrize(("missing", "lost"), [
    ("zlib", "compressed files"), ("ssl", "https"), ("multiprocessing", "-j"), ("html", "HTML"), ("mmap", "MeCab")])
def test_modules_that_are_missing_are_named_with_what_they_cost(cache: str, missing: str, lost: str) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None; from {PACKAGE}.cli import run; run()"
    finding = found(start=("-c", program), PUREBLEU_CACHE=cache)["module"]
    assert not finding["fine"] and lost in finding["advice"] and missing in finding["found"]


@pytest.mark.parametrize(("has_binding", "told"), [
    (True, ("tok:ja-mecab-0.996-IPA, by mecab-python3", "")),
    (False, ("tok:ja-mecab-0.996-IPA, read by purebleu", "ja-mecab is about twenty times as fast with mecab-python3"))])
def test_the_reader_of_a_dictionary_is_reported(monkeypatch: pytest.MonkeyPatch, has_binding: bool,
                                                told: tuple[str, str]) -> None:
    monkeypatch.setattr(doctor, "_signature", lambda name: f"tok:{name}-0.996-IPA")
    monkeypatch.setattr(doctor, "_can_import", lambda _: has_binding)
    finding = doctor._dictionary("ja-mecab")
    assert (finding.fine, (finding.found, finding.advice)) == (True, told)
