"""The agreement of metrics with people as a string: a table of measures and ranks, and their meaning."""

from __future__ import annotations

from ..meta_evaluation.measures import MEASURES
from ..meta_evaluation.metric_ranks import marks
from ..meta_evaluation.table import name_of_question
from ..significance.paired import SIGNIFICANT
from .layouts import LAYOUTS, Section
from .names import columns_in
from .tables import fitted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Sequence

    from ..meta_evaluation.signed_ranks import SystemRanks
    from ..meta_evaluation.table import Answer
    from .style import Style
    from .tables import Column

#: The minimum number of decimal places of measures.
_MIN_WIDTH = 3

#: The groups that a measure is taken over, in words.
_GROUPED = {"none": "all {level} together", "item": "the outputs for each segment, averaged over segments",
            "system": "the outputs of each system, averaged over systems"}

#: The meaning of measures, by their names.
_MEANINGS = {
    "acc-eq": "the share of pairs of outputs that the metric orders as people do, ties included; scores of the metric "
              "that differ by no more than a threshold are ties, the threshold being the best one for each metric "
              "(Deutsch et al., 2023)",
    "accuracy": "the share of pairs that the metric orders as people do",
    "pearson": "the linear correlation",
    "spa": "1 minus the mean difference, over pairs of systems, between the p-value under people's scores and that "
           "under the metric's (Thompson et al., 2024)",
    "tau-b": "Kendall's rank correlation, corrected for ties",
    "tau-c": "Kendall's rank correlation, in Stuart's form",
}

_RANKS = ("A metric shares the rank of the one before it, unless some metric of that rank is significantly better "
          "(p ≤ {threshold}; one-sided permutation tests between any two metrics, {trials:,} trials, not corrected for "
          "their number, as in WMT's tables). >: significantly better; =: not.")


_HUMAN_RANKS = (
    "Means over the segments that people judged. The range of ranks of a system goes up to the first system that is "
    "significantly better, and down to the first one that is significantly worse (p < {threshold}; one-sided Wilcoxon "
    "signed-rank tests, not corrected for their number, as in WMT's findings).")


class AgreementTable:
    """The agreement of metrics with people, to be printed.

    Attributes:
        answers: for each measure, the agreement of all metrics.
        trials: the number of trials of each test between metrics; 0: there were no tests.
        signatures: the signatures of the metrics, by the names of their scores.
        human: the files of human scores.
        ranks: the ranks of the systems by human scores of segments; `None` where there are no such scores.
        systems: the names of the systems.
    """

    def __init__(self, answers: Sequence[Answer], trials: int, signatures: Mapping[str, str],
                 human: Sequence[str], ranks: SystemRanks | None = None, systems: Sequence[str] = ()) -> None:
        self.answers = answers
        self.trials = trials
        self.signatures = signatures
        self.human = human
        self.ranks = ranks
        self.systems = systems


def agreement_report(table: AgreementTable, style: Style) -> str:
    """The agreement, in one of `TABLE_FORMATS` or `DELIMITED_FORMATS`.

    Args:
        table: the agreement of metrics with people.
        style: the style of the output; measures have `_MIN_WIDTH` decimal places or more.
    """
    width = max(style.width, _MIN_WIDTH)
    if style.format.kind == "json":
        return _as_json(table)
    if style.format.kind == "lines":
        from .delimited import delimited

        return delimited(style.form, ("metric", "measure", "agreement", "rank", "systems", "judged", "signature"),
                         [(line[0], line[1], f"{line[2]:.{width}f}", *line[3:]) for line in _lines(table)])
    layout = LAYOUTS[style.form]
    sections = agreement_sections(table, style)
    return layout.document([layout.section(section) for section in sections])


def agreement_sections(table: AgreementTable, style: Style) -> list[Section]:
    """The agreement as sections: the table, its meaning, the tests between metrics, and the signatures."""
    width = max(style.width, _MIN_WIDTH)

    def laid_out(columns: Sequence[Column]) -> list[Column]:
        return fitted(columns_in(style, columns), style.columns)

    meaning = [f"{name_of_question(answer.question)}: {MEASURES[answer.question.measure].title}, "
               f"{_MEANINGS[answer.question.measure]}. {_measured_scores(answer)}" for answer in table.answers]
    sections = [Section("Agreement with people", tables=[laid_out(_agreement_columns(table, width))]),
                Section("Meaning of the measures", meaning)]
    if table.trials and len(table.signatures) > 1:
        sections.append(Section("Tests between metrics", [_RANKS.format(threshold=SIGNIFICANT, trials=table.trials)],
                                list(map(laid_out, map(_tests_table, table.answers)))))
    if table.ranks is not None:
        sections.append(Section("Systems by human scores", [_HUMAN_RANKS.format(threshold=SIGNIFICANT)],
                                [laid_out(_ranks_table(table.ranks, table.systems, width))]))
    sections.append(Section("Metric signatures", items=list(table.signatures.items())))
    return sections


