"""Every option beside every mode: it counts for something, or it is refused in one line."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from purebleu.cli import main
from purebleu.cli.arguments.table import GROUPS

from .. import PACKAGE
from ..helpers import folder_of_package
from ..test_minimal_python import MISSING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence

pytestmark = pytest.mark.skipif(sys.platform in ("emscripten", "wasi"), reason="there are no such files")

#: A command line of each mode; the texts are those of `folder`.
COMMANDS = {
    "score": ["ref", "-i", "one"], "score of two": ["ref", "-i", "one", "two"],
    "score of chrF": ["ref", "-i", "one", "-m", "chrf"], "score of TER": ["ref", "-i", "one", "-m", "ter"],
    "score of ROUGE": ["ref", "-i", "one", "-m", "rouge1"], "score of GLEU": ["ref", "-i", "one", "-m", "gleu"],
    "score of a test set": ["-t", "sample", "-l", "en-de", "-i", "mixed"],
    "sentences": ["ref", "-i", "one", "-sl"], "sentences in CSV": ["ref", "-i", "one", "-sl", "-f", "csv"],
    "audit": ["ref", "-i", "one", "--audit"], "check": ["ref", "-i", "one", "--check"],
    "check without references": ["-i", "one", "two", "--check", "--source", "ids"],
    "views": ["ref", "-i", "one", "two", "--worst", "1"],
    "buckets": ["ref", "-i", "one", "two", "--buckets", "length"], "lengths": ["ref", "-i", "one", "two", "--lengths"],
    "runs": ["ref", "--runs", "A=one", "B=two"], "rows": ["--rows", "saved.rows"],
    "manifest": ["--manifest", "all.tsv"], "mbr": ["--mbr", "-i", "samples", "-sl"], "list": ["--list"],
    "list of rows": ["--list", "--rows", "saved.rows"], "citation": ["--citation", "-t", "wmt17"],
    "echo": ["-t", "sample", "-l", "en-de", "--echo", "src"], "unbundle": ["--unbundle", "bundle"],
    "report": ["ref", "-i", "one", "two", "--report", "report.html"],
    "gates": ["ref", "-i", "one", "--fail-under", "BLEU=1"],
    "checks as gates": ["ref", "-i", "one", "--fail-on", "length,reference"],
    "test": ["ref", "-i", "one", "two", "-pbs"],
}

#: Values of each option, one of which has to count for something. (Without any, it is a switch.)
VALUES: dict[str, Sequence[Sequence[str]]] = {
    "references": [["second"]], "input": [["three"]], "num_refs": [["2"]], "names": [["X"], ["X", "Y"]],
    "runs": [["C=three"]], "ids": [["ids"]], "manifest": [["all.tsv"]], "encoding": [["latin-1"]],
    "reference_encoding": [["latin-1"]], "normalize": [["nfkc"]],
    "langpair": [["en-zh"], ["en-de"], ["de-en"]], "test_set": [["sample"], ["wmt17"]],
    "origlang": [["de"], ["non-de"]],
    "subset": [["x"]], "echo": [["ref"]], "download": [["sample"]], "bundle": [["b", "sample"]],
    "unbundle": [["bundle"]], "sha256": [["0" * 64]], "mirror": [["."]], "save_rows": [["x.rows"]], "offset": [["3"]],
    "rows": [["saved.rows"]], "metrics": [["chrf"], ["ter"], ["bleu", "chrf"]],
    "signature": [["BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:exp"],
                  ["chrF2|nrefs:1|case:lc|eff:yes|nc:6|nw:0|space:no"]],
    "gleu_min_order": [["2"]], "gleu_max_order": [["2"]], "rouge_tokenize": [["unicode"]],
    "bleu_tokenize": [["char"]], "bleu_smooth_method": [["floor"], ["add-k"]], "bleu_smooth_value": [["0.5"]],
    "nonbreaking_prefixes": [["prefixes"]], "counts": [["counts"]], "chrf_char_order": [["2"]],
    "chrf_word_order": [["2"]], "chrf_beta": [["1"]], "confidence_n": [["9"]], "paired_bs_n": [["9"]],
    "paired_ar_n": [["9"]], "seed": [["7"]], "rng": [["numpy"]], "fail_under": [["BLEU=99"]], "fail_over": [["BLEU=1"]],
    "baseline": [["two"]], "must_not_lose": [["0.1"]], "margin": [["1"]], "junit": [["junit.xml"]],
    "buckets": [["length"]], "worst": [["2"]], "best": [["1"]], "compare": [["1"]], "alignments": [["x.json"]],
    "show_alignments": [["1"]], "confusions": [["2"]],
    "format": [["text"], ["json"], ["csv"], ["html"], ["github"], ["paper"]],
    "worth": [[]], "power": [["0.5"]], "unit": [["doc"]], "docs": [["docs"]], "strata": [["docs"], ["origlang"]],
    "report": [["other.html"]], "source": [["ids"]], "report_segments": [["1"]], "port": [["5000"]],
    "public_port": [["5000"]], "memory": [["100"]], "width": [["3"]],
    "fail_on": [["tokenized"], ["length,empty"]], "check_threshold": [["length=1.1"], ["empty=40"]],
}

#: Promises about any run, which it keeps; and statements about its input, which need not change a score.
#: (Lines that are those of the references stay so under --resegment, and ASCII under --normalize.)
KEPT = {"quiet", "no_color", "offline", "mirror", "jobs", "doctor", "version", "help", "serve", "open", "encoding",
        "langpair", "bleu_force", "resegment", "normalize"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that command lines need."""
    made = tmp_path_factory.mktemp("modes")
    lines = ["The cat sat on the mat in the hall.", "It was a rainy day, and nobody came!", "Füße, “quotes” – 3.5 €!",
             "Dogs and cats ran home again today.", "Nothing else was said of it all."]
    texts = {"ref": lines, "second": [line.upper() for line in lines], "ids": [f"id-{line[:3]}" for line in lines],
             "one": [line.replace("a", "o", 1).replace(",", "") for line in lines],
             "two": [line.rpartition(" ")[0].lower() for line in lines], "three": lines[::-1],
             "samples": [f"{line}\t{line.lower()}\tx" for line in lines], "prefixes": ["Dr"], "counts": ["cat\t1"],
             "all.tsv": ["name\tpair\treferences\thypothesis", "A\ten-de\tref\tone", "B\ten-de\tref\ttwo"]}
    texts.update(short=lines[:2], empty=["a\tb", ""], docs=["x", "x", "y", "y", "y"])
    texts["wrong.tsv"] = [*texts["all.tsv"], "C\ten-de\tref\tshort"]
    texts["good.jsonl"] = [f'{{"x": "{line}"}}' for line in lines]
    texts["bad.jsonl"] = [*texts["good.jsonl"][1:], "{"]
    (made / "latin").write_bytes("".join([f"{line[:20]} ä\n" for line in lines]).encode("latin-1", "replace"))
    (made / "ref.gz").write_bytes(b"no gzip\n")
    for name, text in texts.items():
        (made / name).write_text("".join([f"{line}\n" for line in text]), encoding="utf-8")
    _, mixed, _, _ = run(made, ["-t", "sample", "-l", "en-de", "--echo", "mixed"])
    (made / "mixed").write_text(mixed.replace(",", ""), encoding="utf-8")
    for arguments in (["ref", "-i", "one", "two", "--save-rows", "saved.rows", "-q"], ["--bundle", "bundle", "sample"]):
        for name, content in run(made, arguments)[3].items():
            (made / name).write_bytes(content)
    return made


