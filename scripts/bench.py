"""Measure purebleu (this checkout) against sacreBLEU, task by task, in one interleaved run.

    python scripts/bench.py --data DIR --oracle PYTHON [--python PYTHON] [-n RUNS] [--only SUBSTRING] [--list]

Each task runs once uncounted on both sides and then RUNS times in pairs (sacreBLEU, purebleu, sacreBLEU, ...).
The table, in Markdown, has a row for each task: how many times less CPU, wall time and peak memory purebleu takes
(median of the pairs' ratios, lowest and highest in brackets), the medians of both sides, the target, and whether
the results were the same. Both run in the oracle's interpreter unless --python names another: choose one whose bare
start-up costs as much, or the ratios of short tasks mean little. To add a row, add a ``Task`` to ``TASKS``; to add a
way of deriving its input from the data, add a function to ``RECIPES``.

Exit codes: 0 all measured results equal (a target may be missed, a row skipped for want of data), 1 some differ or a
program failed, 2 wrong usage or a side that cannot be started at all, 130 interrupted.
Standard library only; needs ``os.fork`` and ``os.wait4`` (Linux, macOS).
"""
import argparse
import inspect
import json
import math
import os
import platform
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple, Union

CHECKOUT = Path(__file__).resolve().parent.parent
TARGETS_SET_AGAINST = "2.6.0"
MEGABYTE = 1e6
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes on macOS, else kB

# Variables with these prefixes would change what is run or printed on one side only, or would keep byte code from
# being cached, which favours what is installed.
DROPPED_VARIABLES = ("PYTHON", "PUREBLEU", "SACREBLEU", "NO_COLOR")

# Where reports name the program: the signature (long and short) and the JSON field.
VERSION_FIELD = re.compile(rb"""\b(version:|v:|version":\ ") purebleu- \d+(?:[.+]\w+)*""", re.VERBOSE)

HEADINGS = ("task", "CPU ratio", "wall ratio", "memory ratio", "CPU s", "wall s", "peak MB", "target", "met", "equal")


# --- Tasks: data only ------------------------------------------------------------------------------------------------

class Corpus(NamedTuple):
    """Systems and references of a WMT22 language pair, as they are or as a recipe (a key of RECIPES) makes them."""
    pair: str
    systems: Tuple[str, ...]
    references: Tuple[str, ...]
    recipe: Optional[str] = None
    size: int = 0  # what the recipe takes: a number of segments, say


class Target(NamedTuple):
    """What the issue asks for: ratios to the other side at least this, extra memory at most this; None is no target."""
    cpu: Optional[float] = None
    wall: Optional[float] = None
    memory: Optional[float] = None
    extra_mb: Optional[float] = None


NO_TARGET = Target()


@dataclass(frozen=True)
class CommandLine:
    """A whole process: ``python -m PACKAGE REFERENCES -i SYSTEMS OPTIONS``; without a corpus, only the options.

    ``ours`` and ``theirs`` are options that only the one or the other side gets. ``algorithm`` is that of a model (see
    `Segmenting`) that stands in the cache for ``flores200``.
    """
    options: Tuple[str, ...] = ()
    ours: Tuple[str, ...] = ()
    theirs: Tuple[str, ...] = ()
    algorithm: str = ""


@dataclass(frozen=True)
class Scoring:
    """In process: ``METRIC(**options).corpus_score(hypotheses, references)`` on lists, in a fresh interpreter."""
    metric: str
    options: Tuple[Tuple[str, Union[str, int, bool, None]], ...] = ()


@dataclass(frozen=True)
class Segmenting:
    """In process: the references split by a SentencePiece model of 32,000 pieces (``algorithm`` is ``unigram`` or
    ``bpe``), which is trained on the data with the oracle's library, or by MeCab's IPA dictionary (``ja-mecab``).

    The other side is the native library itself; ours does without. With ``again``, the second pass is measured.
    """
    algorithm: str
    again: bool = False


@dataclass(frozen=True)
class Task:
    """A row of the table.

    ``smaller`` names a second corpus: how much more peak memory does purebleu take for ``corpus`` than for that one?
    ``runs`` overrides -n. ``compare`` is False where the results cannot be equal.
    ``rival`` is the package on the other side; "purebleu" sets two option lists of purebleu against one another.
    """
    name: str
    work: Union[CommandLine, Scoring, Segmenting]
    corpus: Optional[Corpus] = None
    target: Target = NO_TARGET
    smaller: Optional[Corpus] = None
    runs: Optional[int] = None
    compare: bool = True
    rival: str = "sacrebleu"


