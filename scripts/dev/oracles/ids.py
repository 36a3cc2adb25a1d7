"""Write the golden files of token ids: what the R package sacRebleu 0.1.2 makes of them.

    python3 scripts/dev/oracles ids [--rscript COMMAND] [--library FOLDER] [--data DIR]

R, and in FOLDER (by default: where R looks) the installed package, are an oracle to run, outside of the project; it is
under the GPL, and nothing of it is taken over. Writes `tests/fixtures/ids.json.gz`: the documented figures, wrong
arguments, and random corpora under all options, the same ones each time. With the folder of real data, also
`shared_data.ids.json`, which has numbers only: the scores of its 13a tokens as ids.

A score is written as `float.hex` has it, `null` where the package raises an error.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any, Dict, Iterator, NamedTuple, Sequence

from dev.oracles.files import TARGET, write_fixture
from dev.oracles.sacrebleu.shared_data import read_lines, shared_corpora

SEED = 18

RANDOM_CORPORA = 3600

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


# Selected segments

TWO_CANDIDATES = [[1, 2, 3], [1, 2]]
TWO_LISTS = [[[1, 2, 3], [2, 3, 4]], [[1, 2, 6], [781, 21, 9], [7, 3]]]


def documented_cases() -> Iterator[Case]:
    """The calls in the package's documentation and tests, and the tie of reference lengths."""
    for options in ({}, {"n": 3}, {"weights": [0.3333] * 3}, {"smoothing": "add-k"}, {"smoothing": "add-k", "k": 1},
                    {"smoothing": "floor", "epsilon": 0.01}, {"smoothing": "floor", "epsilon": 0.1}):
        yield Case(CORPUS, TWO_LISTS, TWO_CANDIDATES, options)
    yield Case(CORPUS, [], [], {})
    for options in ({}, {"smoothing": "floor", "epsilon": 0.01}, {"smoothing": "add-k", "k": 1},
                    {"weights": [0.25] * 4}):
        yield Case(SENTENCE, [[1, 2, 3, 4]], [1, 2, 3, 5], options)
        yield Case(CORPUS, [[[1, 2, 3, 4]]], [[1, 2, 3, 5]], options)
    for options in ({"n": 2}, {"weights": [0.33] * 3}):
        yield Case(SENTENCE, [[1, 2, 3], [2, 3, 4]], [1, 2, 3], options)
    for references in ([[1, 2], [1, 2, 3, 4]], [[1, 2, 3, 4], [1, 2]]):
        yield Case(SENTENCE, references, [1, 2, 3], {"n": 2})


def edge_cases() -> Iterator[Case]:
    """Empty segments, weights of 0 and below, and numbers that are cut off."""
    for smoothing in (None, "floor", "add-k"):
        for references, candidate in (([[]], []), ([[1]], []), ([[]], [1, 2]), ([[], [1]], []), ([[1], [1, 2]], [3])):
            yield Case(SENTENCE, references, candidate, {"smoothing": smoothing})
        for weights in ([1, 0, 0, 0], [0.5, 0.5, 0], [0, 0], [-1, 1], [2, 3], [1], [1e-40, 1], [800, 800]):
            yield Case(SENTENCE, [[1, 2, 3]], [1, 2, 4], {"smoothing": smoothing, "weights": weights})
        yield Case(CORPUS, TWO_LISTS, TWO_CANDIDATES, {"smoothing": smoothing, "epsilon": 5, "k": 2147483647.0})
        yield Case(CORPUS, TWO_LISTS, TWO_CANDIDATES, {"smoothing": smoothing, "epsilon": 0, "k": 0.999})
        yield Case(CORPUS, [[[2147483647, 0]], [[-5]]], [[2147483647, 0], [-5]], {"smoothing": smoothing, "n": 1})


def wrong_cases() -> Iterator[Case]:
    """Cases that the package refuses."""
    for options in ({"n": 0}, {"n": -1}, {"n": 0.5}, {"n": "4"}, {"weights": ["a"]}, {"weights": "a"}, {"smoothing": 1},
                    {"smoothing": "exp"}, {"smoothing": "standard"}, {"smoothing": "add_k"}, {"epsilon": "a"},
                    {"epsilon": None}, {"epsilon": [0.1, 0.2]}, {"k": "a"}, {"k": None}, {"k": [1, 2]}):
        yield Case(CORPUS, TWO_LISTS, TWO_CANDIDATES, options, True)
        yield Case(CORPUS, [], [], options, True)
        yield Case(SENTENCE, [[1, 2]], [1, 2], options, True)
    pairs: list[tuple[Any, Any]]
    pairs = [(TWO_LISTS[:1], TWO_CANDIDATES), (TWO_LISTS, TWO_CANDIDATES[:1]), (TWO_LISTS[0], TWO_CANDIDATES),
             ([], [[1]]), ([[1, 2]], [1, 2]), ([[["a", "b"]]], [[1, 2]]), ([[[1, 2]]], [["a", "b"]]), ("as", "as"),
             (None, None)]
    for references, candidates in pairs:
        yield Case(CORPUS, references, candidates, {}, True)
    pairs = [([], [1]), ([1, 2], [1, 2]), ([["a"]], [1]), ([[1]], ["a"]), ([[1]], [[1], [2]]), ("as", "as"),
             (None, None)]
    for references, candidate in pairs:
        yield Case(SENTENCE, references, candidate, {}, True)


