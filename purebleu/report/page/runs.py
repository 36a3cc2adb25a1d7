"""A report's page of systems with several runs each."""

from __future__ import annotations

from ...significance.paired import SIGNIFICANT
from ...significance.ranking import is_same_score
from ..charts import figure
from ..dots import runs_chart, runs_table
from ..markup import xml_text
from ..paper.runs import paper_table_of_runs
from ..runs import explanations_of_runs
from .document import origin_content
from .html_file import document, section_element
from .tables import copy_buttons, head_cell, metric_attribute, metric_block, scrolling, subsection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Mapping, Sequence

    from ...metrics.score import Signature
    from ...significance.runs import RunsResults
    from .content import Origin


class RunsPage:
    """The content of the page.

    Attributes:
        names: the names of the systems.
        results: the results, as `significance.runs_of` returns them.
        signatures: the signatures by the names of scores, in the order of the metrics.
        lower_is_better: for each metric, whether lower scores are better.
        width: the number of decimal places.
        printed_width: the number of decimal places in tables for a paper, which may be lower.
    """

    def __init__(self, names: Sequence[str], results: RunsResults, signatures: Mapping[str, Signature],
                 lower_is_better: Sequence[bool], width: int) -> None:
        self.names = names
        self.results = results
        self.signatures = signatures
        self.lower_is_better = lower_is_better
        self.width = max(width, 2)
        self.printed_width = width

    def places(self, metric: int) -> int:
        """The decimal places of scores under a metric."""
        return self.results.places(metric, self.width)

    def from_best(self, metric: int) -> list[int]:
        """The indices of the systems from the best to the worst mean; equal ones are in their given order."""
        sign = 1 if self.lower_is_better[metric] else -1
        return sorted(range(len(self.names)), key=lambda system: sign * self.results.systems[system][metric].mean)

    def p_text(self, metric: int, system: int) -> str:
        """The p-value against the first system: `= 0.0420`, or `≤ 0.0001` where no lower one is possible."""
        p_value = self.p_value(metric, system)
        assert p_value is not None, "there was a test"
        return f"{'≤' if p_value <= self.results.lowest_p else '='} {p_value:.4f}"

    def p_value(self, metric: int, system: int) -> float | None:
        """The p-value against the first system, with `--holm` the corrected one; `None` without a test."""
        if self.results.corrected:
            return self.results.corrected[system][metric]
        return self.results.systems[system][metric].p_value


def runs_text(page: RunsPage, origin: Origin, title: str) -> str:
    """The whole page, with a title above it unless that is empty."""
    runs = [len(system_results[0].scores) for system_results in page.results.systems]
    counted = f"{len(page.names):,} system{'s'[:len(page.names) != 1]}, {sum(runs):,} run{'s'[:sum(runs) != 1]}"
    parts = [("scores", "Scores", _scores(page, origin.corpus)),
             ("distributions", "The scores of all runs", _figures(page)),
             ("origin", "Signatures and files", origin_content([*page.signatures.items()], origin.files))]
    links = [("scores", "Scores"), ("distributions", "Runs"), ("origin", "Signatures")]
    return document(title or f"purebleu: {', '.join(page.names)}", title, counted, origin, links,
                    [section_element(*part) for part in parts])


def _scores(page: RunsPage, corpus: str) -> str:
    """Conclusions, the table of means, and the meaning of its numbers."""
    results = page.results
    heads = [head_cell("System"), head_cell("Runs")]
    for index, (metric, lower) in enumerate(zip(page.signatures, page.lower_is_better)):
        heads += [head_cell(f"{metric}: mean", lower, index), head_cell("s", True, index)]
        heads += [head_cell("s_sel", True, index)] * bool(results.resamples)
        heads += [head_cell("p (Holm)" if results.corrected else "p", True, index,
                            "" if index else f"against {page.names[0]}")] * bool(results.samples)
    rows = [f"<tr>{_row(page, system)}</tr>" for system in page.from_best(0)]
    return "\n".join([
        *[f"<p>{xml_text(sentence)}</p>" for sentence in _conclusions(page)], scrolling("Means of all systems"),
        f'<table class="sortable"><thead><tr>{"".join(heads)}</tr></thead><tbody>', *rows, "</tbody></table></div>",
        copy_buttons(_paper_text(page, corpus)), *map(subsection, explanations_of_runs(page.names, results))])


