"""Try `spark_score.py` with real PySpark, in local mode with several workers, against the command line's figures.

    python3 scripts/dev/platforms spark                   # every case, in seven minutes on two processors
    python3 scripts/dev/platforms spark --only WORD       # the cases with this in their names
    python3 scripts/dev/platforms spark --large [N]       # CPU time and memory for N segments (1,000,000)

pip puts PySpark into `.environments/spark`, once; Java 17 or later has to be there. Nothing is kept
of what is generated. Exit codes: 0 all the same, 1 something differs or fails, 2 there is no Java.
"""

from __future__ import annotations

import argparse
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
import venv
import zipfile
from pathlib import Path
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator, Sequence

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / ".environments" / "spark"
SCRIPT = ROOT / "scripts" / "spark_score.py"
REQUIREMENT = "pyspark==4.*"

#: Four workers; a task may fail three times.
MASTER = "local[4,4]"

#: The columns, and the options that name them.
COLUMNS = ("group", "number", "output", "ref A", "ref B", "ref C")
NAMED = ("--group", "group", "--id", "number", "--hypothesis", "output", "--references")
ALL_METRICS = ("--metric", "bleu", "chrf", "ter")

#: Content of some lines: whatever a format may stumble over.
ODD = ('say "so", he said', "a\\tb \\ c\\\\", "它是 一个 测试。", "naïve 'x' , y", '"', "C:\\new\\", "z\u0085 \u2028",
       "#1 & <b>\u00a0", "{}", "null", "", " two  spaces ")

#: The script's warning about the group whose hypotheses are all blank.
WARNING = "spark_score.py: warning: {}: group blank: all hypotheses are blank"

#: Code at the end of a module that kills the worker which scores second, once.
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

#: Writes a file of JSON Lines as Parquet.
CONVERT = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
spark.read.json(sys.argv[1]).repartition(3).write.parquet(sys.argv[2])
"""

#: Reads the rows as `spark_score.py` does, and only counts them.
EMPTY_JOB = """
import sys
from pyspark.sql import SparkSession
import spark_score
options = spark_score.parsed(sys.argv[1:])
rows = spark_score.rows_of_input(SparkSession.builder.getOrCreate(), options)
print(rows.mapPartitions(lambda rows: [sum(1 for _ in rows)]).sum())
"""


class Row(NamedTuple):
    """A segment with three references."""

    group: str
    number: int
    output: str
    references: tuple[str, ...]

    def values(self) -> list[Any]:
        return [self.group, self.number, self.output, *self.references]


def rows_of(seed: int, counts: dict[str, int], odd: bool = True) -> Iterator[Row]:
    """Rows, by the count of each group; the text is made of words that hypotheses change, drop and move."""
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
            if odd and number % 7 == 0:
                line.insert(3, rng.choice(ODD))
            texts = [" ".join(changed(line)) for _ in range(3)]
            yield Row(group, number, "" if group == "blank" else texts[0], (" ".join(line), texts[1], texts[2]))


#: Groups, one of which has most of the segments; their rows in an order by chance.
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
    """CSV in two files of a folder, TSV, or text without names of columns."""
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


# The command line's figures of the same segments


def expected(folder: Path, rows: Sequence[Row], arguments: Sequence[str], references: int = 3,
             language: Callable[[str], Sequence[str]] = lambda group: ()) -> list[str]:
    """The lines that the script should print: for each group, those of the command line for files of its segments."""
    lines: list[str] = []
    for group in sorted({row.group for row in rows}):
        files = group_files(folder, rows, group)
        output = purebleu(folder, *files[1:1 + references], "-i", files[0], "-f", "tsv", *arguments, *language(group))
        for line in output.splitlines()[1:]:
            _, metric, score, mean, ci, _, _, signature = line.split("\t")
            lines.append("\t".join([group, metric, score, *([mean, ci] if mean else []), signature]))
    return lines


def group_files(folder: Path, rows: Sequence[Row], group: str) -> list[str]:
    """The names of files with the hypotheses and the references of a group, in the order of the numbers."""
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


def install() -> None:
    """Make the environment, unless it is there."""
    if not (FOLDER / "bin" / "spark-submit").exists():
        print(f"installing {REQUIREMENT} in {FOLDER.relative_to(ROOT)}", flush=True)
        venv.create(FOLDER, with_pip=True)
        pip = [str(FOLDER / "bin" / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, REQUIREMENT], check=True)


def submission(archives: str, script: Path, *arguments: object) -> list[str]:
    """The command for `spark-submit`."""
    return [str(FOLDER / "bin" / "spark-submit"), "--master", MASTER, "--conf", "spark.ui.enabled=false",
            *(["--py-files", archives] if archives else []), str(script), *map(str, arguments)]


def environment_of_spark() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PUREBLEU", "SACREBLEU"))}
    return {**kept, "PATH": f"{FOLDER / 'bin'}{os.pathsep}{os.environ['PATH']}", "PYSPARK_PYTHON": "python3"}


def submit(folder: Path, *arguments: object, archives: str = "purebleu.zip",
           script: Path = SCRIPT) -> tuple[int, list[str], list[str]]:
    """The exit code, the lines of standard output, and those lines of standard error that are the script's own."""
    done = subprocess.run(submission(archives, script, *arguments), cwd=folder, env=environment_of_spark(),
                          capture_output=True)
    errors = done.stderr.decode("utf-8", "replace").splitlines()
    own = [line for line in errors if line.startswith("spark_score.py: ") or line.startswith("Traceback")]
    return done.returncode, done.stdout.decode("utf-8").split("\n")[:-1], own


