"""The choice between a plain way, which defines what is computed, and a faster one.

Metrics, tokenizers and engines are defined in plain Python. For many segments, there is often a faster way, in a module
that says which plain function it equals. If that module is missing, or if `PUREBLEU_PLAIN` is set, the plain way is
taken. So the tests run everything both ways, and a copy of the package may have only the definitions.
"""

from __future__ import annotations

import os

#: The environment variable that asks for the plain ways.
PLAIN_VARIABLE = "PUREBLEU_PLAIN"

#: The dict of `os.environ`, and the name as a key of it. (It is looked up several times for each segment, and
#: `os.environ` itself takes ten times as long.)
_VARIABLES = getattr(os.environ, "_data", os.environ)
_KEY = getattr(os.environ, "encodekey", str)(PLAIN_VARIABLE)  # (A program may have put a plain dict there.)


def wants_plain() -> bool:
    """Whether `PUREBLEU_PLAIN` is set to anything but 0. It is read at each call."""
    return _KEY in _VARIABLES and os.environ.get(PLAIN_VARIABLE) not in ("", "0")
