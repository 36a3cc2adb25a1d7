"""Hold purebleu (this checkout) to sacreBLEU, segment by segment and to the last bit, on real and on generated text.

    python scripts/compare_with_oracle.py --oracle PYTHON [--data DIR] [--lines N] [--python PYTHON ...] [--keep DIR]

The oracle's interpreter computes what has to come out, once (that takes longest: see `--keep`); then each PYTHON (by
default the one that runs this) computes it with purebleu. What is compared:

- all of DIR: every system against one and two references, with every tokenizer and several options;
- N generated segments, of all kinds that `generated_lines` knows: each with every tokenizer, lower case, n-gram orders
  and numbers of references taking turns; in corpora from 2 to 2,400 segments, as implementations differ by size;
- tokens: of special lines, of all short strings over a few symbols, and of every code point of Unicode in a few
  surroundings.

Of each segment the row of statistics is compared; of each corpus the scores with several ways of smoothing. Exit codes:
0 all equal, 1 something differs (the shortest differences are printed) or failed, 2 wrong usage. Standard library only.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import platform
import subprocess
import sys
import tempfile
import time
import warnings
import zlib
from itertools import cycle
from pathlib import Path

from generated_lines import as_streams, random_segments, short_lines, special_lines
from make_fixtures import (
    CHARACTER_IN_CASED_LINE,
    CHARACTER_IN_LINE,
    CHECKOUT,
    SMOOTHING,
    TOKENIZERS,
    oracle,
    read_lines,
    score_record,
    shared_corpora,
    statistics_options,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Sequence

    #: What to compute, what came out of it, and how it compares: JSON objects.
    Task = Dict[str, Any]
    Statistics = Dict[str, Any]
    Report = Dict[str, Any]
    Differences = List[Dict[str, Any]]

#: Numbers of segments of the generated corpora, which take turns.
CORPUS_SIZES = (2, 17, 130, 1100, 2400)
ORDERS = (4, 4, 4, 1, 2, 3, 5, 6)

CODE_POINTS_IN_TASK = 0x8000

SYMBOLS_OF_SHORT_LINES = ("1a.,- ", "½.—$a ", "1字。.\u2028", "2&;-\n<")

#: How many differences are shown of each tokenizer, with and without lower-casing.
SHOWN = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the comparison that the arguments ask for; returns the exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments[:1] == ["worker"]:
        side, task_folder, share, shares = arguments[1:]
        print(json.dumps(WORKERS[side](Path(task_folder), int(share), int(shares))))
        return 0
    options = parse_options(arguments)
    with tempfile.TemporaryDirectory(prefix="compare-with-oracle-") as temporary:
        folder = options.keep or Path(temporary)
        write_tasks(folder, all_tasks(options.data, options.lines))
        try:
            run_workers(options.oracle, "oracle", folder, options.jobs)
            equal = [compare(python, folder, options.jobs) for python in options.python]
        except subprocess.CalledProcessError as error:
            print(f"{error.cmd[0]} failed with exit code {error.returncode}", file=sys.stderr)
            return 1
    return 0 if all(equal) else 1


def parse_options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Hold purebleu to sacreBLEU, segment by segment.")
    parser.add_argument("--oracle", required=True, metavar="PYTHON", help="an interpreter that has sacreBLEU")
    parser.add_argument("--data", type=Path, metavar="DIR", help="a folder of hypotheses and references")
    parser.add_argument("--lines", type=int, default=100_000, metavar="N", help="segments to generate")
    parser.add_argument("--python", nargs="+", default=[sys.executable], metavar="PYTHON", help="to run purebleu with")
    parser.add_argument("--keep", type=Path, metavar="DIR",
                        help="keep the oracle's results there, and do not compute again those that are there")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes at once")
    options = parser.parse_args(argv)
    if options.data is not None and not shared_corpora(options.data):
        parser.error(f"there are no hypotheses with references in {options.data}")
    if options.lines < 1 or options.jobs < 1:
        parser.error("--lines and --jobs must be at least 1")
    return options


def compare(python: str, folder: Path, jobs: int) -> bool:
    """Compare one interpreter's results with the oracle's, and print a line about it; returns whether all are equal."""
    start = time.monotonic()
    reports = run_workers(python, "purebleu", folder, jobs)
    segments, scores, lines, different = (
        sum([int(report[key]) for report in reports]) for key in ("segments", "scores", "lines", "different"))
    print(f"{reports[0]['interpreter']}: {segments:,} segments, {scores:,} scores of corpora, tokens of {lines:,} "
          f"lines: {different or 'no'} differences ({time.monotonic() - start:.0f} s)")
    for difference in some_of_each([difference for report in reports for difference in report["some"]]):
        print("  ", json.dumps(difference))
    sys.stdout.flush()
    return different == 0 and min(segments, scores, lines) > 0


def some_of_each(differences: Differences) -> Differences:
    """A few differences of each tokenizer, with and without lower-casing: the shortest ones, as they tell most."""
    chosen: dict[tuple[object, object], Differences] = {}
    for difference in sorted(differences, key=lambda difference: len(json.dumps(difference))):
        alike = chosen.setdefault((difference["tokenize"], difference.get("lowercase")), [])
        if len(alike) < SHOWN:
            alike.append(difference)
    return [difference for alike in chosen.values() for difference in alike]


def run_workers(python: str, side: str, folder: Path, jobs: int) -> list[Any]:
    """Run so many processes, each on its share of the tasks in the folder; returns what they report.

    Raises `subprocess.CalledProcessError` where one fails.
    """
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("PUREBLEU", "SACREBLEU", "PYTHONPATH"))}
    commands = [[python, str(Path(__file__).resolve()), "worker", side, str(folder), str(share), str(jobs)]
                for share in range(jobs)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) for command in commands]
    reports = []
    for command, process in zip(commands, processes):
        output, _ = process.communicate()
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        reports.append(json.loads(output))
    return reports


# Tasks: pure data

def all_tasks(data: Path | None, segments: int) -> Iterator[Task]:
    """What to compute: tasks of two kinds, with hypotheses, or with lines or code points to tokenize."""
    if data is not None:
        yield from data_tasks(data)
    yield from generated_tasks(segments)
    yield {"lines": special_lines(), "tokenizers": TOKENIZERS}
    for symbols in SYMBOLS_OF_SHORT_LINES:
        yield {"lines": list(short_lines(symbols, 6)), "tokenizers": TOKENIZERS[:3]}
    for start in range(0, sys.maxunicode + 1, CODE_POINTS_IN_TASK):
        yield {"code_points": start, "tokenizers": TOKENIZERS, "line": CHARACTER_IN_LINE,
               "cased_line": CHARACTER_IN_CASED_LINE}


def data_tasks(folder: Path) -> Iterator[Task]:
    """Every system against one and more references."""
    for corpus in shared_corpora(folder):
        streams = [read_lines(folder / name) for name in corpus.references]
        for name in corpus.systems:
            for count in range(1, len(streams) + 1):
                settings = [(options, ways_of_smoothing(turn)) for turn, options in enumerate(statistics_options())]
                yield {"name": f"{name}, {count} references", "hypotheses": read_lines(folder / name),
                       "references": streams[:count], "settings": settings}


def generated_tasks(segments: int) -> Iterator[Task]:
    """Corpora of generated segments, so many altogether."""
    sizes = cycle(CORPUS_SIZES)
    turn = 0
    while segments > 0:
        size = min(next(sizes), segments)
        streams, missing = turn % 4 + 1, turn % 3 == 0
        settings = [({"tokenize": tokenizer, "lowercase": count % 2 == 1,
                      "max_ngram_order": ORDERS[count % len(ORDERS)]}, ways_of_smoothing(count))
                    for count, tokenizer in enumerate(TOKENIZERS, turn)]
        hypotheses, references = as_streams(random_segments(1000 + turn, size, streams, missing and streams > 1))
        yield {"name": f"generated, seed {1000 + turn}", "hypotheses": hypotheses, "references": references,
               "settings": settings}
        segments -= size
        turn += 1


def ways_of_smoothing(turn: int) -> list[dict[str, object]]:
    """Options for the scores of a corpus: the default, and three that take turns."""
    indices = [0, *[(turn + step) % len(SMOOTHING) for step in (1, 2, 5)]]
    return [{"smooth_method": SMOOTHING[index][0], "smooth_value": SMOOTHING[index][1],
             "effective_order": (turn + index) % 2 == 1} for index in indices]


def write_tasks(folder: Path, tasks: Iterator[Task]) -> None:
    """Write the tasks into the folder, where only results of these very tasks stay."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {folder / f"{number}.task.json": json.dumps(task) for number, task in enumerate(tasks)}
    for path in folder.glob("*.task.json"):
        if path not in files or path.read_text(encoding="ascii") != files[path]:
            path.unlink()
            if result_of(path).exists():
                result_of(path).unlink()
    for path, text in files.items():
        if not path.exists():  # else it is the same, and another run may be reading it
            path.write_text(text, encoding="ascii")


