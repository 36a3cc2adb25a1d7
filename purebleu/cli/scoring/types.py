"""The types of the data in the scoring of a corpus."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence, Tuple

    from ...metrics.base import Metric
    from ...metrics.contract import Row
    from ...metrics.evaluation import Evaluation
    from ...metrics.score import Score, Signature
    from ...rows.stored import Naming
    from ...significance.units import Units
    from .texts import CorpusTexts

    #: A list of hypotheses for each system, and a list of references for each stream of them (with `None` where a
    #: segment has no such reference).
    Block = Tuple[Sequence[Sequence[str]], Sequence[Sequence[Any]]]


class System:
    """A system under each metric.

    Attributes:
        evaluations: one for each metric.
        rows: for each metric, those of the segments; none where nobody needs them.
    """

    def __init__(self, evaluations: Sequence[Evaluation[Score]], rows: Sequence[list[Row]]) -> None:
        self.evaluations = evaluations
        self.rows = rows

    def scores(self) -> list[Score]:
        return [evaluation.score() for evaluation in self.evaluations]


class Scored:
    """Systems with their scores, from text or from stored rows.

    Attributes:
        metrics: in the order of the results.
        systems: one or more.
        inputs: the names of the systems, in their order.
        naming: the origin of these names, as `StoredRows` has it.
        texts: of the corpus; `None` where there are only rows, or where nobody needs it.
        units: the documents of segments, or strata; `None` where nobody asks for them.
    """

    def __init__(self, metrics: list[Metric[Score]], systems: list[System], inputs: Sequence[str], naming: Naming,
                 texts: CorpusTexts | None = None, units: Units | None = None) -> None:
        self.metrics = metrics
        self.systems = systems
        self.inputs = inputs
        self.naming: Naming = naming
        self.texts = texts
        self.units = units

    @property
    def rows(self) -> list[Sequence[list[Row]]]:
        """The rows of each system under each metric."""
        return [system.rows for system in self.systems]

    @property
    def signatures(self) -> list[Signature]:
        """Under each metric, the signature of all systems."""
        return [evaluation.signature() for evaluation in self.systems[0].evaluations]

    @property
    def names_in_warnings(self) -> Sequence[str]:
        """The names of the systems in warnings: none of a single one."""
        return self.inputs if len(self.systems) > 1 else [""]
