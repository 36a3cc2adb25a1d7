"""The parts of a report's page as HTML: scores, charts, tables, segments."""

from __future__ import annotations

from ...analysis.segments import COMPARED_DIGITS, decile_labels
from ...analysis.summary import MAX_PAIRED_SYSTEMS
from ...significance.differences import resampled_difference
from ...significance.power import detectable_difference
from ...version import __version__
from ..charts import (
    FEW,
    bar_chart,
    bar_table,
    density_chart,
    density_table,
    figure,
    interval_bar,
    scatter_chart,
    scatter_table,
)
from ..layouts import LAYOUTS
from ..markup import xml_text
from ..worth import agreement_text, explanations_of_worth, reviewer_sentence
from .conclusions import (
    best_of,
    conclusions,
    corrected_p,
    explanation_of_p,
    from_best,
    is_marked,
    other_units_sentences,
    p_text,
)
from .segments import SEGMENTS_WITHOUT_SCRIPTS, segment_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Mapping, Sequence, Tuple

    from ...analysis.bucket_scores import Buckets
    from ...analysis.summary import Summary
    from ...significance.differences import Difference
    from ...significance.paired import Result
    from ..layouts import Section
    from .shift_marks import StoredShifts

    #: The name of a file, its SHA-256 sum, and its number of lines.
    InputFile = Tuple[str, str, int]

#: The number of systems, with the baseline, that have scatter plots of their segments.
_MAX_SCATTERED = 6


class Page:
    """What the page shows.

    Attributes:
        names: of the systems.
        summary: all numbers.
        command: the command line.
        files: what was read.
        width: how many digits scores have after the point.
        segments: the page's data, as `page.js` describes it, for the segments that are shown.
        shown: how many segments that is.
        audit: sections of the audit, if there was one.
        warnings: what was warned of.
        prefix: what the ids of its parts start with, where it is one of several in a file.
    """

    def __init__(self, names: Sequence[str], summary: Summary, command: str, files: Sequence[InputFile],
                 width: int, prefix: str = "") -> None:
        self.prefix = prefix
        self.names = names
        self.summary = summary
        self.command = command
        self.files = files
        self.width = max(width, 2)
        self.audit: Sequence[Section] = ()
        self.warnings: Sequence[str] = ()
        count = len(summary.segments[0][0])
        self.shown = count
        self.segments = self._data(list(range(1, count + 1)), None, None, None, None)

    def add_texts(self, numbers: Sequence[int], columns: Mapping[str, Sequence[str]],
                  references: Sequence[Sequence[str | None]], outputs: Sequence[Sequence[str] | None],
                  limit: int, shifts: Sequence[Mapping[str, StoredShifts]] | None = None) -> None:
        """Add the text of the first `limit` segments; with 0, none.

        Args:
            numbers: of the lines of the segments.
            columns: `id` (or `docid`) and `src`, where they are known.
            references: streams of references.
            outputs: the lines of each system, or `None`.
            limit: the number of segments.
            shifts: of each system, TER's shifts in these segments, by their indices; `None` without TER.
        """
        identifiers = columns.get("id") or columns.get("docid")
        if not limit:
            self.segments = self._data(numbers, identifiers, None, None, None)
            return
        self.shown = min(limit, len(numbers))
        nothing: Sequence[str | None] = [None] * len(numbers)
        texts = [nothing if of_system is None else of_system for of_system in outputs]
        self.segments = self._data(numbers, identifiers, columns.get("src"), references, texts)
        self.segments["shifts"] = shifts

    def _data(self, numbers: Sequence[int], identifiers: Sequence[str] | None, source: Sequence[str] | None,
              references: Sequence[Sequence[str | None]] | None,
              outputs: Sequence[Sequence[str | None]] | None) -> Any:
        summary, shown = self.summary, slice(self.shown)

        def cut(columns: Sequence[Sequence[Any]] | None) -> Any:
            return None if columns is None else [list(column[shown]) for column in columns]

        return {
            "prefix": self.prefix, "systems": list(self.names),
            "metrics": [{"name": score.name, "lower": metric.LOWER_IS_BETTER}
                        for metric, score in zip(summary.metrics, summary.results.scores[0])],
            "numbers": list(numbers[shown]), "ids": None if identifiers is None else list(identifiers[shown]),
            "source": None if source is None else list(source[shown]), "references": cut(references),
            # (Segment by segment, they compress to half of what they take system by system.)
            "outputs": None if outputs is None else list(zip(*[texts[shown] for texts in outputs])),
            "lengths": (summary.lengths or [0] * len(numbers))[shown],
            "scores": [[[round(score, 4) for score in of_system[shown]] for of_system in of_metric]
                       for of_metric in summary.segments],
            "shifts": None,
        }


