"""The commands, in the order of the help."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from ..arguments.command import Command


def _load_score() -> Command:
    from .score import SCORE

    return SCORE


def _load_test() -> Command:
    from .test import TEST

    return TEST


def _load_gate() -> Command:
    from .gate import GATE

    return GATE


def _load_report() -> Command:
    from .report import REPORT

    return REPORT


def _load_compare() -> Command:
    from .compare import COMPARE

    return COMPARE


def _load_align() -> Command:
    from .align import ALIGN

    return ALIGN


def _load_check() -> Command:
    from .check import CHECK

    return CHECK


def _load_agree() -> Command:
    from .agree import AGREE

    return AGREE


def _load_select() -> Command:
    from .select import SELECT

    return SELECT


def _load_mbr() -> Command:
    from .mbr import MBR

    return MBR


def _load_audit() -> Command:
    from .audit import AUDIT

    return AUDIT


def _load_rows() -> Command:
    from .rows import ROWS

    return ROWS


def _load_bundle() -> Command:
    from .bundle import BUNDLE

    return BUNDLE


def _load_unbundle() -> Command:
    from .unbundle import UNBUNDLE

    return UNBUNDLE


def _load_serve() -> Command:
    from .serve import SERVE

    return SERVE


def _load_doctor() -> Command:
    from .doctor import DOCTOR

    return DOCTOR


def _load_help() -> Command:
    from .help import HELP

    return HELP


#: For each command, its line of help, and a function that imports it. (By a statement, as scripts that make copies of
#: the package see no others.)
COMMANDS: dict[str, tuple[str, Callable[[], Command]]] = {
    "score": ("score outputs against references (the default)", _load_score),
    "test": ("which systems differ, how surely, and what it is worth", _load_test),
    "gate": ("fail in continuous integration", _load_gate),
    "report": ("one HTML page: scores, certainty, where systems differ", _load_report),
    "compare": ("where systems differ, in the terminal", _load_compare),
    "align": ("errors word by word", _load_align),
    "check": ("faults in outputs, without scores", _load_check),
    "agree": ("how well metrics agree with people", _load_agree),
    "select": ("segments most worth annotating", _load_select),
    "mbr": ("choose among samples", _load_mbr),
    "audit": ("how far preprocessing moves BLEU", _load_audit),
    "rows": ("what files of stored statistics hold", _load_rows),
    "bundle": ("test sets and models in a file, for machines without a network", _load_bundle),
    "unbundle": ("put the contents of such a file into the cache", _load_unbundle),
    "serve": ("a local page to paste text into", _load_serve),
    "doctor": ("what this machine can do, and whether a line would work", _load_doctor),
    "help": ("the manual: a page, a command, an option, any word", _load_help),
}


def command_named(word: str) -> Command:
    """The command with this name; raises `LeftOutError` if this copy was made without it."""
    _, load = COMMANDS[word]
    return load()