EN_DE = Corpus("en-de", ("Online-A",), ("A",))
EN_DE_2 = EN_DE._replace(references=("A", "B"))
EN_ZH = Corpus("en-zh", ("Online-A",), ("A",))
EN_JA = Corpus("en-ja", ("Online-A",), ("A",))
ZH_EN = Corpus("zh-en", ("Online-A",), ("A",))
EN_DE_WRONG = EN_DE._replace(recipe="wrong pairs")
ZH_EN_WRONG = ZH_EN._replace(recipe="wrong pairs")
EN_DE_5_SYSTEMS = EN_DE._replace(systems=("JDExploreAcademy", "Online-A", "Online-B", "Online-W", "OpenNMT"))
EN_DE_9_SYSTEMS = EN_DE_5_SYSTEMS._replace(recipe="more systems", size=9)
EN_DE_2000 = EN_DE._replace(recipe="distinct", size=2_000)
EN_DE_100000 = EN_DE._replace(recipe="distinct", size=100_000)

TASKS = (
    # BLEU (issue 2)
    Task("BLEU 13a, whole process", CommandLine(("-tok", "13a")), EN_DE, Target(cpu=7.5, memory=3)),
    Task("BLEU 13a, in process", Scoring("BLEU", (("tokenize", "13a"),)), EN_DE, Target(cpu=9)),
    Task("BLEU intl, whole process", CommandLine(("-tok", "intl")), EN_DE, Target(cpu=6, memory=3)),
    Task("BLEU intl, in process", Scoring("BLEU", (("tokenize", "intl"),)), EN_DE, Target(cpu=7)),
    Task("BLEU zh, en-zh, whole process", CommandLine(("-tok", "zh")), EN_ZH, Target(cpu=8, memory=3)),
    Task("BLEU zh, en-zh, in process", Scoring("BLEU", (("tokenize", "zh"),)), EN_ZH, Target(cpu=10)),
    Task("BLEU 13a, 2 references, whole process", CommandLine(("-tok", "13a")), EN_DE_2, Target(cpu=8, memory=3)),
    Task("BLEU 13a, 2 references, in process", Scoring("BLEU", (("tokenize", "13a"),)), EN_DE_2, Target(cpu=9)),
    Task("BLEU char, whole process", CommandLine(("-tok", "char")), EN_DE),
    Task("BLEU char, in process", Scoring("BLEU", (("tokenize", "char"),)), EN_DE),
    Task("BLEU 13a, 100,000 distinct segments, whole process", CommandLine(("-tok", "13a", "-w", "12")), EN_DE_100000,
         Target(cpu=10, extra_mb=40), smaller=EN_DE_2000, runs=3),
    # chrF (issue 3)
    Task("chrF, whole process", CommandLine(("-m", "chrf")), EN_DE, Target(cpu=9)),
    Task("chrF, in process", Scoring("CHRF", ()), EN_DE, Target(cpu=11)),
    Task("chrF++, whole process", CommandLine(("-m", "chrf", "-cw", "2")), EN_DE, Target(cpu=7.5)),
    Task("chrF++, in process", Scoring("CHRF", (("word_order", 2),)), EN_DE, Target(cpu=9)),
    Task("chrF, 2 references, whole process", CommandLine(("-m", "chrf")), EN_DE_2, Target(cpu=8)),
    Task("chrF, 2 references, in process", Scoring("CHRF", ()), EN_DE_2, Target(cpu=9)),
    Task("chrF, en-zh, whole process", CommandLine(("-m", "chrf")), EN_ZH),
    Task("chrF, 100,000 distinct segments, whole process", CommandLine(("-m", "chrf", "-w", "12")), EN_DE_100000,
         Target(cpu=14, extra_mb=40), smaller=EN_DE_2000, runs=1),
    # TER (issue 3)
    Task("TER, whole process", CommandLine(("-m", "ter")), EN_DE, Target(cpu=18)),
    Task("TER, in process", Scoring("TER"), EN_DE, Target(cpu=25)),
    Task("TER, zh-en, whole process", CommandLine(("-m", "ter")), ZH_EN, Target(cpu=50), runs=3),
    Task("TER, zh-en, in process", Scoring("TER"), ZH_EN, Target(cpu=60), runs=3),
    Task("TER, wrong pairs, in process", Scoring("TER"), EN_DE_WRONG, Target(cpu=20)),
    Task("TER, zh-en, wrong pairs, in process", Scoring("TER"), ZH_EN_WRONG, Target(cpu=20), runs=3),
    Task("TER, joined to 25 words, in process", Scoring("TER"), EN_DE._replace(recipe="joined", size=25), runs=3),
    Task("TER, joined to 50 words, in process", Scoring("TER"), EN_DE._replace(recipe="joined", size=50), runs=3),
    Task("TER, joined to 100 words, in process", Scoring("TER"), EN_DE._replace(recipe="joined", size=100),
         Target(cpu=60), runs=3),
    Task("TER, joined to 200 words, in process", Scoring("TER"), EN_DE._replace(recipe="joined", size=200),
         Target(cpu=60), runs=1),
    Task("BLEU, chrF and TER, whole process", CommandLine(("-m", "bleu", "chrf", "ter")), EN_DE),
    # Several systems and resampling (issue 4). The default random stream is another one than sacreBLEU's.
    Task("-ci BLEU, whole process", CommandLine(("-ci",)), EN_DE, Target(cpu=4), compare=False),
    Task("-ci BLEU and chrF, whole process", CommandLine(("-ci", "-m", "bleu", "chrf")), EN_DE, Target(cpu=4),
         compare=False),
    Task("-ci BLEU and chrF, --rng numpy, whole process",
         CommandLine(("-ci", "-m", "bleu", "chrf"), ours=("--rng", "numpy")), EN_DE, Target(cpu=1)),
    Task("--paired-bs BLEU and chrF, 5 systems, whole process",
         CommandLine(("--paired-bs", "-m", "bleu", "chrf", "-f", "text")), EN_DE_5_SYSTEMS, Target(cpu=6), runs=3,
         compare=False),
    Task("--paired-bs BLEU and chrF, 5 systems, --rng numpy, whole process",
         CommandLine(("--paired-bs", "-m", "bleu", "chrf", "-f", "text"), ours=("--rng", "numpy")), EN_DE_5_SYSTEMS,
         Target(cpu=1), runs=3, compare=False),
    Task("--paired-ar BLEU and chrF, 5 systems, whole process",
         CommandLine(("--paired-ar", "-m", "bleu", "chrf")), EN_DE_5_SYSTEMS, Target(cpu=8), runs=3, compare=False),
    Task("--paired-ar BLEU, chrF and TER, 5 systems, whole process",
         CommandLine(("--paired-ar", "-m", "bleu", "chrf", "ter")), EN_DE_5_SYSTEMS, Target(cpu=10), runs=3,
         compare=False),
    Task("--paired-ar BLEU, chrF and TER, 5 systems, --rng numpy, whole process",
         CommandLine(("--paired-ar", "-m", "bleu", "chrf", "ter"), ours=("--rng", "numpy")), EN_DE_5_SYSTEMS,
         Target(cpu=1), runs=3),
    Task("table of 9 systems, BLEU and chrF, whole process", CommandLine(("-m", "bleu", "chrf")), EN_DE_9_SYSTEMS,
         Target(cpu=6), runs=3),
    Task("BLEU 13a, 100,000 distinct segments, -j 2 against -j 1, whole process",
         CommandLine(("-w", "12"), ours=("-j", "2"), theirs=("-j", "1")), EN_DE_100000, Target(wall=1.7),
         rival="purebleu", runs=5),
    # Japanese and spBLEU (issue 6)
    Task("BLEU ja-mecab with mecab-python3, en-ja, whole process", CommandLine(("-tok", "ja-mecab")), EN_JA,
         Target(cpu=1)),
    Task("words of ja-mecab without mecab-python3, en-ja, in process", Segmenting("ja-mecab"), EN_JA),
    Task("pieces of a BPE model, in process", Segmenting("bpe"), EN_DE),
    Task("pieces of a BPE model, words seen before, in process", Segmenting("bpe", again=True), EN_DE,
         Target(cpu=1 / 3)),
    Task("pieces of a unigram model, in process", Segmenting("unigram"), EN_DE),
    Task("pieces of a unigram model, words seen before, in process", Segmenting("unigram", again=True), EN_DE,
         Target(cpu=1 / 3)),
    Task("spBLEU with a BPE model, whole process", CommandLine(("-tok", "flores200"), algorithm="bpe"), EN_DE),
    Task("spBLEU with a unigram model, whole process", CommandLine(("-tok", "flores200"), algorithm="unigram"), EN_DE),
    Task("--version, whole process", CommandLine(("--version",)), target=Target(cpu=4), compare=False),
)


