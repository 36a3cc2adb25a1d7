"""The sections of a report's page with charts: certainty of scores, kinds of segments, system against system."""

from __future__ import annotations

from ...analysis.segments import STORED_DIGITS, decile_labels, decile_start
from ...analysis.summary import FEW, Buckets
from ...runtime.hints import Any, Iterator, Sequence
from ..formats import lower_first
from ..tables import TableColumn, xml_text
from .charts import (
    ChartHead,
    Distribution,
    Series,
    bar_chart,
    density_figure,
    difference_chart,
    group_table,
    scatter_figure,
)
from .content import Page
from .markup import figure, folded, metric_attribute, metric_block, plain_table
from .scores import interval_of


def certainty_content(page: Page) -> str:
    """Return the section on certainty: distributions of scores, and of differences from the first system."""
    blocks: list[str] = []
    results = page.results
    for metric, name in enumerate(page.metrics):
        resampled, order = page.summary.resampled[metric], results.from_best(metric)
        rows: list[Distribution] = []
        for system in order:
            result = results.systems[system][metric]
            rows.append(Distribution(system, page.names[system], resampled[system], result.score, interval_of(result)))
        caption = (f"Distribution of {name} over {len(resampled[0]):,} bootstrap resamples. Marks show the score "
                   "and its 95 % confidence interval.")
        head = ChartHead(f"{page.prefix}density{metric}", f"Distribution of {name}", caption)
        figures = [density_figure(head, rows, page.places(metric))]
        differences: list[Distribution] = []
        for system in [system for system in order if system]:
            samples = [score - first for score, first in zip(resampled[system], resampled[0])]
            difference = results.difference(metric, 0, system)
            differences.append(Distribution(system, page.names[system], samples, difference.value,
                                            (difference.low, difference.high)))
        if differences:
            caption = (f"Difference in {name} from {page.names[0]}, in resamples that systems share. Marks show the "
                       "difference and its 95 % interval (not corrected for the number of pairs), which contains the "
                       "middle 95 % of the differences in resamples.")
            if results.test is not None:
                caption += " The p-value (not the interval) decides whether a difference is significant."
            head = ChartHead(f"{page.prefix}difference{metric}", f"Differences in {name}", caption)
            figures.append(density_figure(head, differences, page.places(metric), True))
        blocks.append(metric_block(metric, name, "\n".join(figures), "figures"))
    return "\n".join(blocks)


#: The maximum number of systems in a chart of differences from the best system.
_MAX_DOTS = 5


def kinds_content(page: Page) -> str:
    """Return the section on kinds: scores by kind of segment and of word, and numbers of segments by their scores."""
    parts = list(_where_the_best_is_behind(page))
    if parts:
        parts.append(folded(["For each kind of segment, intervals come from resamples of the segments of this kind. "
                             "The intervals are not corrected for the number of kinds and systems, and are too narrow "
                             "if n is small. Differences on kinds of segments are not tested."]))
    blocks: list[str] = []
    for index, metric in enumerate(page.metrics):
        figures: list[str] = []
        for number, buckets in enumerate(page.summary.buckets):
            head = ChartHead(f"{page.prefix}bucket{number}m{index}", f"{metric} by {lower_first(buckets.title)}",
                             f"n is the number of segments; results from fewer than {FEW} segments are uncertain.")
            figures.append(_bucket_figure(page, head, buckets, index, number))
        blocks.append(metric_block(index, metric, "\n".join(figures), "contents"))
    if page.summary.words is not None:
        head = ChartHead(f"{page.prefix}words", "F-score of words by their frequency in the references",
                         "n is the number of words in the references, including repetitions.")
        blocks.append(_bucket_figure(page, head, page.summary.words, 0))
    blocks += [metric_block(index, metric, _decile_figure(page, index, metric), "contents")
               for index, metric in enumerate(page.metrics)]
    return "\n".join([*parts, '<div class="figures">', *blocks, "</div>"])


