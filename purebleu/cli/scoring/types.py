"""The types of what flows through the scoring of a corpus."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Sequence, Tuple

    from ...metrics.contract import Row
    from ...metrics.evaluation import Evaluation
    from ...metrics.score import Score

    #: A list of hypotheses for each system, and a list of references for each stream of them (with `None` where a
    #: segment has no such reference).
    Block = Tuple[Sequence[Sequence[str]], Sequence[Sequence[Any]]]

    #: A system's evaluation under each metric, and its rows under each metric.
    System = Tuple[List[Evaluation[Score]], List[List[Row]]]
