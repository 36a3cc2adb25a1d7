"""Hold purebleu (this checkout) to sacreBLEU, segment by segment and to the last bit, on real and on generated text.

    python scripts/dev/oracles compare_scores --oracle PYTHON [--data DIR] [--metrics NAME ...] [--lines N] [--pairs N]
                                          [--python PYTHON ...] [--keep DIR]

The oracle's interpreter computes what has to come out, once (that takes longest: see `--keep`); then each PYTHON (by
default the one that runs this) computes it with purebleu. What is compared, for BLEU, chrF and TER:

- all of DIR: every system against one and two references, with every tokenizer and several options; with TER, whose
  oracle is slow, each way of tokenizing has only lines up to a length of its own (`TER_ON_DATA`), and there are lines
  next to the wrong references, and many lines joined;
- N generated segments, of all kinds that `generated_lines` knows: each with options and numbers of references taking
  turns; in corpora from 2 to 2,400 segments, as implementations differ by size;
- for TER, N generated pairs of a hypothesis and a reference that hold few different words, blocks of words
  moved, sides of very different lengths;
- tokens: of special lines, of all short strings over a few symbols, and of every code point of Unicode in a few
  surroundings.

Of each segment the row of statistics is compared; of each corpus the scores (with BLEU, of several ways of smoothing).
Exit codes: 0 all equal, 1 something differs (the shortest differences are printed) or failed, 2 wrong usage. Standard
library only.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
import warnings
import zlib
from importlib import import_module
from itertools import cycle, product
from pathlib import Path

from dev.oracles.cases.generated_lines import (
    as_streams,
    random_lines,
    random_segments,
    random_word_segments,
    short_lines,
    special_lines,
)
from dev.oracles.sacrebleu.oracle import TOKENIZERS, oracle, statistics_options
from dev.oracles.sacrebleu.scores import SMOOTHING, chrf_options
from dev.oracles.sacrebleu.shared_data import read_lines, shared_corpora
from dev.oracles.sacrebleu.tokens import CHARACTER_IN_CASED_LINE, CHARACTER_IN_LINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

    #: Tasks, their results, and the comparisons of these: JSON objects.
    Task = Dict[str, Any]
    Statistics = Dict[str, Any]
    Report = Dict[str, Any]
    Differences = List[Dict[str, Any]]

    #: A metric's options; those that rows depend on ("options") with further ones for each of several scores ("ways").
    Options = Dict[str, Any]
    Setting = Dict[str, Any]

    #: A name, hypotheses, and streams of references.
    Corpus = Tuple[str, List[str], List[List[Optional[str]]]]

#: Numbers of segments of the generated corpora, which take turns.
CORPUS_SIZES = (2, 17, 130, 1100, 2400)
ORDERS = (4, 4, 4, 1, 2, 3, 5, 6)

CODE_POINTS_IN_TASK = 0x8000

SYMBOLS_OF_SHORT_LINES = ("1a.,- ", "½.—$a ", "1字。.\u2028", "2&;-\n<")
SYMBOLS_OF_SHORT_LINES_FOR_CHRF = ("a.(' ", "é-\u2028。)")
SYMBOLS_OF_SHORT_LINES_FOR_TER = ("1a.,- ", "s'a. ", "-\na1 ", "あアㇰ一、 ", "A!(）．é")

#: More than `chrf_options` has, for generated segments.
MORE_CHRF_OPTIONS: tuple[Options, ...] = (
    {"word_order": 2, "lowercase": True}, {"word_order": 2, "eps_smoothing": True}, {"word_order": 2, "beta": 0.5},
    {"char_order": 1, "word_order": 4}, {"char_order": 12}, {"whitespace": True, "lowercase": True, "word_order": 1},
    {"beta": 0, "eps_smoothing": True}, {"char_order": 0, "word_order": 2}, {"char_order": 0, "word_order": 1},
    {"char_order": 0, "word_order": 3, "eps_smoothing": True}, {"char_order": 60, "word_order": 20},
)

#: Options for further scores of chrF from the same rows.
WEIGHTINGS: tuple[Options, ...] = (
    {"beta": 1}, {"eps_smoothing": True}, {"beta": 3, "eps_smoothing": True}, {"beta": 0.5}, {"beta": 0},
)

#: TER's ways of tokenizing: all that differ, for Asian support is part of two other options.
TER_MODES: tuple[Options, ...] = tuple(
    {"normalized": normalized, "no_punct": no_punct, "asian_support": asian}
    for normalized, no_punct, asian in product((False, True), repeat=3) if normalized or no_punct or not asian)
TER_OPTIONS: tuple[Options, ...] = tuple(
    {**mode, "case_sensitive": case} for mode in TER_MODES for case in (False, True))

#: The comparisons of TER on the data: the longest line, in bytes of UTF-8; whether with all references; options.
#: The oracle's time grows with the third power of the length or more.
TER_ON_DATA: tuple[tuple[float, bool, tuple[Options, ...]], ...] = (
    (float("inf"), False, ({},)),
    (300, True, ({},)),
    (200, False, ({"normalized": True, "asian_support": True},)),
    (100, True, TER_MODES),
    (100, False, tuple({**mode, "case_sensitive": True} for mode in TER_MODES)),
)

#: The longest of the lines that stand next to wrong references, of generated odd lines, in bytes.
LONGEST_MISPLACED = 240
LONGEST_ODD = 80

#: The number of `--lines` of which one is for TER.
SHARE_OF_TER = 5

#: The number of corpora of joined lines, of segments in each, and of words in a segment.
JOINED_CORPORA = 14
JOINED_SEGMENTS = 5
WORDS_OF_JOINED = (100, 300)

#: Attributes of a score that are compared, besides its text.
SCORE_MEMBERS = {
    "BLEU": ("score", "bp", "precisions", "counts", "totals", "sys_len", "ref_len"),
    "CHRF": ("score",),
    "TER": ("score", "num_edits", "ref_length"),
}

#: Differences with the same values of these options are alike; and the number of alike ones that are shown.
ALIKE = {
    "BLEU": ("tokenize", "lowercase"),
    "CHRF": ("word_order", "lowercase", "whitespace"),
    "TER": ("normalized", "no_punct", "asian_support"),
}
SHOWN = 2

#: The folder of this script, which runs its workers.
SCRIPTS = Path(__file__).resolve().parent


def main(argv: Sequence[str] | None = None) -> int:
    """Run the comparison that the arguments ask for; returns the exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments[:1] == ["worker"]:
        side, folder, share, shares, *metrics = arguments[1:]
        print(json.dumps(work(side, Path(folder), metrics, int(share), int(shares))))
        return 0
    options = parse_options(arguments)
    with tempfile.TemporaryDirectory(prefix="compare-with-oracle-") as temporary:
        options.folder = options.keep or Path(temporary)
        write_tasks(options.folder, options.metrics, all_tasks(options))
        try:
            show_oracle(run_workers(options.oracle, "oracle", options), options)
            equal = [compare(python, options) for python in options.python]
        except subprocess.CalledProcessError as error:
            print(f"{error.cmd[0]} failed with exit code {error.returncode}", file=sys.stderr)
            return 1
    return 0 if all(equal) else 1


