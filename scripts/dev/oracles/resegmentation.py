"""Write tests/fixtures/resegmentation.json.gz with mweralign's own results.

    PYTHON scripts/dev/oracles resegmentation

PYTHON is an interpreter that has `mweralign==1.4.1`.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from importlib import import_module
from importlib.metadata import version
from typing import Any, Iterator, Sequence

from dev.oracles.cases.resegmentation import random_output
from dev.oracles.files import write_cases

#: The number of random outputs in the fixture, of each kind; their seeds count from 0.
OUTPUTS = 300


def main(parser: ArgumentParser) -> int:
    parser.parse_args()
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
