"""Files of non-breaking prefixes in the format of Moses. A prefix, such as "Dr", keeps the period after it."""

from __future__ import annotations

from ..unicode.whitespace import WHITESPACE
from .lines import read_lines

#: The mark after a prefix that counts only before digits.
_MARK_OF_NUMERIC = "#NUMERIC_ONLY#"


def read_prefixes(path: str) -> dict[str, bool]:
    """Read the prefixes of a file in Moses' format (`nonbreaking_prefix.de`), for `MosesWords`.

    Args:
        path: a UTF-8 file with a prefix on each line. If ` #NUMERIC_ONLY#` follows, the prefix counts only before
            digits. Lines that start with `#` are comments.

    Returns:
        Each prefix, and whether it counts only before digits.

    Raises:
        PurebleuError: the file can't be read.
    """
    prefixes: dict[str, bool] = {}
    for line in read_lines(path, ends="\n"):
        # (To Moses, "0" is an empty line.)
        if line in ("", "0") or line.startswith("#"):
            continue
        prefix, mark, _ = line.rpartition(_MARK_OF_NUMERIC)
        if mark and prefix and prefix[-1] in WHITESPACE:
            prefixes[prefix[:-1]] = True
        else:
            prefixes[line] = False
    return prefixes
