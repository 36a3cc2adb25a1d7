"""Clients of sacreBLEU find what they import, and get what sacreBLEU gives them: under purebleu's name, and its own."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import pickle
import pkgutil
import re
import shutil
import sys
import zipfile
from argparse import Namespace
from pathlib import Path
from typing import Any, Iterator, Sequence

import pytest

import purebleu
from purebleu import metrics as metrics_module
from purebleu import significance, utils
from purebleu.report.comparison import comparison
from purebleu.report.formats import TABLE_FORMATS, PairResults, Style
from purebleu.runtime import errors
from purebleu.runtime.errors import LengthError, OptionError, PurebleuWarning

from .. import PACKAGE
from ..clients import CALLS, TEXT
from ..helpers import SCRIPTS, folder_of_package, read_fixture, results_of, run_cli

EXPECTED = {case["client"]: case["result"] for case in read_fixture("clients.json.gz")["cases"]}

#: Makes the package answer to both names, in a process of its own.
INSTALLED = f"import sys, {PACKAGE} as package\npackage.install_as_sacrebleu()\n"

#: Stands for sacreBLEU itself.
REAL = "class BLEU:\n    pass\n"

pytestmark = pytest.mark.filterwarnings("ignore:hypotheses:UserWarning", "ignore:BLEU of single segments:UserWarning",
                                        "ignore:scores for:UserWarning", "ignore:no hypothesis:UserWarning")


def found_by(client: str, name: str) -> Any:
    """The results of a client's calls where sacreBLEU has this name."""
    names: dict[str, Any] = {}
    exec((TEXT + CALLS[client]).replace("sacrebleu", name), names)
    return json.loads(json.dumps(names["result"]))


def python(*arguments: str, paths: Sequence[Path] = (), code: int = 0) -> str:
    """The output of Python with these arguments, the package on its path behind others; it ends with this code."""
    if sys.platform in ("emscripten", "wasi"):
        pytest.skip("WebAssembly cannot start processes")
    path = os.pathsep.join(map(str, [*paths, folder_of_package()]))
    done = run_cli([], start=arguments, env={"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"})
    output = (done.stdout + done.stderr).decode().replace("\r\n", "\n")
    assert done.returncode == code, output
    return output


@pytest.mark.parametrize("client", CALLS)
def test_a_client_gets_what_sacrebleu_gives_under_both_names(installed: Any, client: str) -> None:
    assert found_by(client, PACKAGE) == found_by(client, "sacrebleu") == EXPECTED[client]


@pytest.fixture
def installed() -> Iterator[Any]:
    """The package, answering to both names meanwhile."""
    assert "sacrebleu" not in sys.modules
    purebleu.install_as_sacrebleu()
    yield purebleu
    purebleu.compat.alias.uninstall_as_sacrebleu()


# One and the same objects under both names

def test_modules_are_the_same_objects_whichever_name_comes_first() -> None:
    script = f"""
import sacrebleu.tokenizers.tokenizer_zh as zh, sacrebleu.metrics.bleu, sacrebleu
import {PACKAGE}.tokenizers.tokenizer_zh, {PACKAGE}.metrics.ter, sacrebleu.metrics.ter
assert sacrebleu is package is sys.modules[{PACKAGE!r}] and package.tokenizers.tokenizer_zh is zh
assert {PACKAGE}.metrics.ter is sacrebleu.metrics.ter
from sacrebleu.metrics import BLEU
assert BLEU is package.BLEU is sacrebleu.metrics.bleu.BLEU
assert sacrebleu.__name__ == sacrebleu.__spec__.name == {PACKAGE!r}
"""
    assert python("-c", INSTALLED + script) == ""


