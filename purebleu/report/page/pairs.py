"""System against system, segment by segment, in a report's page."""

from __future__ import annotations

from ...analysis.segments import STORED_DIGITS
from ..charts import figure, scatter_chart, scatter_table
from ..markup import xml_text
from .tables import metric_block, plain_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator

    from .content import Page

#: The number of systems, with the baseline, that have scatter plots of their segments.
_MAX_SCATTERED = 6


def pairs_content(page: Page) -> str:
    """The section on pairs of systems: wins and losses, plots of sentence scores, and n-grams that differ most."""
    parts = [metric_block(index, score.name, _outcomes(page, index, score.name))
             for index, score in enumerate(page.summary.results.scores[0])]
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
        parts.append(f"<p>Plots are those of {xml_text(page.names[0])} and each of the {_MAX_SCATTERED - 1} systems "
                     "after it, in the order in which they were given.</p>")
    return "\n".join([*parts, *_ngrams(page)])


def _outcomes(page: Page, metric: int, name: str) -> str:
    heads = ["Baseline", "System", "Wins", "Ties", "Losses", "Largest win: line", "Largest loss: line"]
    lines, scores = page.segments["numbers"], page.summary.segments[metric]

    def link(index: int, one: int, two: int) -> str:
        if index < 0:
            return "none"
        difference = f" ({scores[two][index] - scores[one][index]:+.{page.places(metric)}f})"
        return (f'<a href="#{page.prefix}s{lines[index]}">{lines[index]}</a>' if index < len(lines)
                else f"segment {index + 1}") + difference

    rows = [[xml_text(page.names[one]), xml_text(page.names[two]), str(outcome.wins), str(outcome.ties),
             str(outcome.losses), link(outcome.largest_win, one, two),
             link(outcome.largest_loss, one, two)]
            for (one, two), outcome in page.summary.outcomes[metric].items()]
    return "\n".join([
        f"<h3>Segments that a system wins and loses ({xml_text(name)})</h3>",
        "<p>A system wins where its sentence score is better than the baseline's. Of the largest win and loss, the "
        "line, which is a link to the segment, and the difference in its score.</p>",
        plain_table(f"Wins and losses, {name}", heads, rows, 2)])


def _ngrams(page: Page) -> Iterator[str]:
    if not page.summary.ngrams:
        return
    yield "<h3>N-grams that one system gets, and the other one does not</h3>"
    yield ("<p>N-grams of the references, with how often each of the two systems has them in the segments where they "
           "belong (counted as BLEU does).</p>")
    for (one, two), (gained, lost) in page.summary.ngrams.items():
        first, second = page.names[one], page.names[two]
        rows = [[xml_text(" ".join(ngram)), str(own), str(other), xml_text(second)] for ngram, own, other in gained]
        rows += [[xml_text(" ".join(ngram)), str(other), str(own), xml_text(first)] for ngram, own, other in lost]
        if rows:
            yield "\n".join([f"<details><summary>{xml_text(second)} against {xml_text(first)}</summary>",
                             plain_table(f"N-grams of {second} and {first}",
                                          ["N-gram", second, first, "More often in"], rows, 1), "</details>"])
