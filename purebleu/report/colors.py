"""Colours in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import printable

#: Codes of the colours of text in a terminal (ECMA-48, "select graphic rendition").
_COLORS = {"red": "\x1b[31m", "green": "\x1b[32m", "yellow": "\x1b[33m", "cyan": "\x1b[36m"}
_RESET = "\x1b[0m"
_SEQUENCES = (*_COLORS.values(), _RESET)

#: What a cell of a table may have besides characters that are printable.
CELL_SEQUENCES = ("\n", *_SEQUENCES)


def colored(text: str, color: str) -> str:
    """Return the text between the sequences that show it in a colour, one of red, green, yellow and cyan."""
    return f"{_COLORS[color]}{text}{_RESET}"


def width_of(line: str) -> int:
    """Return the number of terminal columns that a line takes."""
    for sequence in _SEQUENCES:
        line = line.replace(sequence, "")
    if line.isascii():
        return len(line)
    from ..unicode.columns import columns_taken

    return columns_taken(line)


def printable_cell(text: str, kept: Sequence[str] = CELL_SEQUENCES) -> str:
    """`printable` for a cell of a table, whose colours and line breaks are kept."""
    if text.isprintable():
        return printable(text)
    for sequence in kept:
        if sequence in text:
            return sequence.join([printable_cell(piece, kept) for piece in text.split(sequence)])
    return printable(text)


def printable_line(text: str) -> str:
    """`printable` for a line, whose colours are kept."""
    return printable_cell(text, _SEQUENCES)