def test_every_module_has_both_names_and_is_executed_once(installed: Any) -> None:
    names = [found.name for found in pkgutil.walk_packages(installed.__path__, "sacrebleu.")]
    assert len(names) > 80
    for name in names:
        real = PACKAGE + name[len("sacrebleu"):]
        assert importlib.import_module(name) is importlib.import_module(real)
        assert (sys.modules[name].__name__, sys.modules[name].__spec__.name) == (real, real)  # type: ignore[union-attr]
        assert importlib.util.find_spec(name) is not None


def test_reloaded_modules_stay_the_same_and_missing_ones_are_named(installed: Any) -> None:
    module = importlib.import_module("sacrebleu.metrics")
    assert importlib.reload(module) is module is metrics_module is sys.modules["sacrebleu.metrics"]
    for name in ("sacrebleu.nothing", "sacrebleu.utils.nothing"):
        with pytest.raises(ModuleNotFoundError, match=rf"^No module named '{re.escape(name)}'"):
            importlib.import_module(name)
    assert importlib.util.find_spec("sacrebleu.nothing") is None


def test_pickles_have_the_real_name_and_those_with_the_other_one_are_read(installed: Any) -> None:
    score = installed.corpus_bleu(["a b c d"], [["a b c d"]])
    content = pickle.dumps(score, protocol=0)
    assert b"sacrebleu." not in content
    from_sacrebleu = content.replace(f"c{PACKAGE}.metrics.".encode(), b"csacrebleu.metrics.")
    assert type(pickle.loads(from_sacrebleu)) is type(pickle.loads(content)) is type(score)


@pytest.mark.full
def test_threads_may_import_under_both_names_at_once() -> None:
    names = [found.name[len(PACKAGE):] for found in pkgutil.walk_packages(purebleu.__path__, PACKAGE + ".")
             if not found.name.endswith("__main__")]
    script = f"""
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
def import_all(start):
    for name in names[start:] + names[:start]:
        package.install_as_sacrebleu()
        assert import_module("sacrebleu" + name) is import_module({PACKAGE!r} + name), name
names = {names!r}
with ThreadPoolExecutor(8) as pool:
    list(pool.map(import_all, [number * len(names) // 8 for number in range(8)]))
assert sum(isinstance(finder, type(sys.meta_path[0])) for finder in sys.meta_path) == 1
"""
    assert python("-c", INSTALLED + script) == ""


# Taking the name, and giving it back

def write_real(folder: Path) -> Path:
    """Write a package that stands for sacreBLEU itself; returns the folder, for the path."""
    (folder / "sacrebleu").mkdir(parents=True)
    (folder / "sacrebleu" / "__init__.py").write_text("", encoding="ascii")
    (folder / "sacrebleu" / "metrics.py").write_text(REAL, encoding="ascii")
    return folder


@pytest.mark.full
def test_a_sacrebleu_that_was_imported_before_is_an_error_that_changes_nothing(tmp_path: Path) -> None:
    real = write_real(tmp_path)
    script = f"""
import sys, sacrebleu.metrics, {PACKAGE} as package
from {PACKAGE} import install_as_sacrebleu, PurebleuError
from {PACKAGE}.compat.alias import uninstall_as_sacrebleu
before = dict(sys.modules), list(sys.meta_path)
try:
    install_as_sacrebleu()
except PurebleuError as error:
    print(error)
uninstall_as_sacrebleu()
assert (dict(sys.modules), sys.meta_path) == before
assert sacrebleu.metrics.BLEU is not package.BLEU
"""
    found = python("-c", script, paths=[real])
    assert found == (f"another sacrebleu has been imported already ({real / 'sacrebleu' / '__init__.py'}): call "
                     "install_as_sacrebleu before anything imports sacrebleu\n")


@pytest.mark.full
def test_the_name_is_taken_before_an_installed_sacrebleu_and_given_back_to_it(tmp_path: Path) -> None:
    script = """
package.install_as_sacrebleu()
import sacrebleu, sacrebleu.metrics
assert sacrebleu is package and sacrebleu.metrics.BLEU is package.BLEU
package.compat.alias.uninstall_as_sacrebleu()
assert not [name for name in sys.modules if name.split(".")[0] == "sacrebleu"]
package.compat.alias.uninstall_as_sacrebleu()
import sacrebleu.metrics
assert sacrebleu is not package and sacrebleu.metrics.BLEU is not package.BLEU
"""
    assert python("-c", INSTALLED + script, paths=[write_real(tmp_path)]) == ""


