"""The results of systems on several language pairs, and of systems with several runs, as one table with means."""

from __future__ import annotations

from itertools import chain
from math import fsum

from ..hints import Any, Iterable, Mapping, Sequence
from ..metrics.score import Signature
from ..runtime.json_writer import to_json
from ..significance.runs import RunsResults
from ..significance.sampling import STRATIFIED
from .comparison import (
    LAST_COLUMNS,
    RESULT_COLUMNS,
    conclusions_of_test,
    delimited_lines,
    explanation,
    explanation_of_ranks,
    explanation_of_test,
    further_lines,
    last_of,
    line_of,
    members_of,
    p_value_text,
    ranking_tables,
    result_cell,
    result_head,
    scales_of,
    signatures_section,
)
from .formats import SIGNED_JSON, Style, colored
from .layouts import LAYOUTS, Section, document_of
from .names import PairResults, names_in
from .tables import TableColumn, fits, fitted_tables, json_table
from .worth import NOTHING_WANTED, Wanted, rounded_p, samples_text, worth_sections

#: The name of the column of means, and of the pair in lines that have them.
MEAN = "mean"

#: The number of results over all groups (the macro mean, the pooled score), which come last.
OVER_ALL = 2

#: The sign in place of the score of a missing output.
_NO_OUTPUT = "–"

_AUTORANK_EXPLAINED = (
    "The mean of a system's scores under all metrics, on a common scale (Kocmi et al., 2025): if a pair has N systems, "
    "its best system has 1, and its worst system has N. These means are not tested.")

_OVER_GROUPS = (
    "The macro mean is the mean of the scores of groups, with equal weights. The pooled score is the score of all "
    "segments together.")

_GROUPS_RESAMPLED = " Resamples keep the size of each group."

_GROUPS_CORRECTED = (
    " The p-values of all groups are corrected together. The p-values of the macro mean and of the pooled score are "
    "corrected separately.")

_COMPARED = "Each system is compared with the first system of its pair: {baselines}."


def systems_of(pairs: Sequence[PairResults]) -> list[str]:
    """Return the names of all systems, in the order in which they first appear."""
    return list(dict.fromkeys(chain.from_iterable([pair.names for pair in pairs])))


def means_over_pairs(pairs: Sequence[PairResults], metric: int) -> dict[str, float]:
    """Return the mean score over all pairs of each system that has an output for all of them."""
    scores: dict[str, list[float]] = {}
    for pair in pairs:
        for name, system in zip(pair.names, pair.results.systems):
            scores.setdefault(name, []).append(system[metric].score)
    return {name: fsum(numbers) / len(pairs) for name, numbers in scores.items() if len(numbers) == len(pairs)}


def pairs_report(pairs: Sequence[PairResults], style: Style, wanted: Wanted = NOTHING_WANTED,
                 with_autorank: bool = False, group: str = "") -> str:
    """Return the results of all pairs, in one of `TABLE_FORMATS` or `DELIMITED_FORMATS`.

    Args:
        pairs: one or more pairs under the same metrics; or groups of a corpus, followed by the results over all groups.
        style: the style of the tables.
        wanted: the figures on differences that are shown, too.
        with_autorank: whether AutoRank is shown, too.
        group: the name of the column of groups; empty if these are language pairs.
    """
    pairs = [pair.shown_in(style) for pair in pairs]
    ranks = autoranks(pairs) if with_autorank else {}
    if style.format.kind == "json":
        return _pairs_as_json(pairs, wanted, ranks, group)
    if style.format.kind == "lines":
        return _pairs_as_lines(pairs, style, wanted, ranks, group)
    sections = group_sections(pairs, style, group) if group else [_scores_section(pairs, style)]
    if ranks:
        table = _autorank_table(pairs, ranks)
        sections.append(Section("AutoRank", [_AUTORANK_EXPLAINED], fitted_tables(table, style.columns)))
    if not group:
        sections += _explanations_of_tests(pairs)
    shown = pairs[-OVER_ALL:] if group else pairs
    ranked = [pair for pair in shown if pair.results.rankings]  # (two systems of a pair have no ranks)
    if ranked:
        sections.append(Section("Ranking", [explanation_of_ranks(ranked[0].results)]))
    for pair in ranked:
        sections.append(Section(pair.pair, tables=ranking_tables(pair, style)))
    for pair in pairs:
        for section in worth_sections(pair, wanted, style):
            section.heading = f"{section.heading}, {pair.pair}"
            sections.append(section)
    signatures: dict[str, Signature] = {}
    for metric in pairs[0].signatures:
        for pair in pairs:
            signatures[f"{metric}, {pair.pair}"] = pair.signatures[metric]
    sections.append(signatures_section(signatures, style))
    return document_of(sections, style)


