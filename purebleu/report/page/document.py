"""The page of a report, on one corpus or several language pairs: an HTML file that needs no network and no server."""

from __future__ import annotations

from ...checks.findings import CheckFinding
from ...checks.table import CHECKS
from ...runtime.errors import counted
from ...runtime.hints import Iterator, Sequence
from ...significance.paired import SIGNIFICANT
from ..checks import explanations_of_checks, looked_at_text, percent, span_texts
from ..comparison import MEAN, means_over_pairs, systems_of
from ..formats import PairResults
from ..tables import xml_text
from .content import Page
from .figures import certainty_content, kinds_content, pairs_content
from .markup import copy_buttons, data_element, folded, link_list, metric_block, page_file, plain_table, subsections
from .scores import listed, scores_content, worth_content

#: The maximum number of lines of a finding that are shown, and the maximum number of lines that are shown with text.
_MAX_LINKS, _MAX_TEXTS = 8, 2


def checks_content(page: Page) -> str:
    """Return a table of findings, and lists of the checks that were made or could not be made; empty without checks."""
    checked = page.checks
    if checked is None:
        return ""
    looked_at = looked_at_text(checked)
    looked_for = subsections(explanations_of_checks(checked), "Checks of the outputs")
    if not checked.findings:
        return (f"<p>The checks found nothing in {looked_at}.</p>\n"
                f"<details><summary>All checks</summary>{looked_for}</details>")
    rows: list[list[str]] = []
    for finding in checked.findings:
        systems = " = ".join(filter(None, (finding.system, finding.other)))
        rows.append([finding.check, xml_text(systems), _segment_links(page, finding),
                     xml_text(CHECKS[finding.check].measured(finding.threshold)), f"{len(finding.lines):,}",
                     percent(finding)])
    heads = ["Check", "System", "First lines", "Found with", "Lines", "Share"]
    found = f"{counted(len(rows), 'finding')} in {looked_at} (with a list of all checks)"
    return f"<details><summary>{found}</summary>{plain_table('Findings', heads, rows, 4)}\n{looked_for}</details>"


def _segment_links(page: Page, finding: CheckFinding) -> str:
    """Return the first line numbers of a finding, with links and parts of texts for segments that the page has."""
    shown = {*page.segments["numbers"]}
    has_texts = page.segments["outputs"] is not None
    links: list[str] = []
    for index, line in enumerate(finding.lines[:_MAX_LINKS]):
        link = f'<a href="#{page.prefix}s{line}">{line}</a>' if line in shown else f"{line}"
        if finding.spans and index < _MAX_TEXTS and has_texts and line in shown:
            link += f" {xml_text(span_texts(finding.spans[index], 1))}"
        links.append(link)
    if len(finding.lines) > _MAX_LINKS:
        links.append("...")
    return ", ".join(links)


def page_sections(page: Page) -> Iterator[tuple[str, str, str, str]]:
    """Yield the id, the name in the navigation, the title and the content of each section that has content."""
    has_others = len(page.names) > 1
    is_tested = has_others and page.results.test is not None
    sections = [
        ("scores", "Scores", "Scores", scores_content(page)),
        ("groups", "Groups", "By group", subsections(page.groups, "By group")),
        ("gates", "Gates", "Gates", subsections(page.gates, "Gates")),
        ("worth", "Worth", "Are the differences significant, and do people agree?",
         worth_content(page) if is_tested else ""),
        ("agreement", "Agreement", "Agreement with people", subsections(page.agreement, "Agreement with people")),
        ("distributions", "Certainty", "How certain the scores are", certainty_content(page)),
        ("buckets", "Kinds of segments", "By kind of segment", kinds_content(page)),
        ("pairs", "Pairs", "System against system", pairs_content(page) if has_others else ""),
        ("segments", "Segments", "Segments", _segments(page)),
        ("checks", "Checks", "Checks of the outputs", checks_content(page)),
        ("line-breaks", "Line breaks", "Line breaks", subsections(page.line_breaks, "Line breaks")),
        ("audit", "Audit", "Audit of the preprocessing", subsections(page.audit, "Audit of the preprocessing")),
        ("origin", "Signatures", "Signatures and files", origin_content(page)),
    ]
    for section in sections:
        if section[-1]:
            yield section


