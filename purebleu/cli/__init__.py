"""The command line. Only this package prints to the terminal or ends the process."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys
from functools import partial

from ..runtime.errors import FieldCountError, OptionError, PurebleuError, one_line
from ..runtime.progress import Observer, observe, observer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, NoReturn, Sequence

    from .arguments.command import Answer, Command

#: Whether this Python frees objects by counting references. (CPython does so. PyPy needs its garbage collector.)
_COUNTS_REFERENCES = sys.implementation.name == "cpython"

BAD_INPUT = 1
WRONG_USAGE = 2
WRONG_FIELD_COUNT = 17
BUG = 70
INTERRUPTED = 130
BROKEN_PIPE = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line with the arguments `argv` (default: those of the process), and return the exit code.

    Results go to standard output. An error goes to standard error as one line, and standard output stays empty.
    """
    if sys.stdout is None:
        complain("error: standard output is closed")
        return BAD_INPUT
    try:
        return _run_line(sys.argv[1:] if argv is None else argv)
    except PurebleuError as error:
        complain(f"error: {error}")
        if isinstance(error, OptionError):
            return WRONG_USAGE
        return WRONG_FIELD_COUNT if isinstance(error, FieldCountError) else BAD_INPUT
    except ModuleNotFoundError as error:
        if error.name is None or f"{error.name}.".startswith(__name__.partition(".")[0] + "."):
            raise  # (a missing module of this package is a bug)
        complain(f"error: this Python lacks the module {error.name!r}, which this command needs")
    except OSError as error:
        # (Unreadable input raises a `PurebleuError`. An `OSError` has another cause, such as a deleted working folder.)
        where = f"{error.filename}: " if isinstance(error.filename, str) else ""
        complain(f"error: {where}{error.strerror or error}")
    return BAD_INPUT


def _run_line(arguments: Sequence[str]) -> int:
    """Run a command line, print its answer, and return the exit code."""
    if list(arguments) in (["-V"], ["--version"]):
        from ..version import FULL_VERSION

        return _show([f"purebleu {FULL_VERSION}"])
    from .arguments.parser import TextRequested, read_line
    from .process import collected_warnings

    is_quiet = False

    def show_warning(message: str) -> None:
        if not is_quiet:
            complain(f"warning: {message}")

    try:
        with collected_warnings(show_warning):
            command, values = read_line(arguments)
            is_quiet = values.quiet
            answer = _observed(command, values)
    except TextRequested as requested:
        return _show([str(requested)])
    return _show(answer.pieces, answer.messages, answer.exit_code)


def _show(pieces: Iterable[str], messages: Sequence[str] = (), exit_code: int = 0) -> int:
    """Print the pieces of an answer, then its messages on standard error, and return the exit code."""
    try:
        for piece in pieces:
            print(piece)
        sys.stdout.flush()
    except BrokenPipeError:
        return BROKEN_PIPE
    except OSError as error:
        if os.name == "nt" and error.errno == errno.EINVAL:
            return BROKEN_PIPE  # (Windows reports a broken pipe as EINVAL)
        complain(f"error: standard output: {error.strerror or error}")
        return BAD_INPUT
    for message in messages:
        complain(message)
    return exit_code


def run() -> NoReturn:
    """Run `main`, and end this process with the exit code that `main` returns."""
    if getattr(sys, "frozen", False):
        from multiprocessing import freeze_support

        freeze_support()  # (a worker process works and ends in this call)
    _end(_run_guarded())


def run_as_sacrebleu() -> NoReturn:
    """Run `purebleu score`, and end this process. As in sacreBLEU, the first word of the line is never a command."""
    sys.argv.insert(1, "score")
    run()


def _end(code: int) -> NoReturn:
    """End the process with an exit code, or by SIGINT if the code is `INTERRUPTED`."""
    try:
        atexit._run_exitfuncs()  # (an exit function of multiprocessing removes its files)
    finally:
        if code == INTERRUPTED and os.name == "posix":
            import signal

            from .process import die_of

            die_of(signal.SIGINT)  # (if SIGINT ends the program, a shell also ends its loop or script)
        # `sys.exit` would first free every object, which takes a twentieth of the time of a run. After a broken pipe,
        # `sys.exit` would also try to flush standard output again.
        try:
            if sys.stderr is not None:
                sys.stderr.flush()  # (Python 3.8 and PyPy buffer standard error)
        finally:
            os._exit(code)


def _run_guarded() -> int:
    """Run `main` with UTF-8 streams on every system, report Ctrl-C and bugs, and return the exit code."""
    sys.unraisablehook = _handle_dropped
    os.environ.pop("PUREBLEU_WARNINGS", None)  # (this variable could send warnings to a logger)
    if _COUNTS_REFERENCES:
        # A run is short and makes few reference cycles. The garbage collector would take a tenth of the time.
        gc.disable()
    try:
        for stream, errors in ((sys.stdout, "surrogateescape"), (sys.stderr, "backslashreplace")):
            if stream is not None:
                stream.reconfigure(encoding="utf-8", errors=errors, newline="\n")  # type: ignore[union-attr]
        return main()
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except MemoryError:
        complain("error: out of memory")
        return BAD_INPUT
    except Exception:
        import traceback

        for line in traceback.format_exc().splitlines():
            complain(line)
        complain("error: this is a bug in purebleu; please report it with the lines above")
        return BUG


def _observed(command: Command, values: Any) -> Answer:
    """Run a command, and show its progress on standard error if standard error is a terminal."""
    from ..files.writing import written_together
    from .process import ProgressLine, ended_by_signals

    shown = Observer()
    if not values.quiet and sys.stderr is not None and sys.stderr.isatty():
        shown = ProgressLine(sys.stderr)
    observe(shown)
    try:
        with written_together(ended_by_signals):
            return _run_with_sources(command, values)
    finally:
        shown.clear()
        observe(Observer())


def _run_with_sources(command: Command, values: Any) -> Answer:
    """Run a command. Test sets in this program's archive are unpacked first, and `--mirror` and `--offline` apply."""
    run = partial(command.run, values)
    if hasattr(globals().get("__loader__"), "archive"):  # (only an archive can contain test sets)
        from .corpus.selection import run_with_carried

        may_fetch = command.word == "bundle" or not {"mirror", "download"}.isdisjoint(values.given())
        run = partial(run_with_carried, run, *values.named_data, may_fetch=may_fetch)
    mirror, offline = getattr(values, "mirror", None), getattr(values, "offline", False)
    if not (mirror or offline):
        return run()
    from .corpus.selection import fetching_as

    with fetching_as(mirror, offline):
        return run()


def complain(message: str) -> None:
    """Print a message as one line on standard error; do nothing if standard error is closed."""
    observer().clear()
    if sys.stderr is not None:
        try:
            print(f"purebleu: {one_line(message)}", file=sys.stderr, flush=True)
        except OSError:
            return  # (this error can't be reported anywhere)


def _handle_dropped(unraisable: sys.UnraisableHookArgs) -> None:
    """Handle an exception that Python ignores, such as an error in a destructor. After Ctrl-C, end the process."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
        return
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # (a second Ctrl-C ends the process at once)
    complain("interrupted")
    _end(INTERRUPTED)
