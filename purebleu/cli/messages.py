"""Messages on standard error."""

from __future__ import annotations

import sys

from ..runtime.progress import observer


def complain(message: str) -> None:
    """Print a message on standard error, where that is open."""
    observer().clear()
    if sys.stderr is not None:
        try:
            print(f"purebleu: {message}", file=sys.stderr, flush=True)
        except OSError:
            return  # nobody is left to be told
