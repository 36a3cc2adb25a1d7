"""Functions that the tests of `workers` run in workers: a module of its own, because a worker may have to import it,
and this is quick to import."""

from __future__ import annotations

import importlib
import os
import signal
import time
from threading import Timer

from . import PACKAGE

errors = importlib.import_module(f"{PACKAGE}.runtime.errors")
workers = importlib.import_module(f"{PACKAGE}.runtime.workers")


def square(number: int) -> int:
    return number * number


def check(number: int) -> int:
    if number == 5:
        raise errors.PurebleuError("five is too much")
    if number == 3:
        errors.warn("three is a lot")
    return number


def look_up(number: int) -> str:
    return {0: "none", 1: "one"}[number]


def die_while_answering(number: int) -> bytes:
    """An answer that no pipe takes at once, and a sudden end before somebody takes the rest of the second one."""
    if number == 1:
        Timer(0.2, os.kill, (os.getpid(), signal.SIGKILL)).start()
        return bytes(10_000_000)
    return b""


def work_long(number: int) -> int:
    time.sleep(0.1 if number == 0 else 60)
    return number


def spread_squares(count: int) -> list[int]:
    """Spread work from inside of a worker."""
    return list(workers.spread(square, range(count), 2))


# Functions that the tests of the server run, with the request, for an answer

def answer_request(request: object) -> dict[str, object]:
    return {"got": request}


def wait_for_file(request: dict[str, str]) -> dict[str, object]:
    """Say which process this is, in a file, and wait for another file."""
    with open(os.path.join(request["folder"], f"process-{os.getpid()}"), "w"):
        pass
    while not os.path.exists(os.path.join(request["folder"], "go")):
        time.sleep(0.01)
    return {"process": os.getpid()}


def take_memory(request: dict[str, int]) -> dict[str, object]:
    """Take the memory that the request asks for, in MiB."""
    return {"taken": len(bytearray(request["MiB"] << 20))}


def die_of_request(request: object) -> dict[str, object]:
    os._exit(9)


def fail_at_request(request: object) -> dict[str, object]:
    raise LookupError("nothing there\n\x1b[31m" + "x" * 9000)