# The cases: each returns what the script gave and what it should have given


def case_json_lines(folder: Path) -> Iterator[tuple[Any, Any]]:
    rows = shuffled_rows(SKEWED)
    path = write_json_lines(folder / "rows.jsonl", rows)
    code, lines, own = submit(folder, "--input", path, *NAMED, *COLUMNS[3:5], *ALL_METRICS, "-w", "14")
    yield lines, expected(folder, rows, ["-m", "bleu", "chrf", "ter", "-w", "14"], 2)
    yield (code, own), (0, [WARNING.format(path)])


def case_intervals_and_saved_rows(folder: Path) -> Iterator[tuple[Any, Any]]:
    rows = shuffled_rows(SKEWED)
    path = write_json_lines(folder / "rows.jsonl.gz", rows)
    resampled = ["-ci", "-cin", "200", "--seed", "7", "-w", "14"]
    result = submit(folder, "--input", path, *NAMED, *COLUMNS[3:], *ALL_METRICS, *resampled, "--partitions", 5,
                    "--save-rows", "saved")
    yield result, (0, expected(folder, rows, ["-m", "bleu", "chrf", "ter", *resampled]),
                   [WARNING.format(path)])
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
        found = ["\t".join(fields) for fields in csv.reader(file)]
    yield found, ["group\tmetric\tscore\tsignature", *expected(folder, rows, ["-m", "chrf", "-cw", "2", "-w", "4"])]


def case_tsv_and_text(folder: Path) -> Iterator[tuple[Any, Any]]:
    rows = [row for row in shuffled_rows({"a": 300, "b": 40}) if "\t" not in row.output]
    options = ["-tok", "intl", "-lc", "-s", "floor"]
    wanted = expected(folder, rows, [*options, "-w", "4"], 1)
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
    # (TER divides by three here. The sums are exact, and those of the command line in the order of the segments.)
    result = submit(folder, "--input", folder / "rows.parquet", *NAMED, "references", *ALL_METRICS, "-w", "11")
    yield result, (0, expected(folder, rows, ["-m", "bleu", "chrf", "ter", "-w", "11"]), [])


def case_lists_of_different_lengths(folder: Path) -> Iterator[tuple[Any, Any]]:
    from purebleu import BLEU, CHRF, TER, transpose_references

    rows = [row._replace(references=row.references[:1 + row.number % 3]) for row in shuffled_rows({"a": 5000})]
    path = write_json_lines(folder / "rows.jsonl", rows, as_list=True)
    ordered = sorted(rows, key=lambda row: row.number)
    streams = transpose_references([[text.rstrip() for text in row.references] for row in ordered])
    scores = [metric.corpus_score([row.output.rstrip() for row in ordered], streams)
              for metric in (BLEU(), CHRF(), TER())]
    wanted = [f"a\t{score.name}\t{score.score:.4f}\t{score.signature}" for score in scores]
    assert "nrefs:var" in wanted[0]
    yield submit(folder, "--input", path, *NAMED, "references", *ALL_METRICS), (0, wanted, [])


