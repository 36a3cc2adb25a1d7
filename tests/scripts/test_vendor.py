"""Copies of the package in other repositories: `scripts/vendor.py`.

(`scripts/test.py` runs the tests of the API on some of them.)
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import importlib.machinery
import io
import json
import os
import py_compile
import re
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Callable, Sequence
from unittest.mock import Mock

import pytest

import purebleu
from purebleu.version import FULL_VERSION

from .. import PACKAGE
from ..helpers import SCRIPTS, load_script, needs_checkout, needs_processes, run_cli, shares, write_lines

ROOT = SCRIPTS.parent

pytestmark = [needs_checkout, needs_processes]

REFERENCE = "The cat sat on the mat.\nIt was a rainy day.\n"
HYPOTHESIS = "The cat sat on a mat.\nIt was one rainy day.\n"

#: All that a copy can be made without, and what then can't be had: options, and the feature that the answer names.
LEFT_OUT = [
    ("datasets", ["-t", "sample", "-l", "en-de"]),
    ("datasets", ["--list"]),
    ("mecab", ["ref", "-i", "hyp", "-tok", "ja-mecab"]),
    ("sentencepiece", ["ref", "-i", "hyp", "-tok", "flores200"]),
    ("significance", ["ref", "-i", "hyp", "-ci"]),
    ("significance", ["ref", "-i", "hyp", "hyp2", "-par"]),
    ("report", ["ref", "-i", "hyp", "hyp2"]),
    ("mbr", ["mbr", "-i", "hyp"]),
    ("checks", ["check", "-i", "hyp"]),
    ("checks", ["gate", "ref", "-i", "hyp", "--fail-on", "empty"]),
    ("checks", ["help", "check"]),
    ("significance", ["test", "ref", "-i", "hyp", "hyp2"]),
    ("rows", ["ref", "-i", "hyp", "--save-rows", "x"]),
    ("page", ["report", "ref", "-i", "hyp"]),
    ("page", ["gate", "ref", "-i", "hyp", "--min", "bleu=1", "--report", "x"]),
]

#: The commands that a copy lacks without a part. (A word of theirs stays one, and says so.)
COMMANDS_OF = {"datasets": "testset bundle unbundle", "mbr": "mbr", "checks": "report check serve", "rows": "rows",
               "significance": "test gate report compare check agree serve",
               "page": "report compare align agree serve", "mecab": "", "sentencepiece": "",
               "report": "test gate report compare align check agree audit serve"}

FEATURES = ("datasets", "mecab", "sentencepiece", "significance", "agreement", "audit", "checks", "rows", "page",
            "mbr", "serve", "evaluate", "harness", "accumulator", "external", "warnings", "clients", "resegment",
            "alias", "ids", "v1", "report", "cli")
METRICS = ("bleu", "orders", "chrf", "ter", "wer", "gleu", "nist", "rouge", "ribes", "character", "eed")

#: The features that tokenizers are of.
NEEDED_BY = {"ja-mecab": ("mecab",), "ko-mecab": ("mecab",), "spm": ("sentencepiece", "datasets"),
             "flores101": ("sentencepiece", "datasets"), "flores200": ("sentencepiece", "datasets"),
             "spBLEU-1K": ("sentencepiece", "datasets")}

#: Features that metrics ask for in some of their functions alone: `corpus_score(n_bootstrap=...)`, `pairwise`,
#: `from_signature`.
ON_DEMAND = {"significance": ("engines.resampling",), "mbr": ("engines.ngrams.pairs",),
             "accumulator": ("metrics.making",)}

#: A script that prints the scores of a copy's only metric and tokenizer, of text in several scripts.
SCORE_ANY_SCRIPT = """
from {package}.metrics import metric_class, registered_metric
_, metric, _, tokenizer = {options!r}
variants = {{"rouge": ["rouge1", "rouge2", "rougeL", "rougeLsum"], "wer": ["wer", "cer", "mer", "wil"],
            "orders": ["bleu1", "bleu2", "bleu3"]}}
texts = ["Café, très bon.", "Это № 1 — «да»!", "他说：今天会下雨。", "שלום, עולם", "ไม่เป็นไร 10.5%", "\u1e9e İ ﬁ"]
references = [[text[1:] + " x" for text in texts], [text.lower() for text in texts]]
for name in variants.get(metric, [metric]):
    always = {{"tokenize": tokenizer}} if metric in ("bleu", "orders", "gleu", "nist") else {{}}
    for options in [{{}}, {{"lowercase": True}}, {{"normalized": True, "asian_support": True}}, {{"stemmer": True}},
                    {{"tokenize": "unicode"}}, {{"word_order": 2}}]:
        try:
            scorer = metric_class(registered_metric(name))(**{{**options, **always}})
        except TypeError:
            continue
        print(name, options, repr(scorer.corpus_score(texts, references).score), scorer.get_signature())
"""


@functools.lru_cache(maxsize=None)
def vendor_script() -> Any:
    """The script as a module, which makes each copy once, because many tests use the same copies."""
    script = load_script("vendor")
    for name in ("file_of", "package_files"):
        setattr(script, name, made_once(getattr(script, name)))
    return script


def made_once(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The function, which makes the files of a choice once. (Its caller may change the dictionary that it gets.)"""
    made: dict[str, Any] = {}

    def of_choice(choice: Any) -> Any:
        if repr(choice) not in made:
            made[repr(choice)] = make(choice)
        files = made[repr(choice)]
        return files if isinstance(files, bytes) else dict(files)

    return of_choice


def vendor(*arguments: object, code: int = 0, cwd: Path | None = None) -> str:
    """The output of the script, which ends with this exit code; it is called in this process."""
    output = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        patch.chdir(cwd or os.getcwd())
        try:
            ended = vendor_script().main(list(map(str, arguments)))
        except SystemExit as ending:
            ended = ending.code
    assert ended == code, output.getvalue()
    return output.getvalue()


def where(copy: Path) -> list[object]:
    """The arguments for a copy with this path: a single file, or a package."""
    return ["--single-file", copy] if copy.suffix else [copy.parent, "--name", copy.name]


def unsigned(text: bytes | str) -> str:
    """The text without the local part of versions, which is a revision in copies."""
    return re.sub(r"\+(dev|g[0-9a-f]{7}(\.changed)?)", "", text if isinstance(text, str) else text.decode())


def vendor_process(*arguments: object, root: Path = ROOT, code: int = 0, cwd: Path | None = None) -> str:
    """The output of the script in a process of its own, which ends with this exit code."""
    done = subprocess.run([sys.executable, str(root / "scripts" / "vendor.py"), *map(str, arguments)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, cwd=cwd)
    output = done.stdout.decode().replace("\r\n", "\n")
    assert done.returncode == code, output
    return output


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example", *arguments], cwd=folder,
                          check=True, capture_output=True)
    return done.stdout.decode()