def result_of(task: Path) -> Path:
    """The file for the result of the task in a file."""
    return task.with_name(task.name.replace(".task.", ".result."))


# Workers: each runs in the interpreter that it is about

def shared_out(folder: Path, share: int, shares: int) -> Iterator[tuple[Task, Path]]:
    """The tasks of this share, each with the file of its result."""
    for path in sorted(folder.glob("*.task.json"))[share::shares]:
        yield json.loads(path.read_text(encoding="ascii")), result_of(path)


def work_as_oracle(folder: Path, share: int, shares: int) -> None:
    """Compute the missing results of this share of the tasks with the oracle, and write them into the folder."""
    logging.disable(logging.WARNING)
    for task, path in shared_out(folder, share, shares):
        if not path.exists():
            unfinished = path.with_suffix(".tmp")
            unfinished.write_text(json.dumps(results_of(oracle().BLEU, task)), encoding="ascii")
            os.replace(str(unfinished), str(path))


def work_as_purebleu(folder: Path, share: int, shares: int) -> Report:
    """Compute the results of this share of the tasks with purebleu; returns a report of how they compare."""
    warnings.simplefilter("ignore")
    sys.path.insert(0, str(CHECKOUT))
    from purebleu import BLEU

    count = {"segments": 0, "scores": 0, "lines": 0}
    found: Differences = []
    for task, path in shared_out(folder, share, shares):
        expected = json.loads(path.read_text(encoding="ascii"))
        found += differences(task, results_of(BLEU, task), expected)
        for result in expected:
            if "hypotheses" in task:
                count["segments"] += len(result["rows"])
                count["scores"] += len(result["scores"])
            else:
                count["lines"] += len(result)
    interpreter = f"{platform.python_implementation()} {platform.python_version()}"
    return {**count, "interpreter": interpreter, "different": len(found), "some": some_of_each(found)}


