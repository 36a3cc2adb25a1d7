"""Systems against each other, and their lengths, as tables: what `--cross` and `--lengths` print."""

from __future__ import annotations

from .view import TableView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Mapping, Sequence

    from ..analysis.cross_scores import Matrix
    from .tables import Column

#: Stands for the score of a system with itself as the reference.
_ITSELF = "–"

#: The headings of these tables as lines of numbers.
MATRIX_HEADINGS = ("measure", "system", "reference", "value", "signature")


class CrossView(TableView):
    """Scores of systems with each other one as their reference.

    Attributes:
        metric: its name.
        names: of the systems.
        scores: for each system, with each as the reference.
    """

    def __init__(self, metric: str, names: Sequence[str], scores: Matrix) -> None:
        self.metric = metric
        self.names = names
        self.scores = scores

    @property
    def signed_as(self) -> str:
        """The name of its signature."""
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

    def lines(self, width: int) -> Iterator[Sequence[object]]:
        """The fields of `MATRIX_HEADINGS` but the last, a line for each number."""
        for name, row in zip(self.names, self.scores):
            for reference, score in zip(self.names, row):
                if score is not None:
                    yield self.signed_as, name, reference, f"{score:.{width}f}"


class LengthView(TableView):
    """How long systems are against the references.

    Attributes:
        names: of the systems.
        lengths: for each, the number of its tokens, and of those of the closest references.
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

    def lines(self, _: int) -> Iterator[Sequence[object]]:
        """The fields of `MATRIX_HEADINGS` but the last, a line for each number."""
        for name, (length, reference), ratio in zip(self.names, self.lengths, self._ratios()):
            yield "tokens", name, "", length
            yield "reference tokens", name, "", reference
            yield "length ratio", name, "", f"{ratio:.3f}"