def _paper_text(page: RunsPage, corpus: str) -> str:
    """The table of means as LaTeX for a paper."""
    return paper_table_of_runs(page.names, page.results, page.signatures, page.lower_is_better, page.printed_width,
                               corpus=corpus)


def _row(page: RunsPage, system: int) -> str:
    results = page.results.systems[system]
    cells = [f'<th scope="row" dir="auto">{xml_text(page.names[system])}</th>', f"<td>{len(results[0].scores)}</td>"]
    for metric, result in enumerate(results):
        places = page.places(metric)
        mark, mean = metric_attribute(metric), f"{result.mean:.{places}f}"
        best = page.results.systems[page.from_best(metric)[0]][metric].mean
        cells.append(f"<td{mark}>{f'<b>{mean}</b>' if len(page.names) > 1 and result.mean == best else mean}</td>")
        numbers = [result.deviation, *[result.selection] * bool(page.results.resamples)]
        cells += [f"<td{mark}>{'–' if number is None else f'{number:.{places}f}'}</td>" for number in numbers]
        if page.results.samples:
            p_value = page.p_value(metric, system)
            cells.append(f"<td{mark}>–</td>" if p_value is None else
                         f'<td{mark} data-value="{p_value}">{_p_cell(page, metric, system)}</td>')
    return "".join(cells)


def _p_cell(page: RunsPage, metric: int, system: int) -> str:
    text = page.p_text(metric, system).replace("= ", "").replace(" ", "\u00a0")
    return text + "*" if page.results.differs_from_first(metric, system) else text


def _conclusions(page: RunsPage) -> Iterator[str]:
    """For each metric, a sentence on the best mean, and for two systems, on its significance; then on the tests."""
    if len(page.names) == 1:
        return
    for metric, name in enumerate(page.signatures):
        best, *others = page.from_best(metric)
        mean = page.results.systems[best][metric].mean
        text = f"Under {name}, {page.names[best]} has the best mean ({mean:.{page.places(metric)}f})"
        if all(is_same_score(page.results.systems[other][metric].mean, mean) for other in others):
            text = f"Under {name}, all systems have the same mean ({mean:.{page.places(metric)}f})."
        elif len(others) == 1 and page.results.samples:
            certain = "" if page.results.differs_from_first(metric, 1) else "not "
            other = page.names[others[0]]
            text += f", {certain}significantly better than that of {other} (p {page.p_text(metric, 1)})."
        else:
            text += "."
        yield text + " Lower is better." * page.lower_is_better[metric]
    if page.results.samples:
        tests = page.results.corrected_tests
        corrected = f"corrected for all {tests} tests together (Holm)" if tests else \
            "not corrected for the number of tests"
        alone = f"Each system was tested against {page.names[0]} alone: nothing is said of other pairs. "
        yield alone * (len(page.names) > 2) + f"* marks p ≤ {SIGNIFICANT}, {corrected}."


def _figures(page: RunsPage) -> str:
    """A figure of the scores of runs for each metric."""
    blocks: list[str] = []
    for metric, name in enumerate(page.signatures):
        rows = [(system, results[metric].scores, results[metric].mean)
                for system, results in zip(page.names, page.results.systems)]
        caption = f"{name} of each run (dots), and their mean (line)."
        chart = runs_chart(f"runs{metric}", f"{name} of runs", caption, rows, page.places(metric))
        blocks.append(metric_block(metric, name, figure(chart, caption, runs_table(rows, page.places(metric)))))
    blocks.append("<p>Texts of runs are not in this page: a report of single runs, given with -i, has them.</p>")
    return "\n".join(blocks)