def test_packages_that_are_not_installed_are_not_pretended_to_be(installed: Any) -> None:
    metadata = importlib.import_module("importlib.metadata")
    with pytest.raises(metadata.PackageNotFoundError):
        metadata.version("sacrebleu")


# Copies under other names, and programs that can't be edited

def copy_package(target: Path) -> None:
    shutil.copytree(os.path.dirname(purebleu.__file__), str(target), ignore=shutil.ignore_patterns("__pycache__"))


@pytest.mark.full
def test_a_vendored_copy_takes_the_name(tmp_path: Path) -> None:
    copy_package(tmp_path / "x" / "_vendor" / "bleu")
    script = f"""
import x._vendor.bleu as bleu, {PACKAGE} as other
bleu.install_as_sacrebleu()
import sacrebleu.tokenizers.tokenizer_ter as ter, x._vendor.bleu.tokenizers.tokenizer_ter
assert x._vendor.bleu.tokenizers.tokenizer_ter is ter and ter.TercomTokenizer()("A.") == "a."
try:
    other.install_as_sacrebleu()
except ValueError as error:
    print(error)
bleu.compat.alias.uninstall_as_sacrebleu()
other.install_as_sacrebleu()
import sacrebleu
assert sacrebleu is other
"""
    assert python("-c", script, paths=[tmp_path]).startswith("another sacrebleu has been imported already (")


@pytest.mark.full
def test_a_copy_that_is_called_so_anyway_has_nothing_to_do(tmp_path: Path) -> None:
    copy_package(tmp_path / "sacrebleu")
    script = "import sys, sacrebleu\nbefore = list(sys.meta_path)\nsacrebleu.install_as_sacrebleu()\n"
    script += "import sacrebleu.metrics.ter, sacrebleu.compat.alias\nassert sys.meta_path == before\n"
    script += "sacrebleu.compat.alias.uninstall_as_sacrebleu()\nassert sys.modules['sacrebleu'] is sacrebleu"
    assert python("-c", script, paths=[tmp_path]) == ""


# Calls and warnings as with sacreBLEU, if the environment asks for that