# --- Input -----------------------------------------------------------------------------------------------------------

class Skipped(Exception):
    """A task cannot be measured because data is missing; the message says which."""


class Failed(Exception):
    """A program did not finish as it should; the message is one line."""


class Files(NamedTuple):
    """The files of a corpus."""
    systems: Tuple[Path, ...]
    references: Tuple[Path, ...]


Row = Tuple[str, ...]  # a segment: its line in each file of a corpus


def distinct(rows: Sequence[Row], size: int) -> Iterator[Row]:
    """Yield ``size`` rows spliced from ``rows`` (at least one), no two with the same line in any column.

    A row is the front of one segment and the rest of another, cut at the same fraction in every column, and one word
    has a number appended, so that hypothesis and references stay as related as they were. The same rows and a smaller
    size give the beginning of the same sequence.
    """
    numbers = random.Random(12345)
    seen: List[Set[str]] = [set() for _ in rows[0]]
    made = 0
    while made < size:
        front, rest = rows[numbers.randrange(len(rows))], rows[numbers.randrange(len(rows))]
        cut, place = numbers.random(), numbers.random()
        row = tuple(_splice(a.split(), b.split(), cut, place, made) for a, b in zip(front, rest))
        if any(line in lines for line, lines in zip(row, seen)):
            continue
        for line, lines in zip(row, seen):
            lines.add(line)
        made += 1
        yield row


