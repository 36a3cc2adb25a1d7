"""The results of several systems as a string: a table, its meaning, a ranking, and the signatures."""

from __future__ import annotations

from ..significance.paired import SIGNIFICANT
from ..significance.ranking import is_same_score
from ..significance.tests import BOOTSTRAP, TESTS
from . import SIGNED_JSON
from .colors import colored
from .layouts import LAYOUTS, Section
from .names import names_in
from .tables import fitted, json_table
from .worth import (
    FIGURES,
    NOTHING_WANTED,
    difference_figures,
    family_text,
    power_of_one_by_metric,
    reviewer_sentence,
    rounded_p,
    samples_text,
    worth_sections,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Mapping, Sequence

    from ..metrics.score import Score, Signature
    from ..significance.paired import Result
    from ..significance.results import Results
    from ..significance.units import Units
    from .style import Style
    from .tables import Column
    from .worth import Wanted

_MEANING = (
    "p is the probability of a difference at least as large as the one observed under the null hypothesis, which says "
    "that the system and the baseline are equally good. Where p ≤ {threshold} (*), the null hypothesis can be "
    "rejected: the systems differ significantly. Otherwise{red} the result is inconclusive. A small p does not say "
    "that the difference is large, that it would be found again, or that a system is better for its readers.")

_CORRECTED = (
    "The second p-value of each cell is corrected for {family} (Holm, 1979): the probability that one or more of those "
    "whose null hypothesis holds have a corrected p ≤ {threshold} is {threshold} at most{condition}. Only corrected "
    "p-values are marked (*).")

_RANKING = (
    "Systems are ordered by their scores. All pairs of them were tested; their p-values, from {samples}, are corrected "
    "for {family} (Holm, 1979). The ranks of a system are those that the tests leave open: "
    "from 1 plus the number of systems that are significantly better (p ≤ {threshold}) to the number of all systems "
    "minus those that are significantly worse. A new cluster begins where every system above differs significantly "
    "from every system below.")


def comparison(names: Sequence[str], results: Results, signatures: Mapping[str, Signature], style: Style,
               wanted: Wanted = NOTHING_WANTED, as_sacrebleu: bool = False) -> str:
    """The results of several systems, in one of `TABLE_FORMATS`.

    Args:
        names: the names of the systems, in the order of the results.
        results: the results, as `significance.results_of` returns them.
        signatures: the signatures by the names of scores, in the order of the metrics.
        style: the style of the tables.
        wanted: the figures on differences to show, too.
        as_sacrebleu: whether JSON (without signatures) is sacreBLEU's.
    """
    if style.format.kind == "json":
        return _as_json(names, results, signatures, style, wanted, as_sacrebleu and style.form != SIGNED_JSON)
    names = names_in(style, names)
    layout, color = LAYOUTS[style.form], style.color
    sections = [Section(tables=[_results_table(names, results, list(signatures), style)])]
    if results.test is not None:
        if not (as_sacrebleu or results.rankings):
            sections.append(Section(paragraphs=conclusions_of_test(names, results, list(signatures), style.width)))
        compared = f"Each system is compared with {colored(names[0], 'yellow') if color else names[0]}."
        sections.append(explanation_of_test(results, compared, color))
    if results.rankings:
        ranking = ranking_table(names, results, list(signatures), style.width)
        sections.append(Section("Ranking", [explanation_of_ranks(results)], [fitted(ranking, style.columns)]))
    sections += worth_sections(names, results, signatures, wanted, style.width, style.columns)
    sections.append(Section("Metric signatures", items=[(metric, signature.format(style.short))
                                                        for metric, signature in signatures.items()]))
    return layout.document([layout.section(section) for section in sections])


def _as_json(names: Sequence[str], results: Results, signatures: Mapping[str, Signature], style: Style,
             wanted: Wanted, as_sacrebleu: bool) -> str:
    columns: dict[str, Sequence[object]] = {"System": names}
    if not as_sacrebleu:
        has_baseline = results.test is not None and not results.rankings
        columns["baseline"] = [has_baseline and system == 0 for system in range(len(names))]
    for index, (metric, signature) in enumerate(signatures.items()):
        columns[metric] = [_json_cell(system[index], results.test, results.places(index, style.width))
                           if as_sacrebleu else members_of(names, results, index, number, signature, wanted)
                           for number, system in enumerate(results.systems)]
        columns.update([(head, numbers) for head, _, numbers in beside(results, index)])
    if style.form != SIGNED_JSON:
        return json_table(columns)
    is_reviewed = wanted and len(names) > 1
    further: dict[str, object] = {"review": reviewer_sentence(results, list(signatures)) if is_reviewed else None}
    if results.scores:
        further.update(scales_of(signatures, results.scores[0]))
    return json_table(columns, {metric: signature.format() for metric, signature in signatures.items()}, further)


def scales_of(metrics: Iterable[str], scores: Sequence[Score]) -> dict[str, object]:
    """The member of JSON with signatures that has the direction and the range of each metric."""
    return {"metrics": {metric: score.scale() for metric, score in zip(metrics, scores)}}


def members_of(names: Sequence[str], results: Results, metric: int, system: int, signature: Signature,
               wanted: Wanted) -> dict[str, Any]:
    """The members of a system under a metric in JSON: the same ones always, `None` (or empty) if they are not known.

    Figures on differences are those to the first system, which has none itself; `pairs` has the differences to each
    other system, by its name. A single system has figures of power.
    """
    result = results.systems[system][metric]
    ranking = results.rankings[metric] if results.rankings else None
    members: dict[str, Any] = {
        "score": result.score, "mean": result.mean, "ci": result.ci, "p_value": rounded_p(result.p_value),
        "p_holm": rounded_p(results.corrected_p(metric, 0, system)),
        "rank": ranking.rank(system) if ranking else None, "cluster": ranking.cluster(system) if ranking else None,
        **dict.fromkeys(FIGURES), "pairs": {}, "power_by_correlation": []}
    if wanted.power is not None and len(names) == 1:
        members["power_by_correlation"] = power_of_one_by_metric(results, wanted.power)[metric]
    if results.differences and system:
        members.update(difference_figures(results, metric, signature, 0, system, wanted))
    if results.differences:
        members["pairs"] = {name: difference_figures(results, metric, signature, other, system, wanted)
                            for other, name in enumerate(names) if other != system}
    return members


def beside(results: Results, metric: int) -> list[tuple[str, str, list[int]]]:
    """The columns beside the scores of systems under a metric, such as numbers of edits.

    Returns:
        For each column: its heading, its name in words, and its numbers. Results without scores have no such columns.
    """
    scores = [system[metric] for system in results.scores]
    return [(head, name.replace("_", " "), [getattr(score, name) for score in scores])
            for head, name in (scores[0].BESIDE if scores else ()) if getattr(scores[0], name) is not None]


def _json_cell(result: Result, test: str | None, width: int) -> object:
    """A system's result under a metric: an object, or, where there is only a score, text with decimal places."""
    return f"{result.score:.{width}f}" if test is None and result.mean is None else vars(result)


def _results_table(names: Sequence[str], results: Results, metrics: Sequence[str], style: Style) -> list[Column]:
    line_break = LAYOUTS[style.form].line_break
    table: list[Column] = [("System", list(names))]
    for index, metric in enumerate(metrics):
        cells = [result_cell(results, index, system, style.width, line_break, style.color)
                 for system in range(len(names))]
        table.append((result_head(metric, results.systems[0][index]), cells))
        table += [(head, list(map(str, numbers))) for head, _, numbers in beside(results, index)]
    table = fitted(table, style.columns)
    if style.color:
        table = [(_colored_lines(head, "cyan"),
                  [_colored_lines(cells[0], "yellow"), *cells[1:]] if results.test else cells)
                 for head, cells in table]
    return table


def _colored_lines(text: str, color: str) -> str:
    return "\n".join([colored(line, color) for line in text.split("\n")])


def result_head(metric: str, result: Result) -> str:
    """The heading of a column of results like this one."""
    return metric if result.mean is None else f"{metric} (μ ± 95% CI)"


def result_cell(results: Results, metric: int, system: int, width: int, line_break: str, color: bool) -> str:
    """The result of a system in a table: its score, and its interval and p-values if there are some."""
    result, places = results.systems[system][metric], results.places(metric, width)
    cell = f"{result.score:.{places}f}"
    if result.mean is not None:
        cell += f" ({result.mean:.{places}f} ± {result.ci:.{places}f})"
    if result.p_value is None:
        return cell
    is_marked = results.differs_from_first(metric, system)
    corrected = results.corrected_p(metric, 0, system) if results.family > 1 else None  # (of one test, it is the same)
    return cell + line_break + p_value_text(result.p_value, corrected, is_marked, color)


def p_value_text(p_value: float, corrected: float | None, is_marked: bool, color: bool) -> str:
    """A p-value in a table, followed by the corrected one if there is one.

    Args:
        p_value: the p-value of the test.
        corrected: the corrected p-value; `None` without a correction.
        is_marked: whether the difference is significant, so that an asterisk marks it.
        color: whether p-values without a mark are red.
    """
    text = f"(p = {p_value:.4f})" if corrected is None else f"(p = {p_value:.4f}, Holm {corrected:.4f})"
    if is_marked:
        return text + "*"
    return colored(text, "red") if color else text


def conclusions_of_test(names: Sequence[str], results: Results, metrics: Sequence[str], width: int) -> list[str]:
    """For each metric, which of each system and the first one is better, or that the test does not show it."""
    sentences: list[str] = []
    for index, metric in enumerate(metrics):
        first = results.scores[0][index]
        for system in range(1, len(names)):
            score = results.scores[system][index]
            better, worse = names[0], names[system]
            if (score.score < first.score) == score.lower_is_better:
                better, worse = worse, better
            p_value = results.corrected_p(index, 0, system) if results.corrected else None
            p_text = f"(p = {results.systems[system][index].p_value if p_value is None else p_value:.4f})"
            if is_same_score(score.score, first.score):
                sentences.append(f"{metric}: {names[0]} and {names[system]} have the same score.")
            elif results.differs_from_first(index, system):
                by = f"{abs(score.score - first.score):.{results.places(index, max(width, 2))}f}"
                sentences.append(f"{metric}: {better} is better than {worse} by {by} {p_text}.")
            else:
                sentences.append(f"{metric}: the test does not show a difference between {names[0]} and "
                                 f"{names[system]} {p_text}.")
    return sentences


def explanation_of_test(results: Results, compared: str, color: bool) -> Section:
    """The test of results, and the meaning of its p-values; `compared` is a sentence on the systems compared."""
    assert results.test is not None, "there was a test"
    family = family_text(results) if results.family > 1 else ""
    return explanation(results.test, samples_text(results), results.units, compared, color, family)


def explanation(test: str, samples: str, units: Units | None, compared: str, color: bool, family: str = "") -> Section:
    """A test, and the meaning of its p-values.

    Args:
        test: the name of the test.
        samples: the number of samples, in words.
        units: the units of resampling, as in `Sampling.units`.
        compared: a sentence on the systems compared.
        color: whether p-values that are not significant are red.
        family: the tests that p-values are corrected for, in words; empty: they are not corrected.
    """
    record = TESTS[test]
    unit = units.name if units else "segment"
    meaning = _MEANING.format(threshold=SIGNIFICANT, red=" (red)" if color else "")
    paragraphs = [compared, record.explanation.format(samples=samples, unit=unit, units=f"{unit}s"), meaning]
    if family:
        condition = ", if p-values are correct (those of the bootstrap are too low)" if test == BOOTSTRAP.name else ""
        paragraphs.append(_CORRECTED.format(family=family, threshold=SIGNIFICANT, condition=condition))
    return Section(f"{record.title}, {samples} {record.sampled}", paragraphs)


def explanation_of_ranks(results: Results) -> str:
    """The meaning of ranks and clusters."""
    assert results.sampling is not None and results.test is not None, "there was a test"
    number = f"{'all ' if results.sampling.exact else ''}{results.rank_samples:,}"
    return _RANKING.format(samples=f"{number} {TESTS[results.test].sampled}", threshold=SIGNIFICANT,
                           family=family_text(results))


def ranking_table(names: Sequence[str], results: Results, metrics: Sequence[str], width: int) -> list[Column]:
    """Scores, ranks and clusters under all metrics, in the order of the first one."""
    order = results.rankings[0].order
    table: list[Column] = [("System", [names[system] for system in order])]
    for index, (metric, ranking, column) in enumerate(zip(metrics, results.rankings, zip(*results.systems))):
        places = results.places(index, width)
        table += [(metric, [f"{column[system].score:.{places}f}" for system in order]),
                  ("Rank", [ranking.rank(system) for system in order]),
                  ("Cluster", [f"{ranking.cluster(system)}" for system in order])]
    return table