@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_streams_are_cut_to_the_shortest_if_that_is_asked_for(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hypotheses = ["the cat sat on a mat", "a dog", "it rains"]
    by_hypothesis = [["the cat sat on the mat", "a cat sat"], ["a dog ran"], ["it rains a lot"]]
    metric = getattr(purebleu.metrics, name)
    whole = metric().corpus_score(hypotheses, by_hypothesis, transpose_references=True)
    first = metric().corpus_score(hypotheses[:1], [[lines[0]] for lines in by_hypothesis])
    characters = metric().corpus_score(hypotheses[:2], [["a", " "], ["m", "a"]])
    with pytest.raises(LengthError):
        metric().corpus_score(hypotheses, by_hypothesis)
    monkeypatch.setenv("PUREBLEU_SHAPES", "sacrebleu")
    advice = (r"streams of 3, 2, 1, 1 segments are cut to the shortest length \(1\), .* "
              r"give list\(zip\(\*references\)\)$")
    with pytest.warns(PurebleuWarning, match=advice) as caught:
        assert metric().corpus_score(hypotheses, by_hypothesis) == first
    assert len([one for one in caught if "cut to" in str(one.message)]) == 1
    with pytest.warns(PurebleuWarning, match="a string is read as a stream of characters"):
        assert metric().corpus_score(hypotheses[:2], ["a c", "mat"]) == characters
    with pytest.warns(PurebleuWarning, match="streams of 2, 1 segments"):
        cached = metric(references=[["a dog ran", "it"], ["dogs"]])
    with pytest.warns(PurebleuWarning, match="streams of 2, 1, 1 segments"):
        assert cached.corpus_score(["a dog", "x"], None) == metric().corpus_score(["a dog"], [["a dog ran"], ["dogs"]])
    assert metric().corpus_score(hypotheses, by_hypothesis, transpose_references=True) == whole


def test_warnings_may_be_logged_once(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setenv("PUREBLEU_WARNINGS", "log")
    monkeypatch.setattr(errors, "_LOGGED", set())
    for _ in range(2):
        purebleu.BLEU().sentence_score("a b", ["a c"])
    assert [(one.name, one.levelname) for one in caplog.records] == [("sacrebleu", "WARNING")]
    assert "effective_order=True" in caplog.text


def make_shim(*arguments: str, code: int = 0) -> str:
    if not SCRIPTS.is_dir():
        pytest.skip("these tests do not run from a source tree")
    return python(str(SCRIPTS / "make_sacrebleu_shim.py"), *arguments, code=code)


@pytest.mark.full
def test_a_program_that_cannot_be_edited_finds_the_package(tmp_path: Path) -> None:
    for _ in range(2):
        found = make_shim(str(tmp_path / "a folder"), "--package", PACKAGE)
        assert found.splitlines() == [str(tmp_path / "a folder" / "sacrebleu" / "__init__.py")]
    path = [tmp_path / "a folder"]
    script = f"from sacrebleu.metrics.bleu import BLEU\nimport sacrebleu, {PACKAGE}.metrics.bleu as bleu\n"
    script += "assert BLEU is sacrebleu.BLEU is bleu.BLEU and sacrebleu.metrics.bleu is bleu\n"
    assert python("-c", script, paths=path) == ""
    (tmp_path / "text").write_bytes(b"a b c d\n" * 20)
    for arguments in (["--version"], [str(tmp_path / "text"), "-i", str(tmp_path / "text"), "-j", "2"]):
        found = python("-m", "sacrebleu", *arguments, paths=path)
        assert found == python("-m", PACKAGE, *arguments)
    assert "no-such-option" in python("-m", "sacrebleu", "--no-such-option", paths=path, code=2)
    # (sacreBLEU has no commands, and neither has what stands for it.)
    assert " gate: No such file or directory\n" in python("-m", "sacrebleu", "gate", paths=path, code=1)
    assert "commands" not in python("-m", "sacrebleu", "--help", paths=path)


@pytest.mark.full
def test_the_package_that_is_found_may_be_a_vendored_one(tmp_path: Path) -> None:
    make_shim(str(tmp_path), "--package", "x._vendor.bleu")
    assert "No module named 'x" in python("-c", "import sacrebleu", paths=[tmp_path], code=1)
    copy_package(tmp_path / "x" / "_vendor" / "bleu")
    script = "import sacrebleu.metrics as metrics\nprint(metrics.BLEU.__module__)"
    assert python("-c", script, paths=[tmp_path]) == "x._vendor.bleu.metrics.bleu\n"


@pytest.mark.full
def test_an_installer_takes_the_package_for_sacrebleu(tmp_path: Path) -> None:
    for _ in range(2):  # the same file again
        [wheel] = make_shim(str(tmp_path), "--wheel", "--package", PACKAGE).splitlines()
    version = purebleu.__version__.partition(".post")[0]
    assert Path(wheel).name == f"sacrebleu-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")  # as an installer does
        about = archive.read(f"sacrebleu-{version}.dist-info/METADATA").decode()
        entry_points = archive.read(f"sacrebleu-{version}.dist-info/entry_points.txt")
        assert f"\nsacrebleu = {PACKAGE}.cli:run_as_sacrebleu\n".encode() in entry_points
        assert archive.read("sacrebleu/py.typed") == b""
        assert f"from {PACKAGE}.metrics import BLEU as BLEU\n".encode() in archive.read("sacrebleu/metrics/__init__.py")
        lines = archive.read(f"sacrebleu-{version}.dist-info/RECORD").decode().splitlines()
        assert [line.split(",")[0] for line in lines] == archive.namelist()
    assert "Classifier: Private :: Do Not Upload" in about  # indexes refuse it
    assert 'Provides-Extra: ja\nRequires-Dist: mecab-python3' in about and "Provides-Extra: ko\n" in about
    assert (f"Requires-Dist: purebleu>={purebleu.__version__}" in about) == (PACKAGE == "purebleu")
    script = "from importlib.metadata import version, entry_points\nimport sacrebleu\n"
    script += f"import {PACKAGE} as ours\nassert sacrebleu.BLEU is ours.BLEU\nprint(version('sacrebleu'))\n"
    script += "sacrebleu.corpus_bleu(['a b c d', 'e'], [['a b c d'], ['f']])"
    found = python("-W", "error", "-c", script, paths=[tmp_path / "site"])  # (logged, so no warning)
    assert found.startswith((f"{version}\nstreams of 2, 1, 1 segments", "streams of 2, 1, 1 segments"))
    assert "x.y" in make_shim(str(tmp_path), "--wheel", "--package", "x y", code=1).replace("x y", "x.y")


@pytest.mark.full
def test_a_package_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    write_real(tmp_path)
    before = (tmp_path / "sacrebleu" / "__init__.py").read_bytes()
    assert "exists already, and this script did not make it" in make_shim(str(tmp_path), code=1)
    assert (tmp_path / "sacrebleu" / "__init__.py").read_bytes() == before
    for name in ("sacrebleu", "x/y", "x..y", ""):
        assert "can't be the name of purebleu" in make_shim(str(tmp_path / "new"), "--package", name, code=1)
    assert not (tmp_path / "new").exists()


# Tables

@pytest.mark.parametrize("form", TABLE_FORMATS)
@pytest.mark.parametrize("test", ["bs", "ar"])
def test_results_are_printed_as_by_the_command_line(capsys: pytest.CaptureFixture[str], form: str, test: str) -> None:
    systems = [("Baseline: a", ["a b c", "d e f"]), ("b", ["a b c", "d e g"])]
    metrics, references = [purebleu.BLEU(), purebleu.CHRF()], [["a b c", "d e f"]]
    signatures, table = significance.PairedTest(systems, dict(zip(["bleu", "chrf"], metrics)), references, test, 7)()
    options = Namespace(format=form, width=3, short=False, paired_bs=test == "bs", paired_ar=test == "ar",
                        paired_bs_n=7, paired_ar_n=7)
    given = dict(table), dict(signatures)
    utils.print_results_table(table, signatures, options)
    assert (table, signatures) == given
    rows = [[metric.corpus_statistics(lines, references) for metric in metrics] for _, lines in systems]
    results = results_of(rows, metrics, test=test, samples=7)
    results.scores = []  # (of which a table of results has nothing but the numbers)
    expected = comparison(PairResults("", table["System"], results, signatures), Style(form, 3), as_sacrebleu=True)
    assert capsys.readouterr().out == expected + "\n"


def test_results_may_be_ready_strings_and_signatures_anything(capsys: pytest.CaptureFixture[str]) -> None:
    options = Namespace(format="text", width=2, paired_bs=False, paired_ar=False)
    utils.print_results_table({"System": ["a"], "BLEU": ["12.50"]}, {"BLEU": "nrefs:1|{x}"}, options)
    text = capsys.readouterr().out
    assert "│        a │ 12.50  │" in text and " - BLEU       nrefs:1|{x}\n" in text
    with pytest.raises(OptionError, match=r"unknown format 'grid'; choose from json, .*latex"):
        utils.print_results_table({"System": ["a"]}, {}, Namespace(format="grid"))
