"""The commands, in the order of the help."""

from __future__ import annotations

from functools import partial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..arguments.command import Command, Table

#: For each command, its line of help.
_PURPOSES = {
    "score": "score outputs against references (the default)",
    "test": "which systems differ, how surely, and what it is worth",
    "gate": "fail in continuous integration",
    "report": "one HTML page: scores, certainty, where systems differ",
    "compare": "where systems differ, in the terminal",
    "align": "errors word by word",
    "check": "faults in outputs, without scores",
    "agree": "how well metrics agree with people",
    "select": "segments most worth annotating",
    "mbr": "choose among samples",
    "audit": "how much preprocessing changes BLEU",
    "rows": "what files of stored statistics hold",
    "testset": "a test set of your own, described by a file",
    "bundle": "test sets and models in a file, for machines without a network",
    "unbundle": "put the contents of such a file into the cache",
    "serve": "a local page to paste text into",
    "doctor": "what this machine can do, and whether a line would work",
    "help": "the manual: a page, a command, an option, any word",
}


def command_named(word: str) -> Command:
    """The command with this name; raises `LeftOutError` if this copy was made without it."""
    from importlib import import_module

    # (Each module has its command in capitals.)
    command: Command = getattr(import_module("." + word, __name__), word.upper())
    return command


#: For each command, its line of help, and a function that imports it.
COMMANDS: Table = {word: (purpose, partial(command_named, word)) for word, purpose in _PURPOSES.items()}