def _scores_section(pairs: Sequence[PairResults], style: Style) -> Section:
    """Return the table of all pairs, or one for each metric if that is too wide."""
    metrics = range(len(pairs[0].signatures))
    tables = [scores_table(pairs, metrics, style)]
    if not fits(tables[0], style.columns):
        tables = [scores_table(pairs, [metric], style) for metric in metrics]
    return _section_of_tables(tables, style)


def _section_of_tables(tables: Sequence[list[TableColumn]], style: Style) -> Section:
    return Section(tables=[part for table in tables for part in fitted_tables(table, style.columns)])


def group_sections(pairs: Sequence[PairResults], style: Style, group: str) -> list[Section]:
    """Return the tables of groups, the meaning of results over all groups, and what their tests say."""
    over_all = pairs[-OVER_ALL:]
    results = over_all[0].results
    meaning = _OVER_GROUPS
    if results.sampling:
        meaning += _GROUPS_RESAMPLED
    if results.corrected:
        meaning += _GROUPS_CORRECTED
    tables = [_groups_table(pairs, metric, style, group) for metric in range(len(pairs[0].signatures))]
    sections = [_section_of_tables(tables, style), Section("Over all groups", [meaning])]
    if results.test:
        for pair in over_all:
            sections.append(Section(pair.pair.capitalize(), conclusions_of_test(pair, style.width)))
        compared = f"Each system is compared with {over_all[0].names[0]}."
        sections.append(explanation_of_test(results, compared, pairs[0].results))
    return sections


def _explanations_of_tests(pairs: Sequence[PairResults]) -> list[Section]:
    """Return the tests and the meaning of their p-values; pairs with the same units and samples share a section."""
    alike: dict[object, list[PairResults]] = {}
    for pair in pairs:
        if pair.results.test:
            units = pair.results.units
            key = samples_text(pair.results), units and units.name, pair.results.family
            alike.setdefault(key, []).append(pair)
    sections: list[Section] = []
    for group in alike.values():
        compared = _COMPARED.format(baselines=", ".join(dict.fromkeys([pair.names[0] for pair in group])))
        if len(group) < len(pairs):
            compared = f"{', '.join([pair.pair for pair in group])}: {compared}"
        sections.append(explanation_of_test(group[0].results, compared))
    return sections


def scores_table(pairs: Sequence[PairResults], metrics: Iterable[int], style: Style) -> list[TableColumn]:
    """Return a table of systems. Under each metric, each pair has a column, and the mean over all pairs has one."""
    names = systems_of(pairs)
    table: list[TableColumn] = [("System", names)]
    for index in metrics:
        metric = pairs[0].metrics[index]
        for pair in pairs:
            known = {name: result_cell(pair.results, index, system, style) for system, name in enumerate(pair.names)}
            cells = [known.get(name, _NO_OUTPUT) for name in names]
            table.append((result_head(f"{metric} {pair.pair}", pair.results.systems[0][index]), cells))
        if len(pairs) > 1:
            means, places = means_over_pairs(pairs, index), pairs[0].results.places(index, style.width)
            table.append((f"{metric} {MEAN}",
                          [f"{means[name]:.{places}f}" if name in means else _NO_OUTPUT for name in names]))
    return table


def _groups_table(pairs: Sequence[PairResults], metric: int, style: Style, group: str) -> list[TableColumn]:
    """Return a table under one metric, with a row for each group, and a column for each system."""
    table: list[TableColumn] = [(f"{pairs[0].metrics[metric]} by {group}", [pair.pair for pair in pairs]),
                           ("Segments", [f"{pair.results.segments}" for pair in pairs])]
    for system, name in enumerate(pairs[0].names):
        head = result_head(name, pairs[0].results.systems[system][metric])
        table.append((head, [result_cell(pair.results, metric, system, style) for pair in pairs]))
    return table


def autoranks(pairs: Sequence[PairResults]) -> dict[str, dict[str, float]]:
    """Return the AutoRank of each system on each pair, from its scores under all metrics."""
    from ..meta_evaluation.system_ranks import autorank

    ranks_by_system: dict[str, dict[str, float]] = {name: {} for name in systems_of(pairs)}
    for pair in pairs:
        scores: list[list[float]] = []
        for metric, lower in enumerate(pair.lower_is_better):
            sign = -1 if lower else 1
            scores.append([sign * system[metric].score for system in pair.results.systems])
        for name, rank in zip(pair.names, autorank(scores)):
            ranks_by_system[name][pair.pair] = rank
    return ranks_by_system


def _autorank_table(pairs: Sequence[PairResults], ranks: Mapping[str, Mapping[str, float]]) -> list[TableColumn]:
    """Return a table of ranks; a system that lacks an output for a pair has no mean over all pairs."""
    rows = {name: {pair: f"{rank:.1f}" for pair, rank in by_pair.items()} for name, by_pair in ranks.items()}
    heads = [pair.pair for pair in pairs]
    if len(pairs) > 1:
        heads.append(MEAN)
        for name, by_pair in ranks.items():
            if len(by_pair) == len(pairs):
                rows[name][MEAN] = f"{fsum(by_pair.values()) / len(pairs):.1f}"
    columns = [(head, [row.get(head, _NO_OUTPUT) for row in rows.values()]) for head in heads]
    return [("System", list(rows)), *columns]


