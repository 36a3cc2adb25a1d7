"""The types of the input of tests and intervals."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ..metrics.base import Metric
    from ..metrics.evaluation import Row
    from ..metrics.score import Score

    #: The rows of a system under each metric.
    SystemRows = Sequence[Sequence[Row]]

    Metrics = Sequence[Metric[Score]]
