"""The agreement of metrics with people as text: tables of measures and ranks, and the meaning of the measures."""

from __future__ import annotations

from ..meta_evaluation.measures import MEASURES, name_of_question
from ..meta_evaluation.metric_ranks import Answer, marks
from ..meta_evaluation.system_ranks import SystemRanks
from ..runtime.hints import Any, Iterator, Mapping, NamedTuple, Sequence
from ..runtime.json_writer import to_json
from ..significance.paired import SIGNIFICANT
from .formats import Style, delimited
from .tables import Section, TableColumn, columns_in, document_of, fitted_tables

#: The minimum number of decimal places of measures.
_MIN_WIDTH = 3

#: The outputs that a measure compares with each other, by the groups of the measure (`Question.by`).
_GROUPED = {"none": "all {level} together", "item": "the outputs for each segment, averaged over segments",
            "system": "the outputs of each system, averaged over systems"}

#: The meaning of measures, by their names.
_MEANINGS = {
    "acc-eq": "the share of pairs of outputs that the metric orders as people do, including ties: scores are tied if "
              "they differ by no more than a threshold, which is chosen for each metric (Deutsch et al., 2023)",
    "accuracy": "the share of pairs that the metric orders as people do",
    "pearson": "the linear correlation",
    "spa": "1 minus the mean absolute difference between two p-values of each pair of systems, one under people's "
           "scores and one under the metric's scores (Thompson et al., 2024)",
    "tau-b": "Kendall's rank correlation, corrected for ties",
}

_RANKS = ("A new rank begins at the first metric that is significantly worse (p ≤ {threshold}) than a metric of the "
          "previous rank. As in WMT's tables, the tests are one-sided permutation tests of all pairs of metrics "
          "({trials:,} trials), and p-values are not corrected for the number of tests. In tables of tests, > means "
          "that the row's metric is significantly better than the column's metric, and = means that it is not.")

_HUMAN_RANKS = (
    "Scores are means over the segments that people judged. The possible ranks of a system begin after the nearest "
    "system above that is significantly better, and end before the nearest system below that is significantly worse "
    "(p < {threshold}). As in WMT's findings, the tests are one-sided Wilcoxon signed-rank tests, and p-values are not "
    "corrected for the number of tests.")


class AgreementTable(NamedTuple):
    """The results of `agree`: the agreement of metrics with people.

    Attributes:
        answers: for each measure, the agreement of all metrics.
        trials: the number of trials of each test between metrics; 0: metrics were not tested.
        signatures: the signatures of the metrics, by the names of their scores.
        human: the names of the files of human scores.
        ranks: the ranks of the systems by human scores of segments; `None` if there are no such scores.
        systems: the names of the systems.
    """

    answers: Sequence[Answer]
    trials: int
    signatures: Mapping[str, str]
    human: Sequence[str]
    ranks: SystemRanks | None
    systems: Sequence[str]


def agreement_report(table: AgreementTable, style: Style) -> str:
    """Return the agreement, in one of `TABLE_FORMATS` or `DELIMITED_FORMATS`.

    Args:
        table: the agreement of metrics with people.
        style: the style of the output; measures have at least `_MIN_WIDTH` decimal places.
    """
    if style.format.kind == "json":
        return _as_json(table)
    if style.format.kind == "lines":
        width = max(style.width, _MIN_WIDTH)
        return delimited(style.form, ("metric", "measure", "agreement", "rank", "systems", "judged", "signature"),
                         [(line[0], line[1], f"{line[2]:.{width}f}", *line[3:]) for line in _lines(table)])
    return document_of(agreement_sections(table, style), style)


def agreement_sections(table: AgreementTable, style: Style) -> list[Section]:
    """Return sections: agreement, meaning of the measures, tests between metrics, ranks of systems, signatures."""
    width = max(style.width, _MIN_WIDTH)

    def laid_out(columns: Sequence[TableColumn], size: int = 1) -> list[list[TableColumn]]:
        return fitted_tables(columns_in(style, columns), style.columns, size)

    meaning = [f"{name_of_question(answer.question)}: {MEASURES[answer.question.measure].title}, "
               f"{_MEANINGS[answer.question.measure]}. {_measured_scores(answer)}" for answer in table.answers]
    is_tested = bool(table.trials) and len(table.signatures) > 1
    sections = [Section("Agreement with people", tables=laid_out(_agreement_columns(table, width), 1 + is_tested)),
                Section("Meaning of the measures", meaning)]
    if is_tested:
        sections.append(Section("Tests between metrics", [_RANKS.format(threshold=SIGNIFICANT, trials=table.trials)],
                                [part for answer in table.answers for part in laid_out(_tests_table(answer))]))
    if table.ranks is not None:
        sections.append(Section("Systems by human scores", [_HUMAN_RANKS.format(threshold=SIGNIFICANT)],
                                laid_out(_ranks_table(table.ranks, table.systems, width))))
    sections.append(Section("Metric signatures", items=list(table.signatures.items())))
    return sections


