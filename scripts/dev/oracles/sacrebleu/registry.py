"""All fixtures by name, and the command line that writes them."""

from __future__ import annotations

import argparse
import json
import logging
from itertools import zip_longest
from pathlib import Path
from typing import Callable, Iterable, Sequence

from ..files import CHECKOUT, TARGET, golden_cases, write_fixture
from .command_lines import command_line_cases, table_cases
from .datasets import catalogue_cases, test_set_cases, test_set_command_cases
from .oracle import oracle
from .scores import (
    chrf_cases,
    client_cases,
    compute_bleu_cases,
    function_cases,
    paired_test_cases,
    random_stream_cases,
    sentence_cases,
    statistics_cases,
    ter_cases,
)
from .segmentation import mecab_cases, sentencepiece_cases
from .shared_data import more_shared_data_cases, shared_archive_cases, shared_data_cases
from .tokens import code_point_cases, tercom_code_point_cases, tercom_token_cases, token_cases

DATA = CHECKOUT.parent / "shared" / "data"

#: The fixtures by name; what the cases of each are, its function says. (Those of `shared_...` take the folder, too.)
FIXTURES: dict[str, Callable[..., Iterable[object]]] = {
    "tokens": token_cases,
    "tokens.tercom": tercom_token_cases,
    "code_points": code_point_cases,
    "code_points.tercom": tercom_code_point_cases,
    "statistics": statistics_cases,
    "sentences": sentence_cases,
    "chrf": chrf_cases,
    "ter": ter_cases,
    "compute_bleu": compute_bleu_cases,
    "functions": function_cases,
    "clients": client_cases,
    "command_lines": command_line_cases,
    "tables": table_cases,
    "catalogue": catalogue_cases,
    "test_sets": test_set_cases,
    "test_set_commands": test_set_command_cases,
    "paired_tests": paired_test_cases,
    "random_streams": random_stream_cases,
    "mecab": mecab_cases,
    "sentencepiece": sentencepiece_cases,
    "shared_data": shared_data_cases,
    "shared_data.more": more_shared_data_cases,
    "shared_archives": shared_archive_cases,
}

#: Those that a reader may want to look into, and small enough.
UNCOMPRESSED = ("code_points", "code_points.tercom", "command_lines", "shared_archives", "tables",
                "test_set_commands")


def main(argv: Sequence[str] | None = None) -> int:
    """Write what the arguments ask for; returns the exit code."""
    parser = argparse.ArgumentParser(description="Write the golden files in tests/fixtures.")
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--compare", action="store_true",
                        help="write nothing: list the cases in which this version of sacreBLEU differs from the files")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(FIXTURES))
    options = parser.parse_args(argv)
    logging.disable(logging.WARNING)  # the oracle warns of what is done to it here on purpose
    differing = 0
    for name in options.names or FIXTURES:
        if name not in FIXTURES:
            parser.error(f"unknown fixture {name!r}; choose from {', '.join(FIXTURES)}")
        needs_data = name.startswith("shared_")
        if needs_data and not options.data.is_dir():
            print(f"{name}: left as it is, because there is no {options.data}")
            continue
        cases = FIXTURES[name](options.data) if needs_data else FIXTURES[name]()
        path = TARGET / (name + (".json" if name in UNCOMPRESSED else ".json.gz"))
        if options.compare:
            differing += compared(path, cases)
            continue
        count = write_fixture(path, cases, oracle().__version__)
        print(f"{path.name}: {count} cases, {path.stat().st_size:,} bytes")
    return 1 if differing else 0


def compared(path: Path, cases: Iterable[object]) -> int:
    """Print how many cases differ from those of a golden file, with the first of them; return their number."""
    golden = golden_cases(path.name)
    found = json.loads(json.dumps(list(cases)))
    differing = [pair for pair in zip_longest(golden, found) if pair[0] != pair[1]]
    print(f"{path.name}: {len(differing)} of {len(golden)} cases differ")
    if differing:
        for version, case in zip(("golden", "found"), differing[0]):
            print(f"  {version}: {str(case)[:500]}")
    return len(differing)
