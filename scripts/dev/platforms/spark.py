"""Test `spark_score.py` with PySpark (in local mode, with several workers): its scores have to be the command line's.

    python3 scripts/dev/platforms spark                   # every case, in seven minutes on two processors
    python3 scripts/dev/platforms spark --only WORD       # the cases with this in their names

pip puts PySpark into `.environments/spark`, once. Java 17 or later has to be on the path. Generated files are deleted.
Exit codes: 0 all the same, 1 something differs or fails, 2 Java is missing.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Callable, Iterator, NamedTuple, Sequence

from dev.platforms.steps import ENVIRONMENTS, ROOT, checked, environment, lines_of

FOLDER = ENVIRONMENTS / "spark"
SCRIPT = ROOT / "scripts" / "spark_score.py"
REQUIREMENT = "pyspark==4.*"

#: Four workers. A task may fail three times.
MASTER = "local[4,4]"

#: The columns, and options that name some of them.
COLUMNS = ("group", "number", "output", "ref A", "ref B", "ref C")
NAMED = ("--group", "group", "--id", "number", "--hypothesis", "output", "--references")
ALL_METRICS = ("--metric", "bleu", "chrf", "ter")

#: Texts that are hard to read in some formats.
ODD = ('say "so", he said', "a\\tb \\ c\\\\", "它是 一个 测试。", "naïve 'x' , y", '"', "C:\\new\\", "z\u0085 \u2028",
       "#1 & <b>\u00a0", "{}", "null", "", " two  spaces ")

#: The script's warning about the group whose hypotheses are all blank.
WARNING = "spark_score.py: warning: {}: group blank: all hypotheses are blank"

#: Code that is appended to a module. It kills the second worker that scores a block, once.
FAULT = """
_score_block = score_block