def _measured_scores(answer: Answer) -> str:
    """Return sentences on the scores that a measure compares."""
    if answer.question.level == "systems":
        certain = " With two systems, the measure has either its highest or its lowest value."
        return f"The measure compares the scores of {answer.systems} systems.{certain if answer.systems == 2 else ''}"
    groups = "" if answer.question.measure == "spa" else \
        f" The measure compares {_GROUPED[answer.question.by].format(level='outputs')}."
    return f"The measure uses the human scores of {answer.judged:,} outputs of {answer.systems} systems.{groups}"


def _agreement_columns(table: AgreementTable, width: int) -> list[TableColumn]:
    """Return a table of metrics with their agreement and rank under each measure, in the order of the first measure."""
    order = table.answers[0].ranking.names
    columns: list[TableColumn] = [("Metric", order)]
    for answer in table.answers:
        ranking = answer.ranking
        indices = [ranking.names.index(name) for name in order]
        columns.append((name_of_question(answer.question),
                        [f"{ranking.agreements[index]:.{width}f}" for index in indices]))
        if table.trials and len(order) > 1:
            columns.append(("Rank", [str(ranking.ranks[index]) for index in indices]))
    return columns


def _ranks_table(ranks: SystemRanks, names: Sequence[str], width: int) -> list[TableColumn]:
    """Return a table of systems, best first, with their mean human scores, possible ranks, and clusters."""
    systems, means, ranges, clusters = zip(*_ranked_systems(ranks, names))
    return [("System", systems), ("Mean", [f"{mean:.{width}f}" for mean in means]), ("Rank", ranges),
            ("Cluster", list(map(str, clusters)))]


def _ranked_systems(ranks: SystemRanks, names: Sequence[str]) -> Iterator[tuple[str, float, str, int]]:
    """Yield, for each system, its name, mean score, possible ranks, and cluster number; the best system first."""
    for number, systems in enumerate(ranks.clusters, 1):
        for system in systems:
            first, last = ranks.ranges[system]
            yield names[system], ranks.means[system], f"{first}" if first == last else f"{first}-{last}", number


def _tests_table(answer: Answer) -> list[TableColumn]:
    """Return a table of the tests between metrics under a measure; its cells are the result of `marks`."""
    ranking = answer.ranking
    columns = [*zip(ranking.names, map(list, zip(*marks(ranking))))]
    return [(f"{name_of_question(answer.question)}: better than", ranking.names), *columns]


def _lines(table: AgreementTable) -> list[tuple[Any, ...]]:
    """Return, for each metric under each measure, the fields of a line of CSV."""
    lines: list[tuple[Any, ...]] = []
    for answer in table.answers:
        measure, ranking = name_of_question(answer.question), answer.ranking
        for name, agreement, rank in zip(ranking.names, ranking.agreements, ranking.ranks):
            lines.append((name, measure, agreement, rank if table.trials else None, answer.systems, answer.judged,
                          table.signatures[name]))
    return lines


def _as_json(table: AgreementTable) -> str:
    measures: list[dict[str, object]] = []
    for answer in table.answers:
        ranking = answer.ranking
        metrics: list[dict[str, object]] = []
        for name, agreement, rank in zip(ranking.names, ranking.agreements, ranking.ranks):
            metrics.append({"metric": name, "agreement": agreement})
            if table.trials:
                metrics[-1]["rank"] = rank
        tests = [{"better": ranking.names[one], "worse": ranking.names[other], "p_value": p_value}
                 for (one, other), p_value in ranking.p_values.items()]
        measures.append({"measure": name_of_question(answer.question), "level": answer.question.level,
                         "by": answer.question.by, "systems": answer.systems, "judged": answer.judged,
                         "metrics": metrics, "tests": tests})
    results: dict[str, object] = {"human": list(table.human), "trials": table.trials,
                                  "signatures": dict(table.signatures), "measures": measures}
    if table.ranks is not None:
        members = ("system", "mean", "rank", "cluster")
        results["systems"] = [dict(zip(members, row)) for row in _ranked_systems(table.ranks, table.systems)]
    return to_json(results, indent=1, ascii_only=False)
