"""A bundle that is a program, too: what it holds, and that it runs where nothing else is."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from purebleu.datasets import DATASETS

from ..helpers import SCRIPTS, load_script, needs_processes, read_fixture, refusal, refused, run_python, told, unpacked

pytestmark = needs_processes

#: Three segments of a test set that the catalogue has, with all its fields; the text is ours.
SEGMENTS = {
    "src": ["A house.", "Two dogs ran home.", "The end."],
    "ref": ["Ein Haus.", "Zwei Hunde liefen heim.", "Das Ende."],
    "docid": ["a", "a", "b"], "genre": ["news"] * 3, "origlang": ["en", "de", "en"],
}
ASKED = ["-t", "wmt17", "-l", "en-de"]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of a language pair and a model, with the program. The cache that they came from is gone."""
    folder = tmp_path_factory.mktemp("bundle")
    fill_cache(folder / "cache")
    output, _ = told(folder, "bundle", "eval.pb", *ASKED, "-tok", "flores101", "--with-program", PUREBLEU_CACHE="cache",
                     PUREBLEU_OFFLINE="1")
    assert output.rstrip() == f"{hashlib.sha256((folder / 'eval.pb').read_bytes()).hexdigest()}  eval.pb"
    shutil.rmtree(folder / "cache")
    return folder / "eval.pb"


@pytest.fixture
def program(tmp_path: Path, bundle: Path) -> Path:
    """A copy of the bundle, alone in its folder."""
    path = tmp_path / bundle.name
    shutil.copyfile(bundle, path)
    return path


def fill_cache(folder: Path) -> None:
    """Fill a cache with a language pair of a test set, as sacreBLEU leaves it, and a model."""
    (folder / "models").mkdir(parents=True)
    (folder / "wmt17").mkdir()
    for field in DATASETS["wmt17"].stored("en-de").known:
        content = "".join([f"{line}\n" for line in SEGMENTS[field]])
        (folder / "wmt17" / f"wmt17.en-de.{field}").write_text(content, encoding="utf-8")
    model = next(case for case in read_fixture("sentencepiece.models.json.gz")["cases"] if case["name"] == "trained 0")
    (folder / "models" / "sacrebleu_tokenizer_spm.model").write_bytes(unpacked(model["content"]))


def run_program(path: Path, *arguments: str, stdin: bytes = b"", start: tuple[str, ...] = (), **variables: str) -> Any:
    """Run a bundle where there is no home, no network, and no cache that could be written."""
    environment = {"PUREBLEU_CACHE": os.path.join(os.devnull, "cache"), "PUREBLEU_OFFLINE": "1",
                   "PATH": os.environ.get("PATH", ""), "SYSTEMROOT": os.environ.get("SYSTEMROOT", ""),
                   "TMPDIR": str(path.parent / "temporary"), **variables}
    (path.parent / "temporary").mkdir(exist_ok=True)
    done = run_python(["-I", *start, str(path), *arguments], input=stdin, cwd=str(path.parent), env=environment)
    assert list((path.parent / "temporary").iterdir()) == []  # it leaves nothing behind
    return done


#: Runs command lines of a bundle's program, and prints the exit code, the output and the errors of each.
RUN_LINES = """
import ast, contextlib, io, sys
sys.path.insert(0, sys.argv[1])
from purebleu.cli import main
for line in ast.literal_eval(sys.argv[2]):
    with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()) as errors:
        code = main(line)
    print((code, output.getvalue(), errors.getvalue()))
"""


def answers_of(path: Path, *lines: list[str], offline: str = "1") -> list[tuple[int, str, str]]:
    """The answers of a bundle's program to command lines, in one process, which reads the program only once."""
    done = run_program(path, repr(lines), start=("-c", RUN_LINES), PUREBLEU_OFFLINE=offline)
    assert (done.returncode, done.stderr) == (0, b"")
    return list(map(ast.literal_eval, done.stdout.decode().splitlines()))


def test_a_bundle_runs_alone(program: Path) -> None:
    hypotheses = b"Ein Haus.\nZwei Hunde gingen dann heim.\nEnde.\n"
    done = run_program(program, *ASKED, "--echo", "src", "ref")
    lines = [f"{source}\t{reference}" for source, reference in zip(SEGMENTS["src"], SEGMENTS["ref"])]
    assert (done.returncode, done.stderr, done.stdout.decode().splitlines()) == (0, b"", lines)
    for options, part in ((["-tok", "flores101"], b"tok:flores101"), (["-d", "-m", "chrf"], b"origlang=de")):
        done = run_program(program, *ASKED, *options, "-f", "text", stdin=hypotheses)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.count(b" = ") >= 1 and part in done.stdout


