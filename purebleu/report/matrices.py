"""The views of `--cross` and `--lengths`: tables of systems against each other, and of their lengths."""

from __future__ import annotations

from .view import TableView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Mapping, Sequence

    from ..analysis.cross_scores import Matrix
    from .tables import Column

#: The sign in place of the score of a system with itself as the reference.
_ITSELF = "–"

#: The headings of these views as CSV and TSV.
MATRIX_HEADINGS = ("measure", "system", "reference", "value", "signature")


class CrossView(TableView):
    """Scores of systems with each other one as their reference.

    Attributes:
        metric: the name of the metric.
        names: the names of the systems.
        scores: the score of each system (row) with each system as the reference (column).
    """

    def __init__(self, metric: str, names: Sequence[str], scores: Matrix) -> None:
        self.metric = metric
        self.names = names
        self.scores = scores

    @property
    def signed_as(self) -> str:
        """The name of the view's signature."""
        return f"cross-{self.metric}"

    @property
    def heading(self) -> str:
        return f"Cross-{self.metric}: systems (lines) with other systems as references (columns)"

    def table(self, width: int) -> list[Column]:
        columns = [[_ITSELF if score is None else f"{score:.{width}f}" for score in column]
                   for column in zip(*self.scores)]
        return [("System", self.names), *zip(self.names, columns)]

    def as_object(self) -> Mapping[str, object]:
        return {"view": self.heading, "scores": {
            name: {reference: score for reference, score in zip(self.names, row) if score is not None}
            for name, row in zip(self.names, self.scores)}}

    def lines(self) -> Iterator[Sequence[object]]:
        """A line for each number: the fields of `MATRIX_HEADINGS` without the last one."""
        for name, row in zip(self.names, self.scores):
            for reference, score in zip(self.names, row):
                if score is not None:
                    yield self.signed_as, name, reference, score


class LengthView(TableView):
    """The lengths of systems and of their references.

    Attributes:
        names: the names of the systems.
        lengths: for each system, the number of its tokens, and that of the tokens of the closest references.
    """

    signed_as = "lengths"

    def __init__(self, names: Sequence[str], lengths: Sequence[tuple[int, int]]) -> None:
        self.names = names
        self.lengths = lengths

    @property
    def heading(self) -> str:
        return "Lengths in tokens"

    def _ratios(self) -> list[float]:
        return [length / reference if reference else 0.0 for length, reference in self.lengths]

    def table(self, width: int) -> list[Column]:
        return [("System", self.names), ("Tokens", [f"{length}" for length, _ in self.lengths]),
                ("Reference", [f"{reference}" for _, reference in self.lengths]),
                ("Ratio", [f"{ratio:.3f}" for ratio in self._ratios()])]

    def as_object(self) -> Mapping[str, object]:
        return {"view": self.heading, "systems": [
            {"system": name, "tokens": length, "reference": reference, "ratio": ratio}
            for name, (length, reference), ratio in zip(self.names, self.lengths, self._ratios())]}

    def lines(self) -> Iterator[Sequence[object]]:
        """A line for each number: the fields of `MATRIX_HEADINGS` without the last one."""
        for name, (length, reference), ratio in zip(self.names, self.lengths, self._ratios()):
            yield "tokens", name, "", length
            yield "reference tokens", name, "", reference
            yield "length ratio", name, "", ratio
