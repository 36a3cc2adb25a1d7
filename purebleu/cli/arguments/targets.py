"""Files that a run writes, compared with those that it reads."""

from __future__ import annotations

import os

from ...errors import OptionError
from ...files.forms import column_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Sequence

    from .options import Options

#: The options that name a file to write, by their destinations.
TARGETS = {"save_rows": "--save-rows", "report": "--report", "junit": "--junit", "alignments": "--alignments"}

#: The options that name files to read, likewise.
_SOURCES = {"references": "the references", "input": "-i", "rows": "--rows", "baseline": "--baseline", "ids": "--ids",
            "source": "--source", "docs": "--docs", "strata": "--strata", "manifest": "--manifest",
            "counts": "--counts", "agreement": "--agreement", "agreement_systems": "--agreement-systems",
            "nonbreaking_prefixes": "--nonbreaking-prefixes"}


def targets_of(options: Options) -> list[str]:
    """The files that are to be written."""
    named = [options.save_rows, options.report, options.junit, options.alignments, *options.save_resegmented,
             *options.bundle[:1]]
    return [path for path in named if path]


def check_targets(options: Options) -> None:
    """Raise `OptionError` where a file that is to be written is read as well, or written twice."""
    written: dict[str, str] = {}
    targets: list[tuple[str, str]] = [(getattr(options, destination), option)
                                      for destination, option in TARGETS.items()]
    for path, option in [*targets, *[(path, "--save-resegmented") for path in options.save_resegmented]]:
        if not path or (os.path.exists(path) and not os.path.isfile(path)):
            continue  # (a device may be read and written)
        target = os.path.realpath(path)
        if target in written:
            raise OptionError(f"{written[target]} and {option} would write the same file, {path}")
        written[target] = option
    if not written:
        return
    for source, option in _sources(options):
        target = os.path.realpath(source)
        if target in written:
            raise OptionError(f"{written[target]} would replace {source}, which is read (by {option}): choose another "
                              "name")


def _sources(options: Options) -> Iterator[tuple[str, str]]:
    """The files that are read, each with the option that names it."""
    for destination, option in _SOURCES.items():
        given: Sequence[str] | str | None = getattr(options, destination)
        for name in [given] if isinstance(given, str) else given or ():
            path = column_of(name).path
            if path is not None:
                yield path, option
    for name in options.score_files:
        path = column_of(name).path
        if path is not None:
            yield path, "--scores"
