"""Algorithms that do not depend on metrics, test sets or the command line.

- `ngrams`, `edits` and `word_order` compare segments.
- `resampling` computes scores of random samples of segments.
- `exact` computes sums that do not depend on the order of additions.
- `bits` packs many small numbers into one large integer, so that one operation works on all of them.
- `sentencepiece` and `mecab` split text into pieces or words.
"""

from __future__ import annotations

import os

#: If this environment variable is set, the *plain code* runs: the short code that defines the results, without faster
#: code.
PLAIN_VARIABLE = "PUREBLEU_PLAIN"

#: The dict inside `os.environ`, and the key of the variable in this dict. `wants_plain` runs several times for each
#: segment, and a look-up in `os.environ` itself takes ten times as long. (A program may have replaced `os.environ` with
#: a dict that lacks the attributes `_data` and `encodekey`.)
_VARIABLES = getattr(os.environ, "_data", os.environ)
_KEY = getattr(os.environ, "encodekey", str)(PLAIN_VARIABLE)


def wants_plain() -> bool:
    """Return whether `PUREBLEU_PLAIN` is set, but not to 0 or an empty text. The variable is read at each call."""
    return _KEY in _VARIABLES and os.environ.get(PLAIN_VARIABLE) not in ("", "0")