def test_a_cache_that_can_be_written_is_filled(program: Path, tmp_path: Path) -> None:
    times = []
    for _ in range(2):
        assert run_program(program, *ASKED, "--echo", "src", PUREBLEU_CACHE=str(tmp_path / "own")).returncode == 0
        times.append((tmp_path / "own" / "wmt17" / "wmt17.en-de.src").stat().st_mtime_ns)
    assert times[0] == times[1]
    assert not list((tmp_path / "own").rglob("*.model"))  # (only what was asked for)


def test_a_missing_test_set_is_said_at_once_with_those_at_hand(program: Path, tmp_path: Path) -> None:
    echo = ["-l", "en-de", "--echo", "src"]
    asked = {"wmt18 en-de": ["-t", "wmt18", *echo], "wmt17 de-en": ["-t", "wmt17", "-l", "de-en"],
             "flores200": [*ASKED, "-tok", "flores200"]}
    *found, sample, mirrored = answers_of(
        program, *asked.values(), ["-t", "sample", *echo], ["-t", "wmt18", *echo, "--mirror", str(tmp_path)],
        offline="0")  # (It does not try to fetch anything even where it might.)
    assert found == [(1, "", f"purebleu: error: this bundle holds wmt17 en-de, flores101, but not {lacking}: on a "
                      "machine with a network, purebleu --download NAME fetches test sets and models\n")
                     for lacking in asked]
    assert sample[0] == 0
    assert (mirrored[0], "this bundle" in mirrored[2]) == (1, False)  # (the mirror is asked)


def test_lists_and_the_doctor_know_what_a_program_holds(program: Path) -> None:
    listed, of_pair, of_set, of_missing_set, doctor, of_line, of_missing_line = answers_of(
        program, ["--list"], ["--list", "-l", "de-en"], ["--list", "-t", "wmt17"], ["--list", "-t", "wmt18"],
        ["doctor"], ["doctor", *ASKED, "-tok", "flores101"], ["doctor", "-t", "wmt18", "-l", "en-de"])
    assert (listed[0], listed[2]) == (0, "")
    lines = [line.split(":")[0].strip() for line in listed[1].splitlines()]
    assert lines == ["This bundle holds", "sample en-de", "sample en-fr", "sample de-en", "wmt17 en-de", "flores101"]
    assert "wmt17" not in of_pair[1]
    assert of_set[1].splitlines() == ["en-de: src, ref, docid, genre, origlang"]
    assert of_missing_set[:2] == (2, "")
    assert of_missing_set[2].startswith("purebleu: error: this bundle holds wmt17 en-de, flores")
    assert doctor[0] == 0 and "ok bundle " in doctor[1]
    assert "wmt17 en-de (in this bundle)" in doctor[1] and "flores101 (in this bundle)" in doctor[1]
    lines = of_line[1].splitlines()
    assert of_line[0] == 0
    assert any(line.startswith("ok wmt17 en-de") and "own archive" in line for line in lines)
    assert any(line.startswith("ok flores101") and "own archive" in line for line in lines)
    assert of_missing_line[0] == 1


def test_a_program_with_data_is_a_bundle_like_any_other(program: Path, tmp_path: Path) -> None:
    checksum = hashlib.sha256(program.read_bytes()).hexdigest()
    unbundle = ["unbundle", str(program), "--sha256"]
    listed = told(tmp_path, *unbundle, checksum.upper(), PUREBLEU_CACHE="other")
    assert listed == ("wmt17 en-de\nflores101\n", "")
    with zipfile.ZipFile(program) as archive:
        names = archive.namelist()
        assert archive.testzip() is None
        if (SCRIPTS / "make_zipapp.py").is_file():
            assert archive.read("__main__.py") == load_script("make_zipapp").MAIN
    assert names[0] == "bundle.json" and "purebleu/metrics/bleu.py" in names
    assert not any("__pycache__" in name for name in names)
    assert refusal(tmp_path, *unbundle, "0" * 64, code=1, PUREBLEU_CACHE="new") == (
        f"purebleu: error: {program}: the SHA-256 sum of the file is {checksum}, but {'0' * 64} is expected\n")
    assert not (tmp_path / "new").exists()


def test_a_program_writes_another_one(program: Path, tmp_path: Path) -> None:
    done = run_program(program, "bundle", "again.pb", *ASKED, "-tok", "flores101", "--with-program")
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "again.pb").read_bytes() == program.read_bytes()


