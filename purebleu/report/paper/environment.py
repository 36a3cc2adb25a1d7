"""A whole `table` environment of LaTeX, with the rules of the package booktabs, and its cells."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby

from ...significance.ranking import Ranking, is_same_score
from ..colors import width_of
from ..tables import LATEX_ESCAPES

#: As `LATEX_ESCAPES`, with further characters: those that start an argument after `\\`, and those that print as others
#: in LaTeX's oldest fonts. Control characters become spaces.
_PAPER_ESCAPES = {**LATEX_ESCAPES, ord("["): "{[}", ord("*"): "{*}", ord("|"): r"\textbar{}", ord('"'): r"\char34{}",
                  **dict.fromkeys([*range(32), *range(127, 160), *range(0x2028, 0x202F), *range(0x2066, 0x206A)],
                                  " ")}

#: The approximate number of characters that fit into a column of a two-column paper, and the number of characters that
#: the space between two columns of a table takes.
_ROOM = 36
_GAP = 2


class PaperColumn:
    """A column of the table; its texts are LaTeX.

    Attributes:
        head: the head of the column.
        cells: one for each row.
        group: a common head above the heads of neighbouring columns; empty: there is none.
    """

    def __init__(self, head: str, cells: Sequence[str], group: str = "") -> None:
        self.head = head
        self.cells = cells
        self.group = group


def paper_text(text: str) -> str:
    r"""Any text as LaTeX that prints it, even with packages that give characters a special meaning.

    >>> print(paper_text("50 % of a_b -- [x]"))
    50 \% of a\_b -\/- {[}x]
    """
    import re

    text = text.encode("utf-8", "replace").decode("utf-8")  # (a file's name may have bytes that are not text)
    # Two such characters in a row would become dashes or quotation marks; two colons, a command to GitHub's runners.
    return re.sub("[-'`,?!](?=[-'`,])|:(?=:)", r"\g<0>\\/", text.translate(_PAPER_ESCAPES))


def table_environment(columns: Sequence[PaperColumn], caption: Sequence[str], notes: Sequence[tuple[str, str]],
                      lines_before: Collection[int] = ()) -> str:
    """Return the environment, after a comment that names the package it needs.

    Args:
        columns: a column of names, then columns of numbers.
        caption: the sentences of the caption, as LaTeX.
        notes: names of metrics with their signatures, as plain text, for the lines below the table.
        lines_before: the indices of rows that have a line above them.
    """
    # (`table*` spans both columns of a paper; in a paper with one column, it is the same as `table`.)
    name = "table*" if _fits_no_column(columns) else "table"
    rows = _aligned_rows([column.head for column in columns], *zip(*[column.cells for column in columns]))
    body = [f"\\midrule\n{row}" if index in lines_before else row for index, row in enumerate(rows[1:])]
    return "\n".join([
        r"% Needs \usepackage{booktabs}.", rf"\begin{{{name}}}[t]", r"\centering",
        rf"\begin{{tabular}}{{l{'r' * (len(columns) - 1)}}}", r"\toprule", *_group_lines(columns), rows[0], r"\midrule",
        *body, r"\bottomrule", r"\end{tabular}", r"\par\smallskip", r"{\footnotesize\raggedright",
        *[rf"{paper_text(metric)}: {_signature_text(signature)}\par" for metric, signature in notes], "}",
        "\\caption{" + "\n  ".join(caption) + "}", r"\label{tab:purebleu}", rf"\end{{{name}}}"])


def _group_lines(columns: Sequence[PaperColumn]) -> list[str]:
    """Return the row of common heads, and the rules below its cells; empty without groups."""
    cells: list[str] = []
    rules: list[str] = []
    end = 0
    for group, members in groupby(columns, lambda column: column.group):
        start, end = end, end + len(list(members))
        if group:
            cells.append(rf"\multicolumn{{{end - start}}}{{c}}{{{group}}}")
            rules.append(rf"\cmidrule(lr){{{start + 1}-{end}}}")
        else:
            cells += [""] * (end - start)
    return [" & ".join(cells) + r" \\", " ".join(rules)] if rules else []


def _aligned_rows(*rows: Sequence[str]) -> list[str]:
    """Return rows whose cells are aligned in the source of the table, too."""
    widths = [max(map(width_of, column)) for column in zip(*rows)]
    lines: list[str] = []
    for row in rows:
        cells = [cell + " " * (width - width_of(cell)) for cell, width in zip(row, widths)]
        lines.append(" & ".join(cells) + r" \\")
    return lines


def _signature_text(signature: str) -> str:
    """Return a signature, in which lines may be broken after each field."""
    return r"\texttt{" + r"|\allowbreak ".join(map(paper_text, signature.split("|"))) + "}"


def _fits_no_column(columns: Sequence[PaperColumn]) -> bool:
    """Return whether the table is likely to be wider than one of two columns of a page."""
    return sum([_GAP + max(map(_printed_width, [column.head, *column.cells])) for column in columns]) > _ROOM


def _printed_width(text: str) -> int:
    """Return the approximate number of characters that LaTeX prints for a text."""
    import re

    return width_of(re.sub(r"\\[a-zA-Z]+|[\\{}$^]", "", text))


#: The mark of scores that differ significantly from that of the baseline.
DAGGER = r"$^\dagger$"


def metric_head(metric: str, lower_is_better: bool) -> str:
    """Return the name of a metric as LaTeX, with an arrow: upwards if higher scores are better, else downwards."""
    return paper_text(metric) + (r" $\downarrow$" if lower_is_better else r" $\uparrow$")


def score_cells(scores: Sequence[float], width: int, bold: Collection[int], marked: Collection[int] = (),
                spreads: Sequence[str] = ()) -> list[str]:
    r"""Return scores as cells.

    Args:
        scores: one for each row.
        width: the number of decimal places.
        bold: the indices of scores in bold.
        marked: the indices of scores with `DAGGER`.
        spreads: the text in small type behind each score, such as `±0.4`; empty: there is none.

    >>> for cell in score_cells([41.2, 9.5], 1, {0}, {1}): print(cell)
    \textbf{41.2}
    9.5\rlap{$^\dagger$}
    >>> for cell in score_cells([41.2, 9.5], 1, {0}, {1}, ["±0.4", "±10.2"]): print(cell)
    \textbf{41.2}\phantom{$^\dagger$}{\scriptsize\,$\pm$0.4\phantom{0}}
    9.5$^\dagger${\scriptsize\,$\pm$10.2}
    """
    cells = [f"{score:.{width}f}".replace("-", "$-$") for score in scores]
    cells = [rf"\textbf{{{cell}}}" if index in bold else cell for index, cell in enumerate(cells)]
    longest = max(spreads, key=len, default="")
    if not longest:
        return [rf"{cell}\rlap{{{DAGGER}}}" if index in marked else cell for index, cell in enumerate(cells)]
    if marked:
        cells = [cell + (DAGGER if index in marked else rf"\phantom{{{DAGGER}}}") for index, cell in enumerate(cells)]
    return [cell + _small(spread, longest) for cell, spread in zip(cells, spreads)]


def _small(spread: str, longest: str) -> str:
    """Return the text behind a score, filled to the width of the longest one, so that scores are aligned."""
    missing = "±" * (longest.count("±") - spread.count("±"))
    missing += "0" * (len(longest) - len(spread) - len(missing))
    filled = (spread + (rf"\phantom{{{missing}}}" if missing else "")).replace("±", r"$\pm$")
    return rf"{{\scriptsize\,{filled}}}"


def best_as_printed(scores: Sequence[float], lower_is_better: bool, width: int) -> set[int]:
    """Return the indices of the scores that are printed like the best one; empty for a single score.

    >>> best_as_printed([30.04, 29.96, 29.9], False, 1)
    {0, 1}
    """
    if len(scores) < 2:
        return set()
    best = f"{(min if lower_is_better else max)(scores):.{width}f}"
    return {index for index, score in enumerate(scores) if f"{score:.{width}f}" == best}


def not_worse_than_best(ranking: Ranking, scores: Sequence[float]) -> set[int]:
    """The indices of the systems that are not significantly worse than the best one (or one with the same score)."""
    best_score = scores[ranking.order[0]]
    not_worse = set(ranking.order)
    for best in ranking.order:
        if is_same_score(scores[best], best_score):
            not_worse -= {system for system in not_worse if ranking.differ(best, system)}
    return not_worse
