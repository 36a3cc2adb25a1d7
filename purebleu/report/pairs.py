"""The results of systems on several language pairs as a string: one table for all pairs, with means over them."""

from __future__ import annotations

from itertools import chain
from math import fsum

from .comparison import (
    LAST_COLUMNS,
    RESULT_COLUMNS,
    conclusions_of_test,
    delimited_lines,
    explanation_of_ranks,
    explanation_of_test,
    further_lines,
    line_of,
    members_of,
    ranking_tables,
    result_cell,
    result_head,
    scales_of,
    signatures_section,
)
from .layouts import Section, document_of
from .tables import fits, fitted_tables
from .worth import NOTHING_WANTED, Wanted, samples_text, worth_sections

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Mapping, Sequence

    from ..metrics.score import Signature
    from .formats import Style
    from .names import PairResults
    from .tables import Column

#: The name of the column of means, and of the pair in lines that have them.
MEAN = "mean"

#: The number of results over all groups, which come last: the mean over them, and that of pooled segments.
_OVER_ALL = 2

#: The sign in place of the score of a missing output.
_NO_OUTPUT = "–"

_AUTORANK_EXPLAINED = (
    "The scores of systems under all metrics on a common scale, averaged (Kocmi et al., 2025): the best system of a "
    "pair has 1, the worst one the number of its systems. There is no test of it.")

_OVER_GROUPS = (
    "The macro mean is the mean of the scores of groups, each of which counts the same; the pooled score is that of "
    "all segments together. Resamples have as many segments of each group as there are. The p-values of groups are "
    "corrected together, those of the macro mean and of the pooled score apart.")

_COMPARED = "Each system is compared with the first one of its pair: {baselines}."


def systems_of(pairs: Sequence[PairResults]) -> list[str]:
    """Return the names of all systems, in the order in which they first appear."""
    return list(dict.fromkeys(chain.from_iterable([pair.names for pair in pairs])))


def mean_over_pairs(pairs: Sequence[PairResults], name: str, metric: int) -> float | None:
    """Return the mean of a system's scores over all pairs; `None` if it has no output for one of them."""
    results = [pair.result(name, metric) for pair in pairs]
    scores = [result.score for result in results if result is not None]
    return fsum(scores) / len(scores) if len(scores) == len(results) else None


def pairs_report(pairs: Sequence[PairResults], style: Style, wanted: Wanted = NOTHING_WANTED,
                 with_autorank: bool = False, group: str = "") -> str:
    """Return the results of all pairs, in one of `TABLE_FORMATS` or `DELIMITED_FORMATS`.

    Args:
        pairs: one or more, under the same metrics.
        style: the style of the tables.
        wanted: the figures on differences to show, too.
        with_autorank: whether AutoRank is shown, too.
        group: the column of groups, if they are those of one corpus in place of pairs; the last ones are over all.
    """
    pairs = [pair.shown_in(style) for pair in pairs]
    ranks = autoranks(pairs) if with_autorank else {}
    if style.format.kind == "json":
        return _pairs_as_json(pairs, wanted, ranks, group)
    if style.format.kind == "lines":
        return _pairs_as_lines(pairs, style, wanted, ranks, group)
    limit = style.columns
    metrics = range(len(pairs[0].signatures))
    tables = [scores_table(pairs, metrics, style)]
    if group:
        tables = [_groups_table(pairs, metric, style, group) for metric in metrics]
    elif not fits(tables[0], limit):
        tables = [scores_table(pairs, [metric], style) for metric in metrics]
    sections = [Section(tables=[part for table in tables for part in fitted_tables(table, limit)])]
    if ranks:
        sections.append(Section("AutoRank", [_AUTORANK_EXPLAINED], fitted_tables(_autorank_table(pairs, ranks), limit)))
    sections += _sections_over_all(pairs, style) if group else _explanations_of_tests(pairs)
    shown = pairs[-_OVER_ALL:] if group else pairs
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


def _sections_over_all(pairs: Sequence[PairResults], style: Style) -> list[Section]:
    """Return the meaning of results over all groups, and what their tests say."""
    over_all = pairs[-_OVER_ALL:]
    sections = [Section("Over all groups", [_OVER_GROUPS])]
    if over_all[0].results.test:
        for pair in over_all:
            sections.append(Section(pair.pair.capitalize(), conclusions_of_test(pair, style.width)))
        compared = f"Each system is compared with {over_all[0].names[0]}."
        sections.append(explanation_of_test(over_all[0].results, compared))
    return sections


def _explanations_of_tests(pairs: Sequence[PairResults]) -> list[Section]:
    """Return the tests, and the meaning of their p-values: a section for all pairs with the same units and samples."""
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