def page_sections(page: Page) -> Iterator[tuple[str, str, str]]:
    """The parts of the page: of each, its id, its title, and its content, which may be empty."""
    yield "scores", "Scores", _scores(page)
    if len(page.names) > 1 and page.summary.results.test is not None:
        yield "worth", "Are the differences real, and worth anything?", _worth(page)
    yield "distributions", "How certain the scores are", _distributions(page)
    yield "buckets", "By kind of segment", _buckets(page)
    if len(page.names) > 1:
        yield "pairs", "System against system", _pairs(page)
    yield "segments", "Segments", _segments(page)
    yield "audit", "Audit of the preprocessing", "\n".join(map(_subsection, page.audit))
    yield "origin", "Signatures and files", _origin(page)


def _subsection(section: Section) -> str:
    """A section of a report as a part of one of the page's, with tables that scroll."""
    text = LAYOUTS["html"].section(section).replace("<h2>", "<h3>").replace("</h2>", "</h3>")
    before, *tables = text.replace("</table>", "</table></div>").split("<table>")
    return before + "".join([f"{_scrolling(f'{section.heading}, table {number}')}<table>{table}"
                             for number, table in enumerate(tables, 1)])


# Scores


def _scores(page: Page) -> str:
    """What is best, and whether that is certain: in words, and as a table."""
    results = page.summary.results
    parts = [f"<p>{xml_text(sentence)}</p>" for sentence in conclusions(page)]
    heads = [_head("System")]
    for index, (metric, score) in enumerate(zip(page.summary.metrics, results.scores[0])):
        p_name = "p (Holm)" if results.corrected else "p"
        p_head = p_name if index else f"{p_name} against {page.names[0]}"
        heads += [_head(score.name, metric.LOWER_IS_BETTER), _head(f"{score.name} ± 95 %", small_first=True)]
        heads += [_head(p_head, small_first=True)] * (results.test is not None)
        heads += [_head("Rank", small_first=True)] * bool(results.rankings)
    rows = ["".join(heads), *[_score_row(page, system) for system in from_best(page, 0)]]
    parts += [_scrolling("Scores of all systems"),
              f'<table class="sortable"><thead><tr>{rows[0]}</tr></thead><tbody>',
              *[f"<tr>{row}</tr>" for row in rows[1:]], "</tbody></table></div>", copy_buttons()]
    if results.test is not None:
        parts += [f"<p>{xml_text(paragraph)}</p>" for paragraph in explanation_of_p(page)]
    return "\n".join(parts)


def _head(text: str, small_first: bool = False) -> str:
    """The head of a column; where small numbers are the good ones, they are on top once it is sorted."""
    order = ' data-first="ascending"' if small_first else ""
    return f'<th scope="col"{order}>{xml_text(text)}</th>'


def copy_buttons() -> str:
    """Buttons that copy the table before them."""
    buttons = [f'<button type="button" data-copy="{form}">{title}</button>'
               for form, title in (("tsv", "Copy as TSV"), ("markdown", "Markdown"), ("latex", "LaTeX"))]
    return f'<p class="copies">{" ".join(buttons)}</p>'


def _score_row(page: Page, system: int) -> str:
    results = page.summary.results
    cells = [f'<th scope="row" dir="auto">{xml_text(page.names[system])}</th>']
    for metric, result in enumerate(results.systems[system]):
        column = [of_system[metric] for of_system in results.systems]
        low, high = zip(*map(_interval, column))
        shown = f"{result.score:.{page.width}f}"
        is_best = len(page.names) > 1 and result.score == column[best_of(page, metric)].score
        cells += [f"<td>{f'<b>{shown}</b>' if is_best else shown}</td>",
                  f'<td data-value="{result.ci}" data-text="± {result.ci:.{page.width}f}">'
                  f"{interval_bar(_interval(result)[0], result.score, _interval(result)[1], min(low), max(high))} "
                  f"±\u00a0{result.ci:.{page.width}f}</td>"]
        if results.test is not None:
            p_value = corrected_p(results, metric, system)
            if p_value is None:
                cells.append("<td>–</td>")
            else:
                text = p_text(results, p_value).replace("= ", "").replace(" ", "\u00a0")
                cells.append(f'<td data-value="{p_value}">{text}{"*" * is_marked(results, metric, system)}</td>')
        if results.rankings:
            cells.append(f"<td>{results.rankings[metric].rank(system)}</td>")
    return "".join(cells)