def _measured_scores(answer: Answer) -> str:
    """The scores that a measure compares, in words."""
    if answer.question.level == "systems":
        return f"Taken of the scores of {answer.systems} systems."
    groups = "" if answer.question.measure == "spa" else \
        f" It is taken over {_GROUPED[answer.question.by].format(level='outputs')}."
    return f"It uses the human scores of {answer.judged:,} outputs of {answer.systems} systems.{groups}"


def _agreement_columns(table: AgreementTable, width: int) -> list[Column]:
    """The metrics, in the order of the first measure, with their agreement and rank under each measure."""
    order = table.answers[0].ranking.names
    columns: list[Column] = [("Metric", order)]
    for answer in table.answers:
        ranking = answer.ranking
        indices = [ranking.names.index(name) for name in order]
        columns.append((name_of_question(answer.question),
                        [f"{ranking.agreements[index]:.{width}f}" for index in indices]))
        if table.trials and len(order) > 1:
            columns.append(("Rank", [str(ranking.ranks[index]) for index in indices]))
    return columns


def _ranks_table(ranks: SystemRanks, names: Sequence[str], width: int) -> list[Column]:
    """Systems in the order of their human scores, with ranges of ranks, and clusters."""
    cluster = {system: str(number) for number, systems in enumerate(ranks.clusters, 1) for system in systems}
    return [("System", [names[system] for system in ranks.order]),
            ("Mean", [f"{ranks.means[system]:.{width}f}" for system in ranks.order]),
            ("Rank", [_range_text(ranks.ranges[system]) for system in ranks.order]),
            ("Cluster", [cluster[system] for system in ranks.order])]


def _range_text(ends: tuple[int, int]) -> str:
    return f"{ends[0]}" if ends[0] == ends[1] else f"{ends[0]}-{ends[1]}"


def _tests_table(answer: Answer) -> list[Column]:
    """The pairs of metrics of which one is significantly better, under a measure."""
    ranking = answer.ranking
    marks_of_metrics = marks(ranking)
    return [(f"{name_of_question(answer.question)}: better than", ranking.names),
            *[(name, [row[column] for row in marks_of_metrics]) for column, name in enumerate(ranking.names)]]


def _lines(table: AgreementTable) -> list[tuple[Any, ...]]:
    """For each metric under each measure: metric, measure, agreement, rank, numbers of scores, signature."""
    return [(name, name_of_question(answer.question), agreement, rank if table.trials else None, answer.systems,
             answer.judged, table.signatures[name])
            for answer in table.answers
            for name, agreement, rank in zip(answer.ranking.names, answer.ranking.agreements, answer.ranking.ranks)]


def _as_json(table: AgreementTable) -> str:
    from ..runtime.json_writer import to_json

    measures: list[dict[str, object]] = []
    for answer in table.answers:
        ranking = answer.ranking
        metrics = [{"metric": name, "agreement": agreement, **({"rank": rank} if table.trials else {})}
                   for name, agreement, rank in zip(ranking.names, ranking.agreements, ranking.ranks)]
        tests = [{"better": ranking.names[one], "worse": ranking.names[other], "p_value": p_value}
                 for (one, other), p_value in ranking.p_values.items()]
        measures.append({"measure": name_of_question(answer.question), "level": answer.question.level,
                         "by": answer.question.by, "systems": answer.systems, "judged": answer.judged,
                         "metrics": metrics, "tests": tests})
    ranks = table.ranks
    systems = {} if ranks is None else {"systems": [
        {"system": table.systems[system], "mean": ranks.means[system], "rank": _range_text(ranks.ranges[system]),
         "cluster": next(number for number, members in enumerate(ranks.clusters, 1) if system in members)}
        for system in ranks.order]}
    return to_json({"human": list(table.human), "trials": table.trials, "signatures": dict(table.signatures),
                    "measures": measures, **systems}, indent=1, ascii_only=False)
