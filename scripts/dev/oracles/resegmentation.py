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

from dev.oracles.files import golden_cases, write_cases


def main(parser: ArgumentParser) -> int:
    parser.parse_args()
    return write_cases("resegmentation.json.gz", cases(), f"mweralign {version('mweralign')}")


def cases() -> Iterator[dict[str, Any]]:
    """The outputs of the fixture, with the lines that mweralign makes of them."""
    for case in golden_cases("resegmentation.json.gz"):
        yield {**case, "lines": oracle(case["output"], case["segments"], case["unspaced"])}


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
