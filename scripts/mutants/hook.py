"""Hook of the environment that the tests run in: each process writes down which lines of the package it reaches.

A `.pth` file of that environment calls `start` in every process, also in those that tests start with another PYTHONPATH
or in another folder: they find the test's name in the variable that pytest sets. Only modules that every Python has
loaded anyway are imported, because some tests look at what is loaded.

It is a plugin of pytest, too, which runs the tests of a list in its order, and writes down how each of them ended.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Any

#: Names of variables: the file with the tests to run, and the one for how they ended.
CHOSEN, OUTCOMES = "MUTANTS_CHOSEN", "MUTANTS_OUTCOMES"

#: One of the numbers that `sys.monitoring` has for tools which it does not know.
_TOOL = 4

_started = False


class _Lines:
    """Lines of the package, written into a file of this process as they are reached for the first time in a test."""

    def __init__(self, package: str, folder: str) -> None:
        self.package = package
        self.folder = folder
        self.process = 0
        self.file = -1
        self.test = ""
        self.seen: set[tuple[str, int]] = set()

    def reach(self, path: str, line: int) -> None:
        """Write down a line. Nothing is kept in memory: some processes are killed, or end without a farewell."""
        test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
        if test != self.test:
            self.seen.clear()
        elif (path, line) in self.seen and self.process == os.getpid():
            return
        self.seen.add((path, line))
        record = f"{path[len(self.package):]}\t{line}\n"
        try:
            if self.process != os.getpid():  # the first one, or the first one after a fork
                self.process = os.getpid()
                name = os.path.join(self.folder, f"{self.process}-{os.urandom(4).hex()}.lines")
                self.file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
                self.test = ""
            if test != self.test:
                self.test = test
                record = f"\t{test}\n{record}"
            os.write(self.file, record.encode("utf-8", "backslashreplace"))
        except OSError:  # a test of a process that may write nothing
            pass


def start(package: str, folder: str) -> None:
    """Write the lines below the folder `package` that this process reaches into a file in `folder`."""
    global _started
    if _started:  # Python reads the `.pth` files of a virtual environment twice
        return
    _started = True
    lines = _Lines(package, folder)
    if sys.version_info >= (3, 12):
        monitoring = sys.monitoring

        def reached(code: CodeType, line: int) -> object:
            if code.co_filename.startswith(package):
                lines.reach(code.co_filename, line)
            return monitoring.DISABLE  # until the next test

        monitoring.use_tool_id(_TOOL, "mutants")
        monitoring.register_callback(_TOOL, monitoring.events.LINE, reached)
        monitoring.set_events(_TOOL, monitoring.events.LINE)
        return

    import threading

    def in_package(frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            lines.reach(frame.f_code.co_filename, frame.f_lineno)
        return in_package

    def anywhere(frame: FrameType, _event: str, _argument: object) -> Any:
        return in_package if frame.f_code.co_filename.startswith(package) else None

    sys.settrace(anywhere)
    threading.settrace(anywhere)


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Leave the chosen tests, in the order in which they were chosen."""
    if CHOSEN in os.environ:
        with open(os.environ[CHOSEN], encoding="utf-8") as file:
            order = {name: index for index, name in enumerate(file.read().splitlines())}
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in order])
        items[:] = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])


def pytest_runtest_logstart() -> None:
    """Have lines count again that an earlier test has reached."""
    if sys.version_info >= (3, 12):
        sys.monitoring.restart_events()


def pytest_runtest_logreport(report: Any) -> None:
    """Write down how a test, its preparation or its end went. (Worker processes leave that to their parent.)"""
    if OUTCOMES in os.environ and "PYTEST_XDIST_WORKER" not in os.environ:
        with open(os.environ[OUTCOMES], "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{report.outcome}\t{report.when}\t{report.duration:.4f}\t{report.nodeid}\n")
