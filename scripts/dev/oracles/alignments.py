"""Write tests/fixtures/alignments.json.gz with what Tercom writes of made-up lines, or compare it with purebleu's.

    python3 scripts/dev/oracles alignments --tercom FOLDER [--compare N] [--data DIR]

FOLDER has Tercom 0.10.0's classes (https://github.com/jhclark/tercom, LGPL, to run and nothing else: `git clone` it,
then `javac -encoding UTF-8 -d FOLDER $(find src -name '*.java')`, with Java 17). With --compare, no file is written: N
further corpora, and with --data the systems of WMT22 in DIR, are written in each form by both; the segments that differ
are counted.

Exit codes: 0 fine, 1 a segment differs that should not, 2 wrong usage.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any, Iterator, Mapping, Sequence

from dev.oracles.cases.tercom_forms import FORMS, segments_of, without_head
from dev.oracles.files import CHECKOUT
from dev.oracles.making import maker_parser, write_cases

#: The number of corpora in the fixture; their seeds count from 0. Where the seeds of comparisons begin.
CORPORA = 6
FIRST_COMPARED = 1000
SEGMENTS = 40

WMT22_SYSTEMS = ("JDExploreAcademy", "Online-A", "Online-B", "Online-W", "OpenNMT")

#: Vocabularies: few words, which are shifted often; more of them; and what forms have to escape.
VOCABULARIES: Sequence[Sequence[str]] = [
    list("abcdefgh"), [f"w{number}" for number in range(40)],
    ['"a"', "R&D", "<b>", "don't", "Straße,", "\u4eca\u5929", "\u05e9\u05dc\u05d5\u05dd", "e\u0301", "(x", "]",
     "\U0001f600"],
]

Corpus = Mapping[str, Any]


def corpus(seed: int) -> Corpus:
    """Hypotheses and one or two streams of references, of words that ASCII blanks separate."""
    rng = random.Random(f"alignments {seed}")
    words = VOCABULARIES[seed % len(VOCABULARIES)]
    streams: list[list[str]] = [[] for _ in range(2 + (seed % 4 == 3))]
    for _ in range(SEGMENTS):
        first = rng.choices(words, k=rng.randint(1, 30))
        for stream in streams:
            stream.append(" ".join(changed(rng, first, words)))
    return {"seed": seed, "hypotheses": streams[0], "references": streams[1:]}


def changed(rng: random.Random, words: Sequence[str], others: Sequence[str]) -> list[str]:
    """The words with some of them moved, replaced, left out and repeated; one at least."""
    found = list(words)
    for _ in range(rng.randint(0, 4)):
        start = rng.randrange(len(found))
        end = start + rng.randint(1, 4)
        block, rest = found[start:end], found[:start] + found[end:]
        target = rng.randint(0, len(rest))
        found = rng.choice([rest[:target] + block + rest[target:], rest or block,
                            found[:start] + rng.choices(others, k=2) + found[end:]])
    return found


def tercom_output(classes: str, case: Corpus) -> dict[str, str]:
    """Tercom's output in each form, without names of files and the date."""
    count = len(case["hypotheses"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, streams in (("hyp", [case["hypotheses"]]), ("ref", case["references"])):
            (folder / file).write_text("".join([f"{stream[index]} ({index + 1})\n" for index in range(count)
                                                for stream in streams]), encoding="utf-8")
        subprocess.run(["java", "-Dfile.encoding=UTF-8", "-cp", str(Path(classes).resolve()), "ter.TER", "-s", "-r",
                        "ref", "-h", "hyp", "-n", "out", "-o", ",".join(FORMS)], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        return {form: without_head((folder / f"out.{form}").read_bytes().decode("utf-8"), form) for form in FORMS}


def purebleu_output(case: Corpus) -> dict[str, str]:
    """Purebleu's output in each form, likewise."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, lines in (("hyp", case["hypotheses"]), *[(f"ref{index}", lines) for index, lines
                                                          in enumerate(case["references"])]):
            (folder / file).write_text("".join([f"{line}\n" for line in lines]), encoding="utf-8")
        references = [f"ref{index}" for index in range(len(case["references"]))]
        for form in FORMS:
            subprocess.run([sys.executable, "-m", "purebleu", *references, "-i", "hyp", "-m", "ter",
                            "--ter-case-sensitive", "-q", "-b", "--alignments", f"out.{form}"], cwd=folder, check=True,
                           stdout=subprocess.DEVNULL, env={"PYTHONPATH": str(CHECKOUT)})
        return {form: without_head((folder / f"out.{form}").read_text(encoding="utf-8"), form) for form in FORMS}


def compare(classes: str, cases: Iterator[Corpus]) -> bool:
    """Print how many segments differ in each form; returns whether one does whose shifts do not explain it."""
    metric = import_module("purebleu").TER(case_sensitive=True)
    total, explained, unexplained = 0, dict.fromkeys(FORMS, 0), dict.fromkeys(FORMS, 0)
    for case in cases:
        theirs, ours = tercom_output(classes, case), purebleu_output(case)
        odd = [is_odd(found) for found in metric.corpus_alignments(case["hypotheses"], case["references"])]
        total += len(odd)
        for form in FORMS:
            pairs = zip(odd, segments_of(theirs[form], form), segments_of(ours[form], form))
            for expected, one, other in pairs:
                if one != other:
                    (explained if expected else unexplained)[form] += 1
                    if not expected:
                        print(f"{case['seed']}: {one}\n{other}")
    print(f"{total} segments; different where a block goes to its own end, or words are far: {explained}; "
          f"elsewhere: {unexplained}", flush=True)
    return any(unexplained.values())


def is_odd(alignment: Any) -> bool:
    """Whether Tercom may do otherwise than sacreBLEU: where a block goes just behind its own end, or words are far."""
    return len(alignment.hypothesis) > 50 or any(
        shift.start < shift.target <= shift.start + 2 * len(shift.words) for shift in alignment.shifts)


def systems_of_wmt22(data: str) -> Iterator[Corpus]:
    whitespace = import_module("purebleu.unicode.whitespace").WHITESPACE
    others = str.maketrans({character: "_" for character in whitespace if character > "\x7f"})

    def lines(name: str) -> list[str]:
        text = (Path(data) / f"generaltest2022.en-de.{name}.de").read_text(encoding="utf-8")
        return [line.translate(others).strip() for line in text.rstrip("\n").split("\n")]

    for system in WMT22_SYSTEMS:
        yield {"seed": system, "hypotheses": lines(f"hyp.{system}"), "references": [lines("ref.B")]}


def main(argv: Sequence[str] | None = None) -> int:
    """Write the fixture, or compare; returns the exit code."""
    parser = maker_parser(__doc__, "corpora")
    parser.add_argument("--tercom", required=True, metavar="FOLDER", help="Tercom's classes")
    parser.add_argument("--data", metavar="DIR", help="with --compare: the folder of WMT22's files")
    options = parser.parse_args(argv)
    if options.compare or options.data:
        cases = map(corpus, range(FIRST_COMPARED, FIRST_COMPARED + options.compare))
        return int(compare(options.tercom, cases)
                   | (compare(options.tercom, systems_of_wmt22(options.data)) if options.data else False))
    fixture = [{**case, "forms": tercom_output(options.tercom, case)} for case in map(corpus, range(CORPORA))]
    return write_cases("alignments.json.gz", fixture, "tercom 0.10.0")


if __name__ == "__main__":
    raise SystemExit(main())
