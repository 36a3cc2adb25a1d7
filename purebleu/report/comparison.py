"""The results of several systems: a table, its meaning, a ranking, and the signatures; or a line for each number."""

from __future__ import annotations

from ..hints import Any, Iterable, Mapping, Sequence
from ..metrics.score import Score, Signature
from ..significance.paired import SIGNIFICANT, Result
from ..significance.ranking import doubt_of_few_samples, is_same_score
from ..significance.results import Results
from ..significance.sampling import BOOTSTRAP, RANDOMIZATION, TESTS, Units
from .formats import SIGNED_JSON, Style, colored
from .layouts import LAYOUTS, Section, document_of
from .names import PairResults
from .tables import TableColumn, delimited, fitted_tables, json_table
from .worth import (
    FIGURES,
    NOTHING_WANTED,
    Wanted,
    difference_figures,
    family_text,
    pairs_to_show,
    power_of_one_figures,
    reviewer_sentence,
    rounded_p,
    samples_text,
    worth_sections,
)

_MEANING = (
    "p is the probability of a difference at least as large as the observed one under the null hypothesis, which says "
    "that the system and the baseline are equally good. If p ≤ {threshold} (*), the null hypothesis can be rejected: "
    "the systems differ significantly. Otherwise, the result is inconclusive. A small p does not say that the "
    "difference is large, that it would be found again, or that a system is better for its readers.")

_CORRECTED = (
    "The second p-value of each cell is corrected for {family} (Holm, 1979): the probability that one or more true "
    "null hypotheses have a corrected p ≤ {threshold} is at most {threshold}{condition}. Only corrected p-values are "
    "marked (*).")

_RANKING = (
    "Systems are ordered by their scores. All pairs of systems were tested. The p-values, from {samples}, are "
    "corrected for {family} (Holm, 1979). The ranks of a system begin after all systems that are significantly better "
    "(p ≤ {threshold}), and end before all systems that are significantly worse.")

_ENDS_EARLY = (
    " The trials of a pair end early if it is certain that the pair does not differ significantly (Besag and Clifford, "
    "1991).")

_CLUSTERS = (
    " A new cluster begins if every system above differs significantly from every system below.")


def comparison(pair: PairResults, style: Style, wanted: Wanted = NOTHING_WANTED, as_sacrebleu: bool = False) -> str:
    """Return the results of several systems, in one of `TABLE_FORMATS` or `DELIMITED_FORMATS`.

    Args:
        pair: the results.
        style: the style of the tables.
        wanted: the figures on differences that are shown, too.
        as_sacrebleu: whether JSON (without signatures) is sacreBLEU's.
    """
    if style.format.kind == "json":
        return _as_json(pair, style, wanted, as_sacrebleu and style.form != SIGNED_JSON)
    if style.format.kind == "lines":
        return _as_lines(pair, style, wanted)
    pair = pair.shown_in(style)
    results, color = pair.results, style.color
    sections = [Section(tables=_results_tables(pair, style))]
    if results.test is not None:
        if not as_sacrebleu:
            sections.append(Section(paragraphs=conclusions_of_test(pair, style.width)))
        first = pair.names[0]
        compared = f"Each system is compared with {colored(first, 'yellow') if color else first}."
        sections.append(explanation_of_test(results, compared))
    if results.rankings:
        sections.append(Section("Ranking", [explanation_of_ranks(results)], ranking_tables(pair, style)))
    sections += worth_sections(pair, wanted, style)
    sections.append(signatures_section(pair.signatures, style))
    return document_of(sections, style)


def signatures_section(signatures: Mapping[str, Signature], style: Style) -> Section:
    """Return the section of the signatures of metrics."""
    items = [(metric, signature.format(style.short)) for metric, signature in signatures.items()]
    return Section("Metric signatures", items=items)


def _as_json(pair: PairResults, style: Style, wanted: Wanted, as_sacrebleu: bool) -> str:
    results, names = pair.results, pair.names
    columns: dict[str, Sequence[object]] = {"System": names}
    if not as_sacrebleu:
        has_baseline = results.test is not None and not results.rankings
        columns["baseline"] = [has_baseline and system == 0 for system in range(len(names))]
    for index, metric in enumerate(pair.signatures):
        if as_sacrebleu:
            places = results.places(index, style.width)
            columns[metric] = [_sacrebleu_cell(system[index], results.test, places) for system in results.systems]
        else:
            columns[metric] = [members_of(pair, index, system, wanted) for system in range(len(names))]
        columns.update([(head, numbers) for head, _, numbers in beside(results, index)])
    if style.form != SIGNED_JSON:
        return json_table(columns)
    further: dict[str, object] = {"review": reviewer_sentence(pair) if wanted and len(names) > 1 else None}
    if results.scores:
        further.update(scales_of(pair.signatures, results.scores[0]))
    signatures = {metric: signature.format() for metric, signature in pair.signatures.items()}
    return json_table(columns, signatures, further)


