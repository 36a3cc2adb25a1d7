"""Every option of every command: it has an effect, or it is refused in one line."""

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
from purebleu.cli.commands import COMMANDS, command_named
from purebleu.cli.output import page

from .. import PACKAGE
from ..helpers import folder_of_package
from ..test_minimal_python import MISSING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence

pytestmark = pytest.mark.skipif(sys.platform in ("emscripten", "wasi"), reason="there are no such files")

#: Command lines of each command, by what they score; the texts are those of `folder`.
LINES: dict[str, dict[str, list[str]]] = {
    "score": {
        "one": ["ref", "-i", "one"], "two": ["ref", "-i", "one", "two"], "chrf": ["ref", "-i", "one", "-m", "chrf"],
        "ter": ["ref", "-i", "one", "-m", "ter"], "rouge": ["ref", "-i", "one", "-m", "rouge1"],
        "gleu": ["ref", "-i", "one", "-m", "gleu"], "test set": ["-t", "sample", "-l", "en-de", "-i", "mixed"],
        "sentences": ["ref", "-i", "one", "-sl"], "sentences in CSV": ["ref", "-i", "one", "-sl", "-f", "csv"],
        "test": ["ref", "-i", "one", "two", "-pbs"], "rows": ["--rows", "saved.rows"],
        "sentences of rows": ["--rows", "one.rows", "-sl"], "runs": ["ref", "--runs", "A=one", "B=two"],
        "manifest": ["--manifest", "all.tsv"], "pair": ["--manifest", "all.tsv", "-l", "en-de"], "list": ["--list"],
        "citation": ["--citation", "-t", "wmt17"], "echo": ["-t", "sample", "-l", "en-de", "--echo", "src"],
        "outside": ["ref", "-i", "one", "-m", "bleu", "x", "--scores", "x=numbers"],
    },
    "test": {"two": ["ref", "-i", "one", "two"], "one": ["ref", "-i", "one"], "three": ["ref", "-i", "one", "two", "three"],
             "rows": ["--rows", "saved.rows"], "runs": ["ref", "--runs", "A=one", "B=two"],
             "manifest": ["--manifest", "all.tsv"], "pair": ["--manifest", "all.tsv", "-l", "en-de"],
             "test set": ["-t", "sample", "-l", "en-de", "-i", "mixed", "mixed2"],
             "json": ["ref", "-i", "one", "two", "-f", "json"], "csv": ["ref", "-i", "one", "two", "-f", "csv"],
             "ter": ["ref", "-i", "one", "two", "-m", "ter"]},
    "gate": {"limit": ["ref", "-i", "one", "--min", "bleu=1"], "two": ["ref", "-i", "one", "three", "--min", "bleu=1"],
             "baseline": ["ref", "-i", "one", "--baseline", "two"], "margin": ["ref", "-i", "one", "--baseline", "two", "--margin", "99"],
             "checks": ["ref", "-i", "one", "--fail-on", "length,reference"],
             "report": ["ref", "-i", "one", "--min", "bleu=1", "--report", "r.html"],
             "rows": ["--rows", "saved.rows", "--min", "bleu=1"],
             "manifest": ["--manifest", "all.tsv", "--min", "bleu=1"],
             "test set": ["-t", "sample", "-l", "en-de", "-i", "mixed", "--min", "bleu=1"]},
    "report": {"two": ["ref", "-i", "one", "two"], "one": ["ref", "-i", "one"], "rows": ["--rows", "saved.rows"],
               "manifest": ["--manifest", "all.tsv"], "no tests": ["ref", "-i", "one", "two", "--no-tests"],
               "no checks": ["ref", "-i", "one", "two", "--no-checks"], "quiet": ["ref", "-i", "one", "two", "-q"],
               "human": ["ref", "-i", "one", "two", "--human", "numbers", "numbers2"],
               "audit": ["ref", "-i", "one", "--audit"],
               "test set": ["-t", "sample", "-l", "en-de", "-i", "mixed", "mixed2"]},
    "compare": {"overview": ["ref", "-i", "one", "two"], "one": ["ref", "-i", "one"],
                "worst": ["ref", "-i", "one", "two", "--worst", "1"],
                "buckets": ["ref", "-i", "one", "two", "--buckets", "length"],
                "cross": ["ref", "-i", "one", "two", "--cross"], "lengths": ["ref", "-i", "one", "two", "--lengths"],
                "rows": ["--rows", "saved.rows"], "pair": ["--manifest", "all.tsv", "-l", "en-de"],
                "test set": ["-t", "sample", "-l", "en-de", "-i", "mixed", "mixed2"]},
    "align": {"show": ["ref", "-i", "one"], "confusions": ["ref", "-i", "one", "--confusions"],
              "file": ["ref", "-i", "one", "-o", "x.json"], "wer": ["ref", "-i", "one", "-m", "wer"],
              "pair": ["--manifest", "all.tsv", "-l", "en-de"],
              "test set": ["-t", "sample", "-l", "en-de", "-i", "mixed"]},
    "check": {"one": ["ref", "-i", "one"], "no references": ["-i", "one", "two", "--source", "ids"],
              "pair": ["--manifest", "all.tsv", "-l", "en-de"], "gate": ["ref", "-i", "one", "--fail-on", "length"],
              "test set": ["-t", "sample", "-l", "en-de", "-i", "mixed"]},
    "agree": {"segments": ["ref", "-i", "one", "two", "--human", "numbers", "numbers2"],
              "systems": ["ref", "-i", "one", "two", "--human-systems", "systems"],
              "test set": ["-t", "sample", "-l", "en-de", "-i", "mixed", "mixed2", "mixed3", "--human-systems", "mixed.systems"],
              "metrics": ["ref", "-i", "one", "two", "three", "--human", "numbers", "numbers2", "numbers3", "-m", "bleu", "chrf", "-f",
                          "json"]},
    "select": {"two": ["-i", "one", "two", "-f", "json"], "csv": ["-i", "one", "two", "-f", "csv", "-w", "9"],
               "bleu": ["-i", "one", "two", "-m", "bleu"],
               "pair": ["--manifest", "all.tsv", "-l", "en-de", "-f", "json"],
               "test set": ["-t", "sample", "-l", "en-de", "-i", "mixed", "mixed3", "-f", "json"]},
    "mbr": {"utilities": ["-i", "samples", "-sl"], "json": ["-i", "samples", "-f", "json"],
            "references": ["ref", "-i", "samples", "-sl", "-w", "9"]},
    "audit": {"one": ["ref", "-i", "one"], "pair": ["--manifest", "all.tsv", "-l", "en-de"],
              "json": ["ref", "-i", "one", "-f", "json"],
              "test set": ["-t", "sample", "-l", "en-de", "-i", "mixed"]},
    "rows": {"one": ["saved.rows"]}, "bundle": {"one": ["b", "sample"]}, "unbundle": {"one": ["sample.pb"]},
}

