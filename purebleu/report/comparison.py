"""Results of several systems as text: on one corpus, on language pairs, on groups of segments, and of several runs.

Formats for people have tables, explanations, rankings and signatures. The other formats are JSON, CSV and TSV.
"""

from __future__ import annotations

from itertools import chain
from math import fsum

from ..metrics.score import Score, Signature
from ..runtime.hints import Any, Iterable, Mapping, Sequence
from ..runtime.json_writer import to_json
from ..significance.paired import SIGNIFICANT, Result
from ..significance.results import Results, doubt_of_few_samples, is_same_score
from ..significance.sampling import BOOTSTRAP, RANDOMIZATION, STRATIFIED, TESTS, Units
from .formats import SIGNED_JSON, PairResults, Style, colored, delimited, names_in
from .tables import LAYOUTS, Section, TableColumn, document_of, fits, fitted_tables, json_table, with_colored_heads
from .worth import (
    FIGURES,
    NOTHING_WANTED,
    Wanted,
    difference_figures,
    family_text,
    is_corrected_by_metric,
    pairs_to_show,
    power_of_one_figures,
    reviewer_sentence,
    rounded_p,
    samples_text,
    worth_sections,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..significance.runs import RunsResults

_MEANING = (
    "p is the probability of a difference at least as large as the observed difference, if the null hypothesis holds: "
    "{null_hypothesis}. If p ≤ {threshold} (*), the null hypothesis is rejected: the systems differ significantly. If "
    "p is larger, the result is inconclusive. A small p does not show that the difference is large, that another test "
    "would find the difference again, or that readers prefer a system.")

_CORRECTED = (
    "The second p-value of each cell is corrected for {family} (Holm, 1979). After the correction, the probability "
    "that any true null hypothesis{scope} is rejected is at most {threshold}{condition}. Only corrected p-values are "
    "marked (*).")

_RANKING = (
    "Systems are ordered by their scores. All pairs of systems were tested (with {samples}), and the p-values are "
    "corrected for {family} (Holm, 1979). The possible ranks of a system begin after all systems that are "
    "significantly better (corrected p ≤ {threshold}), and end before all systems that are significantly worse.")

_ENDS_EARLY = (" The trials for a pair of systems end early if its p-value cannot become significant (Besag and "
               "Clifford, 1991).")

_CLUSTERS = " A new cluster begins if every system above differs significantly from every system below."


def comparison(pair: PairResults, style: Style, wanted: Wanted = NOTHING_WANTED, as_sacrebleu: bool = False) -> str:
    """Return the results of several systems, in one of `TABLE_FORMATS` or `DELIMITED_FORMATS`.

    Args:
        pair: the results.
        style: the style of the tables.
        wanted: the further figures to show for differences, such as power.
        as_sacrebleu: whether JSON without signatures is in sacreBLEU's form.
    """
    if style.format.kind == "json":
        return _as_json(pair, style, wanted, as_sacrebleu and style.form != SIGNED_JSON)
    if style.format.kind == "lines":
        return _as_lines(pair, style, wanted)
    pair = pair.shown_in(style)
    results = pair.results
    sections = [Section(tables=_results_tables(pair, style))]
    if results.test is not None:
        if not as_sacrebleu:
            sections.append(Section(paragraphs=conclusions_of_test(pair, style.width)))
        sections.append(explanation_of_test(results, _compared_with(pair.names[0], style.color)))
    if results.rankings:
        sections.append(Section("Ranking", [explanation_of_ranks(results)], ranking_tables(pair, style)))
    sections += worth_sections(pair, wanted, style)
    sections.append(signatures_section(pair.signatures, style))
    return document_of(sections, style)


def _compared_with(name: str, color: bool = False) -> str:
    return f"Each system is compared with {colored(name, 'yellow') if color else name}."


def signatures_section(signatures: Mapping[str, Signature], style: Style) -> Section:
    """Return a section with the signatures of metrics."""
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
        columns.update([(head, numbers) for head, _, numbers in further_numbers(results, index)])
    if style.form != SIGNED_JSON:
        return json_table(columns)
    further: dict[str, object] = {"review": reviewer_sentence(pair) if wanted and len(names) > 1 else None}
    if results.scores:
        further.update(scales_of(pair.signatures, results.scores[0]))
    signatures = {metric: signature.format() for metric, signature in pair.signatures.items()}
    return json_table(columns, signatures, further)


def scales_of(metrics: Iterable[str], scores: Sequence[Score]) -> dict[str, object]:
    """Return the member `metrics` of JSON, which has the direction and the range of each metric's scores."""
    return {"metrics": {metric: score.scale() for metric, score in zip(metrics, scores)}}


def members_of(pair: PairResults, metric: int, system: int, wanted: Wanted) -> dict[str, Any]:
    """Return the result of a system under a metric as members of JSON. Unknown values are `None` or empty.

    Figures on differences compare the system with the first system. In the member `pairs`, they compare it with each
    other system, by the name of that system. A single system has only figures of power.
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


def further_numbers(results: Results, metric: int) -> list[tuple[str, str, list[int]]]:
    """Return the numbers that tables show next to the scores under a metric, such as numbers of edits.

    Returns:
        For each column of numbers: its heading, its name in words, and the number of each system. Without scores, the
        list is empty.
    """
    scores = [system[metric] for system in results.scores]
    columns: list[tuple[str, str, list[int]]] = []
    for head, name in scores[0].BESIDE if scores else ():
        numbers = [getattr(score, name) for score in scores]
        if numbers[0] is not None:
            columns.append((head, name.replace("_", " "), numbers))
    return columns


def _sacrebleu_cell(result: Result, test: str | None, width: int) -> object:
    """Return a system's result for sacreBLEU's JSON: the score as text, or an object after a test or resampling."""
    return f"{result.score:.{width}f}" if test is None and result.mean is None else vars(result)


def _results_tables(pair: PairResults, style: Style) -> list[list[TableColumn]]:
    results = pair.results
    table: list[TableColumn] = [("System", list(pair.names))]
    for index, metric in enumerate(pair.signatures):
        cells = [result_cell(results, index, system, style) for system in range(len(pair.names))]
        table.append((result_head(metric, results.systems[0][index]), cells))
        table += [(head, list(map(str, numbers))) for head, _, numbers in further_numbers(results, index)]
    tables = fitted_tables(table, style.columns)
    return [_colored(table, bool(results.test)) for table in tables] if style.color else tables


def _colored(table: Sequence[TableColumn], has_baseline: bool) -> list[TableColumn]:
    if has_baseline:
        table = [(head, [colored(first, "yellow"), *others]) for head, (first, *others) in table]
    return with_colored_heads(table)


def result_head(metric: str, result: Result) -> str:
    """Return the heading of a column of results, one of which is `result`."""
    return metric if result.mean is None else f"{metric} (μ ± 95% CI)"


def result_cell(results: Results, metric: int, system: int, style: Style) -> str:
    """Return the result of a system for a table: the score, followed by its interval and p-values if there are any."""
    result, places = results.systems[system][metric], results.places(metric, style.width)
    cell = f"{result.score:.{places}f}"
    if result.mean is not None:
        cell += f" ({result.mean:.{places}f} ± {result.ci:.{places}f})"
    if result.p_value is None:
        return cell
    return cell + LAYOUTS[style.form].line_break + _p_values(results, metric, system,
                                                             results.differs_from_first(metric, system))


def _p_values(results: Results, metric: int, system: int, is_marked: bool = False) -> str:
    """Return the p-values of a system's test against the first system, as text."""
    p_value = results.systems[system][metric].p_value
    assert p_value is not None, "there was a test"
    # (A single test needs no correction.)
    corrected = results.corrected_p(metric, 0, system) if results.family > 1 else None
    return p_value_text(p_value, corrected, is_marked)


def p_value_text(p_value: float, corrected: float | None, is_marked: bool) -> str:
    """Return a p-value as text for a table, followed by the corrected p-value if there is one.

    If `is_marked` is true, an asterisk marks the difference as significant.
    """
    text = f"(p = {p_value:.4f})" if corrected is None else f"(p = {p_value:.4f}, Holm {corrected:.4f})"
    return f"{text}*" if is_marked else text


def conclusions_of_ranks(pair: PairResults, width: int) -> list[str]:
    """Return, for each metric, sentences on the best system, and on the significantly worse systems."""
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
    """Return, for each metric and system, a sentence that says whether this system or the first system is better.

    If systems are ranked, return the sentences of `conclusions_of_ranks`.
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
            p_text = _p_values(results, index, system)
            if is_same_score(score.score, first.score):
                sentences.append(f"{metric}: {names[0]} and {names[system]} have the same score.")
            elif results.differs_from_first(index, system):
                by = f"{abs(score.score - first.score):.{results.places(index, max(width, 2))}f}"
                sentences.append(f"{metric}: {better} is better than {worse} by {by} {p_text}.")
            else:
                sentences.append(f"{metric}: the test does not show a difference between {names[0]} and "
                                 f"{names[system]} {p_text}.")
    return sentences


def explanation_of_test(results: Results, compared: str, of_groups: Sequence[Results] = ()) -> Section:
    """Return a section that names the test and explains its p-values.

    Args:
        results: the results; if there are groups of segments, the results over all groups.
        compared: a sentence that says which systems are compared.
        of_groups: the results of each group; empty if there are no groups.
    """
    assert results.test is not None, "there was a test"
    family = family_text(results) if results.family > 1 else ""
    is_whole = not is_corrected_by_metric(results)
    if of_groups and of_groups[0].family > 1:
        is_whole = is_whole and not family
        over_all = f"; for the macro mean and the pooled score, separately for {family}" if family else ""
        family = f"{family_text(of_groups[0])}{over_all}"
    section = explanation(results.test, samples_text(results), results.units, compared, family, is_whole)
    if family and results.family == 1:
        section.paragraphs = [*section.paragraphs, _OVER_ALL_SINGLE]
    if not results.exact and any(of_group.exact for of_group in of_groups):
        section.paragraphs = [*section.paragraphs, "In groups with few documents, the test makes all possible trials."]
    doubt = doubt_of_few_samples(results.rank_samples or results.samples, results.family, 2 if results.exact else 0)
    if family and doubt:
        section.paragraphs = [*section.paragraphs, f"{doubt.capitalize()}."]
    return section


def explanation(test: str, samples: str, units: Units | None, compared: str, family: str,
                is_whole: bool = True) -> Section:
    """Return a section that names a test and explains its p-values.

    Args:
        test: the name of the test.
        samples: the number of samples, as text.
        units: the units of resampling, as in `Sampling.units`.
        compared: a sentence that says which systems are compared.
        family: which tests are corrected together, in words; empty: p-values are not corrected.
        is_whole: whether all tests are corrected together.
    """
    record = TESTS[test]
    unit = units.name if units else "segment"
    null_hypothesis = record.null_hypothesis.format(baseline="the baseline")
    meaning = _MEANING.format(threshold=SIGNIFICANT, null_hypothesis=null_hypothesis)
    paragraphs = [compared, record.explanation.format(samples=samples, unit=unit, units=f"{unit}s"), meaning]
    if family:
        condition = " if p-values are correct (but bootstrap p-values are too low)" if test == BOOTSTRAP.name else ""
        scope = "" if is_whole else " of tests that are corrected together"
        paragraphs.append(_CORRECTED.format(family=family, scope=scope, threshold=SIGNIFICANT, condition=condition))
    return Section(f"{record.title}, {samples} {record.sampled}", paragraphs)


def explanation_of_ranks(results: Results, with_clusters: bool = True) -> str:
    """Return sentences on the meaning of ranks and, if `with_clusters` is true, of clusters."""
    assert results.test is not None, "there was a test"
    samples = f"{samples_text(results, results.rank_samples)} {TESTS[results.test].sampled}"
    meaning = _RANKING.format(samples=samples, threshold=SIGNIFICANT, family=family_text(results))
    if results.test == RANDOMIZATION.name and not results.exact:
        meaning += _ENDS_EARLY
    return meaning + _CLUSTERS if with_clusters else meaning


def ranking_tables(pair: PairResults, style: Style) -> list[list[TableColumn]]:
    """Return tables with each system's score, rank and cluster under each metric, in the order of the first metric."""
    results = pair.results
    order = results.rankings[0].order
    table: list[TableColumn] = [("System", [pair.names[system] for system in order])]
    for index, (metric, ranking) in enumerate(zip(pair.signatures, results.rankings)):
        places = results.places(index, style.width)
        table += [(metric, [f"{results.systems[system][index].score:.{places}f}" for system in order]),
                  ("Rank", [ranking.rank(system) for system in order]),
                  ("Cluster", [f"{ranking.cluster(system)}" for system in order])]
    return fitted_tables(table, style.columns, 3)


# CSV and TSV


#: The columns of results in CSV before `LAST_COLUMNS`, which are the same for all options.
RESULT_COLUMNS = ("system", "metric", "score", "mean", "ci", "p_value", "p_holm", "rank", "cluster", "against",
                  *FIGURES, "correlation")

#: The last columns in CSV: the direction and the range of scores, and the signature.
LAST_COLUMNS = ("lower_is_better", "lowest_possible", "highest_possible", "signature")


def _as_lines(pair: PairResults, style: Style, wanted: Wanted) -> str:
    """Return CSV or TSV: a line for each system under each metric, and a line for each of `further_numbers`.

    The lines of `further_lines` follow. Numbers are not rounded.
    """
    lines: list[dict[str, Any]] = []
    number_columns = [further_numbers(pair.results, index) for index in range(len(pair.signatures))]
    for system, name in enumerate(pair.names):
        for index, (metric, signature) in enumerate(pair.signatures.items()):
            lines.append(line_of(pair, index, system, wanted))
            for _, head, numbers in number_columns[index]:
                lines.append({"system": name, "metric": f"{metric} {head}", "score": numbers[system],
                              "signature": signature})
    lines += further_lines(pair, wanted)
    return delimited_lines(style.form, (*RESULT_COLUMNS, *LAST_COLUMNS), lines)


def line_of(pair: PairResults, index: int, system: int, wanted: Wanted) -> dict[str, Any]:
    """Return the line of a system under a metric as a dict, with the names of columns as keys."""
    results = pair.results
    has_other = bool(system and (results.test or results.differences))
    return {"system": pair.names[system], "metric": pair.metrics[index],
            **last_of(results.scores[system][index], pair.signature(index)),
            **members_of(pair, index, system, wanted), "against": pair.names[0] if has_other else None}


def last_of(score: Score, signature: Signature) -> dict[str, Any]:
    """Return the values of `LAST_COLUMNS` for a score with this signature."""
    return dict(zip(LAST_COLUMNS, (score.lower_is_better, *score.range, signature)))


def further_lines(pair: PairResults, wanted: Wanted) -> list[dict[str, Any]]:
    """Return the lines of CSV that follow the lines of systems.

    If systems are ranked, there is a line for each pair without the first system. If there is a single system, there is
    a line with its power for each correlation.
    """
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
    """Return each line as a dict with all columns; signatures become text."""
    records: list[dict[str, Any]] = []
    for line in lines:
        records.append({column: line.get(column) for column in columns})
        if "signature" in line:
            records[-1]["signature"] = line["signature"].format()
    return records


def delimited_lines(form: str, columns: Sequence[str], lines: Sequence[Mapping[str, Any]]) -> str:
    """Return lines as CSV or TSV with these columns."""
    return delimited(form, columns, [list(record.values()) for record in records_of(lines, columns)])


# Language pairs, and groups of segments


#: The name of a mean over language pairs: in headings of tables, as a key in JSON, and in the column `pair` of CSV.
MEAN = "mean"

#: The number of results over all groups (the macro mean and the pooled score), which follow the results of groups.
OVER_ALL = 2

#: The sign in place of the score of a missing output.
_NO_OUTPUT = "–"

_AUTORANK_EXPLAINED = (
    "AutoRank is the mean of a system's scores under all metrics, on a common scale (Kocmi et al., 2025). If there are "
    "N systems for a language pair, the AutoRank of the best system is 1, and the AutoRank of the worst system is N. "
    "AutoRank is not tested.")

_OVER_GROUPS = (
    "The macro mean is the mean score over groups; all groups have the same weight. The pooled score is the score of "
    "all segments together.")

_GROUPS_RESAMPLED = " In each resample, every group keeps its size."

_GROUPS_CORRECTED = " The p-values of all groups are corrected together."

_OVER_ALL_CORRECTED = " The p-values of the macro mean and of the pooled score are corrected separately."

_OVER_ALL_SINGLE = (
    "But the macro mean and the pooled score have one test each. Their p-values need no correction, and are marked (*) "
    "if they are significant.")

_COMPARED = "Each system is compared with the first system of its language pair: {baselines}."


def systems_of(pairs: Sequence[PairResults]) -> list[str]:
    """Return the names of all systems, in the order in which they first appear."""
    return list(dict.fromkeys(chain.from_iterable([pair.names for pair in pairs])))


def means_over_pairs(pairs: Sequence[PairResults], metric: int) -> dict[str, float]:
    """Return the mean score over all language pairs, for each system that has an output for each pair."""
    scores: dict[str, list[float]] = {}
    for pair in pairs:
        for name, system in zip(pair.names, pair.results.systems):
            scores.setdefault(name, []).append(system[metric].score)
    return {name: fsum(numbers) / len(pairs) for name, numbers in scores.items() if len(numbers) == len(pairs)}


def pairs_report(pairs: Sequence[PairResults], style: Style, wanted: Wanted = NOTHING_WANTED,
                 with_autorank: bool = False, group: str = "") -> str:
    """Return results on language pairs, or on groups of a corpus, in one of `TABLE_FORMATS` or `DELIMITED_FORMATS`.

    Args:
        pairs: the results of each language pair under the same metrics; with `group`, the results of each group,
            followed by the results over all groups.
        style: the style of the tables.
        wanted: the further figures to show for differences, such as power.
        with_autorank: whether AutoRank is shown, too.
        group: the name of the column of groups; empty if `pairs` are language pairs.
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
    ranked = [pair for pair in shown if pair.results.rankings]  # (two systems are not ranked)
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
    """Return the scores on all pairs in one table, or in a table for each metric if one table is too wide."""
    metrics = range(len(pairs[0].signatures))
    tables = [scores_table(pairs, metrics, style)]
    if not fits(tables[0], style.columns):
        tables = [scores_table(pairs, [metric], style) for metric in metrics]
    return _section_of_tables(tables, style)


def _section_of_tables(tables: Sequence[list[TableColumn]], style: Style) -> Section:
    return Section(tables=list(chain.from_iterable([fitted_tables(table, style.columns) for table in tables])))


def group_sections(pairs: Sequence[PairResults], style: Style, group: str) -> list[Section]:
    """Return sections: tables by group, the meaning of the results over all groups, and the outcome of their tests."""
    over_all = pairs[-OVER_ALL:]
    results = over_all[0].results
    meaning = _OVER_GROUPS
    if results.sampling:
        meaning += _GROUPS_RESAMPLED
    if results.corrected:
        meaning += _GROUPS_CORRECTED + (_OVER_ALL_CORRECTED if results.family > 1 else "")
    tables = [_groups_table(pairs, metric, style, group) for metric in range(len(pairs[0].signatures))]
    sections = [_section_of_tables(tables, style), Section("Over all groups", [meaning])]
    if results.test:
        for pair in over_all:
            sections.append(Section(pair.pair.capitalize(), conclusions_of_test(pair, style.width)))
        sections.append(explanation_of_test(results, _compared_with(over_all[0].names[0]),
                                            [pair.results for pair in pairs[:-OVER_ALL]]))
    return sections


def _explanations_of_tests(pairs: Sequence[PairResults]) -> list[Section]:
    """Return sections that explain tests. Language pairs with the same units, samples and corrections share one."""
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
    """Return a table of systems with, for each metric, a column for each language pair and a column for the mean."""
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
    """Return a table of the scores under one metric, with a row for each group and a column for each system."""
    table: list[TableColumn] = [(f"{pairs[0].metrics[metric]} by {group}", [pair.pair for pair in pairs]),
                                ("Segments", [f"{pair.results.segments}" for pair in pairs])]
    for system, name in enumerate(pairs[0].names):
        head = result_head(name, pairs[0].results.systems[system][metric])
        table.append((head, [result_cell(pair.results, metric, system, style) for pair in pairs]))
    return table


def autoranks(pairs: Sequence[PairResults]) -> dict[str, dict[str, float]]:
    """Return, by system and language pair, the AutoRank from the scores under all metrics."""
    from ..meta_evaluation.system_ranks import autorank

    ranks_by_system: dict[str, dict[str, float]] = {name: {} for name in systems_of(pairs)}
    for pair in pairs:
        scores: list[list[float]] = []
        for metric, lower in enumerate(pair.results.lower_is_better):
            sign = -1 if lower else 1
            scores.append([sign * system[metric].score for system in pair.results.systems])
        for name, rank in zip(pair.names, autorank(scores)):
            ranks_by_system[name][pair.pair] = rank
    return ranks_by_system


def _autorank_table(pairs: Sequence[PairResults], ranks: Mapping[str, Mapping[str, float]]) -> list[TableColumn]:
    """Return a table of AutoRanks. If a system lacks an output for a pair, it has no mean over all pairs."""
    heads = [pair.pair for pair in pairs]
    if len(pairs) > 1:
        heads.append(MEAN)
    rows: dict[str, dict[str, str]] = {}
    for name, by_pair in ranks.items():
        rows[name] = {pair: f"{rank:.1f}" for pair, rank in by_pair.items()}
        if len(pairs) > 1 and len(by_pair) == len(pairs):
            rows[name][MEAN] = f"{fsum(by_pair.values()) / len(pairs):.1f}"
    table: list[TableColumn] = [("System", list(rows))]
    for head in heads:
        table.append((head, [row.get(head, _NO_OUTPUT) for row in rows.values()]))
    return table


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
                of_metrics = [members_of(pair, index, system, wanted) for index in range(len(metrics))]
                by_pair[pair.pair] = dict(zip(metrics, of_metrics))
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
    """Return CSV or TSV: a line for each score on each language pair, and for each mean over all language pairs.

    The lines of `further_lines` for each language pair follow, then a line for each AutoRank.
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


# Runs


#: The columns of CSV for systems with several runs.
RUNS_COLUMNS = ("system", "metric", "runs", "mean", "deviation", "lowest", "highest", "selection", "p_value", "p_holm",
                *LAST_COLUMNS)

_DEVIATION = ("For each system, the table shows the mean of the scores of its runs, and s, the sample standard "
              "deviation of these scores (a single run has no s).")

_SELECTION = (" s_sel is the standard deviation that comes from the choice of segments: the standard deviation of a "
              "run's scores in {resamples:,} bootstrap resamples, averaged over runs.")


def runs_report(names: Sequence[str], results: RunsResults, signatures: Mapping[str, Signature], style: Style) -> str:
    """Return the results of systems with several runs, in one of `TABLE_FORMATS` or `DELIMITED_FORMATS`.

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
    """Return sections that explain means, standard deviations and p-values."""
    meaning = _DEVIATION
    if results.drawn:
        meaning += _SELECTION.format(resamples=results.drawn)
    sections = [Section("Means over runs", [meaning])]
    if results.samples:
        samples = f"{'up to ' if results.exact else ''}{results.samples:,}"
        family = f"all {results.corrected_tests} tests together" if results.corrected_tests > 1 else ""
        sections.append(explanation(STRATIFIED.name, samples, results.units, _compared_with(names[0], color), family))
    return sections


def _members_of_runs(results: RunsResults) -> list[list[dict[str, Any]]]:
    """Return, for each system and metric, the result as members of JSON."""
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
    """Return the result of a system for a table, such as `33.1 (s = 0.4)`, with its p-values if there are any."""
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
    """Return a line of CSV for each system under each metric, as a dict with the names of columns as keys."""
    lines: list[dict[str, Any]] = []
    for name, members_of_system in zip(names, _members_of_runs(results)):
        for index, ((metric, signature), members) in enumerate(zip(signatures.items(), members_of_system)):
            scores = members["scores"]
            lines.append({"system": name, "metric": metric, "runs": len(scores),
                          "lowest": min(scores), "highest": max(scores), **members,
                          **last_of(results.scores[index], signature)})
    return lines