def scores_table(pairs: Sequence[PairResults], metrics: Iterable[int], style: Style) -> list[Column]:
    """Return a table of systems: under each of these metrics, a column for each pair, and one for the mean over pairs.
    """
    names = systems_of(pairs)
    table: list[Column] = [("System", names)]
    for index in metrics:
        metric = pairs[0].metrics[index]
        for pair in pairs:
            cells: list[str] = []
            for name in names:
                has_output = name in pair.names
                cells.append(result_cell(pair.results, index, pair.names.index(name), style) if has_output
                             else _NO_OUTPUT)
            table.append((result_head(f"{metric} {pair.pair}", pair.results.systems[0][index]), cells))
        if len(pairs) > 1:
            means = [mean_over_pairs(pairs, name, index) for name in names]
            places = pairs[0].results.places(index, style.width)
            table.append((f"{metric} {MEAN}", [_NO_OUTPUT if mean is None else f"{mean:.{places}f}" for mean in means]))
    return table


def _groups_table(pairs: Sequence[PairResults], metric: int, style: Style, group: str) -> list[Column]:
    """Return a table with a row for each group, and a column for each system under one metric."""
    table: list[Column] = [(f"{pairs[0].metrics[metric]} by {group}", [pair.pair for pair in pairs]),
                           ("Segments", [f"{pair.results.segments}" for pair in pairs])]
    for system, name in enumerate(pairs[0].names):
        head = result_head(name, pairs[0].results.systems[system][metric])
        table.append((head, [result_cell(pair.results, metric, system, style) for pair in pairs]))
    return table


def autoranks(pairs: Sequence[PairResults]) -> dict[str, dict[str, float]]:
    """Return the AutoRank of each system on each pair, from its scores under all metrics: by system, then by pair."""
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


def _mean_autorank(pairs: Sequence[PairResults], ranks: Mapping[str, float]) -> float | None:
    """Return the mean of a system's ranks over all pairs; `None` if it lacks an output for one of them."""
    return fsum(ranks.values()) / len(pairs) if len(ranks) == len(pairs) else None


def _autorank_table(pairs: Sequence[PairResults], ranks: Mapping[str, Mapping[str, float]]) -> list[Column]:
    names = systems_of(pairs)
    columns: list[tuple[str, list[float | None]]] = []
    for pair in pairs:
        columns.append((pair.pair, [ranks[name].get(pair.pair) for name in names]))
    if len(pairs) > 1:
        columns.append((MEAN, [_mean_autorank(pairs, ranks[name]) for name in names]))
    table: list[Column] = [("System", names)]
    for head, column in columns:
        table.append((head, [_NO_OUTPUT if rank is None else f"{rank:.1f}" for rank in column]))
    return table


def _pairs_as_json(pairs: Sequence[PairResults], wanted: Wanted, ranks: Mapping[str, Mapping[str, float]],
                   group: str) -> str:
    from ..runtime.json_writer import to_json

    metrics = pairs[0].metrics
    systems: list[dict[str, object]] = []
    for name in systems_of(pairs):
        by_pair: dict[str, object] = {}
        for pair in pairs:
            if name in pair.names:
                system = pair.names.index(name)
                by_pair[pair.pair] = {metric: members_of(pair, index, system, wanted)
                                      for index, metric in enumerate(metrics)}
        means = {metric: mean_over_pairs(pairs, name, index) for index, metric in enumerate(metrics)}
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
    """Return the results of systems on several pairs: a line for each score, and one for each mean over all pairs.

    As in `comparison`, further lines follow: for differences of further pairs of systems, or for power.
    """
    lines: list[dict[str, Any]] = []
    scope = "group" if group else "pair"
    for name in systems_of(pairs):
        for index, metric in enumerate(pairs[0].signatures):
            for pair in pairs:
                if name in pair.names:
                    lines.append({scope: pair.pair, **line_of(pair, index, pair.names.index(name), wanted)})
            mean = mean_over_pairs(pairs, name, index)
            if len(pairs) > 1 and mean is not None and not group:
                lines.append({"system": name, "pair": MEAN, "metric": metric, "score": mean})
    for pair in pairs:
        lines += [{scope: pair.pair, **line} for line in further_lines(pair, wanted)]
    for name, system_ranks in ranks.items():
        for pair_name, rank in system_ranks.items():
            lines.append({"system": name, "pair": pair_name, "metric": "AutoRank", "score": rank})
    first, *others = RESULT_COLUMNS
    return delimited_lines(style.form, (first, scope, *others, *LAST_COLUMNS), lines)
