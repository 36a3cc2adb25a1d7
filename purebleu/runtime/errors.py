"""The errors of purebleu (`PurebleuError` and its subclasses), and the category of its warnings.

A wrong value raises a `PurebleuError`, which is a `ValueError`. A wrong type raises a plain `TypeError`. The command
line prints each of these errors as one line.
"""

from __future__ import annotations

import os
import sys
import warnings
from bisect import bisect_right
from operator import index

from .hints import Any, Iterable, Sequence

__all__ = ["FieldCountError", "LeftOutError", "LengthError", "OptionError", "PurebleuError", "PurebleuWarning",
           "UnknownNameError"]

#: The boundaries of the ranges of characters that `printable` escapes: control characters, line separators, marks of
#: text direction, and surrogates. `bisect_right` returns an odd number for a character in a range. (U+DC80 to U+DCFF
#: are in none, because Python uses them for bytes of file names that are not UTF-8.)
_CONTROLS = (0, 0x20, 0x7F, 0xA0, 0x61C, 0x61D, 0x200E, 0x2010, 0x2028, 0x202F, 0x2066, 0x206A, 0xD800, 0xDC80, 0xDD00,
             0xE000)

#: The messages that were logged already. (A message is logged only once.)
_LOGGED: set[str] = set()

#: `one_line` cuts its text after this many characters.
_MAX_LINE = 5000


class PurebleuError(ValueError):
    """Input that cannot be scored, read or fetched. The message is one line for the user.

    Attributes:
        file: the name of the file with the error; '' if there is none, or if its name is unknown.
        line: the number of the line with the error, from 1; `None` if the error is not in a single line.
    """

    file: str = ""
    line: int | None = None

    def at(self, file: str, line: int | None = None) -> PurebleuError:
        """Set the file and the line of this error, and return the error."""
        self.file, self.line = file, line
        return self


class OptionError(PurebleuError):
    """An option that is unknown, out of range, or in conflict with another option.

    Attributes:
        option: the name of the wrong argument (on the command line, the option's destination); `None` if several
            arguments are wrong, or if only the message names the argument.
    """

    def __init__(self, message: str, option: str | None = None) -> None:
        super().__init__(message)
        self.option = option


class UnknownNameError(OptionError, KeyError):
    """A key that a table lacks, such as the name of a test set."""

    __str__ = BaseException.__str__  # (`KeyError.__str__` would put the message in quotation marks.)


class LengthError(PurebleuError):
    """Streams of segments that have different lengths, although they should be parallel."""


class FieldCountError(PurebleuError):
    """A line of a file with columns that has a wrong number of fields."""


class LeftOutError(PurebleuError, ImportError):
    """A part of purebleu that this copy lacks, because `scripts/vendor.py` left it out."""


class PurebleuWarning(UserWarning):
    """Input that is scored unchanged, although the user probably meant something else."""


def printable(text: str) -> str:
    r"""Escape control characters in a text, such as the name of a file, so that it can be printed.

    >>> print(printable("a\n\x1b[31m"))
    a\n\x1b[31m
    """
    if not text.isprintable():  # (`isprintable` is fast, and nearly all texts are printable.)
        text = "".join([repr(character)[1:-1] if bisect_right(_CONTROLS, ord(character)) % 2 else character
                        for character in text])
    return text


def without_commands(text: str) -> str:
    r"""Escape commands to the runners of GitHub Actions: lines that begin with `::` or contain `##[`.

    >>> print(without_commands("a\n ::error::b"))
    a
     \x3a:error::b
    """
    lines = text.replace("##[", "#\\x23[").split("\n")
    return "\n".join([line.replace("::", "\\x3a:", 1) if line.lstrip().startswith("::") else line for line in lines])


def one_line(text: str) -> str:
    """Return a text as one line for standard error: control characters are escaped, and a long text is cut."""
    shown = without_commands(printable(text[:_MAX_LINE + 1]))
    return shown if len(shown) <= _MAX_LINE else f"{shown[:_MAX_LINE]}..."


def counted(count: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun. `nouns` is the plural of an irregular noun.

    >>> counted(1, "hypothesis", "hypotheses"), counted(2000, "segment")
    ('1 hypothesis', '2,000 segments')
    """
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a suggestion for the end of an error about an unknown name; '' if no known name is similar.

    >>> nearest("wmt2022", ["wmt21", "wmt22"]), nearest("x", ["wmt21"])
    (" (did you mean 'wmt22'?)", '')
    """
    names = list(known)
    # (If no name is very similar, a less similar name of about the same length is meant: `tre` means `ter`.)
    as_long = [other for other in names if abs(len(other) - len(name)) <= 2]
    matches = close_names(name.lower(), names, 1, 0.7) or close_names(name.lower(), as_long, 1)
    short_year = name.lower().replace("wmt20", "wmt", 1)  # (Test sets are called `wmt22`, for example, not `wmt2022`.)
    matches = [short_year] if short_year in names else matches
    return f" (did you mean {matches[0]!r}?)" if matches else ""


def close_names(name: str, known: Sequence[str], count: int, similarity: float = 0.6) -> list[str]:
    """Return up to `count` known names that are similar to a name, the most similar first."""
    try:
        from difflib import get_close_matches
    except ImportError:  # minimal builds of Python lack `difflib`
        return []
    return get_close_matches(name, known, count, similarity)


def check_text(name: str, value: object) -> None:
    """Raise `TypeError` if an argument is not a string."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, not {value!r:.80}")


def whole_number(name: str, value: object) -> int:
    """Return an argument as an integer. Raise `TypeError` if it is not a whole number."""
    try:
        return index(value)  # type: ignore[arg-type]  # `index` checks the type
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r:.80}") from None


def is_between(value: Any, lowest: float, highest: float) -> bool:
    """Whether an argument is a number from `lowest` to `highest`.

    >>> is_between(0.5, 0, 1), is_between("0.5", 0, 1)
    (True, False)
    """
    try:
        return bool(lowest <= value <= highest)
    except TypeError:
        return False


def warn(message: str) -> None:
    """Issue a `PurebleuWarning` for the line outside of this package that called it.

    If the environment variable `PUREBLEU_WARNINGS` is `log`, the message goes to sacreBLEU's logger instead.
    """
    if os.environ.get("PUREBLEU_WARNINGS") == "log":
        if message not in _LOGGED:
            from logging import getLogger

            _LOGGED.add(message)
            getLogger("sacrebleu").warning("%s", message)
        return
    package = __name__.rpartition(".runtime.")[0]
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and f"{frame.f_globals.get('__name__')}.".startswith(package + "."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, PurebleuWarning, stacklevel=level)