def _interval(result: Result) -> tuple[float, float]:
    assert result.mean is not None and result.ci is not None, "there were resamples"
    return result.mean - result.ci, result.mean + result.ci


# Worth


def _worth(page: Page) -> str:
    """The differences between the best system and the others, the verdicts on other units, the reviewer's sentence."""
    results = page.summary.results
    names = [score.name for score in results.scores[0]]
    signatures = dict(zip(names, page.summary.signatures))
    parts = [_difference_table(page, metric) for metric in range(len(names))]
    said = [*other_units_sentences(page), *explanations_of_worth(results, signatures, bool(results.rankings))]
    parts += [f"<p>{xml_text(sentence)}</p>" for sentence in said]
    parts.append(f"<h3>For a reviewer</h3><p>{xml_text(reviewer_sentence(results, names))}</p>")
    return "\n".join(parts)


def _difference_table(page: Page, metric: int) -> str:
    """The difference between the best system under a metric and each of the others."""
    results, width = page.summary.results, page.width
    name, signature = results.scores[0][metric].name, page.summary.signatures[metric]
    best = best_of(page, metric)
    p_head = "p (Holm)" if results.rankings or results.corrected else "p"
    rows: list[list[str]] = []
    for system in range(len(page.names)):
        if system == best:
            continue
        difference, p_value = _difference_to(page, metric, system, best), _p_of_pair(page, metric, system, best)
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


def _difference_to(page: Page, metric: int, other: int, system: int) -> Difference:
    """The difference of a system to another one."""
    differences = page.summary.results.differences[metric]
    return differences[other, system] if other < system else -differences[system, other]


def _p_of_pair(page: Page, metric: int, one: int, other: int) -> float | None:
    """The p-value of a pair, corrected where p-values were; `None` where the pair was not tested."""
    results, pair = page.summary.results, (min(one, other), max(one, other))
    if results.rankings:
        return results.rankings[metric].p_values.get(pair)
    if results.corrected:
        return results.corrected[metric].get(pair)
    return results.systems[pair[1]][metric].p_value if pair[0] == 0 else None


def _all_pairs(page: Page, metric: int) -> str:
    """The differences of all pairs of systems, as a matrix and as a list that can be sorted."""
    results, width, name = page.summary.results, page.width, page.summary.results.scores[0][metric].name
    order = from_best(page, metric)
    ranking = results.rankings[metric] if results.rankings else None
    matrix: list[list[str]] = []
    listed: list[list[str]] = []
    for place, system in enumerate(order):
        cells = [xml_text(page.names[system])]
        for other_place, other in enumerate(order):
            if system == other:
                cells.append("–")
                continue
            difference, p_value = _difference_to(page, metric, other, system), _p_of_pair(page, metric, system, other)
            mark = "*" * bool(ranking and ranking.differ(system, other))
            cells.append(f"{difference.value:+.{width}f}{mark}")
            if place < other_place:
                listed.append([xml_text(page.names[system]), xml_text(page.names[other]),
                               f"{difference.value:+.{width}f}{mark}",
                               f"{difference.low:+.{width}f} to {difference.high:+.{width}f}",
                               "–" if p_value is None else f"{p_value:.4f}"])
        matrix.append(cells)
    p_head = "p (Holm)" if results.rankings or results.corrected else "p"
    marked = ("* marks p ≤ 0.05 after Holm's correction for all pairs." if ranking
              else "Pairs without the first system were not tested; --rank tests all.")
    return "\n".join([
        f"<details><summary>All pairs under {xml_text(name)}</summary>",
        "<p>Of each row, the score minus that of the system above the column; the best system comes first. "
        f"{marked}</p>",
        plain_table(f"Differences of all pairs in {name}", [name, *[page.names[system] for system in order]], matrix,
                    1),
        plain_table(f"All pairs of systems under {name}",
                    ["System", "Other system", "Difference", "95 % interval", p_head], listed, 2), "</details>"])


# Distributions


