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

from .helpers import output_of, write_systems

#: Where the list is kept.
LIST = Path(__file__).parent / "fixtures" / "report_sentences.json"

_SYSTEMS = ["sysA", "sysB", "sysC", "sysD", "sysE", "sysF", "sysG", "sysH"]

_SCORES = ["--scores", "COMET=sysA.scores", "COMET=sysG.scores"]

#: Command lines of reports: of one system, two, three, and many; with each test, correction, kind of unit and metric.
CASES = {
    "one system": ["-i", "sysA"],
    "two systems": ["-i", "sysA", "sysG"],
    "two systems, second is better": ["-i", "sysG", "sysA"],
    "two systems that hardly differ": ["-i", "sysA", "sysB", "-pbsn", "30"],
    "two systems, randomization": ["-i", "sysA", "sysG", "--paired-ar"],
    "two systems, all trials": ["-i", "sysA", "sysG", "--paired-ar", "--unit", "doc", "--docs", "docs"],
    "two systems, documents, bootstrap": ["-i", "sysA", "sysB", "--unit", "doc", "--docs", "docs"],
    "two systems, strata": ["-i", "sysA", "sysG", "--strata", "docs"],
    "two systems, documents beside": ["-i", "sysA", "sysB", "--docs", "docs"],
    "two systems, Holm, one test": ["-i", "sysA", "sysG", "--holm", "--paired-bs"],
    "two systems, Holm, two tests": ["-i", "sysA", "sysG", "--holm", "--paired-bs", "-m", "bleu", "ter"],
    "two equal systems": ["-i", "sysA", "equal"],
    "two systems, references of no curve": ["ref2", "-i", "sysA", "sysG", "-m", "bleu", "chrf", "ter"],
    "three systems": ["-i", "sysA", "sysB", "sysG"],
    "three systems, few trials": ["-i", "sysA", "sysB", "sysG", "--paired-ar", "-parn", "39"],
    "three systems, ranks and Holm": ["-i", "sysA", "sysB", "sysG", "--rank", "--holm", "-m", "chrf"],
    "three systems, one far ahead": ["-i", "sysG", "sysA", "sysH"],
    "three systems, two of them equal": ["-i", "sysA", "equal", "sysG"],
    "eight systems": ["-i", *_SYSTEMS, "-m", "bleu", "chrf"],
    "eight systems, lower is better": ["-i", *_SYSTEMS, "-m", "ter"],
    "two systems, scores from outside beside": ["-i", "sysA", "sysG", *_SCORES, "-m", "bleu"],
    "two systems, scores from outside alone": ["-i", "sysA", "sysG", *_SCORES, "-m", "comet", "--scores-lower",
                                               "COMET"],
    "runs": ["--runs", "runI=sys[AB]", "runJ=sys[GH]"],
    "runs that hardly differ": ["--runs", "runI=sysA", "runJ=sysB"],
    "runs of three systems": ["--runs", "runI=sys[AB]", "runJ=sys[CD]", "runK=sys[GH]", "-ci"],
    "runs of three systems, Holm": ["--runs", "runI=sys[AB]", "runJ=sys[CD]", "runK=sys[GH]", "--holm"],
    "runs of one system": ["--runs", "runI=sys[AB]", "-m", "ter"],
    "runs, lower is better": ["--runs", "runI=sys[AB]", "runJ=sys[GH]", "-m", "ter"],
    "equal runs": ["--runs", "runI=sysA", "runJ=equal"],
}


def write_corpus(folder: Path) -> None:
    """The files that the cases name."""
    shares = [0.9, 0.895, 0.88, 0.86, 0.84, 0.82, 0.7, 0.4]
    write_systems(folder, {"ref": 1.0, "ref2": 0.95, **dict(zip(_SYSTEMS, shares))}, 240)
    (folder / "equal").write_bytes((folder / "sysA").read_bytes())
    for name, share in (("sysA", 0.9), ("sysG", 0.7)):
        (folder / f"{name}.scores").write_text("".join([f"{share - line % 7 / 100:.4f}\n" for line in range(240)]))
    (folder / "docs").write_text("".join([f"{line // 24}\n" for line in range(240)]))


def sentences_of(folder: Path, arguments: list[str]) -> list[str]:
    """The sentences of a report's page, with words in place of numbers and of names, each once."""
    output_of(["ref", *arguments, "-cin", "60", *["-q"], "--report", "page.html"], folder)
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
    text = re.sub(r"\b(sys[A-H]|equal(?! to)|run[I-K])\b", "SYSTEM", text)
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