def scales_of(metrics: Iterable[str], scores: Sequence[Score]) -> dict[str, object]:
    """Return the member of JSON that has the direction and the range of each metric."""
    return {"metrics": {metric: score.scale() for metric, score in zip(metrics, scores)}}


def members_of(pair: PairResults, metric: int, system: int, wanted: Wanted) -> dict[str, Any]:
    """Return the members of a system under a metric in JSON. Unknown ones are `None` or empty.

    Figures on differences compare the system with the first one (which has none). `pairs` has those with each other
    system, by its name. A single system has figures of power.
    """
    results = pair.results
    result = results.systems[system][metric]
    ranking = results.rankings[metric] if results.rankings else None
    members: dict[str, Any] = {
        "score": result.score, "mean": result.mean, "ci": result.ci, "p_value": rounded_p(result.p_value),
        "p_holm": rounded_p(results.corrected_p(metric, 0, system)),
        "rank": ranking.rank(system) if ranking else None, "cluster": ranking.cluster(system) if ranking else None,
        **dict.fromkeys(FIGURES), "pairs": {}, "power_by_correlation": []}
    if wanted.power is not None and len(pair.names) == 1:
        members["power_by_correlation"] = power_of_one_figures(results, metric, wanted.power)
    if results.differences:
        if system:
            members.update(difference_figures(pair, metric, 0, system, wanted))
        for other, name in enumerate(pair.names):
            if other != system:
                members["pairs"][name] = difference_figures(pair, metric, other, system, wanted)
    return members


def beside(results: Results, metric: int) -> list[tuple[str, str, list[int]]]:
    """Return the columns beside the scores of systems under a metric, such as numbers of edits.

    Returns:
        For each column: its heading, its name in words, and its numbers; empty for results without scores.
    """
    scores = [system[metric] for system in results.scores]
    columns: list[tuple[str, str, list[int]]] = []
    for head, name in scores[0].BESIDE if scores else ():
        numbers = [getattr(score, name) for score in scores]
        if numbers[0] is not None:
            columns.append((head, name.replace("_", " "), numbers))
    return columns


def _sacrebleu_cell(result: Result, test: str | None, width: int) -> object:
    """Return a system's result in sacreBLEU's JSON: an object; if there is only a score, text with decimal places."""
    return f"{result.score:.{width}f}" if test is None and result.mean is None else vars(result)


def _results_tables(pair: PairResults, style: Style) -> list[list[TableColumn]]:
    results = pair.results
    table: list[TableColumn] = [("System", list(pair.names))]
    for index, metric in enumerate(pair.signatures):
        cells = [result_cell(results, index, system, style) for system in range(len(pair.names))]
        table.append((result_head(metric, results.systems[0][index]), cells))
        table += [(head, list(map(str, numbers))) for head, _, numbers in beside(results, index)]
    tables = fitted_tables(table, style.columns)
    return [_colored(table, bool(results.test)) for table in tables] if style.color else tables


def _colored(table: Sequence[TableColumn], has_baseline: bool) -> list[TableColumn]:
    colored_table: list[TableColumn] = []
    for head, (first, *others) in table:
        if has_baseline:
            first = _colored_lines(first, "yellow")
        colored_table.append((_colored_lines(head, "cyan"), [first, *others]))
    return colored_table


def _colored_lines(text: str, color: str) -> str:
    return "\n".join([colored(line, color) for line in text.split("\n")])


def result_head(metric: str, result: Result) -> str:
    """Return the heading of a column of results like this one."""
    return metric if result.mean is None else f"{metric} (μ ± 95% CI)"


def result_cell(results: Results, metric: int, system: int, style: Style) -> str:
    """Return the result of a system in a table: its score, and its interval and p-values, if any."""
    result, places = results.systems[system][metric], results.places(metric, style.width)
    cell = f"{result.score:.{places}f}"
    if result.mean is not None:
        cell += f" ({result.mean:.{places}f} ± {result.ci:.{places}f})"
    if result.p_value is None:
        return cell
    is_marked = results.differs_from_first(metric, system)
    corrected = results.corrected_p(metric, 0, system) if results.family > 1 else None  # (of one test, it is the same)
    return cell + LAYOUTS[style.form].line_break + p_value_text(result.p_value, corrected, is_marked)


