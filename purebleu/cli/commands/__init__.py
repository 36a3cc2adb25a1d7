"""The commands, in the order of the help."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from ..arguments.command import Command


def _score() -> Command:
    from .score import SCORE

    return SCORE


def _test() -> Command:
    from .test import TEST

    return TEST


def _gate() -> Command:
    from .gate import GATE

    return GATE


def _report() -> Command:
    from .report import REPORT

    return REPORT


def _compare() -> Command:
    from .compare import COMPARE

    return COMPARE


def _align() -> Command:
    from .align import ALIGN

    return ALIGN


def _check() -> Command:
    from .check import CHECK

    return CHECK


def _agree() -> Command:
    from .agree import AGREE

    return AGREE


def _select() -> Command:
    from .select import SELECT

    return SELECT


def _mbr() -> Command:
    from .mbr import MBR

    return MBR


def _audit() -> Command:
    from .audit import AUDIT

    return AUDIT


def _rows() -> Command:
    from .rows import ROWS

    return ROWS


def _bundle() -> Command:
    from .bundle import BUNDLE

    return BUNDLE


def _unbundle() -> Command:
    from .unbundle import UNBUNDLE

    return UNBUNDLE


def _serve() -> Command:
    from .serve import SERVE

    return SERVE


def _doctor() -> Command:
    from .doctor import DOCTOR

    return DOCTOR


def _help() -> Command:
    from .help import HELP

    return HELP


#: For each command, its line of help, and a function that imports it. (`import_module` would hide the modules from
#: scripts that make copies of the package.)
COMMANDS: dict[str, tuple[str, Callable[[], Command]]] = {
    "score": ("score outputs against references (the default)", _score),
    "test": ("which systems differ, how surely, and what it is worth", _test),
    "gate": ("fail in continuous integration", _gate),
    "report": ("one HTML page: scores, certainty, where systems differ", _report),
    "compare": ("where systems differ, in the terminal", _compare),
    "align": ("errors word by word", _align),
    "check": ("faults in outputs, without scores", _check),
    "agree": ("how well metrics agree with people", _agree),
    "select": ("segments most worth annotating", _select),
    "mbr": ("choose among samples", _mbr),
    "audit": ("how far preprocessing moves BLEU", _audit),
    "rows": ("what files of stored statistics hold", _rows),
    "bundle": ("test sets and models in a file, for machines without a network", _bundle),
    "unbundle": ("put the contents of such a file into the cache", _unbundle),
    "serve": ("a local page to paste text into", _serve),
    "doctor": ("what this machine can do, and whether a line would work", _doctor),
    "help": ("the manual: a page, a command, an option, any word", _help),
}


def command_named(word: str) -> Command:
    """The command with this name; raises `LeftOutError` if this copy was made without it."""
    _, load = COMMANDS[word]
    return load()