def _decile_figure(page: Page, index: int, metric: str) -> str:
    """Return a figure with the number of segments in each tenth of the scale of sentence scores."""
    limits = page.summary.limits[index]
    labels = decile_labels(limits)
    caption = (f"Number of segments in each tenth of the range of {metric}. The first tenth is from {limits[0]} to "
               f"below {decile_start(limits, 1):g}.")
    series = _series(page, page.results.from_best(index), page.summary.deciles[index])
    opens: list[list[str]] = []
    table: list[TableColumn] = [("Group", labels)]
    for system, name, counts in series:
        opens.append([f"metric={index}&first={system}&decile={decile}" for decile in range(len(labels))])
        table.append((name, list(map(str, counts))))
    head = ChartHead(f"{page.prefix}decile{index}", f"Segments by their {metric}", caption)
    chart = bar_chart(head, labels, series, opens)
    return figure(chart, caption, table, rows=f"metric={index}&first={page.results.best(index)}&decile=")


def _bucket_figure(page: Page, head: ChartHead, buckets: Buckets, metric: int, grouping: int | None = None) -> str:
    """Return a figure of scores by bucket: of a single system, or as differences from the best of several systems.

    Args:
        page: the page.
        head: the name and the title of the chart, and the last sentences of its description.
        buckets: buckets of segments or of words.
        metric: the index of the metric.
        grouping: the index of the grouping in the page's data, for links to segments; `None` for words.
    """
    name, title, caption = head
    best, *others = page.results.from_best(metric)
    rows, opens = "", [""] * len(buckets.groups)
    if grouping is not None:
        second = f"&second={others[0]}&sort=either" if others else ""
        rows = f"metric={metric}&first={best}{second}&group={grouping}."
        opens = [f"{rows}{group}" for group in range(len(buckets.groups))]
    sizes, places = ("Words", page.width) if grouping is None else ("Segments", page.places(metric))
    estimates = buckets.estimates[metric]
    if not buckets.differences:
        caption = f"{title}. {caption}"
        scores = _series(page, range(len(page.names)), estimates)
        chart = difference_chart(ChartHead(name, title, caption), buckets.groups, scores, places, opens, signed=False)
        return figure(chart, caption, group_table(buckets.groups, scores, places=places, of=sizes), rows=rows)
    differences = buckets.differences[metric]
    shown = [system for system in others if any(differences[system])][:_MAX_DOTS]
    left_out = f"The chart shows only the {len(shown)} next best systems. " \
        "The table shows all systems. " if len(shown) < len(others) else ""
    better = "Below" if grouping is not None and page.results.lower_is_better[metric] else "Above"
    caption = (f"{title}: the difference from {page.names[best]}, the best system under {page.metrics[metric]}. "
               f"{better} zero, a system is better than {page.names[best]}. {left_out}{caption}")
    chart = difference_chart(ChartHead(name, title, caption), buckets.groups, _series(page, shown, differences), places,
                             opens)
    table = group_table(buckets.groups, _series(page, (best, *others), estimates),
                        [differences[system] for system in (best, *others)], places, sizes)
    return figure(chart, caption, table, rows=rows)


def _series(page: Page, systems: Sequence[int], values: Sequence[Sequence[Any]]) -> list[Series]:
    return [Series(system, page.names[system], values[system]) for system in systems]


def _where_the_best_is_behind(page: Page) -> Iterator[str]:
    """Yield, for each metric and grouping, a sentence on the kinds of segments on which the best system is not best."""
    for index, metric in enumerate(page.metrics):
        better = min if page.results.lower_is_better[index] else max
        best = page.results.best(index)
        for buckets in page.summary.buckets if len(page.names) > 1 else ():
            behind: list[str] = []
            for bucket, (label, count) in enumerate(buckets.groups):
                values = [estimate[0] for estimates in buckets.estimates[index] if (estimate := estimates[bucket])]
                first = values.index(better(values))
                if values[first] != values[best]:
                    places, few = page.places(index), ", few" if count is not None and count < FEW else ""
                    behind.append(f"{label} (n = {count}{few}; {values[first]:.{places}f} for {page.names[first]}, "
                                  f"{values[best]:.{places}f} for {page.names[best]})")
            verdict = f"is not the best on {', '.join(behind)}" if behind else "is also best on each kind of segment"
            text = (f"{metric} by {lower_first(buckets.title)}: {page.names[best]}, the best system on all "
                    f"segments, {verdict}.")
            yield f"<p{metric_attribute(index)}>{xml_text(text)}</p>"