def _segments(page: Page) -> str:
    count, shown = len(page.summary.segments[0][0]), page.shown
    parts: list[str] = []
    if page.segments["outputs"] is None:
        parts.append("<p>The texts are not in this file.</p>")
    elif shown < count:
        parts.append(f"<p>The first {shown:,} of {count:,} segments are in this file.</p>")
    parts.append("<noscript><p>The segments need JavaScript.</p></noscript>")
    marks: list[str] = []
    if page.segments["outputs"] is not None and page.segments["references"]:
        closest = "reference" if len(page.segments["references"]) == 1 else "closest reference"
        marks.append(f"<p>Each output is compared with the {closest}: <ins>inserted</ins> words are only in the "
                     "output, and <del>deleted</del> words are only in the reference. Words of the output are "
                     '<u class="m">underlined</u> if a reference has the same run of four words or more. Words are '
                     "separated by spaces. In Chinese, Japanese, Korean, Thai and other scripts without spaces, each "
                     "character is a word.</p>")
    if any(page.segments["shifts"] or ()):
        marks.append("<p>TER shifts blocks of words. A number marks the start of a block that is shifted: "
                     "<sup><span>shift </span>1</sup>words. An arrow with the same number marks where the block "
                     'goes: <sup class="to"><span>to here: shift </span>1</sup>. The line below the output describes '
                     "each shift.</p>")
    if marks:
        parts.append(f"<details><summary>How to read this</summary>{''.join(marks)}</details>")
    parts.append(f'<ol class="segments" data-from="{page.prefix}data"></ol>')  # (`page.js` fills it)
    return "\n".join(parts)


#: The names of sacreBLEU's scores begin with these names.
_SACREBLEU_NAMES = ("BLEU", "chrF", "TER")

#: The fields of signatures that say how texts were changed before scoring.
_PREPARED = ("reseg", "unicode", "fix")


def origin_content(page: Page) -> str:
    """Return a list of the signatures, and a fold with the files that were read."""
    items: list[str] = []
    outside: list[str] = []
    same: list[str] = []
    for name, signature in page.pair.signatures.items():
        items.append(f"<dt>{xml_text(name)}</dt><dd><code>{xml_text(signature.format())}</code></dd>")
        if signature.info["nrefs"] is None:
            outside.append(name)
        elif name.startswith(_SACREBLEU_NAMES) and not any(map(signature.info.get, _PREPARED)):
            same.append(name)
    rows = [[xml_text(name), f"<code>{digest}</code>", f"{lines}"] for name, digest, lines in page.origin.files]
    # (A printed summary has only the signatures, because elements of the class `beside` are left out.)
    return "\n".join([
        f"<dl>{''.join(items)}</dl>", '<details class="beside">',
        "<summary>How to compare these scores with other scores, and the files that were read</summary>",
        "<p>Two scores can be compared if they have the same test set, the same references, and the same fields in "
        "their signatures. Fields of resampling (bs, ar, seed, rng) may differ, because resampling does not change a "
        "score.</p>",
        *([f"<p>For {xml_text(listed(same))}, sacreBLEU of the same version computes the same scores. Its signatures "
           "have <code>version:</code> in place of <code>version:purebleu-</code>.</p>"] if same else []),
        *([f"<p>Another program computed the scores of {xml_text(listed(outside))}; purebleu only compares "
           "them.</p>"] if outside else []),
        *([plain_table("Files", ["File", "SHA-256", "Lines"], rows, 2)] if rows else []),
        "</details>"])


#: The maximum result of `places_that_differ`.
_MAX_PLACES = 6

#: The sections that are printed by default.
_SUMMARY = ("overview", "scores", "worth", "origin")


def page_text(page: Page) -> str:
    """Return the whole page of one corpus."""
    size = f"{counted(len(page.names), 'system')}, {counted(len(page.summary.segments[0][0]), 'segment')}"
    links: list[tuple[str, str]] = []
    body: list[str] = []
    for name, brief, title, content in page_sections(page):
        links.append((name, brief))
        body.append(section_element(name, title, content))
    return page_file(page.title, size, page.origin.command, links, body, [data_element(page.prefix, page.segments)])


def pairs_text(pairs: Sequence[PairResults], pages: Sequence[Page], width: int) -> str:
    """Return the whole page of several language pairs: an overview of all pairs, then the sections of each pair.

    Args:
        pairs: the results of the pairs.
        pages: the page of each pair, with its own prefix.
        width: the number of decimal places in the overview.
    """
    links = [("overview", "All pairs")]
    body = [section_element("overview", "All pairs", _overview(pairs, pages, width))]
    for pair, page in zip(pairs, pages):
        sections = list(page_sections(page))
        links.append((f"{page.prefix}scores", pair.pair))
        parts = link_list([(page.prefix + name, brief) for name, brief, _, _ in sections])
        beside = f'<nav class="beside" aria-label="{xml_text(f"Parts of {pair.pair}")}">{parts}</nav>\n'
        for name, _, title, content in sections:
            if name == "scores":
                content = beside + content
            body.append(section_element(name, f"{pair.pair}: {title}", content, page.prefix))
    size = f"{counted(len(pairs), 'pair')}, {counted(len(systems_of(pairs)), 'system')}"
    title = f"{listed(pairs[0].metrics)} on {listed([pair.pair for pair in pairs])}: {listed(systems_of(pairs))}"
    data = [data_element(page.prefix, page.segments) for page in pages]
    return page_file(pages[0].title or title, size, pages[0].origin.command, links, body, data)