def parse_options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Hold purebleu to sacreBLEU, segment by segment.")
    parser.add_argument("--oracle", required=True, metavar="PYTHON", help="an interpreter that has sacreBLEU")
    parser.add_argument("--data", type=Path, metavar="DIR", help="a folder of hypotheses and references")
    parser.add_argument("--metrics", nargs="+", default=list(TASKS), choices=list(TASKS), metavar="NAME",
                        help="what to compare: " + ", ".join(TASKS))
    parser.add_argument("--lines", type=int, default=100_000, metavar="N",
                        help=f"segments to generate; TER takes one in {SHARE_OF_TER}")
    parser.add_argument("--pairs", type=int, default=50_000, metavar="N",
                        help="further pairs of hypothesis and reference to generate for TER")
    parser.add_argument("--python", nargs="*", default=[sys.executable], metavar="PYTHON",
                        help="to run purebleu with; none: only the oracle works")
    parser.add_argument("--keep", type=Path, metavar="DIR",
                        help="keep the oracle's results there, and do not compute again those that are there")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes at once")
    options = parser.parse_args(argv)
    if options.data is not None and not shared_corpora(options.data):
        parser.error(f"there are no hypotheses with references in {options.data}")
    if min(options.lines, options.pairs, options.jobs) < 1:
        parser.error("--lines, --pairs and --jobs must be at least 1")
    return options


