"""Measure the local page under load for minutes, and many Pythons at once on one cold cache.

    python3 scripts/upkeep long_runs [--minutes M] [--clients N] [--processes N] [--mirror FOLDER] [--python PYTHON]

Prints two tables in Markdown. The first has a row for each tenth of the time that the page is under load: the requests
answered and refused, the median time of an answer, and the memory and the open files of the server, which must not
grow. The second, with `--mirror` (a mirror that has the archive of `mtedx/test`), has the time that all processes took
together, and how many of them ended well. Needs `/proc` (Linux); standard library only. Exit code 1 if an answer is
wrong, if a process fails, or if temporary files are left.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

from bench.measuring import CHECKOUT
from bench.table import markdown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Mapping, Sequence

#: The request that every client of the page repeats, and the score of its answer.
REQUEST = {
    "references": [["does this sentence match", "wHaT aBoUt ThIs SeNtEnCe?"]],
    "systems": ["does this sentence match??\nwhat about this sentence?\n"],
    "options": {"metrics": "ter", "ter-case-sensitive": True},
}
SCORE = 62.5

#: The number of rows about the page.
ROWS = 10

#: Arguments that need the archive of a test set, which each process on the cold cache gets.
ECHO = ("-t", "mtedx/test", "-l", "el-en", "--echo", "src")


#: The pause of a client whose request is refused, since the server has enough to do, in seconds.
PAUSE = 0.05

RIGHT, REFUSED, WRONG = range(3)


class Answered(NamedTuple):
    """An answer of the page: when it came and how long it took, in seconds, and one of `RIGHT`, `REFUSED`, `WRONG`."""

    at: float
    seconds: float
    kind: int


class Usage(NamedTuple):
    """The memory of a process in MB, and the number of its open files."""

    memory: float
    files: int


def usage_of(process: int) -> Usage:
    """The usage of a process now."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    kilobytes = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
    return Usage(kilobytes / 1024, len(os.listdir(f"/proc/{process}/fd")))


def load_page(port: int, token: str, until: float, answers: list[Answered]) -> None:
    """Post the request again and again, from one client, until a time of the monotonic clock."""
    body = json.dumps(REQUEST)
    headers = {"X-Purebleu-Token": token, "Content-Type": "application/json"}
    while (began := time.monotonic()) < until:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("POST", "/score", body, headers)
            response = connection.getresponse()
            kind = REFUSED if response.status == 503 else kind_of_body(response.read())
            connection.close()
        except (OSError, http.client.HTTPException):
            kind = WRONG
        ended = time.monotonic()
        answers.append(Answered(ended, ended - began, kind))
        if kind != RIGHT:
            time.sleep(PAUSE)


def kind_of_body(body: bytes) -> int:
    """`RIGHT` for the expected score in JSON, else `WRONG`."""
    try:
        return RIGHT if json.loads(body)["scores"][0]["score"] == SCORE else WRONG
    except (ValueError, LookupError, TypeError):
        return WRONG


def page_rows(server: subprocess.Popen[str], seconds: float, clients: int) -> Iterator[tuple[list[str], int]]:
    """The rows of the table about the page, each with the number of wrong answers."""
    assert server.stdout
    port, _, token = server.stdout.readline().strip().rpartition(":")[2].partition("/#token=")
    answers: list[Answered] = []
    start = time.monotonic()
    threads = [threading.Thread(target=load_page, args=(int(port), token, start + seconds, answers), daemon=True)
               for _ in range(clients)]
    for thread in threads:
        thread.start()
    for row in range(1, ROWS + 1):
        time.sleep(max(0.0, start + seconds * row / ROWS - time.monotonic()))
        usage = usage_of(server.pid)
        since = start + seconds * (row - 1) / ROWS
        recent = [answer for answer in answers[:] if answer.at >= since]
        times = [answer.seconds for answer in recent if answer.kind == RIGHT]
        counts = [sum(answer.kind == kind for answer in recent) for kind in (RIGHT, REFUSED, WRONG)]
        yield ([f"{seconds * row / ROWS / 60:.1f}", f"{counts[RIGHT]:,}", f"{counts[REFUSED]:,}",
                f"{1000 * statistics.median(times or [0]):.0f} ms", f"{usage.memory:.1f} MB", str(usage.files)],
               counts[WRONG] + (not times))
    for thread in threads:
        thread.join()


