"""Algorithms that know nothing of metrics, test sets or the command line.

`ngrams`, `edits` and `word_order` compare segments. `resampling` samples their rows. `exact` has sums that do not
depend on the order of additions. `bits` has the large integers with which many segments are computed at once.
`sentencepiece` and `mecab` find words. `wants_plain` says whether plain ways are asked for.
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