def random_cases(source: random.Random, number: int) -> Iterator[Case]:
    """Random corpora, with one to four references per candidate, some segments empty."""
    for index in range(number):
        size = source.choice((2, 4, 9, 30))
        segments = [random_segment(source, size) for _ in range(source.choice((0, 1, 1, 1, 2, 2, 3, 3, 4, 6)))]
        references, candidates = [list(column) for column in zip(*segments)] or [[], []]
        if len(segments) == 1 and index % 2:
            yield Case(SENTENCE, references[0], candidates[0], random_options(source))
        else:
            yield Case(CORPUS, references, candidates, random_options(source))


def random_segment(source: random.Random, size: int) -> tuple[list[list[int]], list[int]]:
    """Changed copies of a random sequence of ids: references and a candidate."""
    sequence = [source.randrange(size) for _ in range(source.choice((1, 2, 3, 4, 5, 6, 8, 11)))]
    versions: list[list[int]] = []
    for _ in range(1 + source.choice((1, 1, 2, 2, 3, 4))):
        rate = source.choice((0, 0.1, 0.3))
        version = [source.randrange(size) if source.random() < rate else symbol for symbol in sequence]
        start = source.choice((0, 0, 0, 1, 2))
        version = version[start:source.choice((None, None, -1, -2))] + version[:source.choice((0, 0, 0, 1, 2))]
        versions.append([] if source.random() < 0.04 else version)
    return versions[1:], versions[0]


def random_options(source: random.Random) -> Options:
    """Options, of which some are left at their defaults."""
    options: Options = {}
    if source.random() < 0.6:
        options["n"] = source.randint(1, 6)
    if source.random() < 0.3:
        count = source.randint(1, 6)
        options["weights"] = source.choice((
            [1 / count] * count, [round(1 / count, 4)] * count, [round(source.random(), 2) for _ in range(count)],
            [source.random() for _ in range(count)], [source.uniform(0, 3) for _ in range(count)]))
    smoothing = source.choice((None, "floor", "floor", "add-k", "add-k"))
    if smoothing or source.random() < 0.2:
        options["smoothing"] = smoothing
    if source.random() < (0.8 if smoothing == "floor" else 0.1):
        options["epsilon"] = source.choice((0.1, 0.01, 0.5, 1, 2.5, 0, source.random(), 10 ** source.uniform(-9, 0)))
    if source.random() < (0.8 if smoothing == "add-k" else 0.1):
        options["k"] = source.choice((0, 1, 2, 3, 7, 100, 0.5, 1.9, source.uniform(0, 5)))
    return options


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
    cases = [*documented_cases(), *edge_cases(), *wrong_cases(), *random_cases(random.Random(SEED), RANDOM_CORPORA)]
    version, scores = oracle.scores(list(map(r_call, cases)))
    records: list[object] = []
    for case, score in zip(cases, scores):
        if (score is None) != case.fails:
            raise SystemExit(f"{case} gave {score}")
        records.append([case.function, case.references, case.candidates, case.options, score])
    if len(scores) != len(cases):
        raise SystemExit(f"{len(scores)} scores for {len(cases)} calls")
    print(f"{write_fixture(TARGET / 'ids.json.gz', records, version)} cases of {version}")


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
    print(f"{write_fixture(TARGET / 'shared_data.ids.json', records, version)} cases of real data")


def ids_of_file(path: Path, ids: dict[str, int]) -> list[list[int]]:
    """The 13a tokens of a file's lines as ids, which are given out in order of appearance."""
    tokenizer = import_module("purebleu.tokenizers").make_tokenizer("13a")
    return [[ids.setdefault(token, len(ids)) for token in tokens]
            for tokens in tokenizer.tokenize_lines(read_lines(path))]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rscript", default="Rscript", help="the command of R for scripts (default: %(default)s)")
    parser.add_argument("--library", default="", metavar="FOLDER", help="the folder that sacRebleu is installed in")
    parser.add_argument("--data", type=Path, metavar="DIR", help="the folder of real data")
    args = parser.parse_args(argv)
    oracle = Oracle(args.rscript, args.library)
    write_cases(oracle)
    if args.data:
        write_shared_data(oracle, args.data)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