#: Values of each option, one of which has to have an effect. (Without any, it is a switch.)
VALUES: dict[str, Sequence[Sequence[str]]] = {
    "references": [["second"]], "input": [["three"]], "num_refs": [["2"]], "names": [["X"], ["X", "Y"]],
    "runs": [["C=three"]], "ids": [["ids"]], "manifest": [["all.tsv"]], "encoding": [["latin-1"]],
    "reference_encoding": [["latin-1"]], "normalize": [["nfkc"]], "save_resegmented": [["x.txt"]],
    "langpair": [["en-zh"], ["en-de"], ["de-en"]], "test_set": [["sample"], ["wmt17"]],
    "origlang": [["de"], ["non-de"]],
    "subset": [["x"]], "echo": [["ref"]], "download": [["sample"]], "mirror": [["."]], "save_rows": [["x.rows"]],
    "offset": [["3"]], "sha256": [["0" * 64]],
    "rows": [["saved.rows"]], "metrics": [["chrf"], ["ter"], ["bleu", "chrf"]],
    "signature": [["BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:exp"],
                  ["chrF2|nrefs:1|case:lc|eff:yes|nc:6|nw:0|space:no"]],
    "gleu_min_order": [["2"]], "gleu_max_order": [["2"]], "rouge_tokenize": [["unicode"]],
    "bleu_tokenize": [["char"]], "bleu_smooth_method": [["floor"], ["add-k"]], "bleu_smooth_value": [["0.5"]],
    "nonbreaking_prefixes": [["prefixes"]], "counts": [["counts"]], "chrf_char_order": [["2"]],
    "chrf_word_order": [["2"]], "chrf_beta": [["1"]], "confidence_n": [["9"]], "paired_bs_n": [["9"]],
    "paired_ar_n": [["9"]], "samples": [["9"]], "correction": [["none"], ["holm"]], "against": [["two"], ["B"]],
    "seed": [["7"]], "rng": [["numpy"]], "min": [["bleu=99"]], "max": [["bleu=1"]],
    "baseline": [["two"]], "must_not_lose": [["0.1"]], "margin": [["1"]], "junit": [["junit.xml"]],
    "buckets": [["length"]], "worst": [["2"]], "best": [["1"]], "differences": [["1"]],
    "show": [["1"]], "confusions": [["2"]], "only": [["length"], ["empty"]],
    "format": [["text"], ["json"], ["csv"], ["html"], ["github"], ["paper"]],
    "power": [["0.5"]], "unit": [["doc"]], "docs": [["docs"]], "strata": [["docs"], ["origlang"]],
    "report": [["other.html"]], "output": [["other.html"], ["other.json"]], "title": [["A title"]], "source": [["ids"]],
    "segments": [["1"]], "width": [["6"]], "scores": [["x=numbers"], ["x=numbers", "numbers2"]], "scores_lower": [["x"]],
    "scores_signature": [["x=v1"]], "equal_outputs": [["tie"]], "human": [["numbers"], ["numbers", "numbers2"]],
    "human_systems": [["systems"]], "measures": [["pearson"]], "trials": [["20"]], "count": [["2"]],
    "fail_on": [["tokenized"], ["length,empty"]], "check_threshold": [["length=1.1"], ["empty=40"]],
    "words": [["sample", "-l", "en-de"]], "files": [["one.rows"]],
}