def score_block(metrics, keep_rows, block):
    import os, signal
    marks = {folder!r}
    for mark in ("first", "second"):
        try:
            os.close(os.open(os.path.join(marks, mark), os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        if mark == "second":
            os.kill(os.getpid(), signal.SIGKILL)
        break
    return _score_block(metrics, keep_rows, block)
"""

#: A program that converts a file of JSON Lines to Parquet.
CONVERT = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
spark.read.json(sys.argv[1]).repartition(3).write.parquet(sys.argv[2])
"""


class Row(NamedTuple):
    """A segment with three references."""

    group: str
    number: int
    output: str
    references: tuple[str, ...]

    def values(self) -> list[Any]:
        return [self.group, self.number, self.output, *self.references]


def rows_of(seed: int, counts: dict[str, int]) -> Iterator[Row]:
    """Yield random rows. `counts` has the number of rows of each group. Hypotheses differ from references."""
    rng = random.Random(seed)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyzäß", k=rng.randint(1, 9))) for _ in range(5000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    sums = [sum(weights[:end]) for end in range(1, len(words) + 1)]

    def changed(line: list[str]) -> list[str]:
        line = [rng.choices(words, cum_weights=sums)[0] if rng.random() < 0.15 else word
                for word in line if rng.random() > 0.08]
        start, end = sorted(rng.choices(range(len(line) + 1), k=2))
        return [*line[end:], *line[start:end], *line[:start]] if rng.random() < 0.1 else line

    for group, count in counts.items():
        for number in range(count):
            line = [*rng.choices(words, cum_weights=sums, k=rng.randint(9, 24)), rng.choice(words) + "."]
            if number % 7 == 0:
                line.insert(3, rng.choice(ODD))
            texts = [" ".join(changed(line)) for _ in range(3)]
            yield Row(group, number, "" if group == "blank" else texts[0], (" ".join(line), texts[1], texts[2]))


#: The number of segments of each group. One group has most of the segments.
SKEWED = {"en-de": 11_000, "small/one": 7, "blank": 3, "en-zh": 900, "x y": 120}


def shuffled_rows(counts: dict[str, int]) -> list[Row]:
    rows = list(rows_of(19, counts))
    random.Random(20).shuffle(rows)
    return rows


# Files of each format


def write_json_lines(path: Path, rows: Sequence[Row], as_list: bool = False) -> Path:
    opened: Any = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt", encoding="utf-8", newline="\n") as file:
        for row in rows:
            record = dict(zip(COLUMNS, row.values()))
            if as_list:
                record = {**dict(zip(COLUMNS[:3], row.values())), "references": row.references}
            file.write(json.dumps(record, ensure_ascii=row.number % 2 == 0) + "\n")
    return path


def write_delimited(path: Path, rows: Sequence[Row], ends: str = "\n") -> Path:
    """Write CSV (a folder with two files), TSV, or text without names of columns."""
    if path.suffix == ".csv":
        path.mkdir()
        for half, part in enumerate((rows[::2], rows[1::2])):
            with open(path / f"part-{half}.csv", "w", encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator=ends).writerows([COLUMNS, *[row.values() for row in part]])
        return path
    header = [COLUMNS] if path.suffix == ".tsv" else []
    lines = ["\t".join(map(str, values)) for values in [*header, *[row.values() for row in rows]]]
    path.write_bytes("".join([line + ends for line in lines]).encode("utf-8"))
    return path


# The command line's scores of the same segments


def expected(folder: Path, rows: Sequence[Row], arguments: Sequence[str], references: int = 3,
             language: Callable[[str], Sequence[str]] = lambda group: ()) -> list[str]:
    """Return the lines that the script should print, from the command line's scores of files with each group."""
    lines: list[str] = []
    for group in sorted({row.group for row in rows}):
        files = group_files(folder, rows, group)
        output = purebleu(folder, *files[1:1 + references], "-i", files[0], "-f", "tsv", *arguments, *language(group))
        for line in output.splitlines()[1:]:
            _, metric, score, mean, ci, *_, signature = line.split("\t")
            lines.append("\t".join([group, metric, score, *([mean, ci] if mean else []), signature]))
    return to_12_digits(lines)


def to_12_digits(lines: Sequence[str]) -> list[str]:
    """Return lines with rounded numbers. (TER may divide by three, and only the script's sums are exact.)"""
    rounded: list[str] = []
    for line in lines:
        group, *columns = line.split("\t")
        if columns:  # (an error has none)
            metric, *numbers, signature = columns
            line = "\t".join([group, metric, *[f"{float(number):.12g}" for number in numbers], signature])
        rounded.append(line)
    return rounded


def group_files(folder: Path, rows: Sequence[Row], group: str) -> list[str]:
    """Write the hypotheses and references of a group to files, in the order of ids; return the files' names."""
    chosen = sorted([row for row in rows if row.group == group], key=lambda row: row.number)
    names: list[str] = []
    for name, lines in zip(("output", "a", "b", "c"), zip(*[(row.output, *row.references) for row in chosen])):
        names.append(f"text.{name}")
        (folder / names[-1]).write_bytes("".join([line + "\n" for line in lines]).encode("utf-8"))
    return names


def purebleu(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-m", "purebleu", *arguments], cwd=folder, env=environment, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout.decode("utf-8")


# Spark


def submit(folder: Path, *arguments: object, archives: str = "purebleu.zip",
           script: Path = SCRIPT) -> tuple[int, list[str], list[str]]:
    """Run the script; return the exit code, the lines of standard output, and its own lines of standard error."""
    command = [FOLDER / "bin" / "spark-submit", "--master", MASTER, "--conf", "spark.ui.enabled=false",
               *(["--py-files", archives] if archives else []), script, *arguments]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PUREBLEU", "SACREBLEU"))}
    variables = {**kept, "PATH": f"{FOLDER / 'bin'}{os.pathsep}{os.environ['PATH']}", "PYSPARK_PYTHON": "python3"}
    done = subprocess.run([*map(str, command)], cwd=folder, env=variables, capture_output=True)
    own = [line for line in lines_of(done.stderr) if line.startswith(("spark_score.py: ", "Traceback"))]
    return done.returncode, to_12_digits(done.stdout.decode("utf-8").split("\n")[:-1]), own


# The cases: each yields pairs of a result of the script and the expected result


def case_json_lines(folder: Path) -> Iterator[tuple[Any, Any]]:
    rows = shuffled_rows(SKEWED)
    path = write_json_lines(folder / "rows.jsonl", rows)
    code, lines, own = submit(folder, "--input", path, *NAMED, *COLUMNS[3:5], *ALL_METRICS)
    yield lines, expected(folder, rows, ["-m", "bleu", "chrf", "ter"], 2)
    yield (code, own), (0, [WARNING.format(path)])


def case_intervals_and_saved_rows(folder: Path) -> Iterator[tuple[Any, Any]]:
    rows = shuffled_rows(SKEWED)
    path = write_json_lines(folder / "rows.jsonl.gz", rows)
    resampled = ["-ci", "-cin", "200", "--seed", "7"]
    result = submit(folder, "--input", path, *NAMED, *COLUMNS[3:], *ALL_METRICS, *resampled, "--partitions", 5,
                    "--save-rows", "saved")
    yield result, (0, expected(folder, rows, ["-m", "bleu", "chrf", "ter", *resampled]), [WARNING.format(path)])
    for group, name in (("small/one", "small%2Fone"), ("en-zh", "en-zh")):
        output, *references = group_files(folder, rows, group)
        for arguments in (["-ci"], ["-f", "text", "-w", "14"], ["--rng", "numpy", "-ci", "-w", "9"]):
            yield (purebleu(folder, "--rows", f"saved/{name}.rows.gz", *arguments),
                   purebleu(folder, *references, "-i", output, "-m", "bleu", "chrf", "ter", *arguments))


def case_csv(folder: Path) -> Iterator[tuple[Any, Any]]:
    rows = shuffled_rows({"a": 300, "b,c": 40})
    path = write_delimited(folder / "rows.csv", rows, "\r\n")
    code, lines, own = submit(folder, "--input", path, *NAMED, *COLUMNS[3:], "-m", "chrf", "-cw", 2, "--output", "out")
    yield (code, lines, own), (0, [], [])
    with open(folder / "out" / "scores.csv", encoding="utf-8", newline="") as file:
        heading, *fields = csv.reader(file)
    yield heading, ["group", "metric", "score", "signature"]
    yield to_12_digits(list(map("\t".join, fields))), expected(folder, rows, ["-m", "chrf", "-cw", "2"])


def case_tsv_and_text(folder: Path) -> Iterator[tuple[Any, Any]]:
    rows = [row for row in shuffled_rows({"a": 300, "b": 40}) if "\t" not in row.output]
    options = ["-tok", "intl", "-lc", "-s", "floor"]
    wanted = expected(folder, rows, options, 1)
    path = write_delimited(folder / "rows.tsv", rows)
    yield submit(folder, "--input", path, *NAMED, COLUMNS[3], *options), (0, wanted, [])
    path = write_delimited(folder / "rows.txt", rows)
    numbers = ["--group", 1, "--id", 2, "--hypothesis", 3, "--references", 4]
    yield submit(folder, "--input", path, *numbers, *options), (0, wanted, [])


def case_parquet_with_lists(folder: Path) -> Iterator[tuple[Any, Any]]:
    rows = shuffled_rows({"a": 5000, "b": 40})
    path = write_json_lines(folder / "rows.jsonl", rows, as_list=True)
    (folder / "convert.py").write_text(CONVERT, encoding="utf-8")
    yield submit(folder, path, folder / "rows.parquet", script=folder / "convert.py"), (0, [], [])
    result = submit(folder, "--input", folder / "rows.parquet", *NAMED, "references", *ALL_METRICS)
    yield result, (0, expected(folder, rows, ["-m", "bleu", "chrf", "ter"]), [])


def case_lists_of_different_lengths(folder: Path) -> Iterator[tuple[Any, Any]]:
    from purebleu import BLEU, CHRF, TER
    from purebleu.metrics.segments import transpose_references

    rows = [row._replace(references=row.references[:1 + row.number % 3]) for row in shuffled_rows({"a": 5000})]
    path = write_json_lines(folder / "rows.jsonl", rows, as_list=True)
    ordered = sorted(rows, key=lambda row: row.number)
    streams = transpose_references([[text.rstrip() for text in row.references] for row in ordered])
    scores = [metric.corpus_score([row.output.rstrip() for row in ordered], streams)
              for metric in (BLEU(), CHRF(), TER())]
    wanted = to_12_digits([f"a\t{score.name}\t{score.score}\t{score.signature}" for score in scores])
    assert "nrefs:var" in wanted[0]
    yield submit(folder, "--input", path, *NAMED, "references", *ALL_METRICS), (0, wanted, [])


def case_tokenizers_by_group(folder: Path) -> Iterator[tuple[Any, Any]]:
    rows = shuffled_rows({"en-de": 500, "en-zh": 500, "zh": 300})
    path = write_json_lines(folder / "rows.jsonl", rows)
    wanted = expected(folder, rows, [], 3, lambda group: ["-l", group if "-" in group else f"en-{group}"])
    assert len({line.split("tok:")[1] for line in wanted}) == 2
    yield submit(folder, "--input", path, *NAMED, *COLUMNS[3:], "--tokenize-by-group"), (0, wanted, [])


def case_killed_worker(folder: Path) -> Iterator[tuple[Any, Any]]:
    rows = shuffled_rows(SKEWED)
    path = write_json_lines(folder / "rows.jsonl", rows)
    with zipfile.ZipFile(folder / "purebleu.zip") as archive, zipfile.ZipFile(folder / "faulty.zip", "w") as faulty:
        for name in archive.namelist():
            fault = FAULT.format(folder=str(folder)) if name == "purebleu/cli/programs.py" else ""
            faulty.writestr(name, archive.read(name) + fault.encode("utf-8"))
    result = submit(folder, "--input", path, *NAMED, *COLUMNS[3:], *ALL_METRICS, "-q", archives="faulty.zip")
    yield (folder / "second").exists(), True
    yield result, (0, expected(folder, rows, ["-m", "bleu", "chrf", "ter"]), [])


def case_errors(folder: Path) -> Iterator[tuple[Any, Any]]:
    """Test errors. Each prints one line."""
    rows = shuffled_rows({"a": 40})
    good = write_json_lines(folder / "good.jsonl", rows)
    null, twice, empty = folder / "null.jsonl", folder / "twice.jsonl", folder / "empty.jsonl"
    null.write_text(good.read_text(encoding="utf-8") + '{"group": "a", "number": 77, "output": null, "ref A": "x"}\n',
                    encoding="utf-8")
    twice.write_text(good.read_text(encoding="utf-8") * 2, encoding="utf-8")
    empty.write_text("", encoding="utf-8")
    wrong = write_delimited(folder / "wrong.tsv", rows)
    for path, further, code, message in (
            (null, [], 1, f"{null}: group 'a', id 77: None instead of text"),
            (twice, ["-ci"], 1, "group a: the id 0 is there more than once"),
            (empty, [], 1, f"{empty}: there are no rows"),
            (wrong, ["none"], 1, f"{wrong}: no column 'none', only {', '.join(COLUMNS)}"),
            (folder / "missing.jsonl", [], 1, f"Spark: Input path does not exist: file:{folder / 'missing.jsonl'}"),
            (good, ["--paired-bs"], 2, "--paired-bs works only on the command line")):
        yield (submit(folder, "--input", path, *NAMED, COLUMNS[3], *further),
               (code, [], [f"spark_score.py: error: {message}"]))
    # (Without purebleu, the script can't print on spark-submit's standard error, so this error is on standard output.)
    missing = "No module named 'purebleu' (is --py-files purebleu.zip missing?)"
    yield submit(folder, archives=""), (1, [f"spark_score.py: error: {missing}"], [])


CASES = [case_json_lines, case_intervals_and_saved_rows, case_csv, case_tsv_and_text, case_parquet_with_lists,
         case_lists_of_different_lengths, case_tokenizers_by_group, case_killed_worker, case_errors]


def passes(case: Callable[[Path], Iterator[tuple[Any, Any]]]) -> bool:
    """Run a case, and print differences; return whether all results are as expected."""
    start, count, differing = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        checked(sys.executable, ROOT / "scripts" / "make_zipapp.py", "-o", folder / "purebleu.zip")
        for found, wanted in case(folder):
            count += 1
            if found != wanted:
                differing += 1
                print(f"differs:\n  found: {found!r:.3000}\n  wanted: {wanted!r:.3000}")
    print(f"{case.__name__[len('case_'):].replace('_', ' ')}: {count - differing} of {count} results as expected "
          f"({time.monotonic() - start:.0f} s)", flush=True)
    return not differing


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--only", metavar="WORD", default="", help="only cases with WORD in their names")
    options = parser.parse_args()
    if shutil.which("java") is None:
        print("java is not on the PATH: install Java 17 or later", file=sys.stderr)
        return 2
    environment(FOLDER, [REQUIREMENT])
    results = [passes(case) for case in CASES if options.only in case.__name__]
    return 0 if results and all(results) else 1
