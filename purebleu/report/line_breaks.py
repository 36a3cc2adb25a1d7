"""The line breaks that were moved when outputs were resegmented: their numbers and positions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from .layouts import Section

#: Limits of the moved line breaks that are shown for each system, and of the characters on each side of them.
_SHOWN = 20
_AROUND = 30


def line_break_sections(names: Sequence[str], given: Sequence[Sequence[str]],
                        anew: Sequence[Sequence[str]]) -> list[Section]:
    """Return the numbers of kept and moved line breaks, and the context of the first moved ones.

    Args:
        names: the names of the systems.
        given: the lines of each system's file.
        anew: the same text in lines as it is scored.
    """
    breaks = [(_breaks(lines), _breaks(scored)) for lines, scored in zip(given, anew)]
    kept = [len({*before} & {*after}) for before, after in breaks]
    summary = Section("Lines", [
        "These systems were given the line breaks of the references (--resegment). A line break of the file is kept if "
        "the references have it, too; the others were moved."], [[
            ("System", list(names)), ("Lines of the file", [f"{len(lines)}" for lines in given]),
            ("Lines now", [f"{len(lines)}" for lines in anew]),
            ("Line breaks kept", [f"{count}" for count in kept]),
            ("Line breaks moved", [f"{len({*before}) - count}" for (before, _), count in zip(breaks, kept)]),
            ("Empty lines now", [f"{sum([not line.strip() for line in lines])}" for lines in anew])]])
    moved = [(name, *context) for name, lines, (before, after) in zip(names, anew, breaks)
             for context in _moved(lines, before, after)]
    if not moved:
        return [summary]
    columns = [list(column) for column in zip(*moved)]
    heads = ("System", "Segment", "Text before", "Text after")
    return [summary, Section("Places", [
        f"These segments had a line break of the file in their middle: at most {_SHOWN} of each system."],
        [list(zip(heads, columns))])]


def _breaks(lines: Sequence[str]) -> list[int]:
    """Return the offset of each line break, counted in characters other than white space."""
    return list(accumulate([len("".join(line.split())) for line in lines]))[:-1]


def _moved(lines: Sequence[str], before: Sequence[int], after: Sequence[int]) -> Iterator[tuple[str, str, str]]:
    """The first line breaks of the file that are inside a line now: the line's number, and the text on both sides."""
    kept = {0, *after}
    end = sum([len("".join(line.split())) for line in lines])
    for offset in [offset for offset in dict.fromkeys(before) if offset not in kept and offset < end][:_SHOWN]:
        index = bisect_right(after, offset)
        start = after[index - 1] if index else 0
        left, right = _split(lines[index], offset - start)
        yield (f"{index + 1}", ("…" if len(left) > _AROUND else "") + left[-_AROUND:].strip(),
               right[:_AROUND].strip() + ("…" if len(right) > _AROUND else ""))


def _split(line: str, characters: int) -> tuple[str, str]:
    """Return a line divided in two, the first with this number of characters other than white space."""
    for index, character in enumerate(line):
        if not characters:
            return line[:index], line[index:]
        characters -= not character.isspace()
    return line, ""
