"""Scores by kinds of segments and of words, as figures of a report's page."""

from __future__ import annotations

from ...analysis.segments import decile_labels
from ..charts import FEW, bar_chart, bar_table, figure
from ..markup import xml_text
from .conclusions import best_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator

    from ...analysis.bucket_scores import Buckets
    from .content import Page


def kinds_part(page: Page) -> str:
    """Scores by kinds of segments, words by their frequency, and how sentence scores are spread."""
    metrics = [score.name for score in page.summary.results.scores[0]]
    parts = [f"<p>{xml_text(sentence)}</p>" for sentence in _where_the_best_is_behind(page)]
    if parts:
        parts.append("<p>None of these differences was tested: small ones, and those of few segments, may be chance."
                     "</p>")
    for number, buckets in enumerate(page.summary.buckets):
        for index, metric in enumerate(metrics):
            title = f"{metric} by {lower_first(buckets.title)}"
            parts.append(_bucket_figure(page, f"{page.prefix}bucket{number}m{index}", title,
                                        "n is the number of segments; fewer than 30 (grey) say little.", buckets,
                                        index))
    if page.summary.words is not None:
        parts.append(_bucket_figure(page, f"{page.prefix}words",
                                    "F-score of words by their frequency in the references",
                                    "n is the number of words in the references; each word counts as often as it is "
                                    "there.", page.summary.words, 0))
    for index, metric in enumerate(metrics):
        scale = page.summary.metrics[index].SCALE
        groups = [(label, None) for label in decile_labels(scale)]
        bars = [[(float(count), None) for count in counts] for counts in page.summary.deciles[index]]
        title = f"Segments by their {metric}"
        caption = f"How many segments have a {metric} from 0 to below {scale // 10}, and so on."
        parts.append(figure(bar_chart(f"{page.prefix}decile{index}", title, caption, groups, page.names, bars), caption,
                            bar_table(groups, page.names, bars, 0)))
    return "\n".join(parts)


def _bucket_figure(page: Page, name: str, title: str, caption: str, buckets: Buckets, metric: int) -> str:
    estimates = buckets.estimates[metric]
    caption = f"{title}. {caption}"
    return figure(bar_chart(name, title, caption, buckets.groups, page.names, estimates), caption,
                  bar_table(buckets.groups, page.names, estimates, page.width,
                            "Words" if buckets is page.summary.words else "Segments"))


def _where_the_best_is_behind(page: Page) -> Iterator[str]:
    """For each metric, on which kinds of segments the best system is not the best."""
    results = page.summary.results
    for index, (metric, score) in enumerate(zip(page.summary.metrics, results.scores[0])):
        better = min if metric.LOWER_IS_BETTER else max
        best = best_of(page, index)
        for buckets in page.summary.buckets if len(page.names) > 1 else ():
            behind: list[str] = []
            for bucket, (label, count) in enumerate(buckets.groups):
                values = [estimate[0] for of_system in buckets.estimates[index] if (estimate := of_system[bucket])]
                first = values.index(better(values))
                if values[first] != values[best]:
                    few = ", few" if count is not None and count < FEW else ""
                    behind.append(f"{label} (n {count}{few}: {values[best]:.{page.width}f}, {page.names[first]} "
                                  f"{values[first]:.{page.width}f})")
            yield (f"{score.name} by {lower_first(buckets.title)}: {page.names[best]}, the best of all, is "
                   + (f"behind on {', '.join(behind)}." if behind else "ahead everywhere."))


def lower_first(title: str) -> str:
    return title[:1].lower() + title[1:]
