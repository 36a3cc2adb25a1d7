"""The errors of purebleu: `PurebleuError` and its subclasses, and the category of its warnings.

A value that can't be scored raises a `PurebleuError`, which is a `ValueError`; an argument of the wrong type raises
a plain `TypeError`. The command line turns either into one line and an exit code.
"""

from __future__ import annotations

import sys
import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable


class PurebleuError(ValueError):
    """Input that cannot be scored, read or fetched. The message is one line, fit for a user."""


class OptionError(PurebleuError):
    """An option that is unknown, out of range, or does not go together with another.

    Attributes:
        option: the argument that the error is about; from the command line, the destination of the option. `None` where
            the error is about no single argument, or the argument is not known.
    """

    def __init__(self, message: str, option: str | None = None) -> None:
        super().__init__(message)
        self.option = option


class LengthError(PurebleuError):
    """Streams of segments that should be parallel are not."""


class FieldCountError(PurebleuError):
    """A line with a wrong number of tab-separated fields."""


class LeftOutError(PurebleuError, ImportError):
    """A part of purebleu that this copy was made without (by `scripts/vendor.py`)."""


class PurebleuWarning(UserWarning):
    """Input that is scored as it stands, though it is probably not what its owner meant."""


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of an error about an unknown name, with the name that was probably meant; empty where none is near.

    >>> nearest("wmt2022", ["wmt21", "wmt22"]), nearest("x", ["wmt21"])
    (" (did you mean 'wmt22'?)", '')
    """
    from difflib import get_close_matches

    names = list(known)
    matches = get_close_matches(name.lower(), names, 1)
    short_year = name.lower().replace("wmt20", "wmt", 1)  # (WMT's test sets are named by two digits of the year.)
    matches = [short_year] if short_year in names else matches
    return f" (did you mean {matches[0]!r}?)" if matches else ""


def warn(message: str) -> None:
    """Issue a `PurebleuWarning` that points at the caller of the package, however deep inside the package it arises."""
    package = __name__.rpartition(".")[0]
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and f"{frame.f_globals.get('__name__')}.".startswith(package + "."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, PurebleuWarning, stacklevel=level)
