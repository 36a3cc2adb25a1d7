"""The results of several systems as a string: a table, what it means, a ranking, and the signatures."""

from __future__ import annotations

from ..significance.paired import SIGNIFICANT
from . import JSON_FORMATS, SIGNED_JSON
from .colors import colored
from .layouts import LAYOUTS, Section
from .tables import fitted, json_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    from ..metrics.score import Signature
    from ..significance.paired import Result
    from ..significance.ranking import Groups
    from ..significance.results import Results
    from .tables import Column

_TESTS = {"bs": "Paired bootstrap resampling", "ar": "Paired approximate randomization",
          "sar": "Stratified approximate randomization"}

_EXPLANATIONS = {
    "bs": "For each system: its score; in parentheses, the mean of its scores in {samples:,} bootstrap resamples "
          "(each of as many segments, sampled with replacement) and half the width of their 95 % confidence interval; "
          "then p.",
    "ar": "For each system: its score; then p, from {samples:,} trials. In each trial, the outputs of the system and "
          "of the baseline for each segment are swapped with probability 1/2.",
    "sar": "p comes from {samples:,} trials. In each trial, the outputs for each segment, those of all runs of the "
           "system and of the baseline, are dealt to the two at random. What is compared is the score of all runs of a "
           "system as one corpus.",
}

_MEANING = (
    "p is the probability of a difference at least as large as the one observed under the null hypothesis, which says "
    "that the system and the baseline are equally good. Where p ≤ {threshold} (*), the null hypothesis can be "
    "rejected: the systems differ significantly. Otherwise{red} the result is inconclusive. A small p does not say "
    "that the difference is large, that it would be found again, or that a system is better for its readers.")

RANKING_EXPLAINED = (
    "Systems are ordered by their scores. All pairs of them were tested; their p-values, corrected for the number of "
    f"tests (Holm, 1979), decide whether the two differ significantly (p ≤ {SIGNIFICANT}). A new rank begins where "
    "every system above differs from every system below; systems of the same rank can't be told apart in that way.")


def comparison(names: Sequence[str], results: Results, signatures: Mapping[str, Signature], form: str, width: int,
               short: bool, color: bool, columns: int | None = None) -> str:
    """The results of several systems in one of `FORMATS`.

    Args:
        names: of the systems, in the order of the results.
        results: of `significance.results_of`.
        signatures: by the names of the metrics' scores, in the order of the metrics.
        form: one of `FORMATS`.
        width: the number of decimal places.
        short: abbreviate the signatures.
        color: for terminals.
        columns: the width of the terminal, for text; `None` where lines may have any length.
    """
    if form in JSON_FORMATS:
        signed = {metric: signature.format() for metric, signature in signatures.items()}
        return json_table(_json_columns(names, results, list(signatures), width),
                          signed if form == SIGNED_JSON else None)
    color = color and form == "text"
    layout = LAYOUTS[form]
    limit = columns if form == "text" else None
    sections = [Section(tables=[_results_table(names, results, list(signatures), layout.line_break, width, color,
                                               limit)])]
    if results.test is not None:
        compared = f"Each system is compared with {colored(names[0], 'yellow') if color else names[0]}."
        sections.append(explanation(results.test, results.samples, compared, color))
    if results.rankings:
        ranking = ranking_table(names, results, list(signatures), width)
        sections.append(Section("Ranking", [RANKING_EXPLAINED], [fitted(ranking, limit)]))
    sections.append(Section("Metric signatures", items=[(metric, signature.format(short))
                                                        for metric, signature in signatures.items()]))
    return layout.document([layout.section(section) for section in sections])


def _json_columns(names: Sequence[str], results: Results, metrics: Sequence[str],
                  width: int) -> dict[str, Sequence[object]]:
    columns: dict[str, Sequence[object]] = {"System": names}
    for index, metric in enumerate(metrics):
        column = [system[index] for system in results.systems]
        columns[metric] = [_json_cell(result, results.test, width) for result in column]
        if results.rankings:
            ranks = ranks_of(results.rankings[index])
            columns[metric] = [{**vars(result), "rank": ranks[system]} for system, result in enumerate(column)]
        columns.update([(head, numbers) for head, _, numbers in beside(results, index)])
    return columns