def _distributions(page: Page) -> str:
    """Scores in bootstrap resamples, and their differences to the baseline."""
    parts: list[str] = []
    for index, score in enumerate(page.summary.results.scores[0]):
        resampled = page.summary.resampled[index]
        rows = [(name, of_system, results[index].score, _interval(results[index]))
                for name, of_system, results in zip(page.names, resampled, page.summary.results.systems)]
        caption = f"{score.name} in {len(resampled[0]):,} bootstrap resamples; marked are the score and the interval."
        name = f"{page.prefix}density{index}"
        chart = density_chart(name, f"Distribution of {score.name}", caption, rows, page.width)
        parts.append(figure(chart, caption, density_table(rows, page.width)))
        if len(page.names) > 1:
            parts.append(_differences(page, index, score.name, 0))
        if 2 < len(page.names) <= MAX_PAIRED_SYSTEMS:
            parts += [_folded_differences(page, index, score.name, other) for other in range(1, len(page.names))]
    return "\n".join(parts)


def _folded_differences(page: Page, metric: int, name: str, other: int) -> str:
    """The differences to a system, in a fold that is open for the best one."""
    title = f"Differences in {xml_text(name)} to {xml_text(page.names[other])}"
    is_open = " open" * (other == best_of(page, metric))
    return f"<details{is_open}><summary>{title}</summary>{_differences(page, metric, name, other)}</details>"


def _differences(page: Page, metric: int, name: str, other: int) -> str:
    """How all systems differ from one of them."""
    resampled, systems = page.summary.resampled[metric], page.summary.results.systems
    rows: list[tuple[str, Sequence[float], float, tuple[float, float]]] = []
    for system in range(len(page.names)):
        if system == other:
            continue
        samples = [score - other_score for score, other_score in zip(resampled[system], resampled[other])]
        value = systems[system][metric].score - systems[other][metric].score
        difference = resampled_difference(value, resampled[system], resampled[other])
        rows.append((page.names[system], samples, value, (difference.low, difference.high)))
    caption = (f"Difference in {name} to {page.names[other]}, in the same resamples. An interval of 95 % without zero "
               "rejects the hypothesis that the two are equally good, at 5 % for each pair (not corrected for the "
               "number of pairs).")
    identifier = f"{page.prefix}difference{metric}" + f"to{other}" * bool(other)
    chart = density_chart(identifier, f"Differences in {name}", caption, rows, page.width, other)
    return figure(chart, caption, density_table(rows, page.width))


# Buckets


def _buckets(page: Page) -> str:
    """Scores by kinds of segments, words by their frequency, and how sentence scores are spread."""
    metrics = [score.name for score in page.summary.results.scores[0]]
    parts = [f"<p>{xml_text(sentence)}</p>" for sentence in _where_the_best_is_behind(page)]
    if parts:
        parts.append("<p>None of these differences was tested: small ones, and those of few segments, may be chance."
                     "</p>")
    for number, buckets in enumerate(page.summary.buckets):
        for index, metric in enumerate(metrics):
            title = f"{metric} by {_lower(buckets.title)}"
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
            yield (f"{score.name} by {_lower(buckets.title)}: {page.names[best]}, the best of all, is "
                   + (f"behind on {', '.join(behind)}." if behind else "ahead everywhere."))


def _lower(title: str) -> str:
    return title[:1].lower() + title[1:]


# Pairs


def _pairs(page: Page) -> str:
    """Wins and losses of all pairs, sentence scores against each other, and n-grams that make the difference."""
    parts = [_outcomes(page, index, score.name) for index, score in enumerate(page.summary.results.scores[0])]
    metric = page.summary.results.scores[0][0].name
    scores, limits = page.summary.segments[0], (0.0, float(page.summary.metrics[0].SCALE))
    for system in range(1, min(len(page.names), _MAX_SCATTERED)):
        # (A perfect score may be above 100 in the last digit.)
        points = [(round(one, COMPARED_DIGITS), round(other, COMPARED_DIGITS))
                  for one, other in zip(scores[0], scores[system])]
        title = f"{metric} of each segment: {page.names[system]} against {page.names[0]}"
        description = f"Each segment is a point; above the line, {page.names[system]} has the higher score."
        chart = scatter_chart(f"{page.prefix}scatter{system}", title, description, page.names[0], page.names[system],
                              points, limits)
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
        difference = f" ({scores[two][index] - scores[one][index]:+.{page.width}f})"
        return (f'<a href="#{page.prefix}s{lines[index]}">{lines[index]}</a>' if index < len(lines)
                else f"segment {index + 1}") + difference

    rows = [[xml_text(page.names[one]), xml_text(page.names[two]), str(found.wins), str(found.ties), str(found.losses),
             link(found.largest_win, one, two), link(found.largest_loss, one, two)]
            for (one, two), found in page.summary.outcomes[metric].items()]
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