def _splice(front: List[str], rest: List[str], cut: float, place: float, number: int) -> str:
    """Return the words of ``front`` before ``cut`` and of ``rest`` after it; the one at ``place`` gets ``number``.

    ``cut`` and ``place`` are fractions of the length, at least 0 and below 1.
    """
    words = front[:int(cut * len(front))] + rest[int(cut * len(rest)):] or [""]
    words[int(place * len(words))] += str(number)
    return " ".join(words)


def joined(rows: Sequence[Row], size: int) -> Iterator[Row]:
    """Yield neighbouring rows, joined until every column has at least ``size`` words; about 6,000 words altogether."""
    made, joining = 0, ("",) * len(rows[0])
    for row in rows:
        joining = tuple(f"{before} {line}" for before, line in zip(joining, row))
        if min(len(line.split()) for line in joining) >= size:
            yield joining
            made, joining = made + 1, ("",) * len(row)
        if made * size >= 6000:
            break


def wrong_pairs(rows: Sequence[Row], _: int) -> Iterator[Row]:
    """Yield each hypothesis, which comes first, with the references of the next segment."""
    for (hypothesis, *_references), (_hypothesis, *references) in zip(rows, rows[1:]):
        yield (hypothesis, *references)


def more_systems(rows: Sequence[Row], size: int) -> Iterator[Row]:
    """Yield rows with so many systems (and one reference): each further one has each segment from any of the others."""
    numbers = random.Random(12345)
    for *hypotheses, reference in rows:
        yield (*hypotheses, *numbers.choices(hypotheses, k=size - len(hypotheses)), reference)


RECIPES: Dict[str, Callable[[Sequence[Row], int], Iterator[Row]]] = {
    "distinct": distinct,
    "joined": joined,
    "more systems": more_systems,
    "wrong pairs": wrong_pairs,
}


def original_files(corpus: Corpus, data: Path) -> Files:
    """Return the corpus's files in ``data`` or one of its immediate subfolders; raise Skipped where one is missing."""
    language = corpus.pair.split("-")[1]
    stem = f"generaltest2022.{corpus.pair}"
    names = [f"{stem}.hyp.{system}.{language}" for system in corpus.systems]
    names += [f"{stem}.ref.{reference}.{language}" for reference in corpus.references]
    found = {name: path for name in names for path in [data / name, *sorted(data.glob("*/" + name))] if path.is_file()}
    missing = [name for name in names if name not in found]
    if missing:
        raise Skipped(f"no {' and no '.join(missing)} in {data}")
    paths = tuple(found[name] for name in names)
    return Files(paths[:len(corpus.systems)], paths[len(corpus.systems):])


def prepare(corpus: Corpus, data: Path, folder: Path) -> Files:
    """Return the files of a corpus, having written to ``folder`` what a recipe makes (once).

    Raises Skipped where data is missing, Failed where it cannot be read or its files differ in length.
    """
    files = original_files(corpus, data)
    if corpus.recipe is None:
        return files
    made = folder / "-".join((corpus.pair, *corpus.systems, *corpus.references, corpus.recipe, str(corpus.size)))
    systems = [path.name for path in files.systems]
    if corpus.recipe == "more systems":
        systems += [f"system{number}" for number in range(len(systems) + 1, 1 + (corpus.size or 0))]
    paths = tuple(made / name for name in (*systems, *(path.name for path in files.references)))
    if not made.exists():
        rows = RECIPES[corpus.recipe](read_rows((*files.systems, *files.references)), corpus.size)
        columns = list(zip(*rows))
        made.mkdir()
        for path, lines in zip(paths, columns):
            path.write_bytes("".join([line + "\n" for line in lines]).encode("utf-8"))
    return Files(paths[:len(systems)], paths[len(systems):])


def read_rows(paths: Sequence[Path]) -> List[Row]:
    """Return the lines of files of equal length, side by side, without trailing white space."""
    try:
        texts = [path.read_bytes().decode("utf-8") for path in paths]
    except (OSError, UnicodeDecodeError) as error:
        raise Failed(f"cannot read the data: {error}") from error
    columns = [[line.rstrip() for line in text.rstrip("\n").split("\n")] for text in texts]
    if len({len(column) for column in columns}) > 1:
        raise Failed(f"{', '.join(path.name for path in paths)} differ in length")
    return list(zip(*columns))