def p_value_text(p_value: float, corrected: float | None, is_marked: bool) -> str:
    """Return a p-value in a table, followed by the corrected one, if any.

    Args:
        p_value: the p-value of the test.
        corrected: the corrected p-value; `None` without a correction.
        is_marked: whether an asterisk marks the difference as significant.
    """
    text = f"(p = {p_value:.4f})" if corrected is None else f"(p = {p_value:.4f}, Holm {corrected:.4f})"
    return f"{text}*" if is_marked else text


def conclusions_of_ranks(pair: PairResults, width: int) -> list[str]:
    """Return, for each metric, a sentence on the best system and those that are significantly worse."""
    sentences: list[str] = []
    for index, (metric, ranking) in enumerate(zip(pair.signatures, pair.results.rankings)):
        best, *others = ranking.order
        score = f"{pair.results.systems[best][index].score:.{pair.results.places(index, width)}f}"
        worse = [pair.names[other] for other in others if ranking.differ(best, other)]
        open_ones = [pair.names[other] for other in others if not ranking.differ(best, other)]
        sentences.append(f"{metric}: {pair.names[best]} has the best score ({score}). Significantly worse: "
                         f"{', '.join(worse) or 'none'}. Not significantly worse: {', '.join(open_ones) or 'none'}.")
    return sentences


def conclusions_of_test(pair: PairResults, width: int) -> list[str]:
    """Return a sentence on each system and the first one under each metric: which is better, or that it is not known.

    If systems are ranked, the sentences are those on ranks.
    """
    if pair.results.rankings:
        return conclusions_of_ranks(pair, width)
    names, results = pair.names, pair.results
    sentences: list[str] = []
    for index, metric in enumerate(pair.signatures):
        first = results.scores[0][index]
        for system in range(1, len(names)):
            score = results.scores[system][index]
            better, worse = names[0], names[system]
            if (score.score < first.score) == score.lower_is_better:
                better, worse = worse, better
            p_text = f"(p = {results.decisive_p(index, 0, system):.4f})"
            if is_same_score(score.score, first.score):
                sentences.append(f"{metric}: {names[0]} and {names[system]} have the same score.")
            elif results.differs_from_first(index, system):
                by = f"{abs(score.score - first.score):.{results.places(index, max(width, 2))}f}"
                sentences.append(f"{metric}: {better} is better than {worse} by {by} {p_text}.")
            else:
                sentences.append(f"{metric}: the test does not show a difference between {names[0]} and "
                                 f"{names[system]} {p_text}.")
    return sentences


def explanation_of_test(results: Results, compared: str, of_groups: Results | None = None) -> Section:
    """Return a section that names the test and explains its p-values.

    Args:
        results: the results; with groups of segments, those over all groups.
        compared: a sentence on the systems compared.
        of_groups: the results of one group, if there are groups.
    """
    assert results.test is not None, "there was a test"
    family = family_text(results) if results.family > 1 else ""
    if of_groups and of_groups.family > 1:
        family = f"{family_text(of_groups)}{family and f'; over all groups, for {family}'}"
    section = explanation(results.test, samples_text(results), results.units, compared, family)
    doubt = doubt_of_few_samples(results.rank_samples or results.samples, results.family, 2 if results.exact else 0)
    if family and doubt:
        section.paragraphs = [*section.paragraphs, f"{doubt.capitalize()}."]
    return section


def explanation(test: str, samples: str, units: Units | None, compared: str, family: str) -> Section:
    """Return a test, and the meaning of its p-values.

    Args:
        test: the name of the test.
        samples: the number of samples, in words.
        units: the units of resampling, as in `Sampling.units`.
        compared: a sentence on the systems compared.
        family: the tests that p-values are corrected for, in words; empty: they are not corrected.
    """
    record = TESTS[test]
    unit = units.name if units else "segment"
    meaning = _MEANING.format(threshold=SIGNIFICANT)
    paragraphs = [compared, record.explanation.format(samples=samples, unit=unit, units=f"{unit}s"), meaning]
    if family:
        condition = ", if p-values are correct (the bootstrap's p-values are too low)" if test == BOOTSTRAP.name else ""
        paragraphs.append(_CORRECTED.format(family=family, threshold=SIGNIFICANT, condition=condition))
    return Section(f"{record.title}, {samples} {record.sampled}", paragraphs)