def case_tokenizers_by_group(folder: Path) -> Iterator[tuple[Any, Any]]:
    rows = shuffled_rows({"en-de": 500, "en-zh": 500, "zh": 300})
    path = write_json_lines(folder / "rows.jsonl", rows)
    wanted = expected(folder, rows, ["-w", "4"], 3, lambda group: ["-l", group if "-" in group else f"en-{group}"])
    assert len({line.split("tok:")[1] for line in wanted}) == 2
    yield submit(folder, "--input", path, *NAMED, *COLUMNS[3:], "--tokenize-by-group"), (0, wanted, [])


def case_killed_worker(folder: Path) -> Iterator[tuple[Any, Any]]:
    rows = shuffled_rows(SKEWED)
    path = write_json_lines(folder / "rows.jsonl", rows)
    with zipfile.ZipFile(folder / "purebleu.zip") as archive, zipfile.ZipFile(folder / "faulty.zip", "w") as faulty:
        for name in archive.namelist():
            fault = FAULT.format(folder=str(folder)) if name == "purebleu/cli/scoring/corpus.py" else ""
            faulty.writestr(name, archive.read(name) + fault.encode("utf-8"))
    result = submit(folder, "--input", path, *NAMED, *COLUMNS[3:], *ALL_METRICS, "-w", 11, "-q", archives="faulty.zip")
    yield (folder / "second").exists(), True
    yield result, (0, expected(folder, rows, ["-m", "bleu", "chrf", "ter", "-w", "11"]), [])


def case_errors(folder: Path) -> Iterator[tuple[Any, Any]]:
    """Each is one line, and nothing else."""
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
            (wrong, ["none"], 1, f"{wrong}: no column 'none', but {', '.join(COLUMNS)}"),
            (folder / "missing.jsonl", [], 1, f"Spark: Input path does not exist: file:{folder / 'missing.jsonl'}"),
            (good, ["--paired-bs"], 2, "there is no place for 'test' here, in --paired-bs")):
        yield (submit(folder, "--input", path, *NAMED, COLUMNS[3], *further),
               (code, [], [f"spark_score.py: error: {message}"]))
    # (Before the script has imported anything, it can't reach the standard error of spark-submit.)
    missing = "No module named 'purebleu' (is --py-files purebleu.zip missing?)"
    yield submit(folder, archives=""), (1, [f"spark_score.py: error: {missing}"], [])


CASES = [case_json_lines, case_intervals_and_saved_rows, case_csv, case_tsv_and_text, case_parquet_with_lists,
         case_lists_of_different_lengths, case_tokenizers_by_group, case_killed_worker, case_errors]


def passes(case: Callable[[Path], Iterator[tuple[Any, Any]]]) -> bool:
    """Whether a case gives what it should; prints what does not."""
    start, count, differing = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        make_archive(folder)
        for found, wanted in case(folder):
            count += 1
            if found != wanted:
                differing += 1
                print(f"differs:\n  found: {found!r:.3000}\n  wanted: {wanted!r:.3000}")
    print(f"{case.__name__[len('case_'):].replace('_', ' ')}: {count - differing} of {count} results as they should be "
          f"({time.monotonic() - start:.0f} s)", flush=True)
    return not differing


def make_archive(folder: Path) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "make_zipapp.py"), "-o", str(folder / "purebleu.zip")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


# CPU time and memory


class Usage(NamedTuple):
    """CPU seconds of a command with all of its descendants, and the peak of memory in MB, by kind of process."""

    seconds: float
    peaks: dict[str, int]
    output: str


