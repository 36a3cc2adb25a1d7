"""The recipes of CONTRIBUTING.md, followed in a copy of the package: a metric with an option, an output format."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import purebleu

from .helpers import needs_processes, run_cli, texts_of, write_systems

pytestmark = needs_processes

#: The module of a metric: the share of n-grams of words in the hypothesis that the reference has.
METRIC = '''
from .signature import IntegerField
from .means import MeanOfSegments, MeanScore


class SHAREScore(MeanScore):
    NAME = "Share"


class SHARE(MeanOfSegments):
    ORACLE = "none"
    SIGNATURE_FIELDS = (*MeanOfSegments.SIGNATURE_FIELDS, IntegerField("order", "order", 1))
    SCORE = SHAREScore

    def __init__(self, order=1, lowercase=False, references=None):
        self.order = order
        super().__init__(lowercase, references)

    def prepared(self, line):
        words = line.split()
        return list(zip(*[words[start:] for start in range(self.order)]))

    def pair_score(self, hypothesis, reference):
        return len({*hypothesis} & {*reference}) / len({*hypothesis}) if hypothesis else None
'''

#: Changes of the recipes: the file, a line of it, and that line with the new one after it.
CHANGES = [
    ("metrics/__init__.py", '    "EED": "eed",\n', '    "SHARE": "share",\n'),
    ("cli/arguments/groups.py", 'BLEU_OPTIONS = Group("bleu", "BLEU", (\n',
     '    Option("--share-order", convert=positive, metavar="N", help="the order of SHARE (default: 1)"),\n'),
    ("cli/arguments/groups.py", "    ter_kinds: bool = False\n", "    share_order: int = 1\n"),
    ("report/formats.py", '    "latex": Format("sections"),\n', '    "wiki": Format("sections", is_table=True),\n'),
    ("report/tables.py", "LAYOUTS = {\n", '    "wiki": Layout(_section_writer(wiki_table), " ", _text_document),\n'),
    ("report/tables.py", "#: The minimum width of a cell whose lines are broken, even in very narrow terminals.\n",
     "_MIN_NAME = 8\n\n\ndef wiki_table(columns):\n"
     "    rows = [[head for head, _ in columns], *zip(*[cells for _, cells in columns])]\n"
     "    return chr(10).join(['||' + '||'.join(row) + '||' for row in rows])\n\n\n#: As before.\n"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with a new metric and a new format; references, and outputs of systems."""
    folder = tmp_path_factory.mktemp("recipes")
    copy = folder / "purebleu"
    shutil.copytree(str(Path(purebleu.__file__).parent), str(copy), ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "metrics" / "share.py").write_text(METRIC, encoding="utf-8")
    for name, line, further in CHANGES:
        text = (copy / name).read_text(encoding="utf-8")
        assert text.count(line) == 1, f"{name} no longer has {line!r}: the recipe has to follow"
        (copy / name).write_text(text.replace(line, line + further), encoding="utf-8")
    write_systems(folder, {"ref": 1.0, "good": 0.9, "bad": 0.5}, 60)
    return folder


def run(folder: Path, *arguments: str, script: str = "") -> str:
    done = run_cli(arguments, cwd=folder, env={"PYTHONPATH": str(folder), "PYTHONIOENCODING": "utf-8"},
                   start=["-c", script] if script else ["-m", "purebleu"])
    assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()
    return done.stdout.decode()


def shares(folder: Path, name: str, order: int) -> list[float]:
    """The figures of a system's segments, by their definition."""
    def parts(line: str) -> set[tuple[str, ...]]:
        words = line.split()
        return {tuple(words[start:start + order]) for start in range(len(words) - order + 1)}

    return [len(parts(ours) & parts(theirs)) / len(parts(ours)) for ours, theirs in zip(*texts_of(folder, name, "ref"))]


def test_a_metric_is_scored_by_its_definition(folder: Path) -> None:
    for order in (1, 2):
        score = json.loads(run(folder, "ref", "-i", "good", "-m", "share", "--share-order", str(order), "-w", "6"))
        figures = shares(folder, "good", order)
        assert score["score"] == pytest.approx(100 * sum(figures) / len(figures), abs=1e-6)
        assert f"|order:{order}|" in score["signature"]
        sentences = run(folder, "ref", "-i", "good", "-m", "SHARE", "--share-order", str(order), "-sl", "-b", "-w", "6")
        assert list(map(float, sentences.split())) == pytest.approx([100 * figure for figure in figures], abs=1e-6)


def test_a_metric_has_all_that_others_have(folder: Path) -> None:
    systems = ["ref", "-i", "good", "bad", "-m", "share", "--share-order", "2"]
    tests = ["--samples", "200", "-f", "json-signed", "-q"]
    table = run(folder, "test", *systems, *tests, "--save-rows", "saved.rows")
    run(folder, "report", *systems, "--samples", "200", "-q", "-o", "report.html")
    assert [system["system"] for system in json.loads(table)["systems"]] == ["good", "bad"]
    assert run(folder, "test", "--rows", "saved.rows", *tests) == table
    assert "Share" in (folder / "report.html").read_text(encoding="utf-8")
    assert run(folder, "test", *systems, *tests, "-j", "2") == table
    for view in ([], ["--buckets", "length"], ["--worst", "2"], ["--cross"]):
        assert "Share" in run(folder, "compare", *systems, *view)
    signature = json.loads(table)["signatures"]["Share"]
    signed = run(folder, *systems[:4], "--signature", f"Share|{signature}", "-f", "json-signed")
    assert json.loads(signed)["signatures"]["Share"] == signature
    assert "--share-order N" in run(folder, "help", "bleu")
    script = "import purebleu\nprint(purebleu.metrics.SHARE(order=2).sentence_score('a b c', ['a b d']))"
    assert run(folder, script=script).splitlines() == ["Share = 50.00"]


def test_a_format_is_there_for_every_table(folder: Path) -> None:
    systems = ["ref", "-i", "good", "bad", "-f", "wiki", "-q"]
    for command in (["score"], ["test", "--samples", "20"], ["audit"], ["compare", "--cross"]):
        assert "||" in run(folder, *command, *systems)
    assert "||good||" in run(folder, "ref", "-i", "good", "-f", "wiki")
    assert all("wiki" in run(folder, command, "--help") for command in ("score", "test", "report"))
