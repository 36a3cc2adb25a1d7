"""The commands, in the order of the help."""

from __future__ import annotations

import sys

from ...errors import LeftOutError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..arguments.command import Command

#: For each command, a line of help.
COMMANDS = {
    "score": "score outputs against references (the default)",
    "test": "which systems differ significantly, and how often people agree",
    "gate": "fail if scores are too low, in continuous integration",
    "report": "one HTML page: scores, certainty, where systems differ",
    "compare": "where systems differ, in the terminal",
    "align": "errors word by word",
    "check": "faults in outputs, without scores",
    "agree": "how well metrics agree with people",
    "select": "segments most worth annotating",
    "mbr": "choose among samples",
    "audit": "how much preprocessing changes BLEU",
    "rows": "what files of stored rows contain",
    "testset": "a test set of your own, described by a file",
    "bundle": "test sets and models in a file, for machines without a network",
    "unbundle": "unpack a bundle into the cache",
    "serve": "a local page to paste text into",
    "doctor": "what this machine can do, and whether a command line would work",
    "help": "the manual: a page, a command, an option, or any word",
}


def command_named(word: str) -> Command:
    """Import the command with this name; raises `LeftOutError` if this copy lacks it."""
    from importlib import import_module

    # (The name of the object is the name of its module in capitals.)
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
    """The names of the commands that this copy has. (If nothing was left out of this copy, no command is imported.)"""
    package = vars(sys.modules[__name__.partition(".cli.")[0]])
    is_partial = package.get("_LEFT_OUT") or package.get("_MODULES_LEFT_OUT")  # (`scripts/vendor.py` writes these)
    return list(commands_here() if is_partial else COMMANDS)
