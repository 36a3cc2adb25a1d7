"""The list of all sentences of a report on numbers, each with the cases that it is printed in.

`python3 -m tests.report_sentences`, from the project's folder, writes it anew. Whoever does reads each new sentence
against the definition of what it says, in the manual's page on statistics.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from html import unescape
from pathlib import Path

from .helpers import output_of, write_lines, write_systems

#: Where the list is kept.
LIST = Path(__file__).parent / "fixtures" / "report_sentences.json"

_SYSTEMS = ["sysA", "sysB", "sysC", "sysD", "sysE", "sysF", "sysG", "sysH"]

_SCORES = ["--scores", "COMET=sysA.scores", "COMET=sysG.scores"]

#: Command lines of reports: of one system, two, three, and many; with each test, correction, kind of unit and metric.
CASES = {
    "one system": ["-i", "sysA"],
    "two systems": ["-i", "sysA", "sysG"],
    "two systems, second is better": ["-i", "sysG", "sysA"],
    "two systems that hardly differ": ["-i", "sysA", "sysB"],
    "two systems, bootstrap": ["-i", "sysA", "sysG", "--paired-bs"],
    "two systems, all trials": ["-i", "sysA", "sysG", "--unit", "doc", "--docs", "docs"],
    "two systems, documents, bootstrap": ["-i", "sysA", "sysB", "--paired-bs", "--docs", "docs"],
    "two systems, strata": ["-i", "sysA", "sysG", "--strata", "docs"],
    "two systems, two tests": ["-i", "sysA", "sysG", "-m", "bleu", "ter"],
    "two systems, bootstrap, two tests": ["-i", "sysA", "sysG", "--paired-bs", "-m", "bleu", "ter"],
    "two systems, no correction": ["-i", "sysA", "sysG", "--correction", "none"],
    "two systems, no correction, two tests": ["-i", "sysA", "sysG", "--correction", "none", "-m", "bleu", "chrf"],
    "two systems, no tests": ["-i", "sysA", "sysG", "--no-tests"],
    "two equal systems": ["-i", "sysA", "equal"],
    "two systems, references of no curve": ["ref2", "-i", "sysA", "sysG", "-m", "bleu", "chrf", "ter"],
    "three systems": ["-i", "sysA", "sysB", "sysG"],
    "three systems, bootstrap": ["-i", "sysA", "sysB", "sysG", "--paired-bs"],
    "three systems, few trials": ["-i", "sysA", "sysB", "sysG", "--samples", "39"],
    "three systems, against one": ["-i", "sysA", "sysB", "sysG", "--against", "sysB"],
    "three systems, one far ahead": ["-i", "sysG", "sysA", "sysH"],
    "three systems, two of them equal": ["-i", "sysA", "equal", "sysG"],
    "eight systems": ["-i", *_SYSTEMS, "-m", "bleu", "chrf", "--samples", "2000"],
    "eight systems, lower is better": ["-i", *_SYSTEMS, "-m", "ter"],
    "two systems, scores from outside beside": ["-i", "sysA", "sysG", *_SCORES, "-m", "bleu"],
    "two systems, scores from outside alone": ["-i", "sysA", "sysG", *_SCORES, "-m", "comet", "--scores-lower",
                                               "COMET"],
}


def write_corpus(folder: Path) -> None:
    """The files that the cases name."""
    shares = [0.9, 0.895, 0.88, 0.86, 0.84, 0.82, 0.7, 0.4]
    write_systems(folder, {"ref": 1.0, "ref2": 0.95, **dict(zip(_SYSTEMS, shares))}, 240)
    (folder / "equal").write_bytes((folder / "sysA").read_bytes())
    for name, share in (("sysA", 0.9), ("sysG", 0.7)):
        write_lines(folder / f"{name}.scores", [f"{share - line % 7 / 100:.4f}" for line in range(240)])
    write_lines(folder / "docs", [line // 24 for line in range(240)])


def sentences_of(folder: Path, arguments: list[str]) -> list[str]:
    """The sentences of a report's page, with words in place of numbers and of names, each once."""
    output_of(["report", "ref", *arguments, "-cin", "60", "--no-checks", "-q", "-o", "page.html"], folder)
    content = (folder / "page.html").read_text(encoding="utf-8")
    content = re.sub(r"<(script|style)\b.*?</\1>|<header>.*?</header>|<svg.*?</svg>", "", content, flags=re.DOTALL)
    content = content.partition('<section id="segments"')[0]
    paragraphs = re.findall(r"<(?:p|figcaption)(?: data-metric=\S*)?>.*?</(?:p|figcaption)>", content, re.DOTALL)
    found: dict[str, None] = {}
    for paragraph in paragraphs:
        text = _with_places(" ".join(unescape(re.sub("<.*?>", "", paragraph)).split()))
        found.update(dict.fromkeys(re.split(r"(?<=[a-z)%EMNS≤][.:]) (?=[A-Z*])", text)))
    return sorted(filter(None, found))


def _with_places(text: str) -> str:
    text = re.sub(r"\b(sys[A-H]|equal(?! to))\b", "SYSTEM", text)
    text = re.sub(r"SYSTEM((, SYSTEM)* and (SYSTEM|\d+ more))", "SYSTEMS", text)
    text = re.sub(r"\b(BLEU|chrF2|TER|COMET)\b", "METRIC", text)
    # (Percentages are parts of definitions.)
    return re.sub(r"(?<!\w)[-+]?\d+(?:,\d{3})*(?:\.\d+)?\b(?! ?%)(?![\d.]*\d ?%)", "N", text)


def all_sentences() -> dict[str, list[str]]:
    """Each sentence, and the cases that it is printed in."""
    found: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as name:
        write_corpus(Path(name))
        for case, arguments in CASES.items():
            for sentence in sentences_of(Path(name), arguments):
                found.setdefault(sentence, []).append(case)
    return dict(sorted(found.items()))


if __name__ == "__main__":
    LIST.write_text(json.dumps(all_sentences(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.stdout.write(f"{LIST} is written: read what git shows as new.\n")
