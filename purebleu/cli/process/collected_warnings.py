"""Warnings on their way to standard error, and as a list, for pages and answers that repeat them."""

from __future__ import annotations

import warnings
from contextlib import contextmanager

from ...errors import PurebleuWarning
from ...hints import Any, Callable, Iterator


def show_nothing(message: str) -> None:
    """Discard the text of a warning."""


@contextmanager
def collected_warnings(show: Callable[[str], object] | None = None) -> Iterator[list[str]]:
    """Context manager that collects the warnings in its block, as a list of texts, and shows each once by `show`.

    Args:
        show: takes the text of a warning; `None`: warnings are shown as they are outside the block.
    """
    collected: list[str] = []
    show_outside = warnings.showwarning

    def collect(message: Warning | str, *others: Any) -> None:
        if str(message) in collected:
            return  # (metrics are made for each language pair, say)
        collected.append(str(message))
        if show is None:
            show_outside(message, *others)
        else:
            show(str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always", PurebleuWarning)
        warnings.showwarning = collect  # type: ignore[assignment]  # fewer parameters are enough
        yield collected
