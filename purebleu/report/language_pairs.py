"""The results of systems on several language pairs as a string: one table for all pairs, with means over them."""

from __future__ import annotations

from math import fsum

from .comparison import (
    explanation_of_ranks,
    explanation_of_test,
    members_of,
    ranking_table,
    result_cell,
    result_head,
    scales_of,
)
from .layouts import LAYOUTS, Section
from .names import names_in
from .tables import fits, fitted
from .worth import NOTHING_WANTED, samples_text, worth_sections

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Sequence

    from ..metrics.score import Signature
    from ..significance.paired import Result
    from ..significance.results import Results
    from .style import Style
    from .tables import Column
    from .worth import Wanted

#: The name of the column of means, and of the pair in lines that have them.
MEAN = "mean"

#: The sign in place of the score of a missing output.
_NO_OUTPUT = "–"

_AUTORANK_EXPLAINED = (
    "The scores of systems under all metrics on a common scale, averaged (Kocmi et al., 2025): the best system of a "
    "pair has 1, the worst one the number of its systems. There is no test of it.")

_COMPARED = "Each system is compared with the first one of its pair: {baselines}."


class PairResults:
    """The results of systems on a language pair.

    Attributes:
        pair: the name of the pair.
        names: the names of the systems.
        results: the results, as `significance.results_of` returns them.
        signatures: the signatures by the names of scores, in the order of the metrics.
        lower_is_better: for each metric, whether lower scores are better.
    """

    def __init__(self, pair: str, names: Sequence[str], results: Results, signatures: Mapping[str, Signature],
                 lower_is_better: Sequence[bool]) -> None:
        self.pair = pair
        self.names = names
        self.results = results
        self.signatures = signatures
        self.lower_is_better = lower_is_better

    def result(self, name: str, metric: int) -> Result | None:
        """The result of a system under a metric; `None` where it has no output for this pair."""
        return self.results.systems[self.names.index(name)][metric] if name in self.names else None


def systems_of(pairs: Sequence[PairResults]) -> list[str]:
    """The names of all systems, in the order in which they first appear."""
    return list(dict.fromkeys([name for pair in pairs for name in pair.names]))


def mean_over_pairs(pairs: Sequence[PairResults], name: str, metric: int) -> float | None:
    """The mean of a system's scores over all pairs; `None` where it has no output for one of them."""
    results = [pair.result(name, metric) for pair in pairs]
    scores = [result.score for result in results if result is not None]
    return fsum(scores) / len(scores) if len(scores) == len(results) else None


def pairs_report(pairs: Sequence[PairResults], style: Style, wanted: Wanted = NOTHING_WANTED,
                 with_autorank: bool = False) -> str:
    """The results of all pairs, in one of `TABLE_FORMATS` or `DELIMITED_FORMATS`.

    Args:
        pairs: one or more, under the same metrics.
        style: the style of the tables.
        wanted: the figures on differences to show, too.
        with_autorank: whether AutoRank is shown, too.
    """
    pairs = [PairResults(names_in(style, [pair.pair])[0], names_in(style, pair.names), pair.results, pair.signatures,
                         pair.lower_is_better) for pair in pairs]
    ranks = autoranks(pairs) if with_autorank else {}
    if style.format.kind == "json":
        return _pairs_as_json(pairs, wanted, ranks)
    if style.format.kind == "lines":
        return _pairs_as_lines(pairs, style, wanted, ranks)
    layout, width, color, limit = LAYOUTS[style.form], style.width, style.color, style.columns
    metrics = list(range(len(pairs[0].signatures)))
    table = scores_table(pairs, metrics, width, layout.line_break, color)
    tables = [table] if fits(table, limit) else [scores_table(pairs, [metric], width, layout.line_break, color)
                                                 for metric in metrics]
    sections = [Section(tables=[fitted(table, limit) for table in tables])]
    if ranks:
        sections.append(Section("AutoRank", [_AUTORANK_EXPLAINED], [fitted(_autorank_table(pairs, ranks), limit)]))
    sections += _explanations_of_tests(pairs, color)
    ranked = [pair for pair in pairs if pair.results.rankings]  # (two systems of a pair have no ranks)
    if ranked:
        sections.append(Section("Ranking", [explanation_of_ranks(ranked[0].results)]))
        sections += [Section(pair.pair, tables=[fitted(ranking_table(pair.names, pair.results, list(pair.signatures),
                                                                     width), limit)]) for pair in ranked]
    for pair in pairs:
        for section in worth_sections(pair.names, pair.results, pair.signatures, wanted, width, limit):
            section.heading = f"{section.heading}, {pair.pair}"
            sections.append(section)
    sections.append(Section("Metric signatures", items=[
        (f"{metric}, {pair.pair}", signature.format(style.short))
        for metric in pairs[0].signatures for pair in pairs for signature in [pair.signatures[metric]]]))
    return layout.document([layout.section(section) for section in sections])


def _explanations_of_tests(pairs: Sequence[PairResults], color: bool) -> list[Section]:
    """The tests, and the meaning of their p-values: one section for all pairs with the same units and samples."""
    alike: dict[object, list[PairResults]] = {}
    for pair in [pair for pair in pairs if pair.results.test]:
        units = pair.results.units
        key = samples_text(pair.results), units and units.name, pair.results.family
        alike.setdefault(key, []).append(pair)
    sections: list[Section] = []
    for group in alike.values():
        compared = _COMPARED.format(baselines=", ".join(dict.fromkeys([pair.names[0] for pair in group])))
        if len(group) < len(pairs):
            compared = f"{', '.join([pair.pair for pair in group])}: {compared}"
        sections.append(explanation_of_test(group[0].results, compared, color))
    return sections


