"""The results of systems with several runs as a string: means, standard deviations, p-values."""

from __future__ import annotations

from ..significance.sampling import STRATIFIED
from .comparison import (
    LAST_COLUMNS,
    delimited_lines,
    explanation,
    last_of,
    p_value_text,
    scales_of,
    signatures_section,
)
from .formats import SIGNED_JSON, Style, colored
from .layouts import LAYOUTS, Section, document_of
from .names import names_in
from .tables import fitted_tables, json_table
from .worth import rounded_p

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Sequence

    from ..metrics.score import Signature
    from ..significance.runs import RunsResults
    from .tables import Column

_DEVIATION = ("For each system: the mean of the scores of its runs, and s, their standard deviation (that of a sample; "
              "a single run has none).")

_SELECTION = (" s_sel is the standard deviation that comes from the choice of segments: that of a run's scores in "
              "{resamples:,} bootstrap resamples, as the mean over all runs.")


def runs_report(names: Sequence[str], results: RunsResults, signatures: Mapping[str, Signature], style: Style) -> str:
    """Return the results of systems, in one of `TABLE_FORMATS` or `DELIMITED_FORMATS`.

    Args:
        names: the names of the systems.
        results: the results, as `significance.runs_of` returns them.
        signatures: the signatures by the names of scores, in the order of the metrics.
        style: the style of the tables.
    """
    if style.format.kind == "json":
        table: dict[str, Sequence[object]] = {"System": names}
        table["baseline"] = [bool(results.samples) and system == 0 for system in range(len(names))]
        table.update(zip(signatures, [list(column) for column in zip(*_members_of_runs(results))]))
        signed = {metric: signature.format() for metric, signature in signatures.items()}
        if style.form != SIGNED_JSON:
            return json_table(table)
        return json_table(table, signed, scales_of(signatures, results.scores))
    if style.format.kind == "lines":
        columns = ("system", "metric", "runs", "mean", "deviation", "lowest", "highest", "selection", "p_value",
                   "p_holm", *LAST_COLUMNS)
        return delimited_lines(style.form, columns, _lines_of_runs(names, results, signatures))
    names = names_in(style, names)
    sections = [Section(tables=_runs_tables(names, results, list(signatures), style)),
                *_explanations_of_runs(names, results, style.color),
                signatures_section(signatures, style)]
    return document_of(sections, style)


def _explanations_of_runs(names: Sequence[str], results: RunsResults, color: bool) -> list[Section]:
    """Return the meaning of means and deviations, and of p-values."""
    meaning = _DEVIATION
    if results.drawn:
        meaning += _SELECTION.format(resamples=results.drawn)
    sections = [Section("Means over runs", [meaning])]
    if results.samples:
        compared = f"Each system is compared with {colored(names[0], 'yellow') if color else names[0]}."
        samples = f"{'up to ' if results.exact else ''}{results.samples:,}"
        family = f"all {results.corrected_tests} tests together" if results.corrected_tests > 1 else ""
        sections.append(explanation(STRATIFIED.name, samples, results.units, compared, family))
    return sections


def _members_of_runs(results: RunsResults) -> list[list[dict[str, Any]]]:
    """Return the members of each system under each metric in JSON."""
    corrected = results.corrected or [[None] * len(system) for system in results.systems]
    members: list[list[dict[str, Any]]] = []
    for system, of_system in zip(results.systems, corrected):
        members.append([{**vars(result), "p_value": rounded_p(result.p_value), "p_holm": rounded_p(p_holm)}
                        for result, p_holm in zip(system, of_system)])
    return members


def _runs_tables(names: Sequence[str], results: RunsResults, metrics: Sequence[str],
                 style: Style) -> list[list[Column]]:
    line_break = LAYOUTS[style.form].line_break
    runs = [str(len(system[0].scores)) for system in results.systems]
    table: list[Column] = [("System", list(names)), ("Runs", runs)]
    for index, metric in enumerate(metrics):
        table.append((metric, [_runs_cell(results, index, system, style.width, line_break)
                               for system in range(len(names))]))
    return fitted_tables(table, style.columns)


def _runs_cell(results: RunsResults, metric: int, system: int, width: int, line_break: str) -> str:
    """Return a result in a table, such as `33.1 (s = 0.4)`, with the p-values if there are some."""
    result, places = results.systems[system][metric], results.places(metric, width)
    deviations = [f"{name} = {number:.{places}f}"
                  for name, number in (("s", result.deviation), ("s_sel", result.selection)) if number is not None]
    cell = f"{result.mean:.{places}f}" + (f" ({', '.join(deviations)})" if deviations else "")
    if result.p_value is None:
        return cell
    corrected = results.corrected[system][metric] if results.corrected_tests > 1 else None
    is_marked = results.differs_from_first(metric, system)
    return cell + line_break + p_value_text(result.p_value, corrected, is_marked)


def _lines_of_runs(names: Sequence[str], results: RunsResults,
                   signatures: Mapping[str, Signature]) -> list[dict[str, Any]]:
    """Return a line for each system under each metric, by the names of columns."""
    lines: list[dict[str, Any]] = []
    for name, members_of_system in zip(names, _members_of_runs(results)):
        for index, ((metric, signature), members) in enumerate(zip(signatures.items(), members_of_system)):
            scores = members["scores"]
            lines.append({"system": name, "metric": metric, "runs": len(scores),
                          "lowest": min(scores), "highest": max(scores), **members,
                          **last_of(results.scores[index], signature)})
    return lines