def run(folder: Path, arguments: Sequence[str]) -> tuple[int, str, str, dict[str, bytes]]:
    """The exit code, both outputs, and what is written, of a command line in this process."""
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    out, err = io.StringIO(), io.StringIO()
    where = os.getcwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(list(arguments))
    finally:
        os.chdir(where)
    written: dict[str, bytes] = {}
    for path in folder.iterdir():
        if path.is_file() and before.get(path.name) != path.stat().st_mtime_ns:
            written[path.name] = path.read_bytes()
            if path.name not in before:
                path.unlink()
    return code, out.getvalue(), err.getvalue(), written


def given(option: Any, values: Sequence[str]) -> list[str]:
    return list(values) if option.form == "positional" else [option.names[0], *values]


@pytest.mark.parametrize("mode", [pytest.param(mode, marks=[pytest.mark.full] * (mode in ("report", "runs")))
                                  for mode in COMMANDS])
def test_an_option_counts_for_something_or_is_refused(folder: Path, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUREBLEU_CACHE", str(folder / "cache"))
    monkeypatch.setenv("PUREBLEU_OFFLINE", "1")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    usual = run(folder, COMMANDS[mode])
    assert usual[0] == 0, usual[2]
    silent: list[str] = []
    for group in GROUPS:
        for option in group.options:
            if option.destination in KEPT or any(name in COMMANDS[mode] for name in option.names):
                continue  # (given twice, it says the same)
            effects = [run(folder, [*COMMANDS[mode], *given(option, values)])
                       for values in VALUES.get(option.destination, [[]])]
            assert all(code in (0, 3) or (code in (1, 2, 17) and error.count("\n") == 1)
                       for code, _, error, _ in effects), effects
            if all(effect == usual for effect in effects):
                silent.append(option.names[0])
    assert silent == []


@pytest.mark.parametrize(("arguments", "told"), [
    (["ref", "-i", "one", "two", "-sh", "-b"],
     ["warning: --short is for text: json has the full signature anyway",
      "warning: --score-only is for a single system, as text or JSON: a table has its signatures, too"]),
    (["ref", "-i", "one", "-sh", "-b"], []),
    (["-t", "sample", "-l", "en-de", "-i", "mixed", "-nr", "2"],
     ["error: --num-refs is for a file of references, not for a test set"]),
    (["--list", "-t", "sample", "--chrf-beta", "3", "--ter-normalized"],
     ["warning: --ter-normalized counts for nothing beside --list",
      "warning: --chrf-beta counts for nothing beside --list"]),
    (["--list", "-t", "sample", "--rouge-stemmer"], ["error: --rouge-stemmer does not go with --list"]),
    *[([*arguments, "-m", "ter", "--ter-kinds"], ["error: --ter-kinds goes with --sentence-level, views or scores of "
                                                  f"whole files, not with {arguments[0]}"])
      for arguments in (["--manifest", "all.tsv"], ["--runs", "A=one", "B=two"], ["--mbr", "-i", "samples"],
                        ["--select", "1", "-i", "one", "two"], ["--agreement", "docs", "-i", "one", "two"])],
    *[(["--rows", "saved.rows", view, "1", *gate], [f"error: {gate[0]} goes with --rows or scores of whole files, not "
                                                    "with views"])
      for view in ("--worst", "--compare") for gate in (["--fail-under", "BLEU=99"], ["--baseline", "two"])],
    *[([*arguments, "-:x"], [f"error: {arguments[-1]} takes no value that begins with -: (a column of standard input)"])
      for arguments in (["ref", "-i", "one", "--report"], ["ref", "-i", "one", "--report", "r.html", "--report-title"],
                        ["ref", "-i", "one", "two", "--names"], ["ref", "-i", "one", "--language-pair"])],
    (["--citation", "-t", "flores200"],
     ["error: there is no test set 'flores200' (did you mean 'flores200/dev'?) (see --list)"]),
])
def test_what_counts_for_nothing_is_told(folder: Path, arguments: list[str], told: list[str]) -> None:
    code, _, errors, _ = run(folder, arguments)
    assert errors.splitlines() == [f"purebleu: {line}" for line in told]
    assert code == (2 if told and told[0].startswith("error") else 0)


#: Faults of a run, and their absence: arguments that are added to a mode's, or stand instead of it.
FAULTS = [
    ["ref", "-i", "nope"], ["nope", "-i", "one"], ["ref", "-i", "short"], ["ref", "-i", "latin"], ["ref", "-i", "."],
    ["ref", "-i", "latin", "-e", "latin-1"], ["ref", "-i", "one", "-e", "nope"], ["ref", "-i", "ref.gz"],
    ["ref", "-i", "bad.jsonl:x"], ["ref", "-i", "good.jsonl:x"], ["ref", "-i", "good.jsonl:y"],
    ["ref", "-i", "one", "--report", "no/where.html"], ["ref", "-i", "one", "--report", "."],
    ["ref", "-i", "one", "--report", "new.html"], ["ref", "-i", "one", "--save-rows", "no/x"],
    ["ref", "-i", "one", "--alignments", "no/x.json", "-m", "ter"],
    ["ref", "-i", "one", "--alignments", "x.ter", "-m", "ter"],
    ["ref", "-i", "one", "--fail-under", "BLEU=1", "--junit", "no/x"],
    ["ref", "-i", "one", "--fail-under", "BLEU=1", "--junit", "x.xml"],
    ["ref", "-i", "one", "--ids", "nope", "--worst", "1"],
    ["ref", "-i", "one", "--source", "short", "--worst", "1"], ["ref", "-i", "one", "--source", "ids", "--worst", "1"],
    ["ref", "-i", "one", "-tok", "ja-mecab"], ["ref", "-i", "one", "-tok", "spm:nope"],
    ["ref", "-i", "one", "-l", "en-zh"],
    ["ref", "-i", "one", "two", "-par", "--rank", "-f", "html"], ["ref", "-i", "one", "two", "-pbs", "-f", "latex"],
    ["ref", "-i", "one", "-m", "bleu", "chrf", "ter", "wer", "nist", "eed", "ribes", "character", "rouge", "gleu"],
    ["ref", "-i", "one", "-ci", "-j", "2"], ["ref", "-i", "one", "-f", "markdown"], ["ref", "-nr", "2", "-i", "one"],
    ["ref", "-i", "one", "--audit", "--counts", "nope"],
    ["ref", "-i", "one", "--audit", "--nonbreaking-prefixes", "prefixes"],
    ["ref", "-i", "one", "-m", "wer", "--confusions", "2"], ["ref", "-i", "one", "-m", "ter", "--show-alignments"],
    ["ref", "-i", "one", "two", "--cross"], ["ref", "-i", "one", "--buckets", "score", "frequency"],
    ["ref", "-i", "nope", "--check"], ["-i", "one", "--check", "--fail-on", "copied"],
    ["-t", "sample", "-l", "en-de", "-i", "mixed", "--check", "--fail-on", "copied,loop"],
    ["-t", "sample", "-l", "en-de", "-i", "mixed", "--fail-on", "copied"], ["ref", "-i", "one", "--fail-on", "copied"],
    ["ref", "-i", "one", "--check", "--source", "short"], ["-i", "one", "two", "--check", "--fail-on", "identical"],
    ["ref", "-i", "one", "--check", "--fail-on", "empty", "--junit", "no/x"],
    ["ref", "-i", "one", "--check", "-f", "csv"],
    ["--rows", "nope"], ["--rows", "ref"], ["--rows", "saved.rows", "--report", "no/x"],
    ["--rows", "saved.rows", "-pbs"],
    ["--manifest", "nope.tsv"], ["--manifest", "all.tsv", "--report", "x.html"], ["--manifest", "wrong.tsv"],
    ["ref", "--runs", "A=one", "B=short"], ["--mbr", "-i", "nope"], ["--mbr", "-i", "empty"],
    ["--unbundle", "nope"], ["--unbundle", "ref"], ["--unbundle", "bundle", "--sha256", "0" * 64],
    ["-t", "wmt17", "-l", "en-de", "-i", "one"], ["-t", "sample", "-l", "en-de", "-i", "one"],
    ["-t", "wmt17", "-l", "en-de", "--echo", "src"], ["ref", "-i", "one", "-sl", "-f", "json", "--ids", "short"],
]


@pytest.mark.parametrize("arguments", [*COMMANDS.values(), *FAULTS], ids=" ".join)
def test_the_doctor_says_beforehand_what_a_run_says(folder: Path, arguments: list[str],
                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUREBLEU_CACHE", str(folder / "cache"))
    monkeypatch.setenv("PUREBLEU_OFFLINE", "1")
    before = sorted(path.name for path in folder.iterdir())
    code, found, error, written = run(folder, [*arguments, "--doctor"])
    assert (error.count("\n") if code == 2 else code in (0, 1), written) == (True, {})
    assert sorted(path.name for path in folder.iterdir()) == before
    ran = run(folder, arguments)
    assert {2: 2, 1: 1}.get(ran[0], 0) == code or (ran[0], code) == (17, 1), (ran, found)


#: Runs command lines with and without `--doctor`, where some modules can't be imported; prints both exit codes of each.
DRIVER = """\
import ast, contextlib, io, sys
missing, lines = map(ast.literal_eval, sys.argv[1:])
for name in [name for name in sys.modules if name.split(".")[0] in missing or name in missing]:
    del sys.modules[name]
sys.modules.update(dict.fromkeys(missing))
from PACKAGE.cli import main
found = []
for arguments in lines:
    codes = []
    for more in (["--doctor"], []):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as told:
            codes.append(main(arguments + more))
    found.append((*codes, told.getvalue()))
print(found)
"""


@pytest.mark.parametrize("where", [
    *[pytest.param(where, marks=pytest.mark.heavy) for where in ("where modules are missing", "in a read-only folder")],
    "both",
])
@pytest.mark.full
@pytest.mark.full
def test_the_doctor_is_right_also(where: str, folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(str(folder), str(copy))
    start: list[str] = []
    if where != "where modules are missing":
        start = ["unshare", "--user"]  # without root's right to write anywhere
        if sys.platform != "linux" or not shutil.which("unshare") or subprocess.run([*start, "true"]).returncode:
            pytest.skip("needs Linux's unshare, and the right to make a namespace of users")
        for path in copy.rglob("*"):
            path.chmod(0o444 if path.is_file() else 0o555)
        copy.chmod(0o555)
    lines = [*COMMANDS.values(), *FAULTS]
    environment = {**os.environ, "PUREBLEU_CACHE": str(copy / "cache"), "PUREBLEU_OFFLINE": "1",
                   "PYTHONPATH": os.pathsep.join([str(folder_of_package()), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(
        [*start, sys.executable, "-c", DRIVER.replace("PACKAGE", PACKAGE),
         repr(() if where == "in a read-only folder" else MISSING), repr(lines)],
        cwd=str(copy), env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    found = ast.literal_eval(done.stdout.decode())
    wrong = [(" ".join(line), asked, ran, told) for line, (asked, ran, told) in zip(lines, found)
             if {2: 2, 1: 1}.get(ran, 0) != asked and (ran, asked) != (17, 1)]
    assert wrong == []
    assert len({ran for _, ran, _ in found}) > 2
