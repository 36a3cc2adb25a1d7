"""The scores of a report's page, the differences from the best system, and their worth."""

from __future__ import annotations

from ...significance.power import detectable_difference
from ..charts import interval_bar
from ..markup import xml_text
from ..paper.systems import paper_table
from ..worth import agreement_text, explanations_of_worth, reviewer_sentence
from .conclusions import (
    best_of,
    conclusions,
    explanation_of_p,
    from_best,
    interval_of,
    other_units_sentences,
    p_text,
)
from .tables import copy_buttons, head_cell, metric_attribute, metric_block, plain_table, scrolling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...significance.results import Results
    from .content import Page


def scores_content(page: Page) -> str:
    """The section on scores: which system is best, and how certain that is, in sentences and as a table."""
    results = page.summary.results
    parts = [f"<p>{xml_text(sentence)}</p>" for sentence in conclusions(page)]
    heads = [head_cell("System")]
    for index, (metric, score) in enumerate(zip(page.summary.metrics, results.scores[0])):
        against = "" if index else f"against {page.names[0]}"
        heads += [head_cell(score.name, metric.LOWER_IS_BETTER, index), head_cell(f"{score.name} ± 95 %", True, index)]
        heads += [head_cell(name, True, index, against if name == "p" else "", bool(results.rankings))
                  for name in _p_names(results)]
        if results.rankings:
            heads.append(head_cell("Rank", True, index))
    rows = ["".join(heads), *[_score_row(page, system) for system in from_best(page, 0)]]
    parts += [scrolling("Scores of all systems"),
              f'<table class="sortable"><thead><tr>{rows[0]}</tr></thead><tbody>',
              *[f"<tr>{row}</tr>" for row in rows[1:]], "</tbody></table></div>", copy_buttons(_paper_text(page))]
    if results.test is not None:
        parts += [f"<p>{xml_text(paragraph)}</p>" for paragraph in explanation_of_p(page)]
    return "\n".join(parts)


def _paper_text(page: Page) -> str:
    """The table of scores as LaTeX for a paper."""
    results = page.summary.results
    signatures = dict(zip([score.name for score in results.scores[0]], page.summary.signatures))
    lower_is_better = [metric.LOWER_IS_BETTER for metric in page.summary.metrics]
    return paper_table(page.names, results, signatures, lower_is_better, page.printed_width, corpus=page.corpus)


def _score_row(page: Page, system: int) -> str:
    results = page.summary.results
    cells = [f'<th scope="row" dir="auto">{xml_text(page.names[system])}</th>']
    for metric, result in enumerate(results.systems[system]):
        column = [system_results[metric] for system_results in results.systems]
        lows, highs = zip(*map(interval_of, column))
        low, high = interval_of(result)
        places = page.places(metric)
        bar = interval_bar(low, result.score, high, min(lows), max(highs), places)
        shown = f"{result.score:.{places}f}"
        is_best = len(page.names) > 1 and result.score == column[best_of(page, metric)].score
        mark = metric_attribute(metric)
        cells += [f"<td{mark}>{f'<b>{shown}</b>' if is_best else shown}</td>",
                  f'<td{mark} data-value="{result.ci}" data-text="± {result.ci:.{places}f}">'
                  f"{bar} ±\u00a0{result.ci:.{places}f}</td>"]
        cells += _p_cells(results, metric, system)
        if results.rankings:
            cells.append(f"<td{mark}>{results.rankings[metric].rank(system)}</td>")
    return "".join(cells)


def _p_names(results: Results) -> list[str]:
    """The headings of the columns of p-values; none without a test."""
    if results.test is None:
        return []
    return ["p", "p (Holm)"] if results.family > 1 else ["p"]


def _p_cells(results: Results, metric: int, system: int) -> list[str]:
    """The p-values of a system against the first one; a star marks the last of them if the difference is significant.

    (With ranks, narrow windows leave these columns out: ranks say more than tests against the first system.)
    """
    mark = metric_attribute(metric)
    if results.rankings:
        mark = f' class="spare"{mark}'
    p_values = [results.systems[system][metric].p_value, results.corrected_p(metric, 0, system)]
    cells: list[str] = []
    for p_value, _ in zip(p_values, _p_names(results)):
        if p_value is None:
            cells.append(f"<td{mark}>–</td>")
        else:
            text = p_text(results, p_value).replace("= ", "").replace(" ", "\u00a0")
            cells.append(f'<td{mark} data-value="{p_value}">{text}</td>')
    if cells and results.differs_from_first(metric, system):
        cells[-1] = cells[-1].replace("</td>", "*</td>")
    return cells


