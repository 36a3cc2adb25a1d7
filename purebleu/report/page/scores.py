"""The sections of a report's page on scores and on differences, with conclusions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from ...checks.findings import CheckFinding
from ...checks.table import CHECKS
from ...runtime.errors import counted
from ...significance.paired import SIGNIFICANT, Result, detectable_difference, share_of_trials
from ...significance.results import Results, is_same_score
from ...significance.sampling import BOOTSTRAP, TESTS
from ..checks import percent
from ..comparison import explanation_of_ranks
from ..formats import PAPER, Style, lower_first
from ..paper import paper_table
from ..tables import xml_text
from ..worth import (
    NO_AGREEMENT,
    agreement_text,
    explanations_of_worth,
    family_text,
    has_power,
    reviewer_sentence,
    samples_text,
)
from .charts import interval_bar
from .content import Page
from .markup import copy_buttons, folded, head_cell, metric_attribute, metric_block, plain_table, scrolling

#: The maximum number of names in a sentence.
_MAX_LISTED = 5

#: With this number of metrics or more, a table with ranks has no room for p-values, and a table with p-values has no
#: room for images of intervals.
_MANY_METRICS = 3

_UNTESTED = "The differences between the systems were not tested, so each difference may be due to chance."


def interval_of(result: Result) -> tuple[float, float]:
    """Return the ends of the 95 % interval of a score."""
    assert result.mean is not None and result.ci is not None, "there were resamples"
    return result.mean - result.ci, result.mean + result.ci


def conclusion(page: Page, metric: int) -> str:
    """Return a text that says which system is best, and from which other systems it differs significantly."""
    results = page.results
    name, places = page.metrics[metric], page.places(metric)
    values = [system[metric].score for system in results.systems]
    best = results.best(metric)
    text = f"Under {name}, {page.names[best]} is best ({values[best]:.{places}f})"
    if all(is_same_score(value, values[best]) for value in values):
        text = f"Under {name}, all systems have the same score ({values[best]:.{places}f})."
    elif results.rankings:
        ranking = results.rankings[metric]
        others = [page.names[system] for system in ranking.order if system != best and not ranking.differ(best, system)]
        tests = "(tests of all pairs, with Holm's correction)"
        if others:
            text += f". Systems that are not significantly worse {tests}: {listed(others)}."
        else:
            all_of_them = "both" if len(values) == 3 else f"all {len(values) - 1}"
            text += f", and significantly better than {all_of_them} other systems {tests}."
    elif len(values) == 2 and results.test is not None:
        certainty = "and" if results.differs_from_first(metric, 1) else "but not"
        p_value = p_text(results, results.systems[1][metric].p_value)
        if results.family > 1:
            p_value += f", Holm {results.corrected_p(metric, 0, 1):.4f}"
        text += f", {certainty} significantly better than {page.names[1 - best]} (p {p_value})."
    else:
        text += "."
    return text + (" Lower is better." if results.lower_is_better[metric] else "")


def listed(names: Sequence[str]) -> str:
    """Return names for a sentence: the first five names, and the number of further names."""
    if len(names) > _MAX_LISTED:
        return f"{', '.join(names[:_MAX_LISTED])} and {len(names) - _MAX_LISTED} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def p_text(results: Results, p_value: float | None) -> str:
    """Return the text after the letter p: `= 0.0420`, or `≤ 0.0001` if no lower p-value is possible.

    Args:
        results: the results of the test.
        p_value: the p-value of the test, or a corrected one.
    """
    assert p_value is not None, "there was a test"
    lowest = 0.0 if results.exact else 1 / (results.samples + 1)
    return f"{'≤' if p_value <= lowest else '='} {p_value:.4f}"


def _p_cell(results: Results, p_value: float | None) -> str:
    """Return a p-value for a table: `0.0420`, or `≤ 0.0001` if no lower p-value is possible; a dash for `None`."""
    return "–" if p_value is None else p_text(results, p_value).replace("= ", "").replace(" ", "\u00a0")


def explanation_of_p(page: Page) -> Iterator[str]:
    """Yield paragraphs on the meaning of p-values, of marks and of ranks."""
    results = page.results
    assert results.test is not None, "there was a test"
    test = TESTS[results.test]
    yield (f"p is the probability of a difference at least as large as the observed difference between a system and "
           f"{page.names[0]}, if the null hypothesis holds: {test.null_hypothesis.format(baseline=page.names[0])}. The "
           f"test is {lower_first(test.title)} with {samples_text(results)} {test.sampled}. "
           + (f"With this number of {test.sampled}, the lowest possible p is 1 / ({results.samples:,} + 1), which is "
              "shown with ≤. " if results.lowest_p == share_of_trials(0, results.samples) else "")
           + _marking(page))
    if results.rankings:
        yield explanation_of_ranks(results, with_clusters=False)
    if results.test == BOOTSTRAP.name:
        yield ("The p-values are computed as in sacreBLEU (Koehn, 2004), and are too low: usually a third to a half "
               "of the p-values of approximate randomization. So a difference may be marked although its 95 % interval "
               "(below) contains zero.")


def _marking(page: Page) -> str:
    """Return sentences on the mark of significant differences, and on the correction of p-values."""
    results = page.results
    tests = (len(page.names) - 1) * len(page.metrics)
    inconclusive = "A result without a mark is inconclusive."
    if results.family > 1:
        return (f"p (Holm) is p, corrected for {family_text(results)}. * marks a significant difference (p (Holm) ≤ "
                f"{SIGNIFICANT}). {inconclusive}")
    family = f"The p-values are not corrected for the number of tests ({tests})."
    only = "There is only one test, so p needs no correction."
    return f"* marks a significant difference (p ≤ {SIGNIFICANT}). {inconclusive} {only if tests == 1 else family}"


def other_units_sentences(page: Page) -> Iterator[str]:
    """Yield sentences that compare tests on segments with tests on documents, if both were made."""
    results, others = page.results, page.summary.other_units
    if others is None:
        return
    these, those = [tested.units.plural if tested.units else "segments" for tested in (results, others)]
    counts = f"{others.units.count if others.units else others.segments:,} {those}"
    changed: list[str] = []
    for metric, name in enumerate(page.metrics):
        for system in range(1, len(page.names)):
            result, other = results.systems[system][metric], others.systems[system][metric]
            assert result.p_value is not None and other.p_value is not None, "both were tested"
            same = is_same_score(results.systems[0][metric].score, result.score)
            if not same and (result.p_value <= SIGNIFICANT) != (other.p_value <= SIGNIFICANT):
                changed.append(f"{page.names[system]} against {page.names[0]} under {name} (p "
                               f"{p_text(results, result.p_value)} on {these}, p {p_text(others, other.p_value)} on "
                               f"{those})")
    conditions = f"(p ≤ {SIGNIFICANT}, not corrected)"
    outcome = f"The same differences are significant in both tests {conditions}."
    if changed:
        outcome = f"Only one of the two tests finds a significant difference {conditions}: {listed(changed)}."
    yield f"Systems were compared with {page.names[0]} twice: by tests on {these}, and by tests on {counts}. {outcome}"
    yield ("If the segments of a document resemble each other, tests on segments reject true null hypotheses in more "
           "than 5 % of all cases. Tests on documents need many documents to find a difference.")


def verdict_cards(page: Page) -> str:
    """Return a card with the conclusion for each metric, and a card with the findings of checks."""
    cards: list[str] = []
    has_others = len(page.names) > 1
    for index, name in enumerate(page.metrics):
        best = page.results.best(index)
        result = page.results.systems[best][index]
        places = page.places(index)
        lead = (f"<b>{xml_text(page.names[best])}</b> {result.score:.{places}f} "
                f'<span class="note">± {result.ci:.{places}f} {xml_text(name)}</span>')
        texts = [conclusion(page, index), *_difference_to_next(page, index)] if has_others else []
        paragraphs = "".join([f"<p>{_unbroken(xml_text(text))}</p>" for text in texts])
        cards.append(f'<div class="card"><p class="lead">{lead}</p>{paragraphs}</div>')
    if page.checks and page.checks.findings:
        cards.append(_findings_card(page, page.checks.findings))
    verdict = f'<div class="cards">{"".join(cards)}</div>'
    if has_others and page.results.test is None:
        verdict += f"\n<p>{_UNTESTED}</p>"
    return verdict


def _unbroken(text: str) -> str:
    """Return the text with no-break spaces in `95 %` and `p = 0.01`."""
    return text.replace(" %", "\u00a0%").replace("p = ", "p\u00a0=\u00a0").replace("p ≤ ", "p\u00a0≤\u00a0")


def _difference_to_next(page: Page, metric: int) -> Iterator[str]:
    """Yield sentences on the difference between the two best systems: its interval, and the agreement of people."""
    results = page.results
    best, *others = results.from_best(metric)
    if not others or is_same_score(results.systems[best][metric].score, results.systems[others[0]][metric].score):
        return
    difference, places = results.difference(metric, others[0], best), page.places(metric)
    yield (f"The difference from {page.names[others[0]]} is {difference.value:+.{places}f} (95 % interval: "
           f"{difference.low:+.{places}f} to {difference.high:+.{places}f}).")
    agreed = agreement_text(page.metrics[metric], page.summary.signatures[metric], difference.value)
    if agreed != NO_AGREEMENT:
        yield f"Agreement of people with the metric at a difference of this size: {agreed}."


def _findings_card(page: Page, findings: Sequence[CheckFinding]) -> str:
    """Return a card with the findings that have the most lines. If segments have texts, a click opens the segments."""
    has_texts = page.segments["outputs"] is not None
    items: list[str] = []
    for finding in sorted(findings, key=lambda finding: -len(finding.lines))[:_MAX_LISTED]:
        text = (f"{finding.system}: {counted(len(finding.lines), 'line')} ({percent(finding)}) "
                f"{CHECKS[finding.check].called(finding.other)}")
        view = f"#{page.prefix}segments?first={page.names.index(finding.system)}&amp;check={finding.check}"
        items.append(f'<li><a href="{view}">{xml_text(text)}</a></li>' if has_texts else f"<li>{xml_text(text)}</li>")
    if len(findings) > _MAX_LISTED:
        items.append(f'<li><a href="#{page.prefix}checks">{len(findings) - _MAX_LISTED} more</a></li>')
    return (f'<div class="card found"><p class="lead"><b>{counted(len(findings), "finding")}</b> '
            f'<span class="note">of checks</span></p><ul>{"".join(items)}</ul></div>')


def scores_content(page: Page) -> str:
    """Return the section on scores: cards with conclusions, then a table of scores, intervals, p-values and ranks."""
    results = page.results
    parts = [verdict_cards(page)]
    if not page.prefix:  # (a page of language pairs has its warnings in the overview)
        parts += [f'<p class="warning">{xml_text(warning)}</p>' for warning in page.warnings]
    heads = [head_cell("System")]
    for index, name in enumerate(page.metrics):
        heads += [head_cell(name, results.lower_is_better[index], index), head_cell("± 95 %", True, index)]
        heads += [head_cell(p_name, True, index, bool(results.rankings)) for p_name in _p_names(results)]
        if results.rankings:
            heads.append(head_cell("Rank", True, index))
    many = " many" if results.test and len(page.metrics) >= _MANY_METRICS else ""
    rows = [f"<tr>{_score_row(page, system)}</tr>" for system in results.from_best(0)]
    parts += [scrolling("Scores of all systems"),
              f'<table class="sortable{many}"><thead><tr>{"".join(heads)}</tr></thead><tbody>', *rows,
              "</tbody></table></div>"]
    if results.test is not None:
        parts.append(folded(explanation_of_p(page)))
    return "\n".join([*parts, copy_buttons(paper_table([page.pair], Style(PAPER, page.printed_width)))])


def _score_row(page: Page, system: int) -> str:
    results = page.results
    name = xml_text(page.names[system])
    baseline = ' <span class="note">baseline</span>' if results.test is not None and system == 0 else ""
    cells = [f'<th scope="row" dir="auto" data-text="{name}">{name}{baseline}</th>']
    for metric, result in enumerate(results.systems[system]):
        column = [system_results[metric] for system_results in results.systems]
        lows, highs = zip(*map(interval_of, column))
        low, high = interval_of(result)
        places = page.places(metric)
        bar = interval_bar(low, result.score, high, min(lows), max(highs), places)
        shown = f"{result.score:.{places}f}"
        is_best = len(page.names) > 1 and result.score == column[results.best(metric)].score
        mark = metric_attribute(metric)
        cells += [f"<td{mark}>{f'<b>{shown}</b>' if is_best else shown}</td>",
                  f'<td{mark} data-value="{result.ci}" class="interval" data-text="± {result.ci:.{places}f}">'
                  f"{bar} ±\u00a0{result.ci:.{places}f}</td>"]
        cells += _p_cells(results, metric, system)
        if results.rankings:
            cells.append(f"<td{mark}>{results.rankings[metric].rank(system)}</td>")
    return "".join(cells)


def _p_name(results: Results) -> str:
    """Return the head of the column with the p-values that decide: the corrected ones, if there is a correction."""
    return "p (Holm)" if results.family > 1 else "p"


def _p_names(results: Results) -> list[str]:
    """Return the heads of the columns of p-values in the table of scores; empty without a test."""
    return [] if results.test is None else list(dict.fromkeys(["p", _p_name(results)]))


def _p_cells(results: Results, metric: int, system: int) -> list[str]:
    """Return cells with the p-values of a system against the first system. A star marks a significant difference.

    If there are ranks, narrow windows hide the columns of p-values, because ranks say more.
    """
    mark = metric_attribute(metric)
    if results.rankings:
        mark = f' class="spare"{mark}'
    p_values = [results.systems[system][metric].p_value, results.corrected_p(metric, 0, system)]
    cells: list[str] = []
    for p_value, _ in zip(p_values, _p_names(results)):
        value = "" if p_value is None else f' data-value="{p_value}"'
        cells.append(f"<td{mark}{value}>{_p_cell(results, p_value)}</td>")
    if cells and results.differs_from_first(metric, system):
        cells[-1] = cells[-1].replace("</td>", "*</td>")
    return cells


def worth_content(page: Page) -> str:
    """Return the section on differences from the best system, with a sentence for reviewers."""
    pair = page.pair
    parts = [metric_block(metric, name, _difference_table(page, metric)) for metric, name in enumerate(page.metrics)]
    if len(page.names) > 2 and not page.results.rankings:
        parts.append(f"<p>Only pairs with {xml_text(page.names[0])} were tested, so other pairs have a dash in place "
                     "of p. The command purebleu test can test all pairs.</p>")
    parts += [f"<p>{xml_text(sentence)}</p>" for sentence in other_units_sentences(page)]
    parts.append(folded(explanations_of_worth(pair)))
    answers = reviewer_sentence(pair)
    if page.groups:
        answers += " These answers do not cover the tests by group."
    parts.append(f"<h3>For a reviewer</h3><p>{xml_text(answers)}</p>")
    return "\n".join(parts)


def _difference_table(page: Page, metric: int) -> str:
    """Return a table of the differences between the best system under a metric and each other system."""
    results, width = page.results, page.places(metric)
    name, signature = page.metrics[metric], page.summary.signatures[metric]
    best, *others = results.from_best(metric)
    rows: list[list[str]] = []
    for system in others:
        difference = results.difference(metric, system, best)
        error = difference.standard_error
        rows.append([xml_text(page.names[system]), *_difference_cells(page, metric, system, best),
                     f"{detectable_difference(error):.{width}f}" if has_power(results, error) else "–",
                     agreement_text(name, signature, difference.value)])
    heads = [f"{name}: {page.names[best]} against", "Difference", "95 % interval", _p_name(results),
             "Smallest detectable difference", "Agreement with people"]
    if all(row[-1] == NO_AGREEMENT for row in rows):
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    table = plain_table(f"Worth of differences in {name}", heads, rows, 1)
    return table + (_all_pairs(page, metric) if len(page.names) > 2 else "")


def _difference_cells(page: Page, metric: int, other: int, system: int, mark: str = "") -> list[str]:
    """Return three cells: the difference of a system from another system (followed by `mark`), its interval, and p."""
    difference, width = page.results.difference(metric, other, system), page.places(metric)
    return [f"{difference.value:+.{width}f}{mark}", f"{difference.low:+.{width}f} to {difference.high:+.{width}f}",
            _p_cell(page.results, page.results.decisive_p(metric, other, system))]


def _all_pairs(page: Page, metric: int) -> str:
    """Return a fold with a table of the differences between all pairs of systems."""
    results, name = page.results, page.metrics[metric]
    ranking = results.rankings[metric] if results.rankings else None
    rows: list[list[str]] = []
    for system, other in combinations(results.from_best(metric), 2):
        mark = "*" if ranking and ranking.differ(system, other) else ""
        rows.append([xml_text(page.names[system]), xml_text(page.names[other]),
                     *_difference_cells(page, metric, other, system, mark)])
    heads = ["System", "Other system", "Difference", "95 % interval", _p_name(results)]
    marked = "<p>* marks p (Holm) ≤ 0.05.</p>" if ranking else ""
    return "\n".join([f"<details><summary>All pairs under {xml_text(name)}</summary>", marked,
                      plain_table(f"All pairs of systems under {name}", heads, rows, 2), "</details>"])
