"""Write the golden files in `tests/fixtures` that have results of sacreBLEU.

    ORACLE/bin/python scripts/dev/oracles sacrebleu [--data DIR] [--compare] [NAME ...]

Runs with the oracle's interpreter, which has `sacrebleu[ja,ko]==2.6.0` and `sentencepiece==0.2.3`. Writes the fixtures
that are named (default: all in `FIXTURES`). The functions in `FIXTURES` explain their cases. The same oracle always
writes the same bytes. Command lines read files in `tests/fixtures/cli`. Fixtures of real data (in DIR) have only
numbers. If there is no DIR, these fixtures are not written.

A fixture is a JSON object with the members `oracle` (the version) and `cases`. Floats that have to be equal to the last
bit are written by `float.hex`.
"""

from __future__ import annotations

import json
import logging
from argparse import ArgumentParser
from itertools import zip_longest
from pathlib import Path
from typing import Callable, Iterable

from ..files import CHECKOUT, TARGET, golden_cases, run_by_oracle, write_cases
from . import command_lines, datasets, scores, segmentation, shared_data, tokens
from .oracle import oracle

DATA = CHECKOUT.parent / "shared" / "data"

#: The functions that yield the cases of each fixture. (Functions of `shared_...` take the folder of real data.)
FIXTURES: dict[str, Callable[..., Iterable[object]]] = {
    "tokens": tokens.token_cases,
    "tokens.tercom": tokens.tercom_token_cases,
    "code_points": tokens.code_point_cases,
    "code_points.tercom": tokens.tercom_code_point_cases,
    "statistics": scores.statistics_cases,
    "sentences": scores.sentence_cases,
    "chrf": scores.chrf_cases,
    "ter": scores.ter_cases,
    "compute_bleu": scores.compute_bleu_cases,
    "functions": scores.function_cases,
    "clients": scores.client_cases,
    "command_lines": command_lines.command_line_cases,
    "tables": command_lines.table_cases,
    "catalogue": datasets.catalogue_cases,
    "test_sets": datasets.test_set_cases,
    "test_set_commands": datasets.test_set_command_cases,
    "paired_tests": scores.paired_test_cases,
    "random_streams": scores.random_stream_cases,
    "mecab": segmentation.mecab_cases,
    "sentencepiece": segmentation.sentencepiece_cases,
    "shared_data": shared_data.shared_data_cases,
    "shared_data.more": shared_data.more_shared_data_cases,
    "shared_archives": shared_data.shared_archive_cases,
}


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--compare", action="store_true",
                        help="write nothing: list the cases in which this version of sacreBLEU differs from the files")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(FIXTURES))
    options = parser.parse_args()
    code = run_by_oracle("sacrebleu")
    if code is not None:
        return code
    logging.disable(logging.WARNING)  # (Some cases have unusual input on purpose, and sacreBLEU warns of it.)
    differing = 0
    for name in options.names or FIXTURES:
        if name not in FIXTURES:
            parser.error(f"unknown fixture {name!r}; there are {', '.join(FIXTURES)}")
        needs_data = name.startswith("shared_")
        if needs_data and not options.data.is_dir():
            print(f"{name}: not written, because there is no folder {options.data}")
            continue
        cases = FIXTURES[name](options.data) if needs_data else FIXTURES[name]()
        # (Small fixtures are not compressed, so people can read them.)
        file = f"{name}.json" if (TARGET / f"{name}.json").exists() else f"{name}.json.gz"
        if options.compare:
            differing += compared(file, cases)
        else:
            write_cases(file, cases, oracle().__version__)
    return 1 if differing else 0


def compared(name: str, cases: Iterable[object]) -> int:
    """Print how many cases differ from those of a golden file, and the first difference; return the number."""
    golden = golden_cases(name)
    found = json.loads(json.dumps(list(cases)))
    differing = [pair for pair in zip_longest(golden, found) if pair[0] != pair[1]]
    print(f"{name}: {len(differing)} of {len(golden)} cases differ")
    if differing:
        for version, case in zip(("golden", "found"), differing[0]):
            print(f"  {version}: {str(case)[:500]}")
    return len(differing)