# --- What runs in other processes: their source is handed to `python -c`, so they stand alone ------------------------

def launch() -> None:
    """Run the command in ``sys.argv[1:]``; then append a NUL and its wait status, seconds of CPU and wall, and
    ``ru_maxrss`` to standard output.

    Linux counts into a child's peak memory what its parent held when it was started. This runs in a bare interpreter,
    which holds less than any program measured here; bench.py itself would hide the difference. And the child is not
    forked, because the time to copy the launcher would count as its own.
    """
    import os
    import sys
    import time
    start = time.perf_counter()
    try:
        child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
    except OSError as error:
        sys.exit(f"{sys.argv[1]}: {error}")
    status, usage = os.wait4(child, 0)[1:]
    wall = time.perf_counter() - start
    cpu = usage.ru_utime + usage.ru_stime  # includes workers that the child has waited for
    os.write(1, f"\0{status} {cpu!r} {wall!r} {usage.ru_maxrss}".encode())


def probe() -> None:
    """Score files in this process; print CPU and wall seconds of the scoring, and the figures, as JSON.

    ``sys.argv[1:]``: the package, the name of the metric, its options as JSON, the hypotheses, the references.
    Two tiny lines are scored first, so that modules imported on first use do not count; caches of lines stay cold.
    """
    import importlib
    import json
    import sys
    import time
    package, name, options, *paths = sys.argv[1:]
    columns = []
    for path in paths:
        with open(path, encoding="utf-8", newline="\n") as file:
            columns.append([line.rstrip() for line in file])
    metric = getattr(importlib.import_module(package + ".metrics"), name)
    arguments = json.loads(options)
    tiny = ["A line, 1.", "And - a second!"]
    metric(**arguments).corpus_score(tiny, [tiny] * (len(columns) - 1))
    cpu, wall = time.process_time(), time.perf_counter()
    result = metric(**arguments).corpus_score(columns[0], columns[1:])
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    names = "score counts totals precisions bp sys_len ref_len num_edits ref_length char_order word_order beta"
    figures = {}
    for field in names.split():
        if hasattr(result, field):
            value = getattr(result, field)
            values = value if isinstance(value, (list, tuple)) else [value]
            figures[field] = [float(number).hex() for number in values]
    print(json.dumps({"cpu": cpu, "wall": wall, "figures": figures}))


def train() -> None:
    """Train a SentencePiece model: ``sys.argv[1:]`` are its algorithm, its path without ``.model``, and files."""
    import sys

    import sentencepiece  # type: ignore[import-not-found]
    algorithm, prefix, *paths = sys.argv[1:]
    sentencepiece.SentencePieceTrainer.train(input=",".join(paths), model_prefix=prefix, model_type=algorithm,
                                             vocab_size=32_000, hard_vocab_limit=False, minloglevel=2)


def segment() -> None:
    """Split a file in this process; print CPU and wall seconds of that, and a digest of what was found, as JSON.

    ``sys.argv[1:]``: the package, the algorithm, ``again`` or nothing, the path of a model, the file.
    """
    import hashlib
    import importlib
    import json
    import sys
    import time
    package, algorithm, again, model, path = sys.argv[1:]
    with open(path, encoding="utf-8", newline="\n") as file:
        lines = [line.rstrip() for line in file]
    if package == "purebleu":
        sys.modules["MeCab"] = None  # type: ignore[assignment]
        make = importlib.import_module(package + ".tokenizers").make_tokenizer
        tokenizer = make(f"spm:{model}" if model else algorithm)

        def split(line):  # type: ignore[no-untyped-def]
            return tokenizer.tokenize_lines([line])[0]
    elif model:
        processor = importlib.import_module("sentencepiece").SentencePieceProcessor(model_file=model)

        def split(line):  # type: ignore[no-untyped-def]
            return " ".join(processor.EncodeAsPieces(line)).encode().split()
    else:
        dictionary = importlib.import_module("ipadic")
        tagger = importlib.import_module("MeCab").Tagger(dictionary.MECAB_ARGS + " -Owakati")

        def split(line):  # type: ignore[no-untyped-def]
            return " ".join(tagger.parse(line.strip()).split()).encode().split()
    found = list(map(split, lines)) if again else []
    cpu, wall = time.process_time(), time.perf_counter()
    found = list(map(split, lines))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    digest = hashlib.sha256(b"\n".join(map(b" ".join, found))).hexdigest()
    print(json.dumps({"cpu": cpu, "wall": wall, "figures": digest}))


def source(function: Callable[[], None]) -> str:
    """Return a program that calls ``function``, which must not use anything of this module."""
    return f"{inspect.getsource(function)}\n{function.__name__}()\n"


