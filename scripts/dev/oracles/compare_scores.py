"""Compare purebleu (this checkout) with sacreBLEU to the last bit, segment by segment, on real and generated text.

    python3 scripts/dev/oracles compare_scores --oracle PYTHON [--data DIR] [--metrics NAME ...] [--lines N]

PYTHON is an interpreter that has sacreBLEU. It runs both. For BLEU, chrF and TER with many options, the row of each
segment and the score of each corpus are compared:

- on all systems in DIR, against one and two references. sacreBLEU's TER is slow, so long lines are left out: the limit
  depends on the options. For TER, some lines are also paired with wrong references.
- on N generated segments of all kinds, and of plain words. Corpora have 2 to 2,400 segments, because large corpora run
  other code than small ones. TER gets a fifth of the segments.

Exit codes: 0 all equal, 1 something differs (the shortest differences are printed), 2 wrong usage.
"""

from __future__ import annotations

import logging
import multiprocessing
import warnings
from argparse import ArgumentParser
from importlib import import_module
from itertools import cycle, islice, product
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

from dev.oracles.cases.generated_lines import as_streams, random_segments, random_word_segments
from dev.oracles.files import run_by_oracle
from dev.oracles.sacrebleu.oracle import SMOOTHING, TOKENIZERS, chrf_options, statistics_options
from dev.oracles.sacrebleu.shared_data import read_lines, shared_corpora

Options = Dict[str, Any]
#: A name, hypotheses, and streams of references.
Corpus = Tuple[str, List[str], List[List[Optional[str]]]]
#: A metric, its options, and the corpus that it scores.
Task = Tuple[str, Options, Corpus]

#: Numbers of segments of the generated corpora, in turn.
CORPUS_SIZES = (2, 17, 130, 1100, 2400)

#: Further options of chrF.
MORE_CHRF_OPTIONS: tuple[Options, ...] = (
    {"word_order": 2, "lowercase": True}, {"word_order": 2, "eps_smoothing": True}, {"word_order": 2, "beta": 0.5},
    {"char_order": 1, "word_order": 4}, {"char_order": 12}, {"whitespace": True, "lowercase": True, "word_order": 1},
    {"beta": 0, "eps_smoothing": True}, {"char_order": 0, "word_order": 3, "eps_smoothing": True},
    {"char_order": 60, "word_order": 20},
)

#: All options of TER that differ. (Asian support has an effect only with two other options.)
TER_OPTIONS: tuple[Options, ...] = tuple([
    {"normalized": normalized, "no_punct": no_punct, "asian_support": asian, "case_sensitive": case}
    for normalized, no_punct, asian, case in product((False, True), repeat=4) if normalized or no_punct or not asian])

#: The comparisons of TER on the data: the longest line (in bytes of UTF-8), whether with all references, the options.
#: (The time of sacreBLEU's TER grows with the third power of the length, or faster.)
TER_ON_DATA: tuple[tuple[float, bool, Sequence[Options]], ...] = (
    (float("inf"), False, ({},)),
    (300, True, ({},)),
    (200, False, ({"normalized": True, "asian_support": True},)),
    (100, True, TER_OPTIONS[::2]),
    (100, False, TER_OPTIONS[1::2]),
)

#: The longest lines that are paired with wrong references, and the longest generated lines, in bytes.
LONGEST_MISPLACED, LONGEST_ODD = 240, 80

#: Attributes of a score that are compared, besides its text.
MEMBERS = ("score", "bp", "precisions", "counts", "totals", "sys_len", "ref_len", "num_edits", "ref_length")

#: The number of differences that are shown for each metric.
SHOWN = 8


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--oracle", required=True, metavar="PYTHON", help="an interpreter that has sacreBLEU")
    parser.add_argument("--data", type=Path, metavar="DIR", help="a folder of hypotheses and references")
    parser.add_argument("--metrics", nargs="+", default=list(TASKS), choices=list(TASKS), metavar="NAME")
    parser.add_argument("--lines", type=int, default=100_000, metavar="N", help="segments to generate")
    options = parser.parse_args()
    code = run_by_oracle("compare_scores", options.oracle)
    if code is not None:
        return code
    corpora = list(data_corpora(options.data)) if options.data else []
    if options.data and not corpora:
        parser.error(f"there are no hypotheses with references in {options.data}")
    differ = [compare(metric, TASKS[metric](corpora, options.lines)) for metric in options.metrics]
    return int(any(differ))


def compare(metric: str, tasks: Iterable[tuple[Options, Corpus]]) -> bool:
    """Compare all tasks of a metric, and print the result; return whether anything differs."""
    segments, different = 0, []
    with multiprocessing.Pool() as pool:
        for size, found in pool.imap_unordered(differences, [(metric, *task) for task in tasks if task[1][1]]):
            segments += size
            different += found
    print(f"{metric}: {segments:,} segments, {len(different) or 'no'} differences", flush=True)
    for difference in sorted(different, key=len)[:SHOWN]:
        print(f"  {difference}")
    return bool(different) or not segments


