"""Colours in a terminal."""

from __future__ import annotations

#: Codes of the colours of text in a terminal (ECMA-48, "select graphic rendition").
_COLORS = {"red": "\x1b[31m", "green": "\x1b[32m", "yellow": "\x1b[33m", "cyan": "\x1b[36m"}
_RESET = "\x1b[0m"


def colored(text: str, color: str) -> str:
    """The text between the sequences that show it in a colour, one of red, green, yellow and cyan."""
    return f"{_COLORS[color]}{text}{_RESET}"


def width_of(line: str) -> int:
    """The number of terminal columns that a line takes."""
    for sequence in (*_COLORS.values(), _RESET):
        line = line.replace(sequence, "")
    if line.isascii():
        return len(line)
    from ..unicode.columns import columns_taken

    return columns_taken(line)
