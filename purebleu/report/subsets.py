"""The scores of subsets of a test set as text."""

from __future__ import annotations

from .colors import colored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ..metrics.score import Score
    from .style import Style


def subset_results(results: Sequence[tuple[str, int, Score]], style: Style) -> str:
    """A line for each subset of a test set under each metric: its label, its number of segments, and the score."""
    widest = max([len(label) for label, _, _ in results]) + 1
    widest_name = max([len(score.name) for _, _, score in results])
    lines: list[str] = []
    for label, segments, score in results:
        padded = label.ljust(widest)
        lines.append(f"{colored(padded, 'yellow') if style.color else padded}: sentences={segments:<6} "
                     f"{score.name:<{widest_name}} = {score.score:.{score.places(style.width)}f}")
    return "\n".join(lines)
