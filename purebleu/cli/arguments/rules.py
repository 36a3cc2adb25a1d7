"""Rules about options. Each kind of error has one function, so that all commands use the same words for it.

The argument `option` of each function is the destination of the wrong option, if the error is about a single option.
"""

from __future__ import annotations

from ...errors import OptionError


def option_name(destination: str) -> str:
    """Return the long name of the option with this destination."""
    return f"--{destination.replace('_', '-')}"


def check_needs(is_met: object, who: str, needed: str, option: str | None = None) -> None:
    """Raise `OptionError` with the message "`who` needs `needed`", unless `is_met` is true."""
    if not is_met:
        raise OptionError(f"{who} needs {needed}", option)


def check_takes(is_met: object, who: str, taken: str, option: str | None = None) -> None:
    """Raise `OptionError` with the message "`who` takes only `taken`", unless `is_met` is true."""
    if not is_met:
        raise OptionError(f"{who} takes only {taken}", option)


def check_apart(has_both: object, who: str, other: str, option: str | None = None, advice: str = "") -> None:
    """Raise `OptionError` with the message "`who` does not go with `other`" and advice, if `has_both` is true."""
    if has_both:
        raise OptionError(f"{who} does not go with {other}{': ' if advice else ''}{advice}", option)
