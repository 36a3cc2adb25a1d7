"""The commands, in the order of the help."""

from __future__ import annotations

import sys

from ...runtime.errors import LeftOutError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..arguments.command import Command

#: The line of help for each command.
COMMANDS = {
    "score": "score outputs against references (the default)",
    "test": "test which systems differ, and show how often people would agree",
    "gate": "fail if scores are too low, in continuous integration",
    "report": "write scores, tests and differences of systems to one HTML page",
    "compare": "show in the terminal where systems differ",
    "align": "show errors word by word",
    "check": "find faults in outputs, without scores",
    "agree": "measure how well metrics agree with people",
    "select": "choose the segments that are most worth annotating",
    "mbr": "choose among samples",
    "audit": "show how much preprocessing changes BLEU",
    "rows": "show what files of --save-rows contain",
    "testset": "describe a test set of your own in a file",
    "bundle": "put test sets and models into a file for use without a network",
    "unbundle": "unpack a bundle into the cache",
    "serve": "open a local page to paste text into",
    "doctor": "show what this machine can do, and if a command line would work",
    "help": "show a page of the manual, or find a command, an option or a word",
}


def command_named(word: str) -> Command:
    """Import and return the command with this name. Raise `LeftOutError` if this copy lacks it."""
    from importlib import import_module

    # (In the module `score`, the command is the object `SCORE`, and so on.)
    command: Command = getattr(import_module("." + word, __name__), word.upper())
    return command


def commands_here() -> dict[str, Command]:
    """Import all commands that this copy has, and return them by name."""
    found: dict[str, Command] = {}
    for word in COMMANDS:
        try:
            found[word] = command_named(word)
        except LeftOutError:
            continue
    return found


def names_here() -> list[str]:
    """Return the names of the commands that this copy has. (Commands are imported only if the copy lacks modules.)"""
    package = vars(sys.modules[__name__.partition(".cli.")[0]])
    is_partial = package.get("_LEFT_OUT") or package.get("_MODULES_LEFT_OUT")  # (`scripts/vendor.py` writes these)
    return list(commands_here() if is_partial else COMMANDS)