# --- Measuring -------------------------------------------------------------------------------------------------------

class Side(NamedTuple):
    """A package in an interpreter. ``folder`` is the working folder, first on the import path."""
    package: str
    python: str
    folder: Path


class Sample(NamedTuple):
    """One run: seconds of CPU (user and system) and wall, peak memory in MB, and what it printed or computed."""
    cpu: float
    wall: float
    memory: float
    result: bytes


def run(side: Side, arguments: Sequence[str], cache: Optional[Path] = None) -> Sample:
    """Run the side's interpreter with ``arguments`` and measure the whole process; raise Failed if it fails.

    ``cache`` is the folder that test sets and models are in.
    """
    environment = {key: value for key, value in os.environ.items() if not key.startswith(DROPPED_VARIABLES)}
    if cache is not None:
        environment["SACREBLEU"] = str(cache)
    launcher = [side.python, "-I", "-S", "-c", source(launch), side.python, *arguments]
    process = subprocess.Popen(launcher, cwd=str(side.folder), env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        output, errors = process.communicate()
    except BaseException:  # leave nothing running behind, whatever stops us
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    stdout, mark, report = output.rpartition(b"\0")
    if process.returncode or not mark:
        raise Failed(f"{side.package}: the launcher died{tail(errors)}")
    status, cpu, wall, maxrss = report.split()
    if int(status):
        raise Failed(f"{side.package} {ending(int(status))}{tail(errors)}")
    return Sample(float(cpu), float(wall), int(maxrss) * MAXRSS_UNIT / MEGABYTE, stdout)


def ending(status: int) -> str:
    """Say in words what a wait status other than 0 means."""
    if os.WIFSIGNALED(status):
        return f"was killed by signal {os.WTERMSIG(status)}"
    return f"ended with exit code {os.WEXITSTATUS(status)}"


def tail(errors: bytes) -> str:
    """Return the end of a standard error stream, on one line, to append to a message."""
    lines = errors.decode("utf-8", "replace").split("\n")
    last = " / ".join([line.strip() for line in lines if line.strip(" ^~\r")][-3:])
    return f": {last[-300:]}" if last else " and said nothing"


def measure(work: Union[CommandLine, Scoring, Segmenting], side: Side, files: Optional[Files], ours: bool,
            model: Optional[Path] = None) -> Sample:
    """Do ``work`` once on a side. ``ours`` says whether it gets the options of purebleu's side or of the other."""
    if not isinstance(work, CommandLine):
        if files is None:
            raise ValueError("scoring needs a corpus")
        if isinstance(work, Scoring):
            paths = [str(path) for path in (files.systems[0], *files.references)]
            program = [source(probe), side.package, work.metric, json.dumps(dict(work.options)), *paths]
        else:
            program = [source(segment), side.package, work.algorithm, "again" if work.again else "", str(model or ""),
                       str(files.references[0])]
        sample = run(side, ["-c", *program])
        report = json.loads(sample.result)
        figures = json.dumps(report["figures"]).encode()
        return sample._replace(cpu=report["cpu"], wall=report["wall"], result=figures)
    arguments = ["-m", side.package]
    if files is not None:
        arguments += [*map(str, files.references), "-i", *map(str, files.systems)]
    cache = model and model.parent.parent
    return run(side, [*arguments, *work.options, *(work.ours if ours else work.theirs)], cache)


class Measurement(NamedTuple):
    """All counted runs of a task, in pairs; ``smaller`` are purebleu's runs on the smaller corpus, if there is one.

    ``difference`` describes the first pair with different results; None if all were equal or are not compared.
    """
    theirs: Tuple[Sample, ...]
    ours: Tuple[Sample, ...]
    smaller: Tuple[Sample, ...]
    difference: Optional[str]


class Bench(NamedTuple):
    """What all tasks share."""
    sides: Dict[str, Side]  # by package
    oracle_version: str
    data: Path
    folder: Path  # for generated files
    runs: int

    def measure(self, task: Task) -> Measurement:
        """Run a task, the warm-up included. Raises Skipped or Failed."""
        files = task.corpus and prepare(task.corpus, self.data, self.folder)
        smaller_files = task.smaller and prepare(task.smaller, self.data, self.folder)
        model = None
        if not isinstance(task.work, Scoring) and task.work.algorithm in ("bpe", "unigram"):
            model = self.trained_model(task.work.algorithm)
        theirs: List[Sample] = []
        ours: List[Sample] = []
        smaller: List[Sample] = []
        for _ in range(1 + (task.runs or self.runs)):
            theirs.append(measure(task.work, self.sides[task.rival], files, False, model))
            ours.append(measure(task.work, self.sides["purebleu"], files, True, model))
            if smaller_files:
                smaller.append(measure(task.work, self.sides["purebleu"], smaller_files, True))
        differences = (self.difference(a.result, b.result) for a, b in zip(theirs, ours)) if task.compare else iter(())
        difference = next(filter(None, differences), None)
        return Measurement(tuple(theirs[1:]), tuple(ours[1:]), tuple(smaller[1:]), difference)

    def trained_model(self, algorithm: str) -> Path:
        """The path of a model, trained (once) on all the data; it is where `flores200` would be in a cache.

        Raises Failed.
        """
        path = self.folder / algorithm / "models" / "flores200sacrebleuspm"
        if not path.exists():
            path.parent.mkdir(parents=True)
            texts = [str(file) for file in sorted(self.data.rglob("*")) if file.is_file()]
            run(self.sides["sacrebleu"], ["-c", source(train), algorithm, str(path), *texts])
            path.with_name(path.name + ".model").rename(path)
        return path

    def difference(self, theirs: bytes, ours: bytes) -> Optional[str]:
        """Show where two results first differ, the version of the program apart; None if they do not."""
        version = self.oracle_version.encode()
        theirs, ours = (VERSION_FIELD.sub(lambda match: match.group(1) + version, text) for text in (theirs, ours))
        if theirs == ours:
            return None
        place = next((i for i, pair in enumerate(zip(theirs, ours)) if pair[0] != pair[1]), min(len(theirs), len(ours)))
        start = max(0, place - 20)
        return f"{theirs[start:start + 60]!r} against {ours[start:start + 60]!r}"


# --- The table -------------------------------------------------------------------------------------------------------

def quotients(theirs: Sequence[float], ours: Sequence[float]) -> List[float]:
    """Divide pair by pair.

    >>> quotients([6.0, 8.0], [2.0, 0.0])
    [3.0, inf]
    """
    return [a / b if b else math.inf for a, b in zip(theirs, ours)]


def ratio_cell(ratios: Sequence[float]) -> str:
    """Format a median with its spread.

    >>> ratio_cell([3.0, 2.5, 4.25])
    '3.00 (2.50-4.25)'
    """
    low, middle, high = (f"{value:.3g}" if value >= 10 else f"{value:.2f}"
                         for value in (min(ratios), median(ratios), max(ratios)))
    return f"{middle} ({low}-{high})"


def table_row(task: Task, measurement: Measurement) -> Tuple[str, ...]:
    """Return the cells of a task's row, as in HEADINGS."""
    ratio_cells, median_cells, medians = [], [], {}
    for name, digits in (("cpu", 3), ("wall", 3), ("memory", 1)):
        theirs, ours = ([getattr(sample, name) for sample in side] for side in (measurement.theirs, measurement.ours))
        ratios = quotients(theirs, ours)
        medians[name] = median(ratios)
        ratio_cells.append(ratio_cell(ratios))
        median_cells.append(f"{median(theirs):.{digits}f} / {median(ours):.{digits}f}")
    extra_mb = None
    if measurement.smaller:
        peaks = [[sample.memory for sample in samples] for samples in (measurement.ours, measurement.smaller)]
        extra_mb = median(peaks[0]) - median(peaks[1])
        ratio_cells[2] += f", {extra_mb:+.1f} MB"
    met = verdict(task.target, medians, extra_mb)
    equal = "-" if not task.compare else "no" if measurement.difference else "yes"
    return (task.name, *ratio_cells, *median_cells, target_cell(task.target), met, equal)


def target_cell(target: Target) -> str:
    """Write a target out.

    >>> target_cell(Target(cpu=10, extra_mb=40)), target_cell(NO_TARGET)
    ('CPU 10, extra at most 40 MB', '-')
    """
    parts = [f"{label} {value:g}" for label, value in zip(("CPU", "wall", "memory"), target[:3]) if value is not None]
    if target.extra_mb is not None:
        parts.append(f"extra at most {target.extra_mb:g} MB")
    return ", ".join(parts) or "-"


def verdict(target: Target, medians: Dict[str, float], extra_mb: Optional[float]) -> str:
    """Say whether median ratios (by the names in Target) and extra memory meet a target, and if not, where.

    >>> verdict(Target(cpu=9, memory=3), {"cpu": 10.0, "wall": 9.0, "memory": 2.9}, None)
    'no: memory'
    """
    if target == NO_TARGET:
        return "-"
    wanted = {name: getattr(target, name) for name in medians}
    missed = [name for name, value in wanted.items() if value is not None and medians[name] < value]
    if target.extra_mb is not None and (extra_mb is None or extra_mb > target.extra_mb):
        missed.append("extra")
    return f"no: {', '.join(missed)}" if missed else "yes"


def markdown(cells: Sequence[str]) -> str:
    """Return a line of a Markdown table."""
    return f"| {' | '.join(cells)} |"


# --- Command line ----------------------------------------------------------------------------------------------------

def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(description="Measure purebleu (this checkout) against sacreBLEU.")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder with the WMT22 files (or the one above it)")
    parser.add_argument("--oracle", metavar="PYTHON", help="interpreter that has sacreBLEU 2.6.0")
    parser.add_argument("--python", metavar="PYTHON", help="interpreter for purebleu (the oracle's)")
    parser.add_argument("-n", "--runs", type=int, metavar="RUNS", default=7, help="pairs of runs for each task (7)")
    parser.add_argument("--only", metavar="SUBSTRING", default="", help="only tasks with this in their name")
    parser.add_argument("--list", action="store_true", help="print the names of the tasks and stop")
    return parser


def interpreter(parser: argparse.ArgumentParser, name: str) -> str:
    """Return the absolute path of an interpreter, links not followed (they make an environment); or end with usage."""
    path = shutil.which(name)
    if path is None:
        parser.error(f"no interpreter {name!r}")
    return os.path.abspath(path)


def version_of(side: Side) -> str:
    """Return the package's version as its command line states it. Raises Failed."""
    words = run(side, ["-m", side.package, "--version"]).result.decode("utf-8", "replace").split()
    return words[-1] if words else "unknown"


def python_of(side: Side) -> str:
    """Return the name and version of a side's interpreter. Raises Failed."""
    program = "import platform as p; print(p.python_implementation(), p.python_version())"
    return run(side, ["-c", program]).result.decode().strip()


def print_heading(bench: Bench) -> None:
    """Print what is compared with what, on what, and the head of the table. Raises Failed."""
    ours, theirs = bench.sides["purebleu"], bench.sides["sacrebleu"]
    print(f"purebleu {version_of(ours)} ({python_of(ours)}) against sacreBLEU {bench.oracle_version} "
          f"({python_of(theirs)}); {platform.system()} {platform.machine()}, {os.cpu_count()} CPUs; "
          f"{bench.runs} pairs of runs unless the task says otherwise.")
    print("Ratios: sacreBLEU / purebleu, median (lowest-highest of the pairs); then the medians of both sides.\n")
    print(markdown(HEADINGS))
    print(markdown(["---"] * len(HEADINGS)), flush=True)


def complain(message: str) -> None:
    """Print one line on standard error."""
    print(f"bench.py: {message}", file=sys.stderr, flush=True)


def print_rows(bench: Bench, tasks: Sequence[Task]) -> bool:
    """Measure tasks and print their rows as they come; return whether all went well and all results were equal."""
    good = True
    for task in tasks:
        try:
            measurement = bench.measure(task)
        except Skipped as reason:
            complain(f"skipped {task.name!r}: {reason}")
            continue
        except Failed as reason:
            complain(f"could not measure {task.name!r}: {reason}")
            good = False
            continue
        print(markdown(table_row(task, measurement)), flush=True)
        if measurement.difference:
            complain(f"results differ in {task.name!r}: {measurement.difference}")
            good = False
    return good


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Run the benchmark with the arguments ``argv`` (the process's own if None) and return the exit code."""
    parser = build_parser()
    options = parser.parse_args(argv)
    tasks = [task for task in TASKS if options.only.lower() in task.name.lower()]
    if not tasks:
        parser.error(f"no task has {options.only!r} in its name; see --list")
    if options.list:
        print("\n".join(f"{task.name}  [{target_cell(task.target)}]" for task in tasks))
        return 0
    if not hasattr(os, "wait4"):
        parser.error("this system has no os.wait4, which the measuring needs")
    if options.data is None or options.oracle is None:
        parser.error("--data and --oracle are needed")
    if not options.data.is_dir():
        parser.error(f"--data: no folder {str(options.data)!r}")
    if options.runs < 1:
        parser.error("-n: at least 1 run")
    with tempfile.TemporaryDirectory(prefix="purebleu-bench-") as name:
        ours = Side("purebleu", interpreter(parser, options.python or options.oracle), CHECKOUT)
        theirs = Side("sacrebleu", interpreter(parser, options.oracle), Path(name))
        try:
            sides = {side.package: side for side in (ours, theirs)}
            bench = Bench(sides, version_of(theirs), options.data.resolve(), Path(name), options.runs)
            if bench.oracle_version != TARGETS_SET_AGAINST:
                complain(f"the targets were set against sacreBLEU {TARGETS_SET_AGAINST}, not {bench.oracle_version}")
            print_heading(bench)
            return 0 if print_rows(bench, tasks) else 1
        except Failed as reason:
            complain(f"cannot start: {reason}")
            return 2
        except KeyboardInterrupt:
            complain("interrupted")
            return 130


if __name__ == "__main__":
    raise SystemExit(main())
