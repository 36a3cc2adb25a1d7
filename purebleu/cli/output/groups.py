"""`--group`: systems on groups of segments, and on all of them: the mean over groups, and the pooled segments."""

from __future__ import annotations

from functools import partial

from ...errors import OptionError
from ...hints import Any, Callable, Mapping, Row, Sequence
from ...metrics.base import Metric
from ...metrics.evaluation import System
from ...report.formats import PAPER
from ...report.pairs import pairs_report
from ...significance.groups import MacroMean, wide_row
from ...significance.sampling import Units
from ..corpus.scored import Scored
from ..corpus.selected_rows import group_labels
from .pairs import correct_pairs, pair_results
from .results import Printing
from .testing import Testing

#: The names of what is computed over all groups.
MACRO, POOLED = "macro mean", "pooled"


def groups_text(scored: Scored, testing: Testing, printing: Printing) -> str:
    """The results of systems on each group, and over all groups, with tests stratified by group, as one table."""
    if printing.style.form == PAPER:
        raise OptionError(f"-f {PAPER} has no room for groups: choose another format", option="format")
    assert scored.listed is not None, "its segments have groups"
    labels = group_labels(scored.inputs, scored.listed.columns["group"])
    column = scored.inputs.group_column
    names = list(dict.fromkeys(labels))
    indices = [names.index(label) for label in labels]
    documents = scored.units.documents if scored.units else None
    groups: list[Scored] = []
    for name in names:
        kept = [index for index, label in enumerate(labels) if label == name]

        def of_group(rows: Sequence[Row], kept: Sequence[int] = kept) -> list[Row]:
            return [rows[index] for index in kept]

        group = _rescored(scored, name, of_group, {"group": f"{column}={name}".replace("|", "/").replace(":", "=")})
        group.units = None if documents is None else Units([documents[index] for index in kept])
        groups.append(group)

    def of_macro(rows: Sequence[Row]) -> list[Row]:
        return [wide_row(group, len(names), row) for group, row in zip(indices, rows)]

    macro = _rescored(scored, MACRO, of_macro, {"group": column}, partial(MacroMean, groups=len(names)))
    scored.pair = POOLED
    if testing.test or testing.intervals or testing.differences:
        scored.units = macro.units = Units(documents, labels, column)
    results = [pair_results(group, testing) for group in groups]
    if testing.corrects:
        correct_pairs(groups, results)
    results += [pair_results(whole, testing) for whole in (macro, scored)]
    return pairs_report(results, printing.style, group=column)


def _rescored(scored: Scored, name: str, rows_of: Callable[[Sequence[Row]], list[Row]], fields: Mapping[str, str],
              make: Callable[[Metric[Any]], Metric[Any]] | None = None) -> Scored:
    """The same systems with other rows, under metrics that `make` returns; `fields` are those of their signatures."""
    systems: list[System] = []
    for system in scored.systems:
        rows = list(map(rows_of, system.rows))
        evaluations = [evaluation.of_rows(metric_rows, fields, make)
                       for evaluation, metric_rows in zip(system.evaluations, rows)]
        systems.append(System(evaluations, rows))
    metrics: list[Metric[Any]] = [*map(make, scored.metrics)] if make else scored.metrics
    rescored = Scored(metrics, systems, scored.inputs, scored.choice, scored.names, scored.naming)
    rescored.pair = name
    return rescored
