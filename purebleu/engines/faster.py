"""Whether a faster way may stand in for the plain one that defines what is computed.

Metrics, tokenizers and engines are defined in plain Python. What many segments take often has a faster way, in a module
that says which plain function it equals, and that may be missing: then, and when `PUREBLEU_PLAIN` is set, the plain one
runs. So the tests run everything both ways, and a copy of the package may carry the definitions alone.
"""

from __future__ import annotations

import os

#: The environment variable that asks for the plain ways.
PLAIN_VARIABLE = "PUREBLEU_PLAIN"

#: What is behind `os.environ`, and the name there: looked up in a tenth of the time, several times for each segment.
_VARIABLES = getattr(os.environ, "_data", os.environ)
_KEY = os.environ.encodekey(PLAIN_VARIABLE)


def wants_plain() -> bool:
    """Whether `PUREBLEU_PLAIN` is set, but not to 0. It is read at each call."""
    return _KEY in _VARIABLES and os.environ.get(PLAIN_VARIABLE) not in ("", "0")
