"""Write tests/fixtures/resegmentation.json.gz with mweralign's own results, or compare them with purebleu's.

    PYTHON scripts/dev/oracles resegmentation [--compare N] [--folders DIR]

PYTHON is an interpreter that has `mweralign==1.4.1`. With --compare, no file is written: N random outputs, and a large
one, are broken anew by both, by words and by characters; those that differ are printed. With --folders, likewise, what
is in each folder of DIR (`python/tests/regression` of mweralign's repository) is compared: ref.txt, hyp.txt and
docids.txt with expected.txt, where the file cmd asks for words or characters.

Exit codes: 0 fine, 1 something differs, 2 wrong usage.
"""

from __future__ import annotations

import os
import random
import sys
import time
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Iterator, Sequence

from dev.oracles.cases.resegmentation import random_output
from dev.oracles.making import maker_parser, write_cases

#: The number of random outputs in the fixture, of each kind; their seeds count from 0.
OUTPUTS = 900

#: Where the seeds of comparisons begin, beyond those of the fixture.
FIRST_COMPARED = 1_000_000

#: The number of words of the large output, of which mweralign's tables take some 200 MB.
LARGE = 20_000


def main(argv: Sequence[str] | None = None) -> int:
    """Write the fixture, or compare; returns the exit code."""
    parser = maker_parser(__doc__, "random outputs, and a large one")
    parser.add_argument("--folders", type=Path, metavar="DIR", help="compare what mweralign's own tests expect")
    options = parser.parse_args(argv)
    if options.compare or options.folders:
        differ = compare_folders(options.folders) if options.folders else 0
        return int(bool(differ + (compare(options.compare) if options.compare else 0)))
    return write_cases("resegmentation.json.gz", cases(), f"mweralign {version('mweralign')}")


def cases() -> Iterator[dict[str, Any]]:
    """Random outputs by their seeds, with the lines that mweralign makes of them."""
    for unspaced in (False, True):
        for seed in range(OUTPUTS):
            yield {"seed": seed, "unspaced": unspaced, "lines": oracle(*random_output(seed, unspaced), unspaced)}


def oracle(lines: Sequence[str], segments: Sequence[Sequence[str]], unspaced: bool) -> list[str]:
    """The lines that mweralign's command line makes, or, with several references, its library."""
    segmenter: Any = import_module("mweralign._mweralign").MwerSegmenter()
    characters = import_module("mweralign.segmenter").CJSegmenter()
    segmenter.set_tokenized(False)

    def tokens(line: str) -> str:
        return " ".join(characters.encode(line.strip())) if unspaced else line

    references = "\n".join([" ### ".join(map(tokens, segment_references)) for segment_references in segments])
    with silenced():
        aligned = segmenter.mwerAlign(references, tokens(" ".join(lines)))
    return [characters.decode(line) if unspaced else line.strip() for line in aligned.split("\n")]


class silenced:
    """A block in which nothing is written to standard error, which C++ does without Python's knowledge."""

    def __enter__(self) -> None:
        sys.stderr.flush()
        self._kept = os.dup(2)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 2)
        os.close(null)

    def __exit__(self, *_: object) -> None:
        os.dup2(self._kept, 2)
        os.close(self._kept)


def ours(lines: Sequence[str], segments: Sequence[Sequence[str]], unspaced: bool) -> list[str]:
    """The lines that purebleu makes."""
    resegment = import_module("purebleu").resegment
    found: list[str] = resegment(lines, list(zip(*segments)), "characters" if unspaced else "words")
    return found


def compare(count: int) -> int:
    """Compare random outputs, and the time that a large one takes; returns how many differ."""
    differ = 0
    for seed in range(FIRST_COMPARED, FIRST_COMPARED + count):
        case = (*random_output(seed, seed % 2 == 1), seed % 2 == 1)
        if oracle(*case) != ours(*case):
            differ += 1
            print(f"seed {seed}: {case}")
    rng = random.Random("large")
    words = [f"w{int(rng.paretovariate(0.8)) % LARGE}" for _ in range(LARGE)]
    starts = range(0, LARGE, 25)
    segments = [[" ".join(words[start:start + 25])] for start in starts]
    output = [" ".join([rng.choice(words) if rng.random() < 0.25 else word for word in words])]
    seconds: list[float] = []
    results: list[list[str]] = []
    for function in (oracle, ours):
        start = time.perf_counter()
        results.append(function(output, segments, False))
        seconds.append(time.perf_counter() - start)
    differ += results[0] != results[1]
    print(f"{count} outputs, {differ} differ; {LARGE} words: {seconds[0]:.2f} s by mweralign, {seconds[1]:.2f} s here")
    return differ


def compare_folders(folder: Path) -> int:
    """Compare what mweralign's tests expect; returns how many differ."""
    resegment = import_module("purebleu").resegment
    differ = 0
    for case in sorted(path.parent for path in folder.glob("*/expected.txt")):
        command = (case / "cmd").read_text(encoding="utf-8").split()
        tokens = {"none": "words", "cj": "characters"}.get(command[command.index("-m") + 1] if "-m" in command else "")
        if "--score" in command or tokens is None:
            continue
        texts = [(case / name).read_text(encoding="utf-8") if (case / name).exists() else ""
                 for name in ("hyp.txt", "ref.txt", "docids.txt", "expected.txt")]
        output, reference, documents, expected = [text.rstrip("\n").split("\n") for text in texts]
        found = resegment(output, [reference], tokens, documents if texts[2] else None)
        differ += found != [line.strip() for line in expected]
        print(f"{case.name}: {'equal' if found == [line.strip() for line in expected] else 'differs'}")
    return differ


if __name__ == "__main__":
    raise SystemExit(main())
