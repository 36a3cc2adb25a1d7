"""Files of non-breaking prefixes, which a period belongs to, in the format of Moses."""

from __future__ import annotations

from ..unicode.whitespace import WHITESPACE
from .lines import read_lines

#: Comes after a prefix that is one only before digits.
_MARK_OF_NUMERIC = "#NUMERIC_ONLY#"


def read_prefixes(path: str) -> dict[str, bool]:
    """The prefixes of a file in Moses' format (`nonbreaking_prefix.de`), as `MosesWords` takes them.

    Args:
        path: a UTF-8 file with a prefix on each line; ` #NUMERIC_ONLY#` behind it says that it is one only before
            digits, and lines that start with `#` are comments.

    Returns:
        Each prefix, and whether it is one only before digits.

    Raises:
        PurebleuError: the file can't be read.
    """
    prefixes: dict[str, bool] = {}
    for line in read_lines(path, ends="\n"):
        # (The original takes "0" for an empty line.)
        if line in ("", "0") or line.startswith("#"):
            continue
        prefix, mark, _ = line.rpartition(_MARK_OF_NUMERIC)
        if mark and prefix and prefix[-1] in WHITESPACE:
            prefixes[prefix[:-1]] = True
        else:
            prefixes[line] = False
    return prefixes