def measure_page(python: str, minutes: float, clients: int) -> int:
    """Print the table about the page; returns the number of wrong answers."""
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    wrong = 0
    print("\n" + markdown([f"minutes, {clients} clients", "answers", "refused", "median time", "server's memory",
                            "its open files"]))
    print(markdown(["---"] * 6), flush=True)
    with subprocess.Popen([python, "-m", "purebleu", "--serve"], env=environment, stdout=subprocess.PIPE,
                          text=True) as server:
        try:
            for row, wrong_answers in page_rows(server, 60 * minutes, clients):
                print(markdown(row), flush=True)
                wrong += wrong_answers
        finally:
            server.terminate()
    return wrong


def ended_well(processes: Sequence[subprocess.Popen[bytes]]) -> list[bool]:
    """For each process, once it has ended, whether its exit code is 0 and its output that of the first."""
    outputs = [process.communicate()[0] for process in processes]
    return [not process.returncode and bool(output) and output == outputs[0]
            for process, output in zip(processes, outputs)]


def contents(folder: Path) -> Mapping[str, int]:
    """The files below a folder with their sizes."""
    return {path.relative_to(folder).as_posix(): path.stat().st_size
            for path in sorted(folder.rglob("*")) if path.is_file()}


def measure_cache(python: str, count: int, mirror: Path, folder: Path) -> bool:
    """Print the table about processes on a cold cache; returns whether all went well."""
    print("\n" + markdown(["processes at once", "time", "ended well", "files in the cache", "as after one"]))
    print(markdown(["---"] * 5), flush=True)
    alone: Mapping[str, int] = {}
    fine = True
    for processes in (1, count):
        cache = folder / f"cache.{processes}"
        environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), "PUREBLEU_CACHE": str(cache)}
        began = time.monotonic()
        started = [subprocess.Popen([python, "-m", "purebleu", *ECHO, "--mirror", str(mirror)], env=environment,
                                    stdout=subprocess.PIPE) for _ in range(processes)]
        well = ended_well(started)
        seconds = time.monotonic() - began
        files = contents(cache)
        alone = alone or files
        print(markdown([str(processes), f"{seconds:.1f} s", str(sum(well)), str(len(files)),
                        "yes" if files == alone else "no"]), flush=True)
        fine = fine and all(well) and files == alone
    return fine


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure the page under load, and many processes on one cold cache.")
    parser.add_argument("--minutes", type=float, metavar="M", default=10.0, help="minutes of load on the page (10)")
    parser.add_argument("--clients", type=int, metavar="N", default=4, help="clients of the page at once (4)")
    parser.add_argument("--processes", type=int, metavar="N", default=100, help="processes at once on the cache (100)")
    parser.add_argument("--mirror", type=Path, metavar="FOLDER", help="a mirror that has the archive of mtedx/test")
    parser.add_argument("--python", metavar="PYTHON", default=sys.executable, help="interpreter (default: this one)")
    options = parser.parse_args(argv)
    if min(options.minutes, options.clients, options.processes) <= 0:
        parser.error("--minutes, --clients and --processes must be more than 0")
    if not Path("/proc/self/fd").is_dir():
        parser.error("this system has no /proc, which the measuring needs")
    wrong = measure_page(options.python, options.minutes, options.clients)
    if wrong:
        print(f"long_runs: {wrong:,} answers are wrong, or did not come", file=sys.stderr)
    fine = True
    if options.mirror:
        with tempfile.TemporaryDirectory(prefix="purebleu-cache-") as name:
            fine = measure_cache(options.python, options.processes, options.mirror, Path(name))
    return int(bool(wrong) or not fine)


if __name__ == "__main__":
    raise SystemExit(main())