def measured(command: Sequence[str], folder: Path, environment: dict[str, str]) -> Usage:
    """Run a command, and look at its processes all the while. (Linux)

    PySpark's daemon ignores how its workers end, so no parent has their times; and descendants whose parents end before
    them become children of this process.
    """
    import ctypes

    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    seconds: dict[int, float] = {}
    peaks: dict[str, int] = {}
    with open(folder / "output", "w+b") as output, open(folder / "log", "wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=log)
        while True:
            for pid, kind, megabytes, seconds_so_far in descendants():
                seconds[pid] = seconds_so_far
                peaks[kind] = max(peaks.get(kind, 0), megabytes)
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid == process.pid and status:
                raise subprocess.CalledProcessError(status, command)
            time.sleep(0.05)
        output.seek(0)
        return Usage(sum(seconds.values()), peaks, output.read().decode("utf-8"))


def descendants() -> Iterator[tuple[int, str, int, float]]:
    """Each process below this one: its number, what it is, the peak of its memory in MB, and its CPU seconds so far."""
    fields: dict[int, list[str]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields[int(path.parent.name)] = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
    for pid in fields:
        ancestor = int(fields[pid][1])
        while ancestor not in (0, os.getpid()):
            ancestor = int(fields[ancestor][1]) if ancestor in fields else 0
        if not ancestor:
            continue
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
            status = Path(f"/proc/{pid}/status").read_text()
        except OSError:
            continue
        kind = "worker" if b"pyspark.daemon" in command else "JVM" if b"java" in command.split(b"\0")[0] else "Python"
        peak = int(status.split("VmHWM:")[1].split()[0]) >> 10 if "VmHWM:" in status else 0
        yield pid, kind, peak, (int(fields[pid][11]) + int(fields[pid][12])) / os.sysconf("SC_CLK_TCK")


def measure(segments: int) -> bool:
    """Print what the command line, Spark, and an empty job on Spark take; whether the figures are the same."""
    same = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        make_archive(folder)
        (folder / "empty_job.py").write_text(EMPTY_JOB, encoding="utf-8")
        for count in (segments // 10, segments):
            files = write_large(folder, count)
            arguments = ["--input", str(folder / "rows.jsonl"), *NAMED, COLUMNS[3]]
            spark = environment_of_spark()
            with_script = f"purebleu.zip,{SCRIPT}"
            empty = measured(submission(with_script, folder / "empty_job.py", *arguments), folder, spark)
            assert int(empty.output) == count
            report(count, "an empty job on Spark", empty)
            for metrics in (["bleu"], ["bleu", "chrf", "ter"]):
                local = {**os.environ, "PYTHONPATH": str(ROOT)}
                alone = measured([sys.executable, "-m", "purebleu", files[1], "-i", files[0], "-m", *metrics, "-w", "4",
                                  "-f", "tsv"], folder, local)
                report(count, f"{' '.join(metrics)}, command line", alone)
                used = measured(submission("purebleu.zip", SCRIPT, *arguments, "-m", *metrics), folder, spark)
                report(count, f"{' '.join(metrics)}, Spark", used)
                print(f"{count:>9,}  {' '.join(metrics)}: {used.seconds / alone.seconds:.2f} times the command line's "
                      "CPU", flush=True)
                scores = [[line.split("\t")[column] for column in (1, 2, -1)] for line in used.output.splitlines()]
                same &= scores == [[line.split("\t")[column] for column in (1, 2, -1)]
                                   for line in alone.output.splitlines()[1:]]
    print("the same figures" if same else "the figures differ")
    return same


def report(count: int, what: str, usage: Usage) -> None:
    peaks = ", ".join([f"{kind} {megabytes}" for kind, megabytes in sorted(usage.peaks.items())])
    print(f"{count:>9,}  {what}: {usage.seconds:.1f} s of CPU; peaks in MB: {peaks}", flush=True)


def write_large(folder: Path, count: int) -> tuple[str, str]:
    """A file for Spark, and one of hypotheses and one of references for the command line."""
    with open(folder / "rows.jsonl", "w", encoding="utf-8") as file, open(folder / "output.txt", "w",
              encoding="utf-8") as output, open(folder / "ref.txt", "w", encoding="utf-8") as references:
        for row in rows_of(21, {"all": count}, odd=False):
            file.write(json.dumps(dict(zip(COLUMNS[:4], row.values()))) + "\n")
            output.write(row.output + "\n")
            references.write(row.references[0] + "\n")
    return "output.txt", "ref.txt"


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="WORD", default="", help="only cases with this in their names")
    parser.add_argument("--large", metavar="N", nargs="?", type=int, const=1_000_000, help="measure with N segments")
    options = parser.parse_args(argv)
    if shutil.which("java") is None:
        print("there is no java on the PATH", file=sys.stderr)
        return 2
    install()
    if options.large:
        return 0 if measure(options.large) else 1
    results = [passes(case) for case in CASES if options.only in case.__name__]
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
