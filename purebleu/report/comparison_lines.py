"""The results of several systems as CSV and TSV: a line for each system under each metric."""

from __future__ import annotations

from .comparison import beside, members_of
from .delimited import delimited
from .worth import FIGURES, NOTHING_WANTED, difference_figures, pairs_to_show, power_of_one_by_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Sequence

    from ..metrics.score import Score, Signature
    from ..significance.results import Results
    from .style import Style
    from .worth import Wanted

#: The columns of results, whatever the options, before `LAST_COLUMNS`.
RESULT_COLUMNS = ("system", "metric", "score", "mean", "ci", "p_value", "p_holm", "rank", "cluster", "against",
                  *FIGURES, "correlation")

#: The columns behind all others: which scores are better, and how a score was computed.
LAST_COLUMNS = ("lower_is_better", "lowest_possible", "highest_possible", "signature")


def delimited_comparison(names: Sequence[str], results: Results, signatures: Mapping[str, Signature], style: Style,
                         wanted: Wanted = NOTHING_WANTED) -> str:
    """The results of systems: a line for each system under each metric, and for each number beside its score.

    If systems are ranked, lines for all further pairs of systems follow, with the other system in `against`. The power
    of a single system has a line for each `correlation`. Numbers have all of their digits.

    Args:
        names: the names of the systems.
        results: the results, as `significance.results_of` returns them.
        signatures: the signatures by the names of scores, in the order of the metrics.
        style: the style of the output.
        wanted: the figures on differences to show, too.
    """
    lines: list[dict[str, Any]] = []
    columns_beside = [beside(results, index) for index in range(len(signatures))]
    for system in range(len(names)):
        for index, (metric, signature) in enumerate(signatures.items()):
            lines.append(line_of(names, results, index, system, metric, signature, wanted))
            lines += [{"system": names[system], "metric": f"{metric} {name}", "score": numbers[system],
                       "signature": signature} for _, name, numbers in columns_beside[index]]
    lines += further_lines(names, results, signatures, wanted)
    return delimited_lines(style.form, (*RESULT_COLUMNS, *LAST_COLUMNS), lines)


def line_of(names: Sequence[str], results: Results, index: int, system: int, metric: str, signature: Signature,
            wanted: Wanted) -> dict[str, Any]:
    """The line of a system under a metric, by the names of columns."""
    has_other = bool(system and (results.test or results.differences))
    return {"system": names[system], "metric": metric, **last_of(results.scores[system][index], signature),
            **members_of(names, results, index, system, signature, wanted),
            "against": names[0] if has_other else None}


def last_of(score: Score, signature: Signature) -> dict[str, Any]:
    """The values of `LAST_COLUMNS` for such a score."""
    return dict(zip(LAST_COLUMNS, (score.lower_is_better, *score.range, signature)))


def further_lines(names: Sequence[str], results: Results, signatures: Mapping[str, Signature],
                  wanted: Wanted) -> list[dict[str, Any]]:
    """A line for each pair of systems to show without the first one; for a single system, a line for each correlation.
    """
    if len(names) == 1 and wanted.power is not None:
        figures_by_metric = power_of_one_by_metric(results, wanted.power)
        return [{"system": names[0], "metric": metric, "signature": signature, **figures}
                for (metric, signature), metric_figures in zip(signatures.items(), figures_by_metric)
                for figures in metric_figures]
    return [{"system": names[two], "metric": metric, "against": names[one], "signature": signature,
             **difference_figures(results, index, signature, one, two, wanted)}
            for index, (metric, signature) in enumerate(signatures.items())
            for one, two in pairs_to_show(results) if one]


def delimited_lines(form: str, columns: Sequence[str], lines: Sequence[Mapping[str, Any]]) -> str:
    """Lines with these columns."""
    def cell(line: Mapping[str, Any], column: str) -> object:
        value = line.get(column)
        return value.format() if column == "signature" and value is not None else value

    return delimited(form, columns, [[cell(line, column) for column in columns] for line in lines])
