"""The sections of a report's page with figures: certainty of scores, kinds of segments, system against system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.buckets import FEW, Buckets
from ...analysis.segments import STORED_DIGITS, decile_labels, decile_start
from ..tables import TableColumn, xml_text
from .charts import bar_chart, density_chart, density_table, difference_chart, group_table, scatter_chart, scatter_table
from .content import Page
from .markup import figure, folded, metric_attribute, metric_block, plain_table
from .scores import best_of, from_best, interval_of


def certainty_content(page: Page) -> str:
    """Return the section on certainty: scores in bootstrap resamples, and differences to the first system."""
    blocks: list[str] = []
    for index, score in enumerate(page.summary.results.scores[0]):
        parts: list[str] = []
        resampled = page.summary.resampled[index]
        order = from_best(page, index)
        results = [page.summary.results.systems[system][index] for system in order]
        rows = [(page.names[system], resampled[system], result.score, interval_of(result))
                for system, result in zip(order, results)]
        caption = f"{score.name} in {len(resampled[0]):,} bootstrap resamples. The score and the interval are marked."
        name = f"{page.prefix}density{index}"
        chart = density_chart(name, f"Distribution of {score.name}", caption, rows, page.places(index), order)
        parts.append(figure(chart, caption, density_table(rows, page.places(index))))
        if len(page.names) > 1:
            parts.append(_differences(page, index, score.name))
        blocks.append(metric_block(index, score.name, "\n".join(parts), "figures"))
    return "\n".join(blocks)


def _differences(page: Page, metric: int, name: str) -> str:
    """Return the figure of the differences of all other systems to the first one."""
    resampled = page.summary.resampled[metric]
    rows: list[tuple[str, Sequence[float], float, tuple[float, float]]] = []
    others = [system for system in from_best(page, metric) if system]
    for system in others:
        samples = [score - first for score, first in zip(resampled[system], resampled[0])]
        difference = page.summary.results.difference(metric, 0, system)
        rows.append((page.names[system], samples, difference.value, (difference.low, difference.high)))
    caption = (f"Difference in {name} from {page.names[0]}, in the same resamples. If the 95 % interval does not "
               "contain zero, the two systems differ significantly (at 5 %, not corrected for the number of pairs).")
    chart = density_chart(f"{page.prefix}difference{metric}", f"Differences in {name}", caption, rows,
                          page.places(metric), others, True)
    return figure(chart, caption, density_table(rows, page.places(metric), True))


#: The maximum number of systems, beside the best one, that have dots in a figure of differences.
_MAX_DOTS = 5


def kinds_content(page: Page) -> str:
    """Return the section on kinds: scores by kinds of segments and words, and the distribution of sentence scores."""
    metrics = [score.name for score in page.summary.results.scores[0]]
    parts = list(_where_the_best_is_behind(page))
    if parts:
        parts.append(folded(["The intervals of a kind come from resamples of its segments. If the 95 % interval of a "
                             "difference does not contain zero, the two systems differ significantly on that kind (at "
                             "5 %, not corrected for the number of kinds and systems)."]))
    blocks: list[str] = []
    for index, metric in enumerate(metrics):
        figures = [_bucket_figure(page, f"{page.prefix}bucket{number}m{index}",
                                  f"{metric} by {_lower_first(buckets.title)}",
                                  "n is the number of segments; fewer than 30 say little.", buckets, index, number)
                   for number, buckets in enumerate(page.summary.buckets)]
        blocks.append(metric_block(index, metric, "\n".join(figures), "contents"))
    if page.summary.words is not None:
        blocks.append(_bucket_figure(page, f"{page.prefix}words",
                                     "F-score of words by their frequency in the references",
                                     "n is the number of words in the references, including repetitions.",
                                     page.summary.words, 0))
    blocks += [metric_block(index, metric, _decile_figure(page, index, metric), "contents")
               for index, metric in enumerate(metrics)]
    return "\n".join([*parts, '<div class="figures">', *blocks, "</div>"])


def _decile_figure(page: Page, index: int, metric: str) -> str:
    """Return the figure with the number of segments in each tenth of the scale of sentence scores."""
    limits = page.summary.limits[index]
    labels = decile_labels(limits)
    order = from_best(page, index)
    counts = [page.summary.deciles[index][system] for system in order]
    series = [(system, page.names[system]) for system in order]
    title = f"Segments by their {metric}"
    caption = (f"The number of segments with a {metric} from {limits[0]} to below {decile_start(limits, 1):g}, and so "
               "on.")
    opens: list[list[str]] = []
    table: list[TableColumn] = [("Group", labels)]
    for (system, name), of_system in zip(series, counts):
        opens.append([f"metric={index}&first={system}&decile={decile}" for decile in range(len(labels))])
        table.append((name, list(map(str, of_system))))
    chart = bar_chart(f"{page.prefix}decile{index}", title, caption, labels, series, counts, opens)
    return figure(chart, caption, table, rows=f"metric={index}&first={best_of(page, index)}&decile=")


def _bucket_figure(page: Page, name: str, title: str, caption: str, buckets: Buckets, metric: int,
                   grouping: int | None = None) -> str:
    """Return a figure of buckets: the scores of a single system, or the differences from the best of several.

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
        chart = difference_chart(name, title, caption, buckets.groups, [*enumerate(page.names)], estimates, places,
                                 opens, signed=False)
        table = group_table(buckets.groups, page.names, estimates, places=places, of=sizes)
        return figure(chart, caption, table, rows=rows)
    differences = buckets.differences[metric]
    shown = [system for system in others if any(differences[system])][:_MAX_DOTS]
    left_out = f"The chart shows the {len(shown)} other systems with the best scores, and the table shows all. " \
        if len(shown) < len(others) else ""
    better = "Below" if grouping is not None and page.summary.metrics[metric].LOWER_IS_BETTER else "Above"
    under = page.summary.results.scores[0][metric].name
    caption = (f"{title}: the difference from {page.names[best]}, the best system under {under}. {better} zero, a "
               f"system is better than {page.names[best]}. {left_out}{caption}")
    chart = difference_chart(name, title, caption, buckets.groups, [(system, page.names[system]) for system in shown],
                             [differences[system] for system in shown], places, opens)
    table = group_table(buckets.groups, [page.names[system] for system in order],
                        [estimates[system] for system in order], [differences[system] for system in order], places,
                        sizes)
    return figure(chart, caption, table, rows=rows)