WORKERS = {"oracle": work_as_oracle, "purebleu": work_as_purebleu}


def results_of(metric_class: Any, task: Task) -> list[Any]:
    """What comes out of a task: a result for each of its settings, or of its tokenizers (and lower-casing)."""
    if "hypotheses" in task:
        return [statistics_of(metric_class, task, *setting) for setting in task["settings"]]
    results = [tokens_of(metric_class, task, name) for name in task["tokenizers"]]
    if "code_points" in task:
        results.append(lower_case_of(metric_class, task))
    return results


def statistics_of(metric_class: Any, task: Task, options: Task, smoothing: Sequence[Task]) -> Statistics:
    """The rows of all segments with the options, and the scores of the corpus with each way of smoothing."""
    rows = metric_class(**options)._extract_corpus_statistics(task["hypotheses"], task["references"])
    sums = [sum(column) for column in zip(*rows)]
    scores: list[str] = []
    for way in smoothing:
        metric = metric_class(**options, **way)
        score = metric._compute_score_from_stats(list(sums)) if scores else \
            metric.corpus_score(task["hypotheses"], task["references"])
        scores.append(json.dumps(score_record(score)))
    return {"rows": [list(row) for row in rows], "scores": scores}


def tokens_of(metric_class: Any, task: Task, name: str) -> list[Any]:
    """The tokens of the task's lines, joined by blanks; of code points, checksums of them."""
    tokens = preprocessing(metric_class(tokenize=name))
    if "lines" in task:
        return list(map(tokens, task["lines"]))
    return [checksum(tokens(line)) for line in characters_in(task["line"], task)]


