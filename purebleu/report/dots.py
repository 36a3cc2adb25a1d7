"""Charts of dots in rows: differences from a system around zero, and the scores of the runs of systems."""

from __future__ import annotations

from .axes import Axis
from .charts import BARS_SPAN, FEW, GROUP_NAME, ROWS_SPAN, WIDTH, fixed, has_few, legend, opening, range_of_bars
from .markup import xml_text
from .svg import coordinate, element, finite, series_style, shortened, svg_chart, svg_label, svg_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Sequence

    from .charts import Bar, Group
    from .tables import Column

#: The minimum height of all rows of a group together, and the height of a row.
_BLOCK_HEIGHT, _DOT_HEIGHT = 38.0, 17.0

#: The number of characters that fit behind a row of dots, and the room that each further one takes from the row.
_MAX_CHARACTERS, _CHARACTER_WIDTH = 25, 7.0

#: The height of the row of a system with several runs.
_RUNS_HEIGHT = 34.0


def difference_chart(name: str, title: str, description: str, groups: Sequence[Group],
                     series: Sequence[tuple[int, str]], values: Sequence[Sequence[Bar]], places: int = 2,
                     opens: Sequence[str] = ()) -> str:
    """Differences from a system: rows for each bucket of segments, with a dot and its interval for each other system.

    Dots of groups with fewer than 30 segments are hollow.

    Args:
        name: the prefix of the ids in the image.
        title: the title of the image.
        description: a description of the image.
        groups: the label and the number of segments of each bucket.
        series: the index and the name of each system that has rows.
        values: for each of these systems, its difference in each group, with the ends of its interval or `None`; `None`
            instead of both where there is nothing to compare.
        places: the number of decimal places.
        opens: for each group, the view that a click on it opens (see `page_views.js`); empty: none.

    Returns:
        an `<svg>` element.

    Raises:
        PurebleuError: a number is infinite or not a number.
    """
    longest = max([len(_signed(bar, places)) for bars in values for bar in bars if bar], default=0)
    end = ROWS_SPAN[1] - _CHARACTER_WIDTH * max(0, longest - _MAX_CHARACTERS)
    axis = Axis(*range_of_bars(values), ROWS_SPAN[0], end)
    few = any(map(has_few, groups))
    parts, top = legend(series, False, name) if len(series) > 1 else ([], 0.0)
    if few:
        parts.append(svg_label(BARS_SPAN[0], top + 12, f"hollow: fewer than {FEW} segments (n)", "tick"))
        top += 18
    height = max(_BLOCK_HEIGHT, _DOT_HEIGHT * len(series) + 8)
    bottom = top + height * len(groups)
    parts += [*axis.horizontal_grid(top, bottom), svg_line("axis", axis.at(0.0), top, axis.at(0.0), bottom)]
    for index, group in enumerate(groups):
        content = [element("rect", class_="block", x=0, y=top, width=WIDTH, height=height),
                   svg_label(8, top + 16, shortened(group[0], GROUP_NAME)),
                   *([] if group[1] is None else [svg_label(8, top + 30, f"n {group[1]:,}", "tick")])]
        for row, ((system, system_name), differences) in enumerate(zip(series, values)):
            difference = differences[index]
            if difference:
                middle = top + (height - _DOT_HEIGHT * len(series)) / 2 + _DOT_HEIGHT * (row + 0.5)
                text = f"{_signed(difference, places)}; {group[0]}; {system_name}"
                content += _dot(difference, axis, middle, system, len(series) > 1, has_few(group), text, places, end)
        parts.append(element("g", "".join(content), **opening(opens[index] if opens else "", "block")))
        top += height
    return svg_chart(name, title, description, (WIDTH, bottom + 22), parts)


def _dot(difference: tuple[float, tuple[float, float] | None], axis: Axis, y: float, system: int, numbered: bool,
         few: bool, text: str, places: int, end: float) -> Iterator[str]:
    """A row of `difference_chart`: the number of the system, a dot with its interval, and behind `end`, both as text.
    """
    value, interval = difference
    parts = [element("title", xml_text(text))]
    if numbered:
        parts.append(svg_label(ROWS_SPAN[0] - 8, y + 3, str(system + 1), "number", "end"))
    if interval:
        low, high = [coordinate(axis.at(limit)) for limit in interval]
        parts.append(element("path", class_="whisker", d=f"M{low} {coordinate(y)}H{high}"))
    style = f"dot {series_style(system)}{' hollow' if few else ''}"
    parts.append(element("circle", class_=style, cx=axis.at(value), cy=y, r=4))
    parts.append(svg_label(end + 8, y + 4, _signed(difference, places), "tick"))
    yield element("g", "".join(parts))