def _pairs_as_json(pairs: Sequence[PairResults], wanted: Wanted, ranks: Mapping[str, Mapping[str, float]],
                   group: str) -> str:
    metrics = pairs[0].metrics
    systems: list[dict[str, object]] = []
    all_means = [means_over_pairs(pairs, index) for index in range(len(metrics))]
    for name in systems_of(pairs):
        by_pair: dict[str, object] = {}
        for pair in pairs:
            if name in pair.names:
                system = pair.names.index(name)
                by_pair[pair.pair] = {metric: members_of(pair, index, system, wanted)
                                      for index, metric in enumerate(metrics)}
        means = {metric: of_metric.get(name) for metric, of_metric in zip(metrics, all_means)}
        systems.append({"system": name, **({"groups": by_pair} if group else {"pairs": by_pair, MEAN: means})})
        if ranks:
            systems[-1]["autorank"] = ranks[name]
    signatures: dict[str, object] = {}
    for pair in pairs:
        signatures[pair.pair] = {metric: signature.format() for metric, signature in pair.signatures.items()}
    scales = scales_of(metrics, pairs[0].results.scores[0])
    return to_json({"signatures": signatures, "systems": systems, **scales}, indent=1, ascii_only=False)


def _pairs_as_lines(pairs: Sequence[PairResults], style: Style, wanted: Wanted,
                    ranks: Mapping[str, Mapping[str, float]], group: str) -> str:
    """Return a line for each score on each pair, and for each mean over all pairs.

    As in `comparison`, lines for differences of further pairs of systems, or for power, follow.
    """
    lines: list[dict[str, Any]] = []
    scope = "group" if group else "pair"
    for name in systems_of(pairs):
        for index, metric in enumerate(pairs[0].signatures):
            for pair in pairs:
                if name in pair.names:
                    lines.append({scope: pair.pair, **line_of(pair, index, pair.names.index(name), wanted)})
            mean = means_over_pairs(pairs, index).get(name)
            if len(pairs) > 1 and mean is not None and not group:
                lines.append({"system": name, "pair": MEAN, "metric": metric, "score": mean})
    for pair in pairs:
        lines += [{scope: pair.pair, **line} for line in further_lines(pair, wanted)]
    for name, system_ranks in ranks.items():
        for pair_name, rank in system_ranks.items():
            lines.append({"system": name, "pair": pair_name, "metric": "AutoRank", "score": rank})
    first, *others = RESULT_COLUMNS
    return delimited_lines(style.form, (first, scope, *others, *LAST_COLUMNS), lines)


#: The columns of formats for programs, for systems with several runs.
RUNS_COLUMNS = ("system", "metric", "runs", "mean", "deviation", "lowest", "highest", "selection", "p_value", "p_holm",
                *LAST_COLUMNS)

_DEVIATION = ("For each system: the mean of the scores of its runs, and s, their sample standard deviation (a single "
              "run has none).")

_SELECTION = (" s_sel is the standard deviation that comes from the choice of segments: the standard deviation of a "
              "run's scores in {resamples:,} bootstrap resamples, averaged over runs.")


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
        return delimited_lines(style.form, RUNS_COLUMNS, lines_of_runs(names, results, signatures))
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
                 style: Style) -> list[list[TableColumn]]:
    line_break = LAYOUTS[style.form].line_break
    runs = [str(len(system[0].scores)) for system in results.systems]
    table: list[TableColumn] = [("System", list(names)), ("Runs", runs)]
    for index, metric in enumerate(metrics):
        cells = [_runs_cell(results, index, system, style.width, line_break) for system in range(len(names))]
        table.append((metric, cells))
    return fitted_tables(table, style.columns)


def _runs_cell(results: RunsResults, metric: int, system: int, width: int, line_break: str) -> str:
    """Return a result in a table, such as `33.1 (s = 0.4)`, with its p-values, if any."""
    result, places = results.systems[system][metric], results.places(metric, width)
    deviations = [f"{name} = {number:.{places}f}"
                  for name, number in (("s", result.deviation), ("s_sel", result.selection)) if number is not None]
    cell = f"{result.mean:.{places}f}" + (f" ({', '.join(deviations)})" if deviations else "")
    if result.p_value is None:
        return cell
    corrected = results.corrected[system][metric] if results.corrected_tests > 1 else None
    is_marked = results.differs_from_first(metric, system)
    return cell + line_break + p_value_text(result.p_value, corrected, is_marked)


def lines_of_runs(names: Sequence[str], results: RunsResults,
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