def differences(task: Task) -> tuple[int, list[str]]:
    """Return the number of segments of a task, and lines about rows that differ, or about the score."""
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    name, options, (corpus, hypotheses, references) = task
    theirs, ours = [getattr(import_module(package), name)(**options) for package in ("sacrebleu", "purebleu")]
    about = f"{name} {options} of {corpus}"
    expected = theirs._extract_corpus_statistics(hypotheses, references)
    try:
        rows, score = ours.corpus_statistics(hypotheses, references), ours.corpus_score(hypotheses, references)
    except Exception as error:
        return len(hypotheses), [f"{about}: {error!r}"]
    found = [f"{about}, segment {index}: expected {wanted}, found {list(row)}: {hypotheses[index]!r}"
             for index, (wanted, row) in enumerate(zip(expected, rows)) if list(wanted) != list(row)]
    if len(rows) != len(expected):
        found.append(f"{about}: expected {len(expected)} rows, found {len(rows)}")
    wanted = figures(theirs._aggregate_and_compute(expected))
    if not found and figures(score) != wanted:
        found.append(f"{about}: expected {wanted}, found {figures(score)}")
    return len(hypotheses), found


def figures(score: Any) -> list[object]:
    """Return the compared attributes of a score as floats (some zeros are integers in sacreBLEU), and its text."""
    values = [getattr(score, name) for name in MEMBERS if hasattr(score, name)]
    return [*[list(map(float, value)) if isinstance(value, (list, tuple)) else float(value) for value in values],
            str(score)]


# Tasks

def bleu_tasks(corpora: Sequence[Corpus], lines: int) -> Iterator[tuple[Options, Corpus]]:
    ways = cycle([{"smooth_method": method, "smooth_value": value, "effective_order": effective}
                  for method, value in SMOOTHING for effective in (False, True)])
    for corpus in with_fewer_references(corpora):
        for options, way in zip(statistics_options(), ways):
            yield {**options, **way}, corpus
    orders = cycle((4, 4, 4, 1, 2, 3, 5, 6))
    for turn, corpus in enumerate(generated_corpora(lines)):
        for count, (tokenizer, order, way) in enumerate(zip(TOKENIZERS, orders, ways), turn):
            yield {"tokenize": tokenizer, "lowercase": count % 2 == 1, "max_ngram_order": order, **way}, corpus


def chrf_tasks(corpora: Sequence[Corpus], lines: int) -> Iterator[tuple[Options, Corpus]]:
    for corpus in with_fewer_references(corpora):
        for options in chrf_options():
            yield options, corpus
    every = cycle([*chrf_options(), *MORE_CHRF_OPTIONS])
    for corpus in generated_corpora(lines):
        for options in islice(every, 5):
            yield options, corpus


def ter_tasks(corpora: Sequence[Corpus], lines: int) -> Iterator[tuple[Options, Corpus]]:
    for turn, (name, hypotheses, references) in enumerate(corpora):
        one_of_them = [references[turn % len(references)]]
        for longest, with_all, several in TER_ON_DATA:
            for options in several:
                yield options, without_long_lines((name, hypotheses, references if with_all else one_of_them), longest)
        misplaced = [stream[1:] + stream[:1] for stream in one_of_them]
        yield ({"normalized": turn % 2 == 1},
               without_long_lines((f"{name}, misplaced", hypotheses, misplaced), LONGEST_MISPLACED))
    every = cycle(TER_OPTIONS)
    for corpus in generated_corpora(lines // 5):
        for options in islice(every, 3):
            yield options, without_long_lines(corpus, LONGEST_ODD)
    for turn, corpus in enumerate(generated_corpora(lines // 2, of_words=True)):
        yield {"case_sensitive": turn % 3 == 1}, corpus


TASKS = {"BLEU": bleu_tasks, "CHRF": chrf_tasks, "TER": ter_tasks}


# Corpora

def data_corpora(folder: Path) -> Iterator[Corpus]:
    """Yield every system with all its references."""
    for corpus in shared_corpora(folder):
        streams: list[list[str | None]] = [list(read_lines(folder / name)) for name in corpus.references]
        for name in corpus.systems:
            yield name, read_lines(folder / name), streams


def with_fewer_references(corpora: Sequence[Corpus]) -> Iterator[Corpus]:
    """Yield each corpus with one reference, with two, and so on up to all references."""
    for name, hypotheses, references in corpora:
        for count in range(1, len(references) + 1):
            yield f"{name}, {count} references", hypotheses, references[:count]


def without_long_lines(corpus: Corpus, longest: float) -> Corpus:
    """Return the corpus without segments that have a line of more than `longest` bytes in UTF-8."""
    name, hypotheses, references = corpus
    kept = [index for index, segment in enumerate(zip(hypotheses, *references))
            if max([len((line or "").encode("utf-8", "surrogatepass")) for line in segment]) <= longest]
    return (f"{name}, at most {longest} bytes", [hypotheses[index] for index in kept],
            [[stream[index] for index in kept] for stream in references])


def generated_corpora(segments: int, of_words: bool = False) -> Iterator[Corpus]:
    """Yield corpora of generated segments with one to four references. Together, they have `segments` segments."""
    make = random_word_segments if of_words else random_segments
    for turn, size in enumerate(cycle(CORPUS_SIZES)):
        if segments <= 0:
            return
        streams = turn % 4 + 1
        made = make(1000 + turn, min(size, segments), streams, missing=streams > 1 and turn % 3 == 0)
        yield (f"generated, seed {1000 + turn}", *as_streams(made))
        segments -= size
