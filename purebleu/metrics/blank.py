"""Warnings of segments whose references are blank, so that all words of their hypotheses count as wrong."""

from __future__ import annotations

from ..errors import warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Sequence

#: From this number of blank references on, they are warned of: one or two are in many test sets.
_MANY_BLANK_REFERENCES = 10


class BlankReferences:
    """Counts segments all of whose references are blank.

    Args:
        counted_as: the name of what has a number, such as `line`.
    """

    def __init__(self, counted_as: str) -> None:
        self._counted_as = counted_as
        self._count = 0
        self._first = 0

    def see(self, references: Sequence[Sequence[Any]], numbers: Iterable[int]) -> None:
        """Take in the next segments.

        Args:
            references: streams of them, of text or bytes, with `None` where a segment has no such reference. (Tokens
                are never blank.)
            numbers: that of each segment.
        """
        first, *others = references
        if first and isinstance(first[0], str) and not others:  # as nearly always: without a call for each line
            blank = [number for number, line in zip(numbers, first) if not line or line.isspace()]
        else:
            blank = [number for number, lines in zip(numbers, zip(*references)) if all(map(_is_blank, lines))]
        if blank:
            self._first = self._first if self._count else blank[0]
            self._count += len(blank)

    def warn(self) -> None:
        """Warn, after the last segment, if they are many."""
        if self._count >= _MANY_BLANK_REFERENCES:
            warn(f"the references of {self._count:,} segments are blank (first: {self._counted_as} {self._first}): all "
                 "words of their hypotheses count as wrong")


def _is_blank(line: Any) -> bool:
    if isinstance(line, bytes):
        line = line.decode("utf-8", "replace")
    return line is None or not line or (isinstance(line, str) and line.isspace())