def show_oracle(reports: Sequence[Report], options: argparse.Namespace) -> None:
    """Print what the oracle had to compute, and its processor time (which others' work does not lengthen)."""
    for metric in options.metrics:
        tasks, seconds = (sum([report[metric][key] for report in reports]) for key in ("tasks", "seconds"))
        print(f"oracle, {metric}: {tasks:,} results that were not there ({seconds:.0f} s of processor time)")
    sys.stdout.flush()


def compare(python: str, options: argparse.Namespace) -> bool:
    """Compare one interpreter's results with the oracle's, and print a line about each metric.

    Returns whether all are equal.
    """
    reports = run_workers(python, "purebleu", options)
    equal = [show_comparison(metric, [report[metric] for report in reports]) for metric in options.metrics]
    return all(equal)


def show_comparison(metric: str, reports: Sequence[Report]) -> bool:
    """Print how the results of a metric compare; returns whether all are equal."""
    segments, scores, lines, different, seconds = (
        sum([report[key] for report in reports]) for key in ("segments", "scores", "lines", "different", "seconds"))
    print(f"{reports[0]['interpreter']}, {metric}: {segments:,} segments, {scores:,} scores of corpora, tokens of "
          f"{lines:,} lines: {different or 'no'} differences ({seconds:.0f} s of processor time)")
    for difference in some_of_each([difference for report in reports for difference in report["some"]]):
        print("  ", json.dumps(difference))
    sys.stdout.flush()
    return bool(different == 0 and min(segments, scores, lines) > 0)


def some_of_each(differences: Differences) -> Differences:
    """A few differences of each way to tokenize: the shortest ones, as they tell most."""
    chosen: dict[tuple[object, ...], Differences] = {}
    for difference in sorted(differences, key=lambda difference: len(json.dumps(difference))):
        alike = chosen.setdefault(tuple([difference.get(name) for name in ALIKE[difference["metric"]]]), [])
        if len(alike) < SHOWN:
            alike.append(difference)
    return [difference for alike in chosen.values() for difference in alike]


def run_workers(python: str, side: str, options: argparse.Namespace) -> list[Report]:
    """Run processes, each on its share of the tasks in the folder; returns their reports.

    Raises `subprocess.CalledProcessError` where one fails.
    """
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("PUREBLEU", "SACREBLEU", "PYTHONPATH"))}
    commands = [[python, str(SCRIPTS), "scores", "worker", side, str(options.folder), str(share),
                 str(options.jobs), *options.metrics] for share in range(options.jobs)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) for command in commands]
    reports = []
    for command, process in zip(commands, processes):
        output, _ = process.communicate()
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        reports.append(json.loads(output))
    return reports


# Tasks: pure data

def all_tasks(options: argparse.Namespace) -> Iterator[Task]:
    """All tasks, of two kinds: with hypotheses, or with lines or code points to tokenize."""
    corpora = list(data_corpora(options.data)) if options.data else []
    for metric in options.metrics:
        for task in TASKS[metric](corpora, options):
            if task.get("hypotheses") != []:  # no line was short enough
                yield {"metric": metric, **task}