def explanation_of_ranks(results: Results, with_clusters: bool = True) -> str:
    """Return the meaning of ranks, and of clusters, if they are shown."""
    assert results.test is not None, "there was a test"
    samples = f"{samples_text(results, results.rank_samples)} {TESTS[results.test].sampled}"
    meaning = _RANKING.format(samples=samples, threshold=SIGNIFICANT, family=family_text(results))
    if results.test == RANDOMIZATION.name and not results.exact:
        meaning += _ENDS_EARLY
    return meaning + _CLUSTERS if with_clusters else meaning


def ranking_tables(pair: PairResults, style: Style) -> list[list[TableColumn]]:
    """Return scores, ranks and clusters under all metrics, in the order of the first one."""
    results = pair.results
    order = results.rankings[0].order
    table: list[TableColumn] = [("System", [pair.names[system] for system in order])]
    for index, (metric, ranking) in enumerate(zip(pair.signatures, results.rankings)):
        places = results.places(index, style.width)
        table += [(metric, [f"{results.systems[system][index].score:.{places}f}" for system in order]),
                  ("Rank", [ranking.rank(system) for system in order]),
                  ("Cluster", [f"{ranking.cluster(system)}" for system in order])]
    return fitted_tables(table, style.columns, 3)


# A line for each number


#: The columns of results before `LAST_COLUMNS`; they do not depend on options.
RESULT_COLUMNS = ("system", "metric", "score", "mean", "ci", "p_value", "p_holm", "rank", "cluster", "against",
                  *FIGURES, "correlation")

#: The last columns: which scores are better, and how a score was computed.
LAST_COLUMNS = ("lower_is_better", "lowest_possible", "highest_possible", "signature")


def _as_lines(pair: PairResults, style: Style, wanted: Wanted) -> str:
    """Return a line for each system under each metric, and for each number beside its score.

    If systems are ranked, lines for all further pairs of systems follow, with the other system in `against`. The power
    of a single system has a line for each `correlation`. Numbers have all of their digits.
    """
    lines: list[dict[str, Any]] = []
    columns_beside = [beside(pair.results, index) for index in range(len(pair.signatures))]
    for system, name in enumerate(pair.names):
        for index, (metric, signature) in enumerate(pair.signatures.items()):
            lines.append(line_of(pair, index, system, wanted))
            for _, head, numbers in columns_beside[index]:
                lines.append({"system": name, "metric": f"{metric} {head}", "score": numbers[system],
                              "signature": signature})
    lines += further_lines(pair, wanted)
    return delimited_lines(style.form, (*RESULT_COLUMNS, *LAST_COLUMNS), lines)


def line_of(pair: PairResults, index: int, system: int, wanted: Wanted) -> dict[str, Any]:
    """Return the line of a system under a metric, by the names of columns."""
    results = pair.results
    has_other = bool(system and (results.test or results.differences))
    return {"system": pair.names[system], "metric": pair.metrics[index],
            **last_of(results.scores[system][index], pair.signature(index)),
            **members_of(pair, index, system, wanted), "against": pair.names[0] if has_other else None}


def last_of(score: Score, signature: Signature) -> dict[str, Any]:
    """Return the values of `LAST_COLUMNS` for scores like this one."""
    return dict(zip(LAST_COLUMNS, (score.lower_is_better, *score.range, signature)))


def further_lines(pair: PairResults, wanted: Wanted) -> list[dict[str, Any]]:
    """Return a line for each shown pair without the first system; for a single system, a line for each correlation."""
    lines: list[dict[str, Any]] = []
    for index, (metric, signature) in enumerate(pair.signatures.items()):
        if len(pair.names) == 1 and wanted.power is not None:
            for figures in power_of_one_figures(pair.results, index, wanted.power):
                lines.append({"system": pair.names[0], "metric": metric, "signature": signature, **figures})
            continue
        for one, two in pairs_to_show(pair.results):
            if one:
                figures = difference_figures(pair, index, one, two, wanted)
                lines.append({"system": pair.names[two], "metric": metric, "against": pair.names[one],
                              "signature": signature, **figures})
    return lines


def records_of(lines: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> list[dict[str, Any]]:
    """Return lines with all columns; signatures become text."""
    records: list[dict[str, Any]] = []
    for line in lines:
        records.append({column: line.get(column) for column in columns})
        if "signature" in line:
            records[-1]["signature"] = line["signature"].format()
    return records


def delimited_lines(form: str, columns: Sequence[str], lines: Sequence[Mapping[str, Any]]) -> str:
    """Return `records_of` lines in one of `DELIMITERS`."""
    return delimited(form, columns, [list(record.values()) for record in records_of(lines, columns)])
