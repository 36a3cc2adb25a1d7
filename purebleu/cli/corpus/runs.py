"""Systems with several runs each: their files."""

from __future__ import annotations

import os

from ...errors import OptionError
from ...files.forms import column_of
from .inputs import files_of_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence


def files_of_runs(values: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The name of each system, and the files of its runs, from values such as `A=out.A.*.txt`.

    Raises:
        OptionError: a value has another form, a pattern matches no file, or a name or a file is given twice.
    """
    systems: dict[str, list[str]] = {}
    for value in values:
        name, equals, pattern = value.partition("=")
        if not (name and equals and pattern):
            raise OptionError(f"--runs takes NAME=PATTERN, which {value!r} is not: put quotes around it, so that the "
                              "shell leaves patterns alone")
        if name in systems:
            raise OptionError(f"--runs has {name} twice: give one pattern for all runs of a system")
        systems[name] = files_of_pattern(pattern)
        if not systems[name]:
            raise OptionError(f"--runs: there is no file for {value}")
    _check_files([(name, path) for name, paths in systems.items() for path in paths])
    return list(systems.items())


def _check_files(files: Sequence[tuple[str, str]]) -> None:
    """Raise `OptionError` where a file is given twice, be it under two names."""
    seen: dict[tuple[str, str], str] = {}
    for name, given in files:
        path = column_of(given).path or ""
        described = f"{given} of {name}"
        before = seen.setdefault((os.path.realpath(path), given[len(path):]), described)
        if before is not described:
            raise OptionError(f"--runs: {before} and {described} are the same file")