def bleu_tasks(corpora: Sequence[Corpus], options: argparse.Namespace) -> Iterator[Task]:
    for corpus in corpora:
        for some in with_fewer_references(corpus):
            yield statistics_task(some, [setting_of(each, ways_of_smoothing(turn))
                                         for turn, each in enumerate(statistics_options())])
    for turn, corpus in enumerate(generated_corpora(options.lines)):
        settings = [setting_of({"tokenize": tokenizer, "lowercase": count % 2 == 1,
                                "max_ngram_order": ORDERS[count % len(ORDERS)]}, ways_of_smoothing(count))
                    for count, tokenizer in enumerate(TOKENIZERS, turn)]
        yield statistics_task(corpus, settings)
    every = [{"tokenize": name} for name in TOKENIZERS]
    yield lines_task(special_lines(), every)
    for symbols in SYMBOLS_OF_SHORT_LINES:
        yield lines_task(list(short_lines(symbols, 6)), every[:3])
    yield from code_point_tasks(CHARACTER_IN_LINE, every)
    yield from code_point_tasks(CHARACTER_IN_CASED_LINE, [{"tokenize": "none", "lowercase": True}])


def chrf_tasks(corpora: Sequence[Corpus], options: argparse.Namespace) -> Iterator[Task]:
    on_data = list(chrf_options())
    for corpus in corpora:
        for some in with_fewer_references(corpus):
            yield statistics_task(some, [setting_of(each, ways_of_weighting(turn))
                                         for turn, each in enumerate(on_data)])
    every = [*on_data, *MORE_CHRF_OPTIONS]
    for turn, corpus in enumerate(generated_corpora(options.lines)):
        yield statistics_task(corpus, [setting_of(every[(turn + step) % len(every)], ways_of_weighting(turn + step))
                                       for step in (0, 4, 8, 12)])
    tokenizing = [{"word_order": 1}, {"word_order": 1, "lowercase": True}]
    yield lines_task(special_lines(), tokenizing)
    for symbols in SYMBOLS_OF_SHORT_LINES_FOR_CHRF:
        yield lines_task(list(short_lines(symbols, 6)), tokenizing[:1])
    yield from code_point_tasks(CHARACTER_IN_LINE, tokenizing[:1])
    yield from code_point_tasks(CHARACTER_IN_CASED_LINE, tokenizing[1:])


