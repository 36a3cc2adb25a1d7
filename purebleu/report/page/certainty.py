"""Distributions of scores and of differences in resamples, as figures of a report's page."""

from __future__ import annotations

from ...analysis.summary import MAX_PAIRED_SYSTEMS
from ...significance.differences import resampled_difference
from ..charts import density_chart, density_table, figure
from ..markup import xml_text
from .conclusions import best_of, interval_of
from .tables import metric_block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from .content import Page


def certainty_content(page: Page) -> str:
    """The section on certainty: scores in bootstrap resamples, and their differences to the first system."""
    blocks: list[str] = []
    for index, score in enumerate(page.summary.results.scores[0]):
        parts: list[str] = []
        resampled = page.summary.resampled[index]
        rows = [(name, scores, results[index].score, interval_of(results[index]))
                for name, scores, results in zip(page.names, resampled, page.summary.results.systems)]
        caption = f"{score.name} in {len(resampled[0]):,} bootstrap resamples; marked are the score and the interval."
        name = f"{page.prefix}density{index}"
        chart = density_chart(name, f"Distribution of {score.name}", caption, rows, page.places(index))
        parts.append(figure(chart, caption, density_table(rows, page.places(index))))
        if len(page.names) > 1:
            parts.append(_differences(page, index, score.name, 0))
        if 2 < len(page.names) <= MAX_PAIRED_SYSTEMS:
            parts += [_folded_differences(page, index, score.name, baseline) for baseline in range(1, len(page.names))]
        blocks.append(metric_block(index, score.name, "\n".join(parts)))
    return "\n".join(blocks)


def _folded_differences(page: Page, metric: int, name: str, baseline: int) -> str:
    """The differences to a system, in a fold that is open for the best one."""
    title = f"Differences in {xml_text(name)} to {xml_text(page.names[baseline])}"
    is_open = " open" if baseline == best_of(page, metric) else ""
    return f"<details{is_open}><summary>{title}</summary>{_differences(page, metric, name, baseline)}</details>"


def _differences(page: Page, metric: int, name: str, baseline: int) -> str:
    """The differences of all other systems to one of them."""
    resampled, systems = page.summary.resampled[metric], page.summary.results.systems
    rows: list[tuple[str, Sequence[float], float, tuple[float, float]]] = []
    for system in range(len(page.names)):
        if system == baseline:
            continue
        samples = [score - baseline_score for score, baseline_score in zip(resampled[system], resampled[baseline])]
        value = systems[system][metric].score - systems[baseline][metric].score
        difference = resampled_difference(value, resampled[system], resampled[baseline])
        rows.append((page.names[system], samples, value, (difference.low, difference.high)))
    caption = (f"Difference in {name} to {page.names[baseline]}, in the same resamples. An interval of 95 % without "
               "zero rejects the hypothesis that the two are equally good, at 5 % for each pair (not corrected for the "
               "number of pairs).")
    identifier = f"{page.prefix}difference{metric}" + (f"to{baseline}" if baseline else "")
    chart = density_chart(identifier, f"Differences in {name}", caption, rows, page.places(metric), baseline)
    return figure(chart, caption, density_table(rows, page.places(metric)))