#: The maximum number of systems in scatter plots, including the baseline.
_MAX_SCATTERED = 6


def pairs_content(page: Page) -> str:
    """Return the section on pairs of systems: wins and losses, scatter plots of sentence scores, and n-grams."""
    tables = [metric_block(index, name, _outcomes(page, index, name)) for index, name in enumerate(page.metrics)]
    parts: list[str] = []
    metric = page.metrics[0]
    scores, (low, high) = page.summary.segments[0], page.summary.limits[0]
    limits = float(low), float(high)
    for system in range(1, min(len(page.names), _MAX_SCATTERED)):
        # (Scores are rounded as in the page's data, so that the script finds the same segments in each hexagon.)
        points = [(round(one, STORED_DIGITS), round(other, STORED_DIGITS))
                  for one, other in zip(scores[0], scores[system])]
        head = ChartHead(f"{page.prefix}scatter{system}",
                         f"{metric} of each segment: {page.names[system]} against {page.names[0]}",
                         f"Each segment is a point. Above the diagonal, {page.names[system]} has the higher score.")
        parts.append(scatter_figure(head, page.names[0], page.names[system], points, limits,
                                    f"metric=0&first=0&second={system}&sort=either&"))
    if len(page.names) > _MAX_SCATTERED:
        parts.append(f"<p>Only the first {_MAX_SCATTERED - 1} systems after {xml_text(page.names[0])} (in the order of "
                     "the command line) have plots.</p>")
    return "\n".join(['<div class="figures"><div>', *tables, *_ngrams(page), "</div>", *parts, "</div>"])


def _outcomes(page: Page, metric: int, name: str) -> str:
    rows: list[list[str]] = []
    for (one, two), outcome in page.summary.outcomes[metric].items():
        view = f"#{page.prefix}segments?metric={metric}&amp;first={one}&amp;second={two}&amp;sort=either"
        system = f'<a href="{view}">{xml_text(page.names[two])}</a>'
        rows.append([xml_text(page.names[one]), system, str(outcome.wins), str(outcome.ties), str(outcome.losses)])
    return "\n".join([
        f"<h3>Segments that a system wins and loses ({xml_text(name)})</h3>",
        plain_table(f"Wins and losses, {name}", ["Baseline", "System", "Wins", "Ties", "Losses"], rows, 2),
        folded(["A system wins a segment if its sentence score is better than the baseline's. A click on the name of a "
                "system shows all segments, with the largest differences first."])])


def _ngrams(page: Page) -> Iterator[str]:
    if not page.summary.ngrams or page.segments["outputs"] is None:  # (a page without texts has no n-grams)
        return
    yield "<h3>N-grams that one system has more often than the other one</h3>"
    yield folded(["The tables list n-grams of the references, and how often the outputs of each system match these "
                  "n-grams (with clipped counts, as in BLEU)."])
    for (one, two), (gained, lost) in page.summary.ngrams.items():
        first, second = page.names[one], page.names[two]
        rows = [[xml_text(" ".join(ngram)), str(own), str(other), xml_text(second)] for ngram, own, other in gained]
        rows += [[xml_text(" ".join(ngram)), str(other), str(own), xml_text(first)] for ngram, own, other in lost]
        if rows:
            yield "\n".join([f"<details><summary>{xml_text(second)} against {xml_text(first)}</summary>",
                             plain_table(f"N-grams of {second} and {first}",
                                          ["N-gram", second, first, "More often in"], rows, 1), "</details>"])
