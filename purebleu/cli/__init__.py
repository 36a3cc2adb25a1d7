"""The command line: the only place that prints, and that ends the process."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import warnings

from ..errors import FieldCountError, OptionError, PurebleuError, PurebleuWarning
from ..progress import Observer, observe, observer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Callable, NoReturn, Sequence

#: CPython frees most memory without its garbage collector; PyPy has nothing else to free it.
_COUNTS_REFERENCES = sys.implementation.name == "cpython"

FINE = 0
BAD_INPUT = 1
WRONG_USAGE = 2
WRONG_FIELD_COUNT = 17
BUG = 70
INTERRUPTED = 130
BROKEN_PIPE = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line with the arguments `argv` (by default, those of the process); returns the exit code.

    Results go to standard output, an error as one line to standard error, and then standard output stays empty.
    """
    from .commands import run_command
    from .options import TextRequested, parse_options

    try:
        options = parse_options(argv)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore" if options.quiet else "always", PurebleuWarning)
            warnings.showwarning = _show_warning  # type: ignore[assignment]  # fewer parameters are enough
            result = _observed(run_command, options)
    except TextRequested as answer:
        result = str(answer)
    except PurebleuError as error:
        # A file name may have line feeds in it; an error is one line all the same.
        complain("error: " + "\\n".join(str(error).splitlines()))
        return _exit_code(error)
    if result is not None:
        print(result)
    return FINE


def run() -> NoReturn:
    """`main` for a process of its own, which it ends."""
    code = _run_guarded()
    try:
        atexit._run_exitfuncs()  # multiprocessing has files to remove
    finally:
        if code == INTERRUPTED:
            _die_of_interrupt()
        # At once: to free every single object first, as the interpreter does, takes a twentieth of the time of a run;
        # and it would try again to print what nobody reads.
        os._exit(code)


def _run_guarded() -> int:
    """`main`, dealing with the process's streams and signals, and with what nobody foresaw."""
    if sys.stdout is None:
        complain("error: standard output is closed")
        return BAD_INPUT
    if _COUNTS_REFERENCES:
        # A short-lived process that makes hardly any cycles: looking for them would take a tenth of its time.
        gc.disable()
    try:
        # The same bytes in every locale.
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")  # type: ignore[union-attr]
        code = main()
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        return BROKEN_PIPE
    except OSError as error:
        # Errors of input have become PurebleuErrors, so this is one of output.
        complain(f"error: standard output: {error.strerror or error}")
        return BAD_INPUT
    except MemoryError:
        complain("error: out of memory")
        return BAD_INPUT
    except Exception:
        import traceback

        complain(traceback.format_exc().rstrip())
        complain("error: this is a bug in purebleu; please report it with the lines above")
        return BUG


def _observed(command: Callable[[Namespace], str | None], options: Namespace) -> str | None:
    """The result of the command; meanwhile, standard error shows how far it has come, if it is a terminal."""
    if options.quiet or sys.stderr is None or not sys.stderr.isatty():
        return command(options)
    from .progress import ProgressLine

    line = ProgressLine(sys.stderr)
    observe(line)
    try:
        return command(options)
    finally:
        line.clear()
        observe(Observer())


def complain(message: str) -> None:
    """Print a message on standard error, where that is open."""
    observer().clear()
    if sys.stderr is not None:
        try:
            print(f"purebleu: {message}", file=sys.stderr, flush=True)
        except OSError:
            return  # nobody is left to be told


def _exit_code(error: PurebleuError) -> int:
    if isinstance(error, OptionError):
        return WRONG_USAGE
    return WRONG_FIELD_COUNT if isinstance(error, FieldCountError) else BAD_INPUT


def _show_warning(message: object, *_: object) -> None:
    complain(f"warning: {message}")


def _die_of_interrupt() -> None:
    """End by the signal itself, so that a shell (and a loop in it) knows, where that can be."""
    if os.name == "posix":
        import signal

        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