def worth_content(page: Page) -> str:
    """The section on differences from the best system: a table, tests on other units, the sentence for a reviewer."""
    results = page.summary.results
    names = [score.name for score in results.scores[0]]
    signatures = dict(zip(names, page.summary.signatures))
    parts = [metric_block(metric, name, _difference_table(page, metric)) for metric, name in enumerate(names)]
    sentences = [*other_units_sentences(page), *explanations_of_worth(results, signatures, bool(results.rankings))]
    parts += [f"<p>{xml_text(sentence)}</p>" for sentence in sentences]
    parts.append(f"<h3>For a reviewer</h3><p>{xml_text(reviewer_sentence(results, names))}</p>")
    return "\n".join(parts)


def _difference_table(page: Page, metric: int) -> str:
    """The difference between the best system under a metric and each of the others."""
    results, width = page.summary.results, page.places(metric)
    name, signature = results.scores[0][metric].name, page.summary.signatures[metric]
    best = best_of(page, metric)
    p_head = "p (Holm)" if results.family > 1 else "p"
    rows: list[list[str]] = []
    for system in from_best(page, metric):
        if system == best:
            continue
        difference, p_value = results.difference(metric, system, best), _p_of_pair(page, metric, system, best)
        error = difference.standard_error
        rows.append([
            xml_text(page.names[system]), f"{difference.value:+.{width}f}",
            f"{difference.low:+.{width}f} to {difference.high:+.{width}f}",
            "–" if p_value is None else f"{p_value:.4f}", xml_text(agreement_text(name, signature, difference.value)),
            f"{detectable_difference(error):.{width}f}" if error else "–"])
    heads = [f"{name}: {page.names[best]} against", "Difference", "95 % interval", p_head, "Agreement with people",
             "Smallest detectable difference"]
    table = f"<h3>{xml_text(name)}</h3>" + plain_table(f"Worth of differences in {name}", heads, rows, 1)
    return table + (_all_pairs(page, metric) if len(page.names) > 2 else "")


def _p_of_pair(page: Page, metric: int, one: int, other: int) -> float | None:
    """The p-value of a pair, with a correction if there is one; `None` where the pair was not tested."""
    results = page.summary.results
    if results.corrected:
        return results.corrected_p(metric, one, other)
    return None if one and other else results.systems[one or other][metric].p_value


def _all_pairs(page: Page, metric: int) -> str:
    """The differences of all pairs of systems, as a matrix and as a list that can be sorted."""
    results, width, name = page.summary.results, page.places(metric), page.summary.results.scores[0][metric].name
    order = from_best(page, metric)
    ranking = results.rankings[metric] if results.rankings else None
    matrix: list[list[str]] = []
    listed: list[list[str]] = []
    for position, system in enumerate(order):
        cells = [xml_text(page.names[system])]
        for other_position, other in enumerate(order):
            if system == other:
                cells.append("–")
                continue
            difference, p_value = results.difference(metric, other, system), _p_of_pair(page, metric, system, other)
            mark = "*" if ranking and ranking.differ(system, other) else ""
            cells.append(f"{difference.value:+.{width}f}{mark}")
            if position < other_position:
                listed.append([xml_text(page.names[system]), xml_text(page.names[other]),
                               f"{difference.value:+.{width}f}{mark}",
                               f"{difference.low:+.{width}f} to {difference.high:+.{width}f}",
                               "–" if p_value is None else f"{p_value:.4f}"])
        matrix.append(cells)
    p_head = "p (Holm)" if results.family > 1 else "p"
    marked = ("* marks p (Holm) ≤ 0.05." if ranking
              else "Pairs without the first system were not tested; purebleu test tests all.")
    return "\n".join([
        f"<details><summary>All pairs under {xml_text(name)}</summary>",
        "<p>Of each row, the score minus that of the system above the column; the best system comes first. "
        f"{marked}</p>",
        plain_table(f"Differences of all pairs in {name}", [name, *[page.names[system] for system in order]], matrix,
                    1),
        plain_table(f"All pairs of systems under {name}",
                    ["System", "Other system", "Difference", "95 % interval", p_head], listed, 2), "</details>"])