@refused("bundles")
def test_wrong_usage_is_refused(tmp_path: Path, arguments: list[str], code: int, message: str) -> None:
    assert message in refusal(tmp_path, *arguments, code=code)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("unshare"), reason="needs a network namespace")
def test_the_program_runs_without_a_network_for_another_user_in_a_read_only_home(program: Path) -> None:
    start = ["unshare", "--net", "--user"]
    if subprocess.run([*start, "true"], stderr=subprocess.DEVNULL).returncode:
        pytest.skip("this machine allows no namespaces")
    home = program.parent / "home"
    home.mkdir()
    home.chmod(0o555)
    done = subprocess.run([*start, sys.executable, str(program), *ASKED, "--echo", "ref"], capture_output=True,
                          env={"HOME": str(home)}, cwd="/", check=False)
    assert (done.returncode, done.stderr, done.stdout.decode().splitlines()) == (0, b"", SEGMENTS["ref"])
    assert list(home.iterdir()) == []


def spoil(path: Path, member: str) -> None:
    """Change a byte in the middle of what an archive holds of a member."""
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo(member)
    content = bytearray(path.read_bytes())
    name, extra = struct.unpack("<HH", content[info.header_offset + 26:info.header_offset + 30])
    content[info.header_offset + 30 + name + extra + info.compress_size // 2] ^= 0x55
    path.write_bytes(bytes(content))


def rewrite(path: Path, member: str, content: bytes) -> None:
    """Give a member of an archive another content, with which the archive itself agrees."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, before in members.items():
            archive.writestr(name, content if name == member else before)


@pytest.mark.parametrize(("member", "is_lacking"), [
    ("wmt17/en-de/ref", "wmt17 en-de"), ("purebleu/metrics/ter.py", ""),
    *[pytest.param(member, is_lacking, marks=pytest.mark.heavy) for member, is_lacking in (
        ("models/flores101", "flores101"), ("purebleu/report/page/page.js", ""), ("bundle.json", "wmt17 en-de"))],
])
def test_the_doctor_verifies_what_it_holds(program: Path, member: str, is_lacking: str) -> None:
    spoil(program, member)
    (code, output, errors), of_line = answers_of(program, ["doctor"], ["doctor", *ASKED, "-tok", "flores101"])
    assert (code, errors) == (1, "")
    lines = output.splitlines()
    assert any(line.startswith("NO bundle") for line in lines)
    text = " ".join(" ".join(lines).split())
    assert "this bundle is damaged: " in text and (member in text or f"{is_lacking}: " in text)
    assert "compare its SHA-256 sum" in text
    held = [line for line in lines if "(in this bundle)" in line]
    assert not is_lacking or not any(f"{is_lacking} (in this bundle)" in line for line in held)
    assert of_line[::2] == (1, "")


def test_the_doctor_compares_checksums_and_shortens_what_it_tells(program: Path) -> None:
    rewrite(program, "wmt17/en-de/src", b"Another text.\nOf as many lines.\nAs before.\n")
    done = run_program(program, "doctor")
    assert done.returncode == 1
    assert "wmt17 en-de: wmt17/en-de/src is damaged" in " ".join(done.stdout.decode().split())
    with zipfile.ZipFile(program) as archive:
        pages = [name for name in archive.namelist() if name.endswith(".md")][:8]
    for page in pages:
        spoil(program, page)
    text = " ".join(run_program(program, "doctor").stdout.decode().split())
    assert text.count(".md: ") == 4 and "; and 4 more" in text


@pytest.mark.parametrize("content", [
    b'{"version": 2}', None,
    *[pytest.param(content, marks=pytest.mark.heavy) for content in (b"", b"\xff", b"{", b"[]", b'{"version": 1}')],
])
def test_a_damaged_description_is_a_finding_of_the_doctor_and_an_error_elsewhere(program: Path,
                                                                                 content: bytes | None) -> None:
    if content is None:
        spoil(program, "bundle.json")
    else:
        rewrite(program, "bundle.json", content)
    doctor, *others = answers_of(program, ["doctor", "--json", *ASKED], ["--list"], [*ASKED, "--echo", "src"])
    assert doctor[::2] == (1, "")
    findings = {finding["subject"]: finding for finding in json.loads(doctor[1])["findings"]}
    assert not findings["bundle"]["fine"] and str(program.name) in findings["bundle"]["found"]
    for code, output, errors in others:
        assert (code, output, errors.count("\n")) == (1, "", 1)
        assert str(program.name) in errors and "bundle" in errors