#: Promises about any run, which it keeps; and statements about its input, which need not change a score.
#: (Lines that are those of the references stay so under --resegment, and ASCII under --normalize.)
KEPT = {"quiet", "no_color", "offline", "mirror", "jobs", "version", "help", "encoding", "langpair", "bleu_force",
        "resegment", "normalize", "scores_lower", "paths", "no_tests", "no_checks", "no_power", "no_worth"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that command lines need."""
    made = tmp_path_factory.mktemp("commands")
    lines = ["The cat sat on the mat in the hall.", "It was a rainy day, and nobody came!", "Füße, “quotes” – 3.5 €!",
             "Dogs and cats ran home again today.", "Oh no."]
    texts = {"ref": lines, "second": [line.upper() for line in lines], "ids": [f"id-{line[:3]}" for line in lines],
             "one": [line.replace("a", "o", 1).replace(",", "") for line in lines],
             "two": [line.rpartition(" ")[0].lower() for line in lines], "three": lines[::-1],
             "samples": [f"{line}\t{line.lower()} {line[:9]}\t{line[4:]}x, y, and zz" for line in lines], "prefixes": ["Dr"], "counts": ["cat\t1"],
             "numbers": ["1", "3", "2", "5", "4"], "numbers2": ["2", "2", "1", "5", "5"],
             "systems": ["one 3", "two 4"], "mixed.systems": ["mixed 3", "mixed2 4", "mixed3 1"],
             "numbers3": ["4", "1", "2", "2", "3"],
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
    (made / "mixed2").write_text(mixed.replace("e", "a"), encoding="utf-8")
    (made / "mixed3").write_text(mixed.replace("ie", "ei").replace("der", "die"), encoding="utf-8")
    for arguments in (["ref", "-i", "one", "two", "--save-rows", "saved.rows", "-q"],
                      ["ref", "-i", "one", "--save-rows", "one.rows", "-q"], ["bundle", "sample.pb", "sample"]):
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


@pytest.mark.parametrize(("word", "kind"), [(word, kind) for word, lines in LINES.items() for kind in lines])
def test_an_option_has_an_effect_or_is_refused(folder: Path, word: str, kind: str,
                                               monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUREBLEU_CACHE", str(folder / "cache"))
    monkeypatch.setenv("PUREBLEU_OFFLINE", "1")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    monkeypatch.setattr(page, "_command", lambda settings: "")  # (a page shows all options and files)
    monkeypatch.setattr(page, "input_files", lambda inputs, settings: [])
    line = [word, *LINES[word][kind]]
    usual = run(folder, line)
    assert usual[0] == 0, usual[2]
    silent: list[str] = []
    for group in command_named(word).all_groups:
        for option in group.options:
            if option.destination in KEPT or any(name in line for name in option.names):
                continue  # (given twice, it says the same)
            effects = [run(folder, [*line, *given(option, values)]) for values in VALUES.get(option.destination, [[]])]
            assert all(code in (0, 3) or (code in (1, 2, 17) and error.count("\n") == 1)
                       for code, _, error, _ in effects), effects
            if all(effect == usual for effect in effects):
                silent.append(option.names[0])
    assert silent == []