def beside(results: Results, metric: int) -> list[tuple[str, str, list[int]]]:
    """What stands beside the scores of systems under a metric. (Not all results have scores.)

    Returns:
        For each column: its heading, what it is called in words, and its numbers.
    """
    scores = [system[metric] for system in results.scores]
    return [(head, name.replace("_", " "), [getattr(score, name) for score in scores])
            for head, name in (scores[0].BESIDE if scores else ()) if getattr(scores[0], name) is not None]


def _json_cell(result: Result, test: str | None, width: int) -> object:
    """A system's result under a metric: text with decimal places, where it is nothing but a score."""
    return f"{result.score:.{width}f}" if test is None and result.mean is None else vars(result)


def _results_table(names: Sequence[str], results: Results, metrics: Sequence[str], line_break: str, width: int,
                   color: bool, limit: int | None) -> list[Column]:
    table: list[Column] = [("System", list(names))]
    for index, (metric, column) in enumerate(zip(metrics, zip(*results.systems))):
        table.append((result_head(metric, column[0]), [result_cell(result, width, line_break, color)
                                                       for result in column]))
        table += [(head, list(map(str, numbers))) for head, _, numbers in beside(results, index)]
    table = fitted(table, limit)
    if color:
        table = [(_colored_lines(head, "cyan"),
                  [_colored_lines(cells[0], "yellow"), *cells[1:]] if results.test else cells)
                 for head, cells in table]
    return table


def _colored_lines(text: str, color: str) -> str:
    return "\n".join([colored(line, color) for line in text.split("\n")])


def result_head(metric: str, result: Result) -> str:
    """What stands above a column of results like this one."""
    return metric + " (μ ± 95% CI)" * (result.mean is not None)


def result_cell(result: Result, width: int, line_break: str, color: bool) -> str:
    """A result in a table: the score, with interval and p-value where there are such."""
    cell = f"{result.score:.{width}f}"
    if result.mean is not None:
        cell += f" ({result.mean:.{width}f} ± {result.ci:.{width}f})"
    return cell if result.p_value is None else cell + line_break + p_value_text(result.p_value, color)


def p_value_text(p_value: float, color: bool) -> str:
    """A p-value in a table, with an asterisk if it is significant; else, with `color`, in red."""
    text = f"(p = {p_value:.4f})"
    if p_value <= SIGNIFICANT:
        return text + "*"
    return colored(text, "red") if color else text


def explanation(test: str, samples: int, compared: str, color: bool) -> Section:
    """What a test was, and what its p-values mean; `compared` says of what they are."""
    heading = f"{_TESTS[test]}, {samples:,} {'resamples' if test == 'bs' else 'trials'}"
    meaning = _MEANING.format(threshold=SIGNIFICANT, red=" (red)" if color else "")
    return Section(heading, [compared, _EXPLANATIONS[test].format(samples=samples), meaning])


def ranking_table(names: Sequence[str], results: Results, metrics: Sequence[str], width: int) -> list[Column]:
    """Scores and ranks under all metrics, in the order of the first one."""
    order = [system for group in results.rankings[0] for system in group]
    table: list[Column] = [("System", [names[system] for system in order])]
    for metric, groups, column in zip(metrics, results.rankings, zip(*results.systems)):
        ranks = ranks_of(groups)
        table += [(metric, [f"{column[system].score:.{width}f}" for system in order]),
                  ("Rank", [ranks[system] for system in order])]
    return table


def ranks_of(groups: Groups) -> dict[int, str]:
    """The rank of each system by its index: of several that share it, the first and the last rank that they take.

    >>> ranks_of([[2], [0, 1]])
    {2: '1', 0: '2-3', 1: '2-3'}
    """
    ranks: dict[int, str] = {}
    first = 1
    for group in groups:
        last = first + len(group) - 1
        ranks.update(dict.fromkeys(group, f"{first}" if first == last else f"{first}-{last}"))
        first = last + 1
    return ranks
