"""Write the golden files of token ids: the results of the R package sacRebleu 0.1.2.

    python3 scripts/dev/oracles ids [--rscript COMMAND] [--library FOLDER] [--data DIR]

R, and in FOLDER (by default: where R looks) the installed package, are an oracle to run, outside of the project; it is
under the GPL, and nothing of it is taken over. Writes `tests/fixtures/ids.json.gz`, whose calls are those of the file
as it is: the documented ones, wrong arguments, and random corpora under all options. With the folder of real data, also
`shared_data.ids.json.gz`, which has numbers only: the scores of its 13a tokens as ids.

A score is written as `float.hex` has it, `null` where the package raises an error.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path
from typing import Any, Dict, NamedTuple, Sequence

from dev.oracles.files import TARGET, golden_cases, write_fixture
from dev.oracles.sacrebleu.shared_data import read_lines, shared_corpora

#: A program for R: evaluates the lines of a file one by one, and prints what calls of the package's functions return.
DRIVER = """
arguments <- commandArgs(trailingOnly = TRUE)
if (arguments[2] != "") .libPaths(c(arguments[2], .libPaths()))
suppressMessages(library(sacRebleu))
cat("sacRebleu", as.character(packageVersion("sacRebleu")), "under R", as.character(getRversion()), fill = TRUE)
for (line in readLines(arguments[1])) {
  value <- suppressWarnings(tryCatch(eval(parse(text = line), globalenv()), error = function(error) NULL))
  if (startsWith(line, "bleu_")) cat(if (is.null(value)) "error" else sprintf("%a", value), fill = TRUE)
}
"""

Options = Dict[str, Any]

SENTENCE, CORPUS = "bleu_sentence_ids", "bleu_corpus_ids"


class Case(NamedTuple):
    """A call: the function, its arguments, and whether it is to fail."""

    function: str
    references: Any
    candidates: Any
    options: Options
    fails: bool = False


# Asking R


def r_value(value: object, depth: int = 0) -> str:
    """A value as R writes it; `depth` is how many levels of lists there are, the innermost one being a vector."""
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


def r_call(case: Case) -> str:
    """The call of a case, with its arguments by their positions and names."""
    depth = 2 if case.function == SENTENCE else 3
    arguments = [r_value(case.references, depth), r_value(case.candidates, depth - 1)]
    return call(case.function, [*arguments, *r_options(case.options)])


def r_options(options: Options) -> list[str]:
    return [f"{name} = {r_value(value, 1)}" for name, value in options.items()]


def call(function: str, arguments: Sequence[str]) -> str:
    return f"{function}({', '.join(arguments)})"


class Oracle:
    """The R package: the command that starts R, and the folder that it is installed in, if not R's own."""

    def __init__(self, rscript: str, library: str) -> None:
        self._command = [rscript, "--vanilla"]
        self._library = library

    def scores(self, lines: Sequence[str]) -> tuple[str, list[str | None]]:
        """The oracle's name and version, and what the calls among these lines return."""
        with tempfile.TemporaryDirectory() as folder:
            program, calls = Path(folder, "driver.R"), Path(folder, "calls.R")
            program.write_text(DRIVER, encoding="ascii")
            calls.write_text("".join([f"{line}\n" for line in lines]), encoding="ascii")
            done = subprocess.run([*self._command, str(program), str(calls), self._library], stdout=subprocess.PIPE,
                                  check=True)
        version, *printed = done.stdout.decode("ascii").splitlines()
        return version.strip(), [None if text == "error" else float.fromhex(text).hex() for text in printed]


# The fixture


def write_cases(oracle: Oracle) -> None:
    cases = [Case(function, references, candidates, options, score is None)
             for function, references, candidates, options, score in golden_cases("ids.json.gz")]
    version, scores = oracle.scores(list(map(r_call, cases)))
    records: list[object] = []
    for case, score in zip(cases, scores):
        if (score is None) != case.fails:
            raise SystemExit(f"{case} gave {score}")
        records.append([case.function, case.references, case.candidates, case.options, score])
    if len(scores) != len(cases):
        raise SystemExit(f"{len(scores)} scores for {len(cases)} calls")
    write_fixture(TARGET / "ids.json.gz", records, version)


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
                        lines.append(call(CORPUS, ["references", "candidates", *r_options(options)]))
                        records.append({"candidates": name, "references": list(used), "options": options})
    version, scores = oracle.scores(lines)
    for record, score in zip(records, scores):
        record["score"] = score
    write_fixture(TARGET / "shared_data.ids.json.gz", records, version)


def ids_of_file(path: Path, ids: dict[str, int]) -> list[list[int]]:
    """The 13a tokens of a file's lines as ids, which are given out in order of appearance."""
    tokenizer = import_module("purebleu.tokenizers").make_tokenizer("13a")
    return [[ids.setdefault(token, len(ids)) for token in tokens]
            for tokens in tokenizer.tokenize_lines(read_lines(path))]


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--rscript", default="Rscript", help="the command of R for scripts (default: %(default)s)")
    parser.add_argument("--library", default="", metavar="FOLDER", help="the folder that sacRebleu is installed in")
    parser.add_argument("--data", type=Path, metavar="DIR", help="the folder of real data")
    args = parser.parse_args()
    oracle = Oracle(args.rscript, args.library)
    write_cases(oracle)
    if args.data:
        write_shared_data(oracle, args.data)
    return 0