def _overview(pairs: Sequence[PairResults], pages: Sequence[Page], width: int) -> str:
    """Return the overview of all language pairs: a sentence and a table for each metric."""
    cards = [f'<div class="card"><p>{xml_text(sentence)}</p></div>' for sentence in _conclusions(pairs, width)]
    tables = [metric_block(metric, name, _overview_table(pairs, metric, width) + copy_buttons())
              for metric, name in enumerate(pairs[0].metrics)]
    p_name = "p (Holm)" if any(pair.results.corrected for pair in pairs) else "p"
    marks = f" * marks a significant difference from the first system of a pair ({p_name} ≤ {SIGNIFICANT})." \
        if any(pair.results.test for pair in pairs) else ""
    warnings = dict.fromkeys([warning for page in pages for warning in page.warnings])
    about_means = [] if len(pairs) == 1 else [
        f"The {MEAN} is the mean score over all {len(pairs)} language pairs, for systems with an output for each pair. "
        "Tests are made on each pair, but not on means. Scores on one pair say nothing about another pair."]
    return "\n".join([f'<div class="cards">{"".join(cards)}</div>',
                      *[f'<p class="warning">{xml_text(warning)}</p>' for warning in warnings],
                      *tables, f"<p>± is half the width of the 95 % confidence interval.{marks}</p>",
                      folded(about_means)])


def _overview_table(pairs: Sequence[PairResults], metric: int, width: int) -> str:
    """Return a table of all systems under a metric, with a column of scores for each pair, and a column of means."""
    names, lower = systems_of(pairs), pairs[0].results.lower_is_better[metric]
    rows = [[xml_text(name)] for name in names]
    for pair in pairs:
        places, best = pair.results.places(metric, max(width, 2)), pair.results.best(metric)
        cells: dict[str, str] = {}
        for system, name in enumerate(pair.names):
            result = pair.results.systems[system][metric]
            score = f"{result.score:.{places}f}"
            shown = f"<b>{score}</b>" if result.score == pair.results.systems[best][metric].score else score
            star = "*" if pair.results.differs_from_first(metric, system) else ""
            interval = "" if result.ci is None else f' <span class="note">±\u00a0{result.ci:.{places}f}</span>'
            cells[name] = f"{shown}{star}{interval}"
        for row, name in zip(rows, names):
            row.append(cells.get(name, "–"))
    means = means_over_pairs(pairs, metric)
    if len(pairs) > 1 and means:
        places = places_that_differ([*means.values()], pairs[0].results.places(metric, max(width, 2)))
        best_mean = (min if lower else max)(means.values())
        for row, name in zip(rows, names):
            text = f"{means[name]:.{places}f}" if name in means else "–"
            row.append(f"<b>{text}</b>" if means.get(name) == best_mean else text)
    heads = [pairs[0].metrics[metric], *[pair.pair for pair in pairs], *([MEAN] if len(pairs) > 1 else [])]
    return plain_table(f"Scores on all pairs, {pairs[0].metrics[metric]}", heads, rows, 1)


def places_that_differ(numbers: Sequence[float], places: int) -> int:
    """Return the lowest number of decimal places, from `places` to 6, with which no unequal numbers look equal.

    If unequal numbers look equal even with 6 decimal places, the result is 6.

    >>> places_that_differ([30.1234, 30.1241, 30.5], 2)
    3
    """
    while places < _MAX_PLACES and len({f"{number:.{places}f}" for number in numbers}) < len({*numbers}):
        places += 1
    return places


def _conclusions(pairs: Sequence[PairResults], width: int) -> Iterator[str]:
    """Yield, for each metric, a sentence on the best mean over all language pairs."""
    if len(pairs) < 2:
        return
    for index, metric in enumerate(pairs[0].signatures):
        means = means_over_pairs(pairs, index)
        if len(means) > 1:
            best = (min if pairs[0].results.lower_is_better[index] else max)(means, key=means.__getitem__)
            places = places_that_differ([*means.values()], max(width, 2))
            yield f"Under {metric}, {best} has the best mean ({means[best]:.{places}f})."


def section_element(name: str, title: str, content: str, prefix: str = "") -> str:
    """Return a section of the page. In a file with several pages, ids have a prefix."""
    identifier = prefix + name
    summary = ' class="summary"' if name in _SUMMARY else ""
    return (f'<section id="{identifier}"{summary} data-segments="{prefix}segments" '
            f'aria-labelledby="{identifier}-title"><h2 id="{identifier}-title">{xml_text(title)}</h2>\n{content}\n'
            "</section>")
