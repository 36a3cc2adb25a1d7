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
from typing import Any

from dev.oracles.files import Case, write_answers


def main(parser: ArgumentParser) -> int:
    parser.parse_args()
    # (mweralign's C++ code writes to standard error. It is sent to os.devnull, and Python gets a copy of the original.)
    sys.stderr = os.fdopen(os.dup(2), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    return write_answers("resegmentation.json.gz", resegmented, f"mweralign {version('mweralign')}")


def resegmented(case: Case) -> Case:
    """Return the lines that mweralign makes of a case."""
    unspaced = case["unspaced"]
    segmenter: Any = import_module("mweralign._mweralign").MwerSegmenter()
    characters = import_module("mweralign.segmenter").CJSegmenter()
    segmenter.set_tokenized(False)

    def tokens(line: str) -> str:
        return " ".join(characters.encode(line.strip())) if unspaced else line

    references = "\n".join([" ### ".join(map(tokens, segment_references)) for segment_references in case["segments"]])
    aligned = segmenter.mwerAlign(references, tokens(" ".join(case["output"])))
    return {"lines": [characters.decode(line) if unspaced else line.strip() for line in aligned.split("\n")]}
