"""What a program carries in its own archive, where that is a bundle: test sets and models."""

from __future__ import annotations

import os

from ..files.cache import VARIABLES, cache_is_writable
from ..runtime.program import CONTENTS, carries, own_archive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Callable, TypeVar

    Result = TypeVar("Result")


def run_with_carried(options: Namespace, run: Callable[[Namespace], Result]) -> Result:
    """Do what the options ask for, after unpacking what they need of the archive into the cache.

    If the cache can't be written, a temporary folder is the cache of this run.
    """
    archive = own_archive()
    wanted = _wanted(options)
    if archive is None or not wanted or not carries(CONTENTS):
        return run(options)
    from ..datasets.bundle import read_missing

    if cache_is_writable():
        read_missing(archive, wanted)
        return run(options)
    from tempfile import TemporaryDirectory

    before = os.environ.get(VARIABLES[0])
    with TemporaryDirectory(prefix="purebleu-") as folder:
        os.environ[VARIABLES[0]] = folder
        try:
            read_missing(archive, wanted)
            return run(options)
        finally:
            del os.environ[VARIABLES[0]]
            if before is not None:
                os.environ[VARIABLES[0]] = before


def _wanted(options: Namespace) -> list[str]:
    """The names, in a bundle, of what the options need."""
    if options.command in ("doctor", "list", "citation", "unbundle"):
        return []
    pairs = options.selection.pairs() if options.selection else ()
    names = [f"{test_set.name} {pair}" for test_set, pair in pairs]
    return [*names, *(options.selection.models if options.selection else ()),
            *([options.bleu_tokenize] if options.bleu_tokenize else ())]