def _where_the_best_is_behind(page: Page) -> Iterator[str]:
    """Yield a sentence for each metric and grouping: on which kinds of segments the best system is behind."""
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


#: The maximum number of systems, including the baseline, that have scatter plots of their segments.
_MAX_SCATTERED = 6


def pairs_content(page: Page) -> str:
    """Return the section on pairs of systems: wins and losses, plots of sentence scores, and n-grams."""
    tables = [metric_block(index, score.name, _outcomes(page, index, score.name))
              for index, score in enumerate(page.summary.results.scores[0])]
    parts: list[str] = []
    metric = page.summary.results.scores[0][0].name
    scores, (low, high) = page.summary.segments[0], page.summary.limits[0]
    limits = float(low), float(high)
    for system in range(1, min(len(page.names), _MAX_SCATTERED)):
        # (Rounded as in the page's data, so that its script finds the same segments in a hexagon.)
        points = [(round(one, STORED_DIGITS), round(other, STORED_DIGITS))
                  for one, other in zip(scores[0], scores[system])]
        title = f"{metric} of each segment: {page.names[system]} against {page.names[0]}"
        description = f"Each segment is a point; above the line, {page.names[system]} has the higher score."
        chart = scatter_chart(f"{page.prefix}scatter{system}", title, description, page.names[0], page.names[system],
                              points, limits, f"metric=0&first=0&second={system}&sort=either&")
        parts.append(figure(chart, title, scatter_table(page.names[0], page.names[system], points, limits)))
    if len(page.names) > _MAX_SCATTERED:
        parts.append(f"<p>There are plots of {xml_text(page.names[0])} and each of the first {_MAX_SCATTERED - 1} "
                     "other systems, in the order in which they were given.</p>")
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
        folded(["A system wins a segment if its sentence score is better than the baseline's. A click on the "
                "name of a system shows the segments, with the largest differences on top."])])


def _ngrams(page: Page) -> Iterator[str]:
    if not page.summary.ngrams:
        return
    yield "<h3>N-grams that one system has more often than the other one</h3>"
    yield folded(["N-grams of the references, and how often each of the two systems has them in the segments of these "
                  "references (counted as in BLEU)."])
    for (one, two), (gained, lost) in page.summary.ngrams.items():
        first, second = page.names[one], page.names[two]
        rows = [[xml_text(" ".join(ngram)), str(own), str(other), xml_text(second)] for ngram, own, other in gained]
        rows += [[xml_text(" ".join(ngram)), str(other), str(own), xml_text(first)] for ngram, own, other in lost]
        if rows:
            yield "\n".join([f"<details><summary>{xml_text(second)} against {xml_text(first)}</summary>",
                             plain_table(f"N-grams of {second} and {first}",
                                          ["N-gram", second, first, "More often in"], rows, 1), "</details>"])
