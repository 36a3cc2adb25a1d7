"""The cells of a table of LaTeX: scores with marks, with intervals in small type, and with the best ones in bold."""

from __future__ import annotations

from ...significance.ranking import is_same_score
from .environment import paper_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Collection, Sequence

    from ...significance.ranking import Ranking

#: The mark of scores that differ significantly from that of the baseline.
DAGGER = r"$^\dagger$"


def metric_head(metric: str, lower_is_better: bool) -> str:
    """The name of a metric as LaTeX, with an arrow: upwards where higher scores are better, else downwards."""
    return paper_text(metric) + (r" $\downarrow$" if lower_is_better else r" $\uparrow$")


def score_cells(scores: Sequence[float], width: int, bold: Collection[int], marked: Collection[int] = (),
                spreads: Sequence[str] = ()) -> list[str]:
    r"""Scores as cells.

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
    """The text behind a score, filled to the width of the longest one, so that scores are aligned."""
    missing = "±" * (longest.count("±") - spread.count("±"))
    missing += "0" * (len(longest) - len(spread) - len(missing))
    filled = (spread + (rf"\phantom{{{missing}}}" if missing else "")).replace("±", r"$\pm$")
    return rf"{{\scriptsize\,{filled}}}"


def best_as_printed(scores: Sequence[float], lower_is_better: bool, width: int) -> set[int]:
    """The indices of the scores that are printed like the best one; empty for a single score.

    >>> best_as_printed([30.04, 29.96, 29.9], False, 1)
    {0, 1}
    """
    if len(scores) < 2:
        return set()
    best = f"{(min if lower_is_better else max)(scores):.{width}f}"
    return {index for index, score in enumerate(scores) if f"{score:.{width}f}" == best}


def not_worse_than_best(ranking: Ranking, scores: Sequence[float]) -> set[int]:
    """The indices of the systems that are not significantly worse than the best one (or one with the same score)."""
    bests = [system for system in ranking.order if is_same_score(scores[system], scores[ranking.order[0]])]
    return {system for system in ranking.order if not any(ranking.differ(best, system) for best in bests)}