def scores_table(pairs: Sequence[PairResults], metrics: Sequence[int], width: int, line_break: str = " ",
                 color: bool = False) -> list[Column]:
    """A table of systems: under each of these metrics, a column for each pair, and one for the mean over pairs."""
    names = systems_of(pairs)
    table: list[Column] = [("System", names)]
    for index, metric in [(index, list(pairs[0].signatures)[index]) for index in metrics]:
        for pair in pairs:
            head = result_head(f"{metric} {pair.pair}", pair.results.systems[0][index])
            table.append((head, [result_cell(pair.results, index, pair.names.index(name), width, line_break, color)
                                 if name in pair.names else _NO_OUTPUT for name in names]))
        if len(pairs) > 1:
            means = [mean_over_pairs(pairs, name, index) for name in names]
            places = pairs[0].results.places(index, width)
            table.append((f"{metric} {MEAN}", [_NO_OUTPUT if mean is None else f"{mean:.{places}f}" for mean in means]))
    return table


def autoranks(pairs: Sequence[PairResults]) -> dict[str, dict[str, float]]:
    """The AutoRank of each system on each pair, from its scores under all metrics: by system, then by pair."""
    from ..meta_evaluation.auto_ranks import autorank

    ranks_by_system: dict[str, dict[str, float]] = {name: {} for name in systems_of(pairs)}
    for pair in pairs:
        scores = [[(-1 if lower else 1) * system[metric].score for system in pair.results.systems]
                  for metric, lower in enumerate(pair.lower_is_better)]
        for name, rank in zip(pair.names, autorank(scores)):
            ranks_by_system[name][pair.pair] = rank
    return ranks_by_system


def _mean_autorank(pairs: Sequence[PairResults], ranks: Mapping[str, float]) -> float | None:
    """The mean of a system's ranks over all pairs; `None` where it lacks an output for one of them."""
    return fsum(ranks.values()) / len(pairs) if len(ranks) == len(pairs) else None


def _autorank_table(pairs: Sequence[PairResults], ranks: Mapping[str, Mapping[str, float]]) -> list[Column]:
    names = systems_of(pairs)
    columns = [[ranks[name].get(pair.pair) for name in names] for pair in pairs]
    heads = [pair.pair for pair in pairs]
    if len(pairs) > 1:
        heads.append(MEAN)
        columns.append([_mean_autorank(pairs, ranks[name]) for name in names])
    return [("System", names), *[(head, [_NO_OUTPUT if rank is None else f"{rank:.1f}" for rank in column])
                                 for head, column in zip(heads, columns)]]


def _pairs_as_json(pairs: Sequence[PairResults], wanted: Wanted, ranks: Mapping[str, Mapping[str, float]]) -> str:
    from ..runtime.json_writer import to_json

    metrics = list(pairs[0].signatures)

    def pair_object(pair: PairResults, name: str) -> Mapping[str, object]:
        return {metric: members_of(pair.names, pair.results, index, pair.names.index(name), pair.signatures[metric],
                                   wanted) for index, metric in enumerate(metrics)}

    systems = [{"system": name, "pairs": {pair.pair: pair_object(pair, name) for pair in pairs if name in pair.names},
                MEAN: {metric: mean_over_pairs(pairs, name, index) for index, metric in enumerate(metrics)},
                **({"autorank": ranks[name]} if ranks else {})}
               for name in systems_of(pairs)]
    signatures = {pair.pair: {metric: signature.format() for metric, signature in pair.signatures.items()}
                  for pair in pairs}
    scales = scales_of(metrics, pairs[0].results.scores[0])
    return to_json({"signatures": signatures, "systems": systems, **scales}, indent=1, ascii_only=False)


def _pairs_as_lines(pairs: Sequence[PairResults], style: Style, wanted: Wanted,
                    ranks: Mapping[str, Mapping[str, float]]) -> str:
    """The results of systems on several language pairs: a line for each score, and one for each mean over all pairs.

    As in `comparison_lines`, further lines follow: for differences of further pairs of systems, or for power.
    """
    from .comparison_lines import (
        LAST_COLUMNS,
        RESULT_COLUMNS,
        delimited_lines,
        further_lines,
        line_of,
    )

    lines: list[dict[str, Any]] = []
    for name in systems_of(pairs):
        for index, metric in enumerate(pairs[0].signatures):
            lines += [{"pair": pair.pair, **line_of(pair.names, pair.results, index, pair.names.index(name), metric,
                                                    pair.signatures[metric], wanted)}
                      for pair in pairs if name in pair.names]
            mean = mean_over_pairs(pairs, name, index)
            if len(pairs) > 1 and mean is not None:
                lines.append({"system": name, "pair": MEAN, "metric": metric, "score": mean})
    lines += [{"pair": pair.pair, **line} for pair in pairs
              for line in further_lines(pair.names, pair.results, pair.signatures, wanted)]
    lines += [{"system": name, "pair": pair, "metric": "AutoRank", "score": rank}
              for name, system_ranks in ranks.items() for pair, rank in system_ranks.items()]
    first, *others = RESULT_COLUMNS
    return delimited_lines(style.form, (first, "pair", *others, *LAST_COLUMNS), lines)