def _signed(difference: tuple[float, tuple[float, float] | None], places: int) -> str:
    """A difference with its sign, and its interval.

    >>> _signed((0.25, (-0.5, 1.0)), 1)
    '+0.2 (-0.5 to +1.0)'
    """
    value, interval = difference
    numbers = [f"{round(finite(number), places) + 0.0:+.{places}f}" for number in (value, *(interval or ()))]
    return numbers[0] if interval is None else f"{numbers[0]} ({numbers[1]} to {numbers[2]})"


def difference_table(groups: Sequence[Group], series: Sequence[str], values: Sequence[Sequence[Bar]],
                     differences: Sequence[Sequence[Bar]], places: int = 2, of: str = "Segments") -> list[Column]:
    """The scores of all systems on buckets, and their differences from the best one: a row for each bucket.

    >>> difference_table([("0-9", 427)], ["A", "B"], [[(36.5, None)], [(35.0, None)]], [[None], [(-1.5, (-2, -1))]], 1)
    [('Group', ['0-9']), ('Segments', ['427']), ('A', ['36.5']), ('B', ['35.0; -1.5 (-2.0 to -1.0)'])]
    """
    counts = [] if None in [count for _, count in groups] else [(of, [str(count) for _, count in groups])]

    def cell(score: Bar, difference: Bar) -> str:
        numbers = [fixed(score[0], places)] if score else []
        return "; ".join([*numbers, *([_signed(difference, places)] if difference else [])])

    return [("Group", [label for label, _ in groups]), *counts,
            *[(system, list(map(cell, scores, system_differences)))
              for system, scores, system_differences in zip(series, values, differences)]]


def runs_chart(name: str, title: str, description: str, rows: Sequence[tuple[str, Sequence[float], float]],
               places: int = 2) -> str:
    """The scores of runs: a row for each system, with a dot for each run and a line at the mean.

    Args:
        name: the prefix of the ids in the image.
        title: the title of the image.
        description: a description of the image.
        rows: for each system, its name, the score of each run, and their mean.
        places: the number of decimal places.

    Returns:
        an `<svg>` element.

    Raises:
        PurebleuError: a number is infinite or not a number.
    """
    scores = [finite(score) for _, run_scores, _ in rows for score in run_scores]
    axis = Axis(min(scores), max(scores), *ROWS_SPAN)
    bottom = 8 + _RUNS_HEIGHT * len(rows)
    parts = [*axis.horizontal_grid(4, bottom)]
    for index, (system, run_scores, mean) in enumerate(rows):
        middle = 8 + _RUNS_HEIGHT * (index + 0.5)
        parts.append(element("g", element("title", xml_text(system)) + svg_label(8, middle + 4, shortened(system, 22))))
        parts.append(svg_line("score", axis.at(mean), middle - 11, axis.at(mean), middle + 11))
        for run, score in enumerate(run_scores, 1):
            text = element("title", xml_text(f"{fixed(score, places)}; run {run} of {system}"))
            parts.append(element("circle", text, class_=f"dot run {series_style(index)}", cx=axis.at(score), cy=middle,
                                 r=4.5))
        parts.append(svg_label(ROWS_SPAN[1] + 8, middle + 4, fixed(mean, places), "label strong"))
    return svg_chart(name, title, description, (WIDTH, bottom + 22), parts)


def runs_table(rows: Sequence[tuple[str, Sequence[float], float]], places: int = 2) -> list[Column]:
    """The numbers of `runs_chart`, a row for each system.

    >>> runs_table([("A", [1.0, 2.0], 1.5), ("B", [3.0], 3.0)], 1)
    [('System', ['A', 'B']), ('Mean', ['1.5', '3.0']), ('Run 1', ['1.0', '3.0']), ('Run 2', ['2.0', ''])]
    """
    most = max([len(run_scores) for _, run_scores, _ in rows])
    return [("System", [system for system, _, _ in rows]), ("Mean", [fixed(mean, places) for _, _, mean in rows]),
            *[(f"Run {run + 1}", [fixed(run_scores[run], places) if run < len(run_scores) else ""
                                  for _, run_scores, _ in rows]) for run in range(most)]]
