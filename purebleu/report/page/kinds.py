"""Scores by kinds of segments and of words, as figures of a report's page."""

from __future__ import annotations

from ...analysis.segments import decile_labels, decile_start
from ..charts import FEW, bar_chart, bar_table, figure
from ..dots import difference_chart, difference_table
from ..markup import xml_text
from .conclusions import best_of, from_best
from .tables import metric_attribute, metric_block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator

    from ...analysis.bucket_scores import Buckets
    from .content import Page

#: The number of systems with dots in a figure of differences: those with the best scores after the best one.
_MAX_DOTS = 5


def kinds_content(page: Page) -> str:
    """The section on kinds: scores by kinds of segments and of words, and the distribution of sentence scores."""
    metrics = [score.name for score in page.summary.results.scores[0]]
    parts = list(_where_the_best_is_behind(page))
    if parts:
        parts.append("<p>These are estimates for each kind by itself: an interval of 95 % without zero rejects the "
                     "hypothesis that two systems are equally good on that kind, at 5 %, not corrected for the number "
                     "of kinds and systems.</p>")
    for index, metric in enumerate(metrics):
        figures = [_bucket_figure(page, f"{page.prefix}bucket{number}m{index}",
                                  f"{metric} by {_lower_first(buckets.title)}",
                                  "n is the number of segments; fewer than 30 say little.", buckets, index, number)
                   for number, buckets in enumerate(page.summary.buckets)]
        parts.append(metric_block(index, metric, "\n".join([*figures, _decile_figure(page, index, metric)])))
    if page.summary.words is not None:
        parts.append(_bucket_figure(page, f"{page.prefix}words",
                                    "F-score of words by their frequency in the references",
                                    "n is the number of words in the references; each word counts as often as it is "
                                    "there.", page.summary.words, 0))
    return "\n".join(parts)


def _decile_figure(page: Page, index: int, metric: str) -> str:
    """The figure with the number of segments in each tenth of the scale of sentence scores."""
    limits = page.summary.limits[index]
    groups = [(label, None) for label in decile_labels(limits)]
    bars = [[(float(count), None) for count in counts] for counts in page.summary.deciles[index]]
    title = f"Segments by their {metric}"
    caption = (f"The number of segments with a {metric} from {limits[0]} to below {decile_start(limits, 1):g}, and so "
               "on.")
    opens = [[f"metric={index}&first={system}&decile={decile}" for decile in range(len(groups))]
             for system in range(len(page.names))]
    chart = bar_chart(f"{page.prefix}decile{index}", title, caption, groups, page.names, bars, opens)
    return figure(chart, caption, bar_table(groups, page.names, bars, 0),
                  rows=f"metric={index}&first={best_of(page, index)}&decile=")


def _bucket_figure(page: Page, name: str, title: str, caption: str, buckets: Buckets, metric: int,
                   grouping: int | None = None) -> str:
    """A figure of scores on buckets: bars for a single system, differences from the best one for several.

    Args:
        page: the page.
        name: the prefix of the ids in the chart.
        title: the title of the chart.
        caption: the caption after the title.
        buckets: buckets of segments or of words.
        metric: the index of the metric.
        grouping: the index of the buckets in the page's data, to open their segments; `None` for words.
    """
    sizes = "Segments" if grouping is not None else "Words"
    best = best_of(page, metric)
    order = from_best(page, metric)
    others = [system for system in order if system != best]
    rows, opens = "", [""] * len(buckets.groups)
    if grouping is not None:
        second = f"&second={others[0]}&sort=either" if others else ""
        rows = f"metric={metric}&first={best}{second}&group={grouping}."
        opens = [f"{rows}{group}" for group in range(len(buckets.groups))]
    estimates, places = buckets.estimates[metric], page.width if grouping is None else page.places(metric)
    if not buckets.differences:
        caption = f"{title}. {caption}"
        chart = bar_chart(name, title, caption, buckets.groups, page.names, estimates,
                          [opens] * len(page.names) if rows else ())
        return figure(chart, caption, bar_table(buckets.groups, page.names, estimates, places, sizes), rows=rows)
    differences = buckets.differences[metric]
    shown = [system for system in others if any(differences[system])][:_MAX_DOTS]
    left_out = f"Of the others, the {len(shown)} with the best scores are shown; the numbers are of all. " \
        if len(shown) < len(others) else ""
    better = "Below" if grouping is not None and page.summary.metrics[metric].LOWER_IS_BETTER else "Above"
    under = page.summary.results.scores[0][metric].name
    caption = (f"{title}: the difference from {page.names[best]}, the best system under {under}. {better} zero, a "
               f"system is better than it. {left_out}{caption}")
    chart = difference_chart(name, title, caption, buckets.groups, [(system, page.names[system]) for system in shown],
                             [differences[system] for system in shown], places, opens if rows else ())
    table = difference_table(buckets.groups, [page.names[system] for system in order],
                             [estimates[system] for system in order], [differences[system] for system in order],
                             places, sizes)
    return figure(chart, caption, table, rows=rows)


def _where_the_best_is_behind(page: Page) -> Iterator[str]:
    """For each metric and each grouping, a sentence on the kinds of segments on which the best system is behind."""
    results = page.summary.results
    for index, (metric, score) in enumerate(zip(page.summary.metrics, results.scores[0])):
        better = min if metric.LOWER_IS_BETTER else max
        best = best_of(page, index)
        for buckets in page.summary.buckets if len(page.names) > 1 else ():
            behind: list[str] = []
            for bucket, (label, count) in enumerate(buckets.groups):
                values = [estimate[0] for estimates in buckets.estimates[index] if (estimate := estimates[bucket])]
                first = values.index(better(values))
                if values[first] != values[best]:
                    places, few = page.places(index), ", few" if count is not None and count < FEW else ""
                    behind.append(f"{label} (n {count}{few}: {values[best]:.{places}f}, {page.names[first]} "
                                  f"{values[first]:.{places}f})")
            text = (f"{score.name} by {_lower_first(buckets.title)}: {page.names[best]}, the best of all, is "
                    + (f"behind on {', '.join(behind)}." if behind else "ahead everywhere."))
            yield f"<p{metric_attribute(index)}>{xml_text(text)}</p>"


def _lower_first(title: str) -> str:
    return title[:1].lower() + title[1:]
