"""The results of several systems as CSV and TSV: a line for each system under each metric."""

from __future__ import annotations

from .comparison import beside, members_of
from .delimited import delimited
from .worth import NOTHING_WANTED, difference_figures, figure_names, pairs_to_show, power_of_one_by_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Sequence

    from ..metrics.score import Score, Signature
    from ..significance.results import Results
    from .style import Style
    from .worth import Wanted

#: The columns that results always have, before the signature.
RESULT_COLUMNS = ("system", "metric", "score", "mean", "ci", "p_value", "rank")

#: The columns behind all others: which scores are better, and how a score was computed.
LAST_COLUMNS = ("lower_is_better", "lowest_possible", "highest_possible", "signature")

#: The key of the decimal places of scores in a line; it is not a column.
WIDTH = "places"

#: The columns whose numbers are points of a score.
_IN_POINTS = ("score", "mean", "ci", "difference", "difference_low", "difference_high", "mde", "deviation", "lowest",
              "highest", "selection")


def delimited_comparison(names: Sequence[str], results: Results, signatures: Mapping[str, Signature], style: Style,
                         wanted: Wanted = NOTHING_WANTED) -> str:
    """The results of systems: a line for each system under each metric, and for each number beside its score.

    Where systems are ranked and figures on differences are wanted, lines for all further pairs of systems follow, with
    the other system in `against`. The power of a single system has a line for each `correlation`.

    Args:
        names: the names of the systems.
        results: the results, as `significance.results_of` returns them.
        signatures: the signatures by the names of scores, in the order of the metrics.
        style: the style of the output; it has the decimal places of scores, means, intervals and differences.
        wanted: the figures on differences to show, too.
    """
    lines: list[dict[str, Any]] = []
    columns_beside = [beside(results, index) for index in range(len(signatures))]
    for system in range(len(names)):
        for index, (metric, signature) in enumerate(signatures.items()):
            lines.append(line_of(names, results, index, system, metric, signature, wanted, style.width))
            lines += [{"system": names[system], "metric": f"{metric} {name}", "score": numbers[system],
                       "signature": signature} for _, name, numbers in columns_beside[index]]
    lines += further_lines(names, results, signatures, wanted, style.width)
    columns = (*RESULT_COLUMNS, *further_columns(results, wanted), *LAST_COLUMNS)
    return delimited_lines(style.form, columns, lines, style.width)


def further_columns(results: Results, wanted: Wanted) -> list[str]:
    """The further columns, for options beyond scores, tests and ranks."""
    if len(results.systems) == 1 and wanted.power is not None:
        return ["correlation", "mde", "segments_needed", "power"]
    return [*["cluster"] * bool(results.rankings), *["p_holm"] * bool(results.corrected),
            *(["against", *figure_names(wanted)] if wanted else [])]


def line_of(names: Sequence[str], results: Results, index: int, system: int, metric: str, signature: Signature,
            wanted: Wanted, width: int) -> dict[str, Any]:
    """The line of a system under a metric, by the names of columns; `WIDTH` has the decimal places of its scores."""
    return {"system": names[system], "metric": metric, WIDTH: results.places(index, width),
            **last_of(results.scores[system][index], signature),
            **members_of(names, results, index, system, signature, wanted),
            **({"against": names[0]} if wanted and system else {})}


def last_of(score: Score, signature: Signature) -> dict[str, Any]:
    """The values of `LAST_COLUMNS` for such a score."""
    return dict(zip(LAST_COLUMNS, (score.lower_is_better, *score.range, signature)))


def further_lines(names: Sequence[str], results: Results, signatures: Mapping[str, Signature],
                  wanted: Wanted, width: int) -> list[dict[str, Any]]:
    """A line for each pair of systems to show without the first one; for a single system, a line for each correlation.
    """
    if len(names) == 1 and wanted.power is not None:
        figures_by_metric = power_of_one_by_metric(results, wanted.power)
        return [{"system": names[0], "metric": metric, "signature": signature, WIDTH: results.places(index, width),
                 **figures}
                for index, ((metric, signature), metric_figures) in enumerate(zip(signatures.items(),
                                                                                  figures_by_metric))
                for figures in metric_figures]
    return [{"system": names[two], "metric": metric, "against": names[one], "signature": signature,
             WIDTH: results.places(index, width), **difference_figures(results, index, signature, one, two, wanted)}
            for index, (metric, signature) in enumerate(signatures.items())
            for one, two in (pairs_to_show(results) if wanted else ()) if one]


def delimited_lines(form: str, columns: Sequence[str], lines: Sequence[Mapping[str, Any]], width: int) -> str:
    """Lines with these columns; scores and differences have `width` decimal places, unless a line has its own number.
    """
    def cell(line: Mapping[str, Any], column: str) -> object:
        value = line.get(column)
        if column == "signature" and value is not None:
            return value.format()
        if column in _IN_POINTS and isinstance(value, float):
            return f"{value:.{line.get(WIDTH, width)}f}"
        return value

    return delimited(form, columns, [[cell(line, column) for column in columns] for line in lines])