def run_copy(copy: Path, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    """Run `python -m` on a copy, under its name alone."""
    return run_cli(arguments, cwd=cwd or copy.parent, env={"PYTHONPATH": str(copy.parent)}, start=("-m", copy.stem))


def run_python(copy: Path, script: str) -> str:
    """The output of a script that imports a copy by its name."""
    done = run_cli([], env={"PYTHONPATH": str(copy.parent)}, start=("-c", script))
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().replace("\r\n", "\n")


def assert_refused(done: subprocess.CompletedProcess[bytes], *parts: str) -> None:
    """That a copy prints one line, with these parts, and ends with the exit code 1."""
    message = done.stderr.decode()
    assert (done.returncode, done.stdout, message.count("\n")) == (1, b"", 1), message
    assert all(part in message for part in parts), message


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder with two files of hypotheses and one of references."""
    for name, text in (("ref", REFERENCE), ("hyp", HYPOTHESIS), ("hyp2", REFERENCE.replace("rainy", "fine"))):
        (tmp_path / name).write_text(text, encoding="ascii")
    return tmp_path


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the project that is no clone."""
    for folder in ("purebleu", "scripts"):
        shutil.copytree(ROOT / folder, tmp_path / "tree" / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("LICENSE", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / "tree")
    return tmp_path / "tree"


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """What `vendor.py` is made of."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import vendoring
    import vendoring.copy_parts
    import vendoring.module_graph
    import vendoring.single_file

    return vendoring


# Making copies

def test_a_copy_is_the_package_under_another_name(corpus: Path) -> None:
    vendor_process(corpus / "host" / "_vendor", "--name", "bleu", "--with", "subtitles")
    copy = corpus / "host" / "_vendor" / "bleu"
    for path in ("__init__.py", "metrics/bleu.py", "datasets/sample/sample.en-de.src", "py.typed"):
        # (What a copy lacks, as the manual, stands at the end of the package's own module.)
        assert (copy / path).read_bytes().startswith((ROOT / "purebleu" / path).read_bytes())
    assert (copy / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    options = ["ref", "-i", "hyp", "hyp2", "-m", "bleu", "chrf", "ter", "-par", "-parn", "100", "-f", "text"]
    done = run_copy(copy, *options, cwd=corpus)
    assert (done.returncode, done.stderr) == (0, b"")
    assert unsigned(done.stdout) == unsigned(run_cli(options, cwd=corpus).stdout)


@pytest.mark.parametrize(("folder", "package", "options"), [
    ("src/host/_vendor", "host._vendor.bleu", []), ("host", "host.bleu", ["--without", "datasets", "page", "serve"]),
    (".", "bleu", []),
])
def test_the_lines_for_wheels_name_all_files_of_a_copy(tmp_path: Path, folder: str, package: str,
                                                       options: list[str]) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    printed = vendor(folder, "--name", "bleu", *options, cwd=tmp_path)
    told = printed[printed.index("[tool.setuptools.package-data]\n"):].splitlines()
    assert told[1].partition(" = ")[0] == f'"{package}"'
    copy = tmp_path / folder / "bleu"
    named = {path for pattern in re.findall('"([^"]+)"', "".join(told[2:])) for path in copy.glob(pattern)}
    assert named == {path for path in copy.rglob("*")
                     if path.is_file() and path.suffix != ".py" and path.name != ".gitattributes"}


def test_files_that_a_wheel_left_out_are_missed_by_the_doctor(tmp_path: Path) -> None:
    vendor(tmp_path, "--name", "bleu")
    assert b"files of purebleu are missing" not in run_copy(tmp_path / "bleu", "doctor").stdout
    for path in [path for path in (tmp_path / "bleu").rglob("*") if path.is_file() and path.suffix != ".py"]:
        path.unlink()
    done = run_copy(tmp_path / "bleu", "doctor")
    assert done.returncode == 1
    assert b"NO files" in done.stdout and b"files of purebleu are missing, such as checks/phrases/" in done.stdout
    (tmp_path / "ref").write_text(REFERENCE)
    for options in (["-t", "sample", "-l", "en-de", "--echo", "src"], ["report", "ref", "-i", "ref"]):
        done = run_cli(options, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path), "PUREBLEU_CACHE": str(tmp_path / "no")},
                       start=("-m", "bleu"))
        assert_refused(done, "this copy of purebleu lacks its file ")


def test_a_copy_says_what_it_is_made_of(tmp_path: Path) -> None:
    vendor(tmp_path, "--name", "bleu", "--only", "bleu", "--tokenizers", "13a", "--with", "rows", "--plain")
    lines = (tmp_path / "bleu" / "VENDORED.txt").read_text(encoding="utf-8").splitlines()
    facts = dict([line.split(": ", 1) for line in lines if ": " in line])
    assert facts["options"] == "--only bleu --tokenizers 13a --with rows --plain"
    assert facts["licence"].startswith("Apache-2.0") and len(facts["tree"]) == 64
    copy = tmp_path / "bleu"
    there = {path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file()}
    assert {line.split(" ")[1] for line in lines[lines.index("", 5) + 1:]} == there - {"VENDORED.txt"}


@pytest.mark.parametrize("as_file", [False, True])
def test_a_copy_signs_with_the_revision_that_it_is_made_of(tmp_path: Path, as_file: bool) -> None:
    copy = tmp_path / ("bleu.py" if as_file else "bleu")
    vendor(*where(copy), "--only", "bleu", "--tokenizers", "13a")
    text = (copy if as_file else copy / "VENDORED.txt").read_text(encoding="utf-8")
    commit = re.search(r"revision: (unknown|[0-9a-f]{7})", text)
    assert commit
    _, between, _ = FULL_VERSION.partition("+dev")
    local = f"+g{commit[1]}" if between and commit[1] != "unknown" else between
    signature = run_python(copy, f"import {copy.stem}; print({copy.stem}.BLEU().sentence_score('a', ['a']).signature)")
    assert f"|version:purebleu-{purebleu.__version__}{local}" in signature


def test_a_revision_takes_the_place_of_dev() -> None:
    with_revision = load_script("vendor").with_revision
    source = b'__version__ = "2.6.0"\nFULL_VERSION = "2.6.0+dev"\n'
    for revision, version in (("0bb5bf94aa", b"2.6.0+g0bb5bf9"), ("unknown", b"2.6.0+dev"),
                              ("0bb5bf94aa with local changes", b"2.6.0+g0bb5bf9.changed")):
        assert with_revision(source, revision) == source.replace(b"2.6.0+dev", version)
    released = source.replace(b"+dev", b"")
    assert with_revision(released, "0bb5bf94aa") == released


#: A script that calls the command lines of several copies, and prints the exit code and the lines of each.
CALL_ALL = """
import contextlib, importlib, io
for name, options in {calls!r}:
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        code = importlib.import_module(name + ".cli").main(options)
    print((code, output.getvalue(), errors.getvalue()))
"""


def test_left_out_parts_answer_with_one_line_that_names_them(corpus: Path) -> None:
    task = ["ref", "-i", "hyp", "-m", "bleu", "chrf", "ter", "-f", "text"]
    features = [*dict(LEFT_OUT)]
    calls = [*[(feature, task) for feature in features], *LEFT_OUT,
             *[(feature, options) for feature in features for options in (["--help"], ["ref", "--min", "bleu=3"])]]
    for feature in features:
        vendor(corpus, "--name", f"without_{feature}", "--without", feature)
    script = CALL_ALL.format(calls=[(f"without_{feature}", options) for feature, options in calls])
    done = run_cli([], cwd=corpus, env={"PYTHONPATH": str(corpus)}, start=("-c", script))
    answers = list(map(ast.literal_eval, done.stdout.decode().splitlines()))
    scored = {(code, unsigned(output), errors) for code, output, errors in answers[:len(features)]}
    assert scored == {(0, unsigned(run_cli(task, cwd=corpus).stdout), "")}
    rest = answers[len(features):]
    for (feature, _), (code, output, errors) in zip(LEFT_OUT, rest):
        assert (code, output, errors.count("\n")) == (1, "", 1), feature
        assert errors.startswith("purebleu: error: this copy of purebleu was made without ") and feature in errors
    words = re.findall("^  ([a-z]+) +[a-z]", run_cli(["--help"]).stdout.decode(), re.MULTILINE)
    for feature, (code, text, _), refusal in zip(features, rest[len(LEFT_OUT)::2], rest[len(LEFT_OUT) + 1::2]):
        missing = COMMANDS_OF[feature].split()
        assert [word for word in words if f"\n  {word} " not in text] == missing and code == 0, feature
        takers = "" if "gate" in missing else "purebleu: error: --min is an option of purebleu gate, not of score"
        assert refusal[0] == 2 and (takers or "unrecognized arguments: --min") in refusal[2]
    vendor(corpus, "--name", "without_cli", "--without", "cli")
    assert_refused(run_copy(corpus / "without_cli", "ref", "-i", "hyp"), "this copy of purebleu was made without cli")


@pytest.mark.skipif(os.name != "posix" or not shutil.which("bash"), reason="needs a shell that tells of pipes")
def test_a_copy_is_made_if_nobody_reads_the_output(tmp_path: Path) -> None:
    script = f"'{sys.executable}' '{SCRIPTS / 'vendor.py'}' . --name bleu | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], cwd=str(tmp_path), capture_output=True)
    assert (done.stdout, done.stderr) == (b"0\n", b"")
    assert (tmp_path / "bleu" / "VENDORED.txt").is_file()
    said = vendor(tmp_path / "bleu", "--name", "inner", code=1)
    assert "is itself a copy" in said and said.count("\n") == 1 and not (tmp_path / "bleu" / "inner").exists()


def test_a_copy_has_the_manual_and_subtitles_on_request(tmp_path: Path) -> None:
    vendor(tmp_path, "--name", "plain")
    done = run_copy(tmp_path / "plain", "--help", "Pyodide")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"which this copy lacks (vendor.py --with manual adds them)" in done.stderr
    assert not list((tmp_path / "plain").rglob("*.md"))
    assert run_copy(tmp_path / "plain", "--help", "rows").stdout.startswith(b"usage: purebleu rows FILE")
    assert b"-ci, --confidence" in run_copy(tmp_path / "plain", "--help", "confidence").stdout
    vendor(tmp_path, "--name", "whole", "--with", "manual", "subtitles")
    assert run_copy(tmp_path / "whole", "--help", "statistics").stdout.startswith(b"STATISTICS")
    (tmp_path / "film.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nYes.\n")
    line = [str(tmp_path / "film.srt"), "-i", str(tmp_path / "film.srt"), "-m", "suber", "-b"]
    assert run_copy(tmp_path / "whole", *line).stdout == b"0.0\n"
    assert b"was made without the subtitles" in run_copy(tmp_path / "plain", *line).stderr
    assert "options: --with manual subtitles" in (tmp_path / "whole" / "VENDORED.txt").read_text(encoding="utf-8")


def test_sizes_of_copies_in_the_manual_are_about_right(tmp_path: Path) -> None:
    copies = load_script("dev/generate/copies").COPIES
    text = (ROOT / PACKAGE / "manual" / "vendoring.md").read_text(encoding="utf-8")
    sizes = dict(re.findall(r"^\| (.*?) \| [\d,]+ \| [\d,]+ \| ([\d,]+) \| [\d.]+ \|$", text, re.MULTILINE))
    assert sizes.keys() == copies.keys()
    for number, (name, (options, as_file)) in enumerate(copies.items()):
        copy = tmp_path / (f"one{number}.py" if as_file else f"{number}/copy")
        [size] = re.findall(r" (\d+) kB$", vendor(*where(copy), *options.split()).splitlines()[0])
        assert int(sizes[name].replace(",", "")) == pytest.approx(int(size), rel=0.1), (name, size)


def test_a_single_file_has_no_code_that_never_runs_and_no_names_that_nothing_uses(tmp_path: Path) -> None:
    copy = tmp_path / "copy.py"
    vendor(*where(copy), "--only", "bleu", "--tokenizers", "13a", "--plain")
    text = copy.read_text(encoding="utf-8")
    assert load_script("vendoring/pruning").without_dead_code(text) == text
    namespace: dict[str, Any] = {"__name__": "copy"}
    exec(compile(text, "copy.py", "exec"), namespace)
    assert "def ngram_counts" in text and "def without_commands" not in text
    for word in ("Methods of sacreBLEU", "`separation`", "`faster`", "`pair_values`", "`tables`", "SlowLines"):
        assert word not in text, word
    assert str(namespace["raw_corpus_bleu"](["the cat sat ."], [["the cat sat !"]])).startswith("BLEU = 39.76 ")
    with pytest.raises(AttributeError, match="--with clients adds"):
        namespace["BLEU"]()._aggregate_and_compute([])
    with pytest.raises(AttributeError, match=r"no attribute '_agregate'$"):
        namespace["BLEU"]()._agregate([])


@pytest.mark.parametrize("options", [["ter", "--tokenizers", "13a", "--plain"], ["chrf", "--with", "mbr"]],
                         ids=" ".join)
def test_examples_of_a_single_file_are_right(tmp_path: Path, options: list[str]) -> None:
    vendor(*where(tmp_path / "copy.py"), "--only", "bleu", *options)
    done = subprocess.run([sys.executable, "-m", "doctest", "copy.py"], cwd=tmp_path, capture_output=True)
    assert (done.returncode, done.stdout.decode()) == (0, "")
    assert "--plain" not in options or "_faster" not in (tmp_path / "copy.py").read_text(encoding="utf-8")


def test_a_small_package_has_only_what_it_uses(tmp_path: Path) -> None:
    copy = tmp_path / "bleu"
    vendor(*where(copy), "--only", "bleu", "--tokenizers", "13a")
    sources = {path.relative_to(copy).as_posix(): path.read_text(encoding="utf-8") for path in copy.rglob("*.py")}
    assert not {"metrics/helpers.py", "runtime/progress.py"} & {*sources}
    for path, there, gone in [
        ("metrics/base.py", "def corpus_score(", "lacks_weights"),
        ("tokenizers/separation.py", "def _lines_of_13a(", "_lines_of_zh"),
        ("metrics/faster/bleu.py", "def bleu_rows(", "pair_values"),
    ]:
        assert there in sources[path] and gone not in sources[path], path
    names = [".".join(["bleu", *path[:-len(".py")].split("/")]).replace(".__init__", "") for path in sources]
    assert run_python(copy, "\n".join(["import warnings", *[f"import {name}" for name in names]])) == ""


@pytest.mark.parametrize(("name", "kind"), [
    ("bleu.py", ["--plain"]), ("bleu", []),
    *[pytest.param(*case, marks=pytest.mark.heavy) for case in (("bleu.py", []), ("bleu", ["--plain"]))]])
def test_a_small_copy_warns_unless_warnings_are_left_out(tmp_path: Path, name: str, kind: list[str]) -> None:
    script = ("import bleu, warnings\nwarnings.simplefilter('always')\n"
              "for references in ([''] * 20, ['他说今天会下雨。'] * 20):\n"
              "    with warnings.catch_warnings(record=True) as seen:\n"
              "        bleu.corpus_bleu(['今天会下雨，他说了很多话。'] * 20, [references])\n"
              "    print(*[one.message for one in seen], sep='\\n')")
    made = []
    for folder, options in (("with", []), ("without", ["--without", "warnings"])):
        copy = tmp_path / folder / name
        vendor(*where(copy), "--only", "bleu", "--tokenizers", "13a", *kind, *options)
        vendor("--check", copy)
        made.append(run_python(copy, script))
    assert "segments are blank" in made[0] and "separated by spaces" in made[0]
    assert made[1] == "\n\n"


def test_examples_of_a_public_module_in_a_small_package_are_right(tmp_path: Path) -> None:
    vendor(*where(tmp_path / PACKAGE), "--only", "ter", "--with", "rows")
    printed = run_python(tmp_path / PACKAGE, "import doctest, purebleu.rows as rows; print(doctest.testmod(rows))")
    assert printed.startswith("TestResults(failed=0, attempted=1"), printed


def test_messages_of_a_copy_without_commands_name_no_options(tmp_path: Path) -> None:
    vendor(*where(tmp_path / "bleu"), "--only", *METRICS)
    paths = [*(tmp_path / "bleu" / "metrics").rglob("*.py"), *(tmp_path / "bleu" / "tokenizers").rglob("*.py")]
    texts = [node.value for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
             if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    assert len(texts) > 1000
    assert [text for text in texts if re.search(r"purebleu help|(?<!vendor\.py )(?<![\w.-])--?[a-z][a-z-]+\b|-l ",
                                                text)] == []


def test_a_copy_tells_its_metrics_from_those_of_a_module_with_a_longer_name(tmp_path: Path) -> None:
    vendor(*where(tmp_path / "bleu.py"), *PROGRAM)
    (tmp_path / "bleu_ext.py").write_text("import bleu\n\nclass Mine(bleu.BLEU):\n    def mine(self):\n        pass\n")
    assert run_python(tmp_path / "bleu.py", "import bleu_ext; print('mine' in dir(bleu_ext.Mine))") == "True\n"


#: A script that prints what the smallest copy scores, and how it refuses what it lacks. (No resamples: nothing is
#: scored, so nothing is printed by the tokenizer.)
CALL_SMALLEST = """
import {name} as c
print(c.corpus_bleu(['The cat sat on a mat.'], [['The cat sat on the mat.']]))
for call in (lambda: c.TER(), lambda: c.corpus_chrf(['a'], [['a']]), lambda: c.compare({{}}, []), lambda: c.DATASETS,
             lambda: c.metric('bleu'), lambda: c.BLEU(tokenize=print).corpus_score(['a'], [['a']], n_bootstrap=2),
             lambda: c.BLEU(tokenize='char'), lambda: c.BLEU(tokenize='15a')):
    try:
        call()
    except (ImportError, ValueError) as error:
        print(isinstance(error, c.PurebleuError), error)
from {name} import *
print('BLEU' in globals(), 'TER' in globals())
"""


@pytest.mark.parametrize(("name", "plain"), [("copy", []), ("copy.py", []), ("copied", ["--plain"]),
                                             ("one.py", ["--plain"])])
def test_the_smallest_copy_scores_and_says_what_it_lacks(tmp_path: Path, name: str, plain: list[str]) -> None:
    copy = tmp_path / name
    vendor(*where(copy), "--only", "bleu", "--tokenizers", "13a", *plain)
    lines = run_python(copy, CALL_SMALLEST.format(name=copy.stem)).splitlines()
    assert lines[0].startswith("BLEU = 48.89")
    for line, feature in zip(lines[1:], ("ter", "chrf", "cli", "datasets", "accumulator", "significance")):
        assert line.startswith("True this copy of purebleu ") and f" made without {feature}" in line
        if feature != "datasets" or not copy.suffix:  # (a single file can't have these)
            assert line.endswith(("(add it to vendor.py --only)", f"(vendor.py --with {feature} adds it)"))
    assert lines[7].endswith(" made without the tokenizer char (add it to vendor.py --tokenizers)")
    assert lines[8:] == ["True unknown tokenizer '15a' (did you mean '13a'?); choose from 13a, none", "True False"]


def test_a_copy_may_have_the_names_of_sacrebleu_1(tmp_path: Path) -> None:
    copy = tmp_path / "sacrebleu"
    vendor(*where(copy), "--only", "bleu", "--tokenizers", "13a", "--api", "1")
    assert vendor("--check", copy).endswith("current\n") and "unchanged" in vendor("--check", copy)
    assert vendor("--update", copy) and "--api 1\n" in (copy / "VENDORED.txt").read_text(encoding="utf-8")
    script = "import sacrebleu\nfrom sacrebleu import *\nfrom sacrebleu import tokenize_13a, BLEU\n"
    script += "score = sacrebleu.corpus_bleu(sys_stream='a b c d', ref_streams='a b c d', smooth='exp')\n"
    script += "print(compute_bleu is sacrebleu.compute_bleu, round(score, 9), CHRF_ORDER, sacrebleu.__version__)\n"
    script += "try:\n    corpus_chrf(['a'], ['a'])\nexcept ImportError as error:\n    print(error)"
    found = run_python(copy, script).splitlines()
    assert found[0] == f"True 100.0 6 {purebleu.__version__}" and "made without chrf" in found[1]


def test_a_single_file_answers_about_parts_that_it_has_not(tmp_path: Path) -> None:
    copy = tmp_path / "copy.py"
    vendor(*where(copy), "--only", "bleu", "--with", "cli")
    for line, code, answer in ((["help", "offline"], 0, "--offline"), (["help", "qqq"], 2, "no help on 'qqq'"),
                               (["agree", "--measure", "tau"], 1, "made without"), (["doctor"], 0, "ok Python")):
        done = run_cli(line, start=(str(copy),))
        assert (done.returncode, answer in (done.stdout + done.stderr).decode()) == (code, True), line


@pytest.mark.parametrize("name", ["bleu", pytest.param("bleu.py", marks=pytest.mark.heavy)])
def test_the_doctor_knows_what_a_copy_lacks(tmp_path: Path, name: str) -> None:
    copy = tmp_path / name
    vendor(*where(copy), "--only", "bleu", "--with", "cli")
    done = run_copy(copy, "doctor", "--json", "-m", "ter", "-tok", "flores200", "-m", "bleu")
    assert (done.returncode, done.stderr) == (1, b"")
    findings = {finding["subject"]: finding for finding in json.loads(done.stdout)["findings"]}
    assert [findings[name]["fine"] for name in ("test sets", "models", "the line")] == [False, False, False]
    assert "was made without" in findings["the line"]["found"]
    assert str(copy) in findings["purebleu"]["found"]


def reached(graph: Any, start: str) -> set[str]:
    """The modules that a module imports, at any time, and what these import."""
    found: set[str] = set()
    waiting = {start}
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= graph.imported_by(name) - found
    return found


@shares(3, full=1)
def test_a_metric_or_a_tokenizer_has_what_it_needs(parts: ModuleType, share: int) -> None:
    copy_parts = parts.copy_parts
    assert set(FEATURES) == set(copy_parts.FEATURES) and set(METRICS) == set(copy_parts.METRICS)
    package = ROOT / "purebleu"
    files = {path.relative_to(package).as_posix(): path.read_bytes() for path in package.rglob("*.py")}
    graph = parts.module_graph.ModuleGraph.of_files(files)
    registry = copy_parts.literal(graph.sources["tokenizers"], "TOKENIZERS")
    for feature in ("", *FEATURES)[share::3]:
        others = [other for other in FEATURES if other != feature]
        choices = [(f"metrics.{metric}", copy_parts.Choice([metric], extras=others)) for metric in METRICS]
        if not feature or any(feature in features for features in NEEDED_BY.values()):
            choices += [(f"tokenizers.{module}", copy_parts.Choice(["bleu"], [name], extras=others))
                        for name, (module, *_) in registry.items() if feature not in NEEDED_BY.get(name, ())]
        for start, choice in choices:
            chosen = copy_parts.chosen_parts(graph, choice)
            assert start in chosen.kept, str(choice)
            lacking = {name for name in reached(graph, start) & chosen.missing.keys()
                       if not name.startswith(("metrics.", "tokenizers."))}  # (of the tables: what was not chosen)
            assert not [name for name in lacking if not name.startswith(ON_DEMAND.get(feature, ()))], str(choice)


@pytest.mark.parametrize("plain", [[], ["--plain"]], ids=["", "plain"])
@pytest.mark.parametrize("chosen", [
    ["bleu", "13a"], ["rouge", "13a"], ["bleu", "intl"],
    *[pytest.param([metric, "13a"], marks=pytest.mark.heavy) for metric in METRICS if metric not in ("bleu", "rouge")],
    *[pytest.param(["bleu", name], marks=pytest.mark.heavy) for name in ("zh", "char", "none")],
], ids=" ".join)
def test_a_copy_without_anything_else_scores_text_of_any_script(tmp_path: Path, chosen: list[str],
                                                                plain: list[str]) -> None:
    options = ["--only", chosen[0], "--tokenizers", chosen[1]]
    vendor(tmp_path, "--name", "bleu_copy", *options, *plain)
    printed = run_python(tmp_path / "bleu_copy", SCORE_ANY_SCRIPT.format(package="bleu_copy", options=options))
    script = SCORE_ANY_SCRIPT.format(package="purebleu", options=options)
    assert unsigned(printed) == unsigned(run_python(ROOT / "purebleu", script))


def test_wrong_usage_is_refused(tmp_path: Path) -> None:
    new = tmp_path / "new"
    wrong: list[Sequence[object]] = [
        [], [new, "--single-file", "x.py"], [new, "--only", "meteor"], [new, "--tokenizers", "14a"],
        [new, "--without", "bleu"], [new, "--with", "cli"], [new, "--only", "bleu", "--without", "cli"],
        [new, "--only", "bleu", "--with", "warnings"],
        [new, "--only", "bleu", "--with", "cli", "--without", "warnings"],
        ["--check", new, "--only", "bleu"], ["--check", new, "--plain"], [new, "--api", "2"],
        [new, "--api", "1", "--without", "v1"], ["--single-file", new / "x.py", "--api", "1"],
        *[[new, "--name", name] for name in ("two words", "a/b", "class", "import", "None", "__init__", "__main__",
                                             "match", "type", "_")],
        ["--single-file", new / "class.py"], ["--single-file", new / "__init__.py"], ["--single-file", "bleu"],
    ]
    for arguments in wrong:
        vendor(*arguments, code=2)
        assert not new.exists(), arguments


def test_files_that_are_there_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "purebleu").mkdir()
    (tmp_path / "bleu.py").write_text("mine", encoding="ascii")
    before = state(tmp_path)
    with contextlib.suppress(OSError):  # (Not every system has links for everybody.)
        (tmp_path / "link.py").symlink_to(tmp_path / "gone")
    assert "exists already" in vendor(tmp_path, code=1)
    for path in tmp_path.glob("*.py"):
        assert "exists already" in vendor("--single-file", path, code=1)
    (tmp_path / "link.py").unlink(missing_ok=True)
    assert state(tmp_path).keys() == before.keys() and (tmp_path / "bleu.py").read_text(encoding="ascii") == "mine"


def test_a_zipapp_has_what_was_asked_for(corpus: Path) -> None:
    make = [str(SCRIPTS / "make_zipapp.py"), "-o", str(corpus / "bleu.pyz"), "--only", "bleu"]
    assert_refused(run_cli([], start=make), "make_zipapp.py: error: a program needs the command line: --with cli\n")
    assert run_cli(["--with", "cli"], start=make).returncode == 0
    options = ["ref", "-i", "hyp", "-f", "text"]
    done = run_cli(options, cwd=corpus, start=["bleu.pyz"])
    assert (done.stdout, done.stderr) == (run_cli(options, cwd=corpus).stdout, b"")
    assert_refused(run_cli([*options, "-m", "ter"], cwd=corpus, start=["bleu.pyz"]), "made without ter")


# One file

#: The parts of a single file with commands.
PROGRAM = ["--only", "bleu", "chrf", "--with", "cli", "report", "significance"]


def test_a_single_file_is_a_program_and_a_module(corpus: Path) -> None:
    vendor("--single-file", corpus / "mt" / "score.py", *PROGRAM)
    copy = corpus / "mt" / "score.py"
    for start, options in [
        ([str(copy)], ["ref", "-i", "hyp"]),
        ([str(copy)], ["ref", "-i", "hyp", "-m", "chrf", "-cw", "2", "-ci", "-j", "2"]),
        (["-m", "score"], ["ref", "-i", "hyp", "hyp2", "-pbs", "-pbsn", "50", "-f", "markdown"]),
        (["-m", "score"], ["score", "--help"]), ([str(copy)], ["--version"]), ([str(copy)], ["ref", "-i", "missing"]),
        (["-m", "score"], ["ref", "-i", "hyp", "-tok", "intl", "-b"]),
    ]:
        expected = run_cli(options, cwd=corpus)
        done = run_cli(options, cwd=corpus, env={"PYTHONPATH": str(copy.parent)}, start=start)
        assert (done.returncode, done.stderr) == (expected.returncode, expected.stderr)
        assert unsigned(done.stdout) == unsigned(expected.stdout)
    assert_refused(run_copy(copy, "ref", "-i", "hyp", "-m", "ter", cwd=corpus), "purebleu: error: this copy of "
                   "purebleu has no TER, because it was made without ter (add it to vendor.py --only)\n")
    assert run_python(copy, "import score; print(score.BLEU, score.PurebleuError.__mro__[1].__name__)") == (
        "<class 'score.BLEU'> ValueError\n")


def test_a_single_file_uses_several_processes(corpus: Path) -> None:
    vendor("--single-file", corpus / "score.py", "--only", "bleu", "--with", "cli")
    (corpus / "ref").write_text(REFERENCE * 5000, encoding="ascii")
    (corpus / "hyp").write_text(HYPOTHESIS * 5000, encoding="ascii")
    for start in ("fork", "spawn")[os.name == "nt":]:
        script = "import multiprocessing\nimport score\nif __name__ == '__main__':\n"
        script += f"    multiprocessing.set_start_method({start!r})\n"
        script += "    print(score.main(['ref', '-i', 'hyp', '-b', '-j', '2']))\n"
        (corpus / "program.py").write_text(script, encoding="ascii")
        done = run_cli([], cwd=corpus, env={"PYTHONPATH": str(corpus)}, start=["program.py"])
        # (A script that calls `main` has a standard output of its own, with the ends of lines of its system.)
        assert (done.stdout.replace(b"\r\n", b"\n"), done.stderr) == (
            run_cli(["ref", "-i", "hyp", "-b"], cwd=corpus).stdout + b"0\n", b"")


@pytest.mark.parametrize("options", [PROGRAM, pytest.param([], marks=pytest.mark.heavy)])
def test_a_single_file_begins_with_what_defines_a_score(tmp_path: Path, parts: ModuleType, options: list[str]) -> None:
    vendor("--single-file", tmp_path / "bleu.py", *options)
    source = (tmp_path / "bleu.py").read_text(encoding="utf-8")
    sections = [line[8:] for line in source.splitlines() if line.startswith("# ===== ")]
    first = [sections.index(f"{name}.py") for name in ("tokenizers/tokenizer_13a", "engines/ngrams/counting",
                                                       "metrics/bleu")]
    assert first == sorted(first) and first[-1] < 10
    # (The other sections are in the order of the layers.)
    levels = [parts.module_graph.LEVELS[section.replace(".py", "/").partition("/")[0]]
              for section in sections[first[-1] + 1:]]
    assert levels.count(0) and sum([one > other for one, other in zip(levels, levels[1:])]) < 5
    assert {"engines/ngrams/matching.py", "metrics/chrf.py", "cli/arguments/groups.py"} < {*sections}
    assert '"""Return the column sums of rows of sufficient statistics.' in source
    assert "from ." not in source


def test_names_that_would_mean_two_things_in_one_file_are_refused(parts: ModuleType) -> None:
    chosen = parts.copy_parts.Parts(["runtime.blocks", "runtime.errors"], {})
    for first, second, message in [
        ("_LIMIT = 1\n", "_LIMIT = 2\n", "these names mean more than one thing in the modules: _LIMIT"),
        ("from math import gcd\n", "def gcd():\n    pass\n", "more than one thing in the modules: gcd"),
        ("def open():\n    pass\n", "", "more than one thing in the modules: open"),
        ("A = 1\n", "from . import blocks\n", "errors imports the module runtime.blocks, not names in it"),
    ]:
        sources = {"": '"""x"""\n\nfrom __future__ import annotations\n_MODULES = {}\n',
                   "metrics": "MODULES = FURTHER_MODULES = OUTSIDE_MODULES = {}\n",
                   "tokenizers": "TOKENIZERS = {}\n", "runtime.blocks": '"""a"""\n' + first,
                   "runtime.errors": '"""b"""\n' + second}
        with pytest.raises(parts.single_file.SingleFileError, match=message):
            parts.single_file.single_file(parts.module_graph.ModuleGraph(sources), chosen)


# Checking and updating

@pytest.mark.parametrize("as_file", [False, pytest.param(True, marks=pytest.mark.heavy)])
def test_a_copy_is_checked(tmp_path: Path, as_file: bool) -> None:
    copy = tmp_path / ("bleu.py" if as_file else "bleu")
    vendor(*where(copy), "--only", "bleu")
    assert vendor("--check", copy) == f"{copy}: unchanged\n{copy}: current\n"
    if not as_file:  # from inside, too
        assert vendor("--check", ".", cwd=copy) == f"{copy}: unchanged\n{copy}: current\n"
        assert vendor("--update", ".", cwd=copy).startswith(f"{copy}: purebleu ")
    changed = copy if as_file else copy / "metrics" / "bleu.py"
    changed.write_bytes(changed.read_bytes() + b"MINE = 1\n")
    name = "bleu.py" if as_file else "metrics/bleu.py"
    assert vendor("--check", copy, code=1) == f"{copy}: changed: {name}\n{copy}: current\n"
    shown = vendor("--update", copy, code=1)
    assert "+MINE = 1\n" in shown and "was changed after it was made" in shown
    assert changed.read_bytes().endswith(b"MINE = 1\n")


@pytest.mark.parametrize("as_file", [False, pytest.param(True, marks=pytest.mark.heavy)])
def test_a_copy_with_other_ends_of_lines_is_unchanged_and_is_replaced(tmp_path: Path, as_file: bool) -> None:
    copy = tmp_path / ("bleu.py" if as_file else "bleu")
    vendor(*where(copy), "--only", "bleu")
    files = [copy] if as_file else [path for path in copy.rglob("*")
                                    if path.is_file() and path.name != ".gitattributes"]
    before = {path: path.read_bytes() for path in files}
    for path, content in before.items():
        path.write_bytes(content.replace(b"\n", b"\r\n"))
    said = vendor("--check", copy)
    assert f"{copy}: unchanged, but for the ends of lines in " in said and said.endswith(": current\n")
    vendor("--update", copy)
    assert {path: path.read_bytes() for path in files} == before


def test_git_leaves_the_lines_of_a_copy_alone(tmp_path: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("there is no git")
    vendor(tmp_path / "host", "--name", "bleu", "--only", "bleu")
    for command in ("init -q", "add .", "commit -q -m a", "rm -q -r --cached bleu", "reset -q --hard"):
        git(tmp_path / "host", "-c", "core.autocrlf=true", *command.split())
    assert b"\r\n" not in (tmp_path / "host" / "bleu" / "metrics" / "bleu.py").read_bytes()
    assert vendor("--check", tmp_path / "host" / "bleu").endswith(f"unchanged\n{tmp_path / 'host' / 'bleu'}: current\n")


def test_files_that_are_gone_and_files_that_are_new_are_changes(copies: SimpleNamespace) -> None:
    copy = copies.package
    (copy / "runtime" / "blocks.py").unlink()
    (copy / "mine.py").touch()
    (copy / "__pycache__").mkdir()
    (copy / "__pycache__" / "x.pyc").touch()
    assert "changed: mine.py, runtime/blocks.py\n" in vendor("--check", copy, code=1)
    shown = vendor("--update", copy, code=1)
    assert "runtime/blocks.py: is missing\n" in shown and "mine.py: is not from this script\n" in shown
    assert (copy / "mine.py").exists()


@pytest.mark.parametrize("as_file", [False, pytest.param(True, marks=pytest.mark.heavy)])
def test_a_copy_of_an_older_tree_is_not_current_and_is_replaced(tmp_path: Path, tree: Path, as_file: bool) -> None:
    copy = tmp_path / ("bleu.py" if as_file else "bleu")
    vendor_process(*where(copy), *(["--only", "bleu", "--tokenizers", "13a", "--plain"] if as_file else []), root=tree)
    said = copy.read_text(encoding="utf-8") if as_file else (copy / "VENDORED.txt").read_text(encoding="utf-8")
    assert "revision: unknown\n" in said  # it was no clone
    blocks = tree / "purebleu" / "runtime" / "blocks.py"
    blocks.write_text(blocks.read_text(encoding="utf-8").replace("4096", "4097"), encoding="utf-8")
    said = vendor_process("--check", copy, root=tree, code=1)
    assert f"{copy}: unchanged\n{copy}: not current: 1 of its files differ here" in said
    vendor_process("--update", copy, root=tree)
    assert vendor_process("--check", copy, root=tree) == f"{copy}: unchanged\n{copy}: current\n"
    assert "4097" in (copy if as_file else copy / "runtime" / "blocks.py").read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([copy.name, "tree"])


def test_other_files_and_folders_than_copies_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name, content in {"empty.py": b"", "comment.py": b"# nothing\n", "binary.py": b"\xff\xfe\n"}.items():
        (tmp_path / name).write_bytes(content)
    before = state(tmp_path)
    for path, option in product([*tmp_path.iterdir()], ("--check", "--update")):
        said = vendor(option, path, code=1)
        assert said.startswith("vendor.py: error: ") and said.count("\n") == 1, path
    assert state(tmp_path) == before


def test_a_copy_stays_if_a_new_one_can_not_be_put(copies: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    moves: Any = iter([os.replace, Mock(side_effect=OSError("no space left")), os.replace])
    monkeypatch.setattr(os, "replace", lambda source, target: next(moves)(source, target))
    vendor("--update", copies.package, code=1)
    assert vendor("--check", copies.package).endswith(": current\n")
    assert next(moves, None) is None


# Copies that somebody else has prepared

@pytest.fixture(scope="module")
def smallest_copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the smallest package, `bleu`, and the smallest single file, `one.py`."""
    folder = tmp_path_factory.mktemp("copies")
    small = ["--only", "bleu", "--tokenizers", "13a", "--with", "resegment"]
    vendor(folder, "--name", "bleu", *small)
    vendor("--single-file", folder / "one.py", *small)
    return folder


@pytest.fixture
def copies(tmp_path: Path, smallest_copies: Path) -> SimpleNamespace:
    """The smallest copies, which a test may change: a package, a single file, and the manifest of the former."""
    shutil.copytree(smallest_copies / "bleu", tmp_path / "bleu")
    shutil.copy(smallest_copies / "one.py", tmp_path)
    return SimpleNamespace(package=tmp_path / "bleu", file=tmp_path / "one.py",
                           manifest=tmp_path / "bleu" / "VENDORED.txt")


#: Changes of a manifest, each of which makes it one that the script has not written.
FALSE_MANIFESTS = [
    (r"(?m)^revision: .*", "revision: --output=/tmp/x"), (r"(?m)^revision: .*", "revision: HEAD"),
    (r"(?m)^revision: .*", "revision: 0123456\0"), (r"(?m)^revision: ", "revision: 0123456 ::error::"),
    (r"(?m)^version: .*", "version: \x1b[31m"), (r"(?m)^tree: .*", "tree: x"), (r"(?m)^tree: ", "tee: "),
    (r"(?m)^options: ", "options: what --only"), (r"(?m)^options: ", "options: --whatever "),
    (r"--only bleu", "--only bleu meteor"), (r"--only bleu", "--only bleu\0"), (r"--tokenizers 13a", "--tokenizers x"),
    (r"--with resegment", "--with resegment " + "[" * 10_000), (r"--with resegment", "--without all --with"),
    (r"(?m)^[0-9a-f]{64} runtime/blocks.py", "0" * 63 + " runtime/blocks.py"),
    *[(" runtime/blocks.py\n", f" {name}\n") for name in (
        "../victim.py", "/tmp/victim.py", "a/../b.py", "a//b.py", "./blocks.py", "C:\\x.py", "C:x.py", "a\\b.py",
        "blo\0cks.py", "--output=x", "blocks.py\x1b[2J", "", ".git/config", "a" * 50 + "/.." * 10_000)],
]


def test_a_manifest_that_the_script_has_not_written_is_refused_in_one_line(copies: SimpleNamespace) -> None:
    text = copies.manifest.read_text(encoding="utf-8")
    (copies.package / "runtime" / "blocks.py").write_text("MINE = 1\n", encoding="ascii")
    for pattern, replacement in FALSE_MANIFESTS:
        false = re.sub(pattern, replacement.replace("\\", r"\\"), text, count=1)
        assert false != text, pattern
        copies.manifest.write_text(false, encoding="utf-8")
        for option in ("--check", "--update"):
            said = vendor(option, copies.package, code=1)
            assert said.startswith(f"vendor.py: error: {copies.manifest}") and said.count("\n") == 1, replacement[:80]
            assert said[:-1].isprintable() and len(said) < 500 + len(str(copies.manifest)), replacement[:80]


def test_a_package_is_no_single_file_and_the_other_way_round(copies: SimpleNamespace) -> None:
    text = copies.manifest.read_text(encoding="utf-8")
    write_lines(copies.file, [f"# {line}".rstrip() for line in text.splitlines()])
    copies.manifest.write_text(re.sub("[^\n]*\\.py\n", "", text) + "0" * 64 + "\n", encoding="utf-8")
    for copy in (copies.file, copies.package):
        said = vendor("--update", copy, code=1)
        assert said.startswith("vendor.py: error: ") and said.count("\n") == 1


#: A program that runs the script, and writes to standard error what it opens for writing.
WATCHED = """
import os, runpy, sys

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

def watch(event, arguments):
    if event == "open" and arguments[0] != os.devnull and (arguments[2] or 0) & WRITES:
        os.write(2, ("written: %r\\n" % (arguments,)).encode())
    elif event in ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.utime",
                   "os.truncate"):
        os.write(2, ("%s: %r\\n" % (event, arguments)).encode())

sys.addaudithook(watch)
sys.path[:0] = [os.path.dirname(sys.argv[1])]
sys.argv[:] = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def state(*folders: Path) -> dict[Path, object]:
    """Every file below folders: its content, and the time of its last change."""
    paths = [path for folder in folders for path in [folder, *folder.rglob("*")]]
    return {path: (path.stat().st_mtime_ns, path.is_file() and path.read_bytes()) for path in paths}


@pytest.mark.skipif(shutil.which("git") is None or os.name != "posix", reason="needs git, and names that Windows lacks")
def test_a_check_writes_nothing(tmp_path: Path, tree: Path, copies: SimpleNamespace) -> None:
    for command in ("init -q", "add .", "commit -q -m a"):
        git(tree, *command.split())
    os.utime(tree / "purebleu" / "runtime" / "blocks.py", (1e9, 1e9))  # git's index would note that
    (tmp_path / "x:purebleu" / "runtime").mkdir(parents=True)
    (tmp_path / "x:purebleu" / "runtime" / "blocks.py").write_text("mine", encoding="ascii")
    (copies.package / "runtime" / "blocks.py").write_text("MINE = 1\n", encoding="ascii")
    original = copies.manifest.read_text(encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    revision = git(tree, "rev-parse", "HEAD").strip()
    for value, verdict in ((revision, "changed: runtime/blocks.py"), (f"--output={tmp_path}/x", "error: ")):
        text = re.sub("(?m)^revision: .*", f"revision: {value}", original)
        # (So that the original is asked of git: this clone does not make it.)
        text = re.sub("(?m)^[0-9a-f]{64} runtime/blocks.py", "0" * 64 + " runtime/blocks.py", text)
        copies.manifest.write_text(text, "utf-8")
        before = state(tmp_path)
        done = subprocess.run([sys.executable, "-c", WATCHED, str(tree / "scripts" / "vendor.py"), "--check",
                               str(copies.package)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
        assert done.returncode == 1
        assert verdict in done.stdout.decode()
        assert "written: " not in done.stdout.decode() and "os." not in done.stdout.decode()
        assert state(tmp_path) == before


@pytest.mark.skipif(not (ROOT / ".git").exists() or shutil.which("git") is None, reason="needs git, and a clone")
def test_git_of_a_hook_is_not_the_clones(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    vendor(tmp_path, "--name", "bleu", "--only", "bleu")
    assert "revision: unknown\n" not in (tmp_path / "bleu" / "VENDORED.txt").read_text(encoding="utf-8")


def put_foreign_code(kind: str, evil: Path, place: Path) -> None:
    """Put foreign code at a place beside a module."""
    evil.mkdir()
    (evil / "__init__.py").write_text("print('RAN')\n__version__ = ''\n", encoding="ascii")
    if kind == "package":
        shutil.copytree(evil, place)
    elif kind == "link to a package":
        place.symlink_to(evil, target_is_directory=True)
    else:
        place.write_bytes(b"x")


@pytest.mark.parametrize("kind", ["package", "link to a package", importlib.machinery.EXTENSION_SUFFIXES[0], ".pyc"])
@pytest.mark.parametrize("as_file", [False, True])
def test_foreign_code_beside_a_module_is_reported(copies: SimpleNamespace, tmp_path: Path, kind: str,
                                                  as_file: bool) -> None:
    copy, module = (copies.file, copies.file) if as_file else (copies.package, copies.package / "version.py")
    place = module.with_suffix("" if kind.endswith("package") else kind)
    try:
        put_foreign_code(kind, tmp_path / "evil", place)
    except OSError:
        pytest.skip("this system has no links for everybody")
    if kind.endswith("package"):
        assert "RAN\n" in run_python(copy, f"import {copy.stem}; print({copy.stem}.__version__)")
    said = vendor("--check", copy, code=1)
    assert place.name in said and f"{copy}: unchanged" not in said and "RAN" not in said
    said = vendor("--update", copy, code=1)
    assert str(place) in said and ": is not from this script\n" in said


def test_a_link_in_place_of_a_file_is_reported(copies: SimpleNamespace, tmp_path: Path) -> None:
    module = copies.package / "version.py"
    os.replace(module, tmp_path / "version.py")
    try:
        module.symlink_to(tmp_path / "version.py")
        (tmp_path / "link.py").symlink_to(copies.file)
    except OSError:
        pytest.skip("this system has no links for everybody")
    assert "changed: version.py\n" in vendor("--check", copies.package, code=1)
    assert f"{module}: is a link, or not a file\n" in vendor("--update", copies.package, code=1)
    assert "is a link" in vendor("--check", tmp_path / "link.py", code=1)


def test_bytecode_is_not_checked_and_the_check_says_so(copies: SimpleNamespace) -> None:
    for copy, module in ((copies.file, copies.file), (copies.package, copies.package / "version.py")):
        py_compile.compile(str(module))
        assert vendor("--check", copy) == (
            f"{copy}: unchanged\n{copy}: current\n"
            f"{copy}: the bytecode in __pycache__ is not checked: delete it if the copy comes from somebody else\n")


def test_files_that_are_no_modules_may_stand_around_a_copy(copies: SimpleNamespace, tmp_path: Path) -> None:
    for path in (copies.package / ".DS_Store", copies.package / "version.py~", tmp_path / "one.md",
                 tmp_path / "one.pyi", tmp_path / "ones.pyc", tmp_path / "one" / "data.txt"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x")
    for copy in (copies.package, copies.file):
        assert vendor("--check", copy) == f"{copy}: unchanged\n{copy}: current\n"


@pytest.mark.parametrize("as_file", [False, True])
def test_text_that_is_added_to_a_manifest_makes_it_another_one(copies: SimpleNamespace, as_file: bool) -> None:
    """Such as the name of an encoding, with which Python reads a line of a comment as several lines of code."""
    copy, path = (copies.file, copies.file) if as_file else (copies.package, copies.manifest)
    text = path.read_text(encoding="utf-8")
    added = "# coding: raw_unicode_escape \\u000aprint('RAN')\n" if as_file else "more\n"
    changed = [added + text, re.sub("(?m)^((?:# )?)version: .*", r"\1version: 99", text)]
    if not as_file:  # (A forged file with its checksum makes it another one, too.)
        (copy / "LICENSE").write_text("{}", encoding="ascii")
        changed.append(re.sub("(?m)^[0-9a-f]* LICENSE", f"{hashlib.sha256(b'{}').hexdigest()} LICENSE", text))
    for number, manifest in enumerate(changed):
        path.write_text(manifest, encoding="utf-8")
        assert f"{copy}: not current: 1 of its files differ here " in vendor("--check", copy, code=1), number


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such names")
def test_names_and_changes_are_printed_without_control_characters(copies: SimpleNamespace) -> None:
    (copies.package / "a\n::error::b.py").write_bytes(b"")
    (copies.package / "\x1b[2J\udcff.py").write_bytes(b"")
    (copies.package / "runtime" / "blocks.py").write_bytes(b"\x1b]0;x\x07\r\n")
    for option in ("--check", "--update"):
        printed = vendor(option, copies.package, code=1)
        assert "\n::error" not in printed
        assert "".join(printed.split("\n")).isprintable()
        assert "a\\n::error::b.py" in printed and "\\x1b[2J\\udcff.py" in printed


def test_large_files_and_pipes_are_not_read(copies: SimpleNamespace) -> None:
    if hasattr(os, "mkfifo"):
        os.mkfifo(copies.package / "pipe.py")
        assert f"{copies.package}: changed: pipe.py\n" in vendor("--check", copies.package, code=1)
        assert "pipe.py is not a file\n" in vendor("--check", copies.package / "pipe.py", code=1)
        (copies.package / "pipe.py").unlink()
    with open(copies.package / "runtime" / "blocks.py", "wb") as file:
        file.truncate(2**25)
    assert "runtime/blocks.py is larger than any file of a copy\n" in vendor("--check", copies.package, code=1)
    (copies.package / "runtime" / "blocks.py").write_text("x\n" * 10**6, encoding="ascii")
    printed = vendor("--update", copies.package, code=1)
    assert "runtime/blocks.py: was changed, and has 2000000 bytes, in place of " in printed
    assert "undo the changes above, or delete the copy and make a new one\n" in printed
    (copies.package / "runtime" / "blocks.py").rename(copies.package.parent / "other.bin")
    with open(copies.package.parent / "other.bin", "r+b") as file:
        file.truncate(2**25)
    assert "has no VENDORED.txt, so it is no copy" in vendor("--check", copies.package.parent, code=1)