def lower_case_of(metric_class: Any, task: Task) -> list[int]:
    """Checksums of what lower-casing makes of code points."""
    tokens = preprocessing(metric_class(tokenize="none", lowercase=True))
    return [checksum(tokens(line)) for line in characters_in(task["cased_line"], task)]


def preprocessing(metric: Any) -> Callable[[str], str]:
    """The function of either side's metric from a line to its tokens, joined by blanks."""
    if hasattr(metric, "preprocess"):
        return lambda line: as_text(metric.preprocess(line))
    # The oracle splits later. So does this, in the oracle's interpreter: others do not all split in the same places.
    return lambda line: " ".join(metric._preprocess_segment(line).split())


def as_text(tokens: Sequence[Any]) -> str:
    """purebleu's tokens, which may be bytes, joined by blanks."""
    return " ".join([token.decode("utf-8", "surrogatepass") if isinstance(token, bytes) else token
                     for token in tokens])


def characters_in(pattern: str, task: Task) -> Iterator[str]:
    """The pattern with each of the task's code points."""
    for code in range(task["code_points"], task["code_points"] + CODE_POINTS_IN_TASK):
        yield pattern.replace("_", chr(code))


def checksum(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


# Differences

def differences(task: Task, ours: Sequence[Any], theirs: Sequence[Any]) -> Differences:
    """What differs in the results of a task."""
    found: Differences = []
    if "hypotheses" in task:
        for setting, our_statistics, their_statistics in zip(task["settings"], ours, theirs):
            found += (differences_of_rows(task, setting, our_statistics, their_statistics)
                      or differences_of_scores(task, setting, our_statistics, their_statistics))
        return found
    for name, our_tokens, their_tokens in zip([*task["tokenizers"], "lower case"], ours, theirs):
        found += differences_of_tokens(task, name, our_tokens, their_tokens)
    return found


def differences_of_rows(task: Task, setting: Sequence[Any], ours: Statistics, theirs: Statistics) -> Differences:
    """The segments with other statistics."""
    about = {"corpus": task["name"], **setting[0]}
    if len(ours["rows"]) != len(theirs["rows"]):
        return [{**about, "purebleu": f"{len(ours['rows'])} rows", "oracle": f"{len(theirs['rows'])} rows"}]
    return [
        {**about, "segment": index, "hypothesis": task["hypotheses"][index],
         "references": [stream[index] for stream in task["references"]], "purebleu": row, "oracle": expected}
        for index, (row, expected) in enumerate(zip(ours["rows"], theirs["rows"])) if row != expected
    ]


def differences_of_scores(task: Task, setting: Sequence[Any], ours: Statistics, theirs: Statistics) -> Differences:
    """The ways of smoothing that lead to other scores."""
    return [
        {"corpus": task["name"], **setting[0], **smoothing, "purebleu": score, "oracle": expected}
        for smoothing, score, expected in zip(setting[1], ours["scores"], theirs["scores"])
        if score != expected
    ]


def differences_of_tokens(task: Task, name: str, ours: Sequence[Any], theirs: Sequence[Any]) -> Differences:
    """The lines with other tokens; of code points, checksums are all that there is to show."""
    return [
        {"tokenize": name,
         "line": task["lines"][index] if "lines" in task else f"with U+{task['code_points'] + index:04X}",
         "purebleu": tokens, "oracle": expected}
        for index, (tokens, expected) in enumerate(zip(ours, theirs)) if tokens != expected
    ]


if __name__ == "__main__":
    raise SystemExit(main())
