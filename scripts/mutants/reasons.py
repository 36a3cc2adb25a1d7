"""Equivalent mutants, each with the reason why no test can tell it from the package: a file of blocks of lines.

    purebleu/engines/edits/alignment.py traced
        if cost < best:
        < -> <=
    Reason over one line or more.

That is the mutant's key (path and function, source line, edit), then the reason. Empty lines separate blocks; lines
that start with `#` are comments.
"""

from __future__ import annotations

from pathlib import Path

from .edits import Key


def read_reasons(path: Path) -> dict[Key, str]:
    """The reasons in a file by the mutant that each is of; `ValueError` for a block that is not as it should be."""
    reasons: dict[Key, str] = {}
    text = path.read_text(encoding="utf-8") + "\n\n"
    block: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("#"):
            continue
        if line.strip():
            block.append(line.strip())
        elif block:
            if len(block) < 4:
                raise ValueError(f"{path}, before line {number}: a block needs path and function, source line, edit, "
                                 "and a reason")
            module, _, scope = block[0].partition(" ")
            key = Key(module, scope, block[1], block[2])
            if key in reasons:
                raise ValueError(f"{path}, before line {number}: a second reason for the same mutant")
            reasons[key] = " ".join(block[3:])
            block = []
    return reasons
