"""Write the golden files of token ids: the results of the R package sacRebleu 0.1.2.

    python3 scripts/dev/oracles ids [--rscript COMMAND] [--library FOLDER] [--data DIR]

The package is installed in FOLDER (default: in R's own folder). Its licence is the GPL, so it is only run. Writes
`tests/fixtures/ids.json.gz` with the same calls as before: documented calls, wrong arguments, and random corpora with
all options. With a folder of real data, also writes `shared_data.ids.json.gz`. It has only numbers: the scores of ids
that stand for 13a tokens.

A score is written by `float.hex`. If the package raises an error, the score is `null`.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from argparse import ArgumentParser
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Callable, Dict, Sequence, Tuple

from dev.oracles.files import golden_cases, write_cases
from dev.oracles.sacrebleu.shared_data import read_lines, shared_corpora

Options = Dict[str, Any]

#: A function that runs lines of R. It returns the name and version of the package, and the results of calls.
Oracle = Callable[[Sequence[str]], Tuple[str, Sequence[object]]]


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--rscript", default="Rscript", help="the command of R for scripts (default: %(default)s)")
    parser.add_argument("--library", default="", metavar="FOLDER", help="the folder that sacRebleu is installed in")
    parser.add_argument("--data", type=Path, metavar="DIR", help="the folder of real data")
    args = parser.parse_args()
    oracle = partial(scores, args.rscript, args.library)
    calls = [case[:4] for case in golden_cases("ids.json.gz")]
    version, found = oracle([r_call(*call) for call in calls])
    write_cases("ids.json.gz", [[*call, score] for call, score in zip(calls, found)], version)
    if args.data:
        write_shared_data(oracle, args.data)
    return 0


# Asking R


def scores(rscript: str, library: str, lines: Sequence[str]) -> tuple[str, list[str | None]]:
    """Run lines of R (see `Oracle`). If `library` is not empty, the package is in this folder."""
    with tempfile.TemporaryDirectory() as folder:
        calls = Path(folder, "calls.R")
        calls.write_text("".join([f"{line}\n" for line in lines]), encoding="ascii")
        done = subprocess.run([rscript, "--vanilla", str(Path(__file__).with_suffix(".R")), str(calls), library],
                              stdout=subprocess.PIPE, check=True)
    version, *printed = done.stdout.decode("ascii").splitlines()
    return version.strip(), [None if text == "error" else float.fromhex(text).hex() for text in printed]


def r_value(value: object, depth: int = 0) -> str:
    """Return the R code of a value. `depth` is the number of levels of lists. Lists of the last level are vectors."""
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, float):
        return value.hex()
    if not isinstance(value, list):
        return f"{value}L"
    if not value:
        return "integer(0)" if depth == 1 else "list()"
    function = "list" if any(isinstance(item, list) for item in value) else "c"
    return call(function, [r_value(item, depth - 1) for item in value])


def r_call(function: str, references: object, candidates: object, options: Options) -> str:
    """Return the R code that calls a function."""
    depth = 2 if function == "bleu_sentence_ids" else 3
    return call(function, [r_value(references, depth), r_value(candidates, depth - 1), *r_options(options)])


def r_options(options: Options) -> list[str]:
    return [f"{name} = {r_value(value, 1)}" for name, value in options.items()]


def call(function: str, arguments: Sequence[str]) -> str:
    return f"{function}({', '.join(arguments)})"


# Real data

#: Options for real data.
SHARED_OPTIONS: Sequence[Options] = (
    {}, {"smoothing": "floor"}, {"smoothing": "add-k"}, {"n": 2}, {"n": 6, "smoothing": "floor", "epsilon": 0.01},
    {"weights": [0.4, 0.3, 0.2, 0.1, 0.05], "smoothing": "add-k", "k": 5},
)


def write_shared_data(oracle: Oracle, folder: Path) -> None:
    records: list[dict[str, object]] = []
    lines: list[str] = []
    for corpus in shared_corpora(folder):
        ids: dict[str, int] = {}
        lines += [f"reference{index} <- {r_value(ids_of_file(folder / name, ids), 2)}"
                  for index, name in enumerate(corpus.references)]
        for count in range(1, 1 + len(corpus.references)):
            for used in dict.fromkeys([tuple(corpus.references[:count]), tuple(corpus.references[-count:])]):
                columns = [f"reference{corpus.references.index(name)}" for name in used]
                lines.append(f"references <- {call('mapply', ['list', *columns, 'SIMPLIFY = FALSE'])}")
                for name in corpus.systems:
                    lines.append(f"candidates <- {r_value(ids_of_file(folder / name, ids), 2)}")
                    for options in SHARED_OPTIONS:
                        lines.append(call("bleu_corpus_ids", ["references", "candidates", *r_options(options)]))
                        records.append({"candidates": name, "references": list(used), "options": options})
    version, found = oracle(lines)
    for record, score in zip(records, found):
        record["score"] = score
    write_cases("shared_data.ids.json.gz", records, version)


def ids_of_file(path: Path, ids: dict[str, int]) -> list[list[int]]:
    """Return ids of the 13a tokens of a file's lines. New tokens get the next id."""
    tokenizer = import_module("purebleu.tokenizers").make_tokenizer("13a")
    return [[ids.setdefault(token, len(ids)) for token in tokens]
            for tokens in tokenizer.tokenize_lines(read_lines(path))]