def _scrolling(label: str) -> str:
    """The start of a box that scrolls where the window is narrow, also by the keyboard."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{xml_text(label)}">'


def plain_table(label: str, heads: Sequence[str], rows: Sequence[Sequence[str]], names: int) -> str:
    """A table of cells that are HTML; the first `names` of each row are text, the others numbers."""
    head = "".join([f'<th scope="col">{xml_text(head)}</th>' for head in heads])
    body = ["<tr>" + "".join([f'<td dir="auto" class="text">{cell}</td>' if index < names else f"<td>{cell}</td>"
                              for index, cell in enumerate(row)]) + "</tr>" for row in rows]
    return "\n".join([f'{_scrolling(label)}<table class="sortable"><thead><tr>{head}</tr></thead><tbody>', *body,
                      "</tbody></table></div>"])


# Segments, and where all comes from


def _segments(page: Page) -> str:
    count, shown = len(page.summary.segments[0][0]), page.shown
    parts: list[str] = []
    if page.segments["outputs"] is None:
        parts.append("<p>The texts are not in this file.</p>")
    elif shown < count:
        parts.append(f"<p>The first {shown:,} of {count:,} segments are in this file.</p>")
    if shown > SEGMENTS_WITHOUT_SCRIPTS:
        parts.append('<p class="without-script note">Without scripts, the first '
                     f"{SEGMENTS_WITHOUT_SCRIPTS} are shown.</p>")
    if page.segments["outputs"] is not None and page.segments["references"]:
        closest = "reference" if len(page.segments["references"]) == 1 else "closest reference"
        parts.append(f"<p>In an output, <ins>words</ins> are those that the {closest} lacks, <del>words</del> those of "
                     'that reference which the output lacks, and <u class="m">words</u> those in a run of four that a '
                     "reference has, too. Here, words are what is between spaces; in Chinese, Japanese, Korean, Thai "
                     "and other scripts without spaces, they are characters.</p>")
    if any(page.segments["shifts"] or ()):
        parts.append("<p>TER shifts blocks of words: a number, as in <sup><span>shift </span>1</sup>words, stands in "
                     "front of what a shift moves, and an arrow with the same number, "
                     '<sup class="to"><span>to here: shift </span>1</sup>, where that goes; the line below says so in '
                     "words.</p>")
    return "\n".join([*parts, segment_list(page.segments)])


def _as_published(signature: str) -> str:
    """A signature without the fields of resampling and the name of this program.

    >>> _as_published("nrefs:1|bs:1000|seed:12345|rng:mt19937|case:lc|version:purebleu-2.6.0.post1")
    'nrefs:1|case:lc|version:2.6.0'
    """
    fields = [field for field in signature.split("|") if field.partition(":")[0] not in ("bs", "ar", "seed", "rng")]
    return "|".join(fields).replace("version:purebleu-", "version:").partition(".post")[0]


def _origin(page: Page) -> str:
    items: list[str] = []
    published: list[str] = []
    for score, signature in zip(page.summary.results.scores[0], page.summary.signatures):
        items.append(f"<dt>{xml_text(score.name)}</dt><dd><code>{xml_text(signature.format())}</code></dd>")
        published.append(f"<dt>{xml_text(score.name)}, as sacreBLEU signs it</dt>"
                         f"<dd><code>{xml_text(_as_published(signature.format()))}</code></dd>")
    parts = [f"<dl>{''.join(items)}</dl>",
             "<p>These scores can be compared with others of the same test set and the same references whose "
             "signatures have the same fields. Resampling (bs, ar, seed, rng) does not change a score, and purebleu's "
             "scores are those of sacreBLEU with the same version number, which would sign them so:</p>",
             f"<dl>{''.join(published)}</dl>"]
    if page.files:
        rows = [[xml_text(name), f"<code>{digest}</code>", f"{lines}"] for name, digest, lines in page.files]
        parts.append(plain_table("Files", ["File", "SHA-256", "Lines"], rows, 2))
    return "\n".join([*parts, f"<p>Made by purebleu {__version__}.</p>"])