def ter_tasks(corpora: Sequence[Corpus], options: argparse.Namespace) -> Iterator[Task]:
    for turn, corpus in enumerate(corpora):
        for longest, all_references, several in TER_ON_DATA:
            some = without_long_lines(corpus if all_references else with_one_reference(corpus, turn), longest)
            yield statistics_task(some, list(map(setting_of, several)))
        misplaced = without_long_lines(with_wrong_references(with_one_reference(corpus, turn)), LONGEST_MISPLACED)
        yield statistics_task(misplaced, [setting_of({"normalized": turn % 2 == 1})])
    for turn, corpus in enumerate(joined_corpora(corpora)):
        yield statistics_task(corpus, [setting_of({"case_sensitive": turn % 2 == 1})])
    for turn, corpus in enumerate(generated_corpora(-(-options.lines // SHARE_OF_TER))):
        yield statistics_task(without_long_lines(corpus, LONGEST_ODD), [
            setting_of(TER_OPTIONS[(turn * 3 + step) % len(TER_OPTIONS)]) for step in range(3)])
    for turn, corpus in enumerate(generated_pairs(options.pairs)):
        yield statistics_task(corpus, [setting_of({"case_sensitive": turn % 3 == 1})])
    every = [{**mode, "case_sensitive": True} for mode in TER_MODES]
    yield lines_task(special_lines() + random_lines(7, 5000), TER_OPTIONS)
    for symbols in SYMBOLS_OF_SHORT_LINES_FOR_TER:
        yield lines_task(list(short_lines(symbols, 6 if len(symbols) < 6 else 5)), every)
    yield from code_point_tasks(CHARACTER_IN_LINE, every)
    yield from code_point_tasks(CHARACTER_IN_CASED_LINE, [{"normalized": True, "asian_support": True}])


#: The tasks of each metric, by its name.
TASKS: dict[str, Callable[[Sequence[Corpus], argparse.Namespace], Iterator[Task]]] = {
    "BLEU": bleu_tasks, "CHRF": chrf_tasks, "TER": ter_tasks,
}


def statistics_task(corpus: Corpus, settings: Sequence[Setting]) -> Task:
    """The rows and scores of a corpus with each of the settings."""
    name, hypotheses, references = corpus
    return {"name": name, "hypotheses": hypotheses, "references": references, "settings": settings}


def lines_task(lines: list[str], several: Sequence[Options]) -> Task:
    """The tokens of lines with each of several options."""
    return {"lines": lines, "settings": list(map(setting_of, several))}


def code_point_tasks(line: str, several: Sequence[Options]) -> Iterator[Task]:
    """The tokens of the line with each code point in it (in the places of `_`), with each of several options."""
    for start in range(0, sys.maxunicode + 1, CODE_POINTS_IN_TASK):
        yield {"code_points": start, "line": line, "settings": list(map(setting_of, several))}


def setting_of(options: Options, ways: Sequence[Options] = ({},)) -> Setting:
    """Options for rows, and further ones for each of the scores of the corpus."""
    return {"options": options, "ways": ways}


def ways_of_smoothing(turn: int) -> list[Options]:
    """Options for the scores of a corpus: the default, and three that take turns."""
    indices = [0, *[(turn + step) % len(SMOOTHING) for step in (1, 2, 5)]]
    return [{"smooth_method": SMOOTHING[index][0], "smooth_value": SMOOTHING[index][1],
             "effective_order": (turn + index) % 2 == 1} for index in indices]


def ways_of_weighting(turn: int) -> list[Options]:
    """Options for the scores of a corpus: none, and two that take turns."""
    return [{}, *[WEIGHTINGS[(turn + step) % len(WEIGHTINGS)] for step in (0, 1)]]


def write_tasks(folder: Path, metrics: Sequence[str], tasks: Iterable[Task]) -> None:
    """Write the tasks into the folder, where, of these metrics, only results of these very tasks stay.

    A file is called after the metric and a digest of the task.
    """
    folder.mkdir(parents=True, exist_ok=True)
    wanted = set()
    for task in tasks:
        text = json.dumps(task)
        digest = hashlib.sha256(text.encode("ascii")).hexdigest()
        path = folder / f"{task['metric']}.{digest[:16]}.task.json"
        wanted.add(path)
        if not path.exists():  # else it is the same, and another run may be reading it
            write_whole(path, text)
    for path in tasks_in(folder, metrics):
        if path not in wanted:
            path.unlink()
            if result_of(path).exists():
                result_of(path).unlink()


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there as a whole or not at all."""
    unfinished = path.with_suffix(".tmp")
    unfinished.write_text(text, encoding="ascii")
    os.replace(str(unfinished), str(path))


def tasks_in(folder: Path, metrics: Sequence[str]) -> list[Path]:
    """The files of these metrics' tasks, in an order that mixes long with short ones."""
    return sorted([path for metric in metrics for path in folder.glob(f"{metric}.*.task.json")],
                  key=lambda path: path.name.split(".")[1])


def result_of(task: Path) -> Path:
    """The file for the result of the task in a file."""
    return task.with_name(task.name.replace(".task.", ".result."))


# Corpora

def data_corpora(folder: Path) -> Iterator[Corpus]:
    """Every system with all of its references."""
    for corpus in shared_corpora(folder):
        streams: list[list[str | None]] = [list(read_lines(folder / name)) for name in corpus.references]
        for name in corpus.systems:
            yield name, read_lines(folder / name), streams


def with_fewer_references(corpus: Corpus) -> Iterator[Corpus]:
    """The corpus with its first reference, with the first two, and so on up to all of them."""
    name, hypotheses, references = corpus
    for count in range(1, len(references) + 1):
        yield f"{name}, {count} references", hypotheses, references[:count]


def with_one_reference(corpus: Corpus, turn: int) -> Corpus:
    """The corpus with only one of its references, which take turns."""
    name, hypotheses, references = corpus
    index = turn % len(references)
    return f"{name}, reference {index}", hypotheses, [references[index]]


def with_wrong_references(corpus: Corpus) -> Corpus:
    """The corpus with each segment's references going to the segment before it."""
    name, hypotheses, references = corpus
    return f"{name}, misplaced", hypotheses, [stream[1:] + stream[:1] for stream in references]


def without_long_lines(corpus: Corpus, longest: float) -> Corpus:
    """The corpus without the segments of which a line has more bytes than that in UTF-8."""
    name, hypotheses, references = corpus
    kept = [index for index, segment in enumerate(zip(hypotheses, *references))
            if max([len((line or "").encode("utf-8", "surrogatepass")) for line in segment]) <= longest]
    return (f"{name}, at most {longest} bytes", [hypotheses[index] for index in kept],
            [[stream[index] for index in kept] for stream in references])


def joined_corpora(corpora: Sequence[Corpus]) -> Iterator[Corpus]:
    """Many words in a line: consecutive lines joined, of the hypotheses as of the references.

    Of three corpora, one has the line before as the first of its references. Those whose lines have few words (as no
    blanks separate them) are left out.
    """
    rng = random.Random(9)
    wordy = [corpus for corpus in corpora if len(" ".join(corpus[1]).split()) > 10 * len(corpus[1])]
    for turn in range(JOINED_CORPORA if wordy else 0):
        name, hypotheses, references = with_one_reference(wordy[turn % len(wordy)], turn // len(wordy))
        stretches = [joined_stretch(rng, hypotheses) for _ in range(JOINED_SEGMENTS)]
        back = 1 if turn % 3 == 0 else 0
        yield (f"{name}, joined, {back} lines back", [" ".join(hypotheses[first:last]) for first, last in stretches],
               [[" ".join(filter(None, stream[first - back:last - back])) for first, last in stretches]
                for stream in references])


def joined_stretch(rng: random.Random, lines: Sequence[str]) -> tuple[int, int]:
    """The first line and the one behind the last of consecutive lines that have a number of words together."""
    words = rng.randint(*WORDS_OF_JOINED)
    first = last = rng.randrange(1, max(2, len(lines) - WORDS_OF_JOINED[1]))
    while last < len(lines) and len(" ".join(lines[first:last]).split()) < words:
        last += 1
    return first, last


def generated_corpora(segments: int) -> Iterator[Corpus]:
    """Corpora of generated segments of all kinds, `segments` altogether, with one to four references."""
    for turn, size in enumerate(sizes_of_corpora(segments)):
        streams, missing = turn % 4 + 1, turn % 3 == 0
        made = random_segments(1000 + turn, size, streams, missing and streams > 1)
        yield (f"generated, seed {1000 + turn}", *as_streams(made))


def generated_pairs(pairs: int) -> Iterator[Corpus]:
    """Corpora of generated segments of plain words, `pairs` pairs of a hypothesis and a reference altogether."""
    turn = 0
    while pairs > 0:
        streams = (1, 1, 2, 3)[turn % 4]
        size = min(CORPUS_SIZES[turn % len(CORPUS_SIZES)], -(-pairs // streams))
        made = random_word_segments(5000 + turn, size, streams, missing=streams > 1 and turn % 3 > 0)
        yield (f"generated pairs, seed {5000 + turn}", *as_streams(made))
        pairs -= size * streams
        turn += 1


def sizes_of_corpora(segments: int) -> Iterator[int]:
    """`CORPUS_SIZES` over and over, until they add up to this number of segments."""
    for size in cycle(CORPUS_SIZES):
        yield min(size, segments)
        segments -= size
        if segments <= 0:
            return


# Workers: each runs in the interpreter that it is about

def work(side: str, folder: Path, metrics: Sequence[str], share: int, shares: int) -> Report:
    """Do this share of the tasks in the folder; returns a report on each metric.

    The oracle computes the results that are missing and writes them into the folder; purebleu computes all of them and
    compares.
    """
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    package = oracle() if side == "oracle" else import_module("purebleu")
    work_on = compute_result if side == "oracle" else compare_result
    reports: Report = {metric: new_report() for metric in metrics}
    for path in tasks_in(folder, metrics)[share::shares]:
        task = json.loads(path.read_text(encoding="ascii"))
        start = time.process_time()
        work_on(getattr(package, task["metric"]), task, result_of(path), reports[task["metric"]])
        reports[task["metric"]]["seconds"] += time.process_time() - start
    return reports


def new_report() -> Report:
    interpreter = f"{platform.python_implementation()} {platform.python_version()}"
    return {"interpreter": interpreter, "seconds": 0.0, "tasks": 0, "segments": 0, "scores": 0, "lines": 0,
            "different": 0, "some": []}


def compute_result(metric_class: Any, task: Task, path: Path, report: Report) -> None:
    """Write what comes out of a task into a file, where it is not there."""
    if not path.exists():
        write_whole(path, json.dumps(results_of(metric_class, task)))
        report["tasks"] += 1


def compare_result(metric_class: Any, task: Task, path: Path, report: Report) -> None:
    """Add to the report how what comes out of a task compares with what is in the file."""
    report["tasks"] += 1
    for setting, expected in zip(task["settings"], json.loads(path.read_text(encoding="ascii"))):
        found = differences(metric_class, task, setting, expected)
        report["different"] += len(found)
        report["some"] = some_of_each(report["some"] + found)
        if "hypotheses" in task:
            report["segments"] += len(expected["rows"])
            report["scores"] += len(expected["scores"])
        else:
            report["lines"] += len(expected)


def results_of(metric_class: Any, task: Task) -> list[Any]:
    """The results of a task, one for each of its settings."""
    return [result_with(metric_class, task, setting) for setting in task["settings"]]


def result_with(metric_class: Any, task: Task, setting: Setting) -> Any:
    """The result of a task with one of its settings."""
    return (statistics_of if "hypotheses" in task else tokens_of)(metric_class, task, setting)


def statistics_of(metric_class: Any, task: Task, setting: Setting) -> Statistics:
    """The rows of all segments, and the scores of the corpus in each of several ways; the first is `corpus_score`'s."""
    first, *others = [metric_class(**{**setting["options"], **way}) for way in setting["ways"]]
    rows, score = rows_and_score(first, task["hypotheses"], task["references"])
    scores = [score]
    if others:  # only where rows hold integers, of which every interpreter makes the same sum
        sums = [sum(column) for column in zip(*rows)]
        scores += [metric._compute_score_from_stats(list(sums)) for metric in others]
    return {"rows": [list(row) for row in rows], "scores": [record_of(task["metric"], score) for score in scores]}


def rows_and_score(metric: Any, hypotheses: list[str], references: list[list[str | None]]) -> tuple[list[Any], Any]:
    """The rows of all segments, and the score of the corpus."""
    rows = metric._extract_corpus_statistics(hypotheses, references)
    if hasattr(metric, "corpus_statistics"):
        return rows, metric.corpus_score(hypotheses, references)
    # The oracle's `corpus_score` does nothing else than this, after the same rows: it would take twice the time.
    return rows, metric._aggregate_and_compute(rows)


def record_of(metric: str, score: Any) -> str:
    """The compared attributes of a score, as JSON, in which floats keep every bit."""
    record = {name: as_floats(getattr(score, name)) for name in SCORE_MEMBERS[metric]}
    return json.dumps({**record, "text": str(score)})


def as_floats(value: Any) -> Any:
    """A number, or those in a list, as floats: the oracle has some zeros as integers."""
    return [float(number) for number in value] if isinstance(value, (list, tuple)) else float(value)


def tokens_of(metric_class: Any, task: Task, setting: Setting) -> list[Any]:
    """The tokens of the task's lines, joined by blanks; of code points, checksums of them."""
    tokens = preprocessing(metric_class(**setting["options"]))
    if "lines" in task:
        return list(map(tokens, task["lines"]))
    codes = range(task["code_points"], task["code_points"] + CODE_POINTS_IN_TASK)
    return [checksum(tokens(task["line"].replace("_", chr(code)))) for code in codes]


def preprocessing(metric: Any) -> Callable[[str], str]:
    """The function of either side's metric from a line to its tokens, joined by blanks."""
    if hasattr(metric, "preprocess"):
        return lambda line: as_text(list(metric.preprocess(line)))  # (of characters, the sequence is a string)
    # The oracle splits later. So does this, in the oracle's interpreter: others do not all split in the same places.
    if hasattr(metric, "_remove_punctuation"):
        return lambda line: as_text(parts_for_chrf(metric, metric._preprocess_segment(line)))
    return lambda line: as_text(metric._preprocess_segment(line).split())


def parts_for_chrf(metric: Any, line: str) -> list[str]:
    """The strings that the oracle's chrF takes n-grams from: all characters, and each word."""
    return ["".join(line.split()), *metric._remove_punctuation(line)]


def as_text(tokens: Any) -> str:
    """Tokens, some of which may stand in sequences of their own, joined by blanks."""
    return " ".join(flat(tokens))


def flat(tokens: Any) -> list[str]:
    """Tokens in nested sequences, as strings, of which bytes are the UTF-8."""
    if isinstance(tokens, (str, bytes)):
        return [tokens if isinstance(tokens, str) else tokens.decode("utf-8", "surrogatepass")]
    return [text for token in tokens for text in flat(token)]


def checksum(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


# Differences

def differences(metric_class: Any, task: Task, setting: Setting, expected: Any) -> Differences:
    """Differences from the expected result of a task with one of its settings. (A failure is a difference, too.)"""
    differences_between = differences_of_statistics if "hypotheses" in task else differences_of_tokens
    try:
        found = differences_between(task, setting, result_with(metric_class, task, setting), expected)
    except Exception as error:
        found = [{"corpus": task.get("name"), "purebleu": repr(error)}]
    return [{"metric": task["metric"], **setting["options"], **difference} for difference in found]


def differences_of_statistics(task: Task, setting: Setting, ours: Statistics, theirs: Statistics) -> Differences:
    """The segments with other statistics; where there are none, the ways that lead to other scores."""
    about = {"corpus": task["name"]}
    if len(ours["rows"]) != len(theirs["rows"]):
        return [{**about, "purebleu": f"{len(ours['rows'])} rows", "oracle": f"{len(theirs['rows'])} rows"}]
    in_rows = [
        {**about, "segment": index, "hypothesis": task["hypotheses"][index],
         "references": [stream[index] for stream in task["references"]], "purebleu": row, "oracle": expected}
        for index, (row, expected) in enumerate(zip(ours["rows"], theirs["rows"])) if row != expected
    ]
    return in_rows or [
        {**about, **way, "purebleu": score, "oracle": expected}
        for way, score, expected in zip(setting["ways"], ours["scores"], theirs["scores"]) if score != expected
    ]


def differences_of_tokens(task: Task, setting: Setting, ours: Sequence[Any], theirs: Sequence[Any]) -> Differences:
    """The lines with other tokens; of code points, checksums are all that there is to show."""
    return [
        {"line": task["lines"][index] if "lines" in task else f"with U+{task['code_points'] + index:04X}",
         "purebleu": tokens, "oracle": expected}
        for index, (tokens, expected) in enumerate(zip(ours, theirs)) if tokens != expected
    ]


if __name__ == "__main__":
    raise SystemExit(main())
