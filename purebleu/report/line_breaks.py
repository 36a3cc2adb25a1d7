"""The line breaks that were moved when outputs were resegmented: their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from .layouts import Section


def line_break_sections(names: Sequence[str], given: Sequence[Sequence[str]],
                        anew: Sequence[Sequence[str]]) -> list[Section]:
    """Return the numbers of kept and moved line breaks.

    Args:
        names: the names of the systems.
        given: the lines of each system's file.
        anew: the same text in the lines that are scored.
    """
    breaks = [(_breaks(lines), _breaks(scored)) for lines, scored in zip(given, anew)]
    kept = [len({*before} & {*after}) for before, after in breaks]
    return [Section("Lines", [
        "These systems were given the line breaks of the references (--resegment). A line break of the file is kept if "
        "the references have it, too; others were moved."], [[
            ("System", list(names)), ("Lines of the file", [f"{len(lines)}" for lines in given]),
            ("Lines now", [f"{len(lines)}" for lines in anew]),
            ("Line breaks kept", [f"{count}" for count in kept]),
            ("Line breaks moved", [f"{len({*before}) - count}" for (before, _), count in zip(breaks, kept)]),
            ("Empty lines now", [f"{sum([not line.strip() for line in lines])}" for lines in anew])]])]


def _breaks(lines: Sequence[str]) -> list[int]:
    """Return the offset of each line break, counted in characters other than white space."""
    return list(accumulate([len("".join(line.split())) for line in lines]))[:-1]
