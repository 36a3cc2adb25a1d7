"""A report's page, on one corpus or on several pairs, as one file of HTML that needs no network and no server."""

from __future__ import annotations

from ...errors import counted
from ...version import FULL_VERSION
from ..checks import explanations_of_checks, looked_at_text, percent, span_texts
from ..formats import Style
from ..pairs import MEAN, mean_over_pairs, scores_table, systems_of
from ..tables import xml_text
from .embedding import csp_hash, file_of, json_for_script, packed, page_script
from .figures import certainty_content, kinds_content, pairs_content
from .markup import copy_buttons, plain_table, subsections
from .scores import listed, scores_content, worth_content

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Sequence

    from ...checks.findings import CheckFinding
    from ...metrics.score import Signature
    from ..names import PairResults
    from .content import InputFile, Page

#: The number of lines of a finding that have links, and of those that have their text, too.
_MAX_LINKS, _MAX_TEXTS = 20, 3


def checks_content(page: Page) -> str:
    """Return the findings as a table, the checks that were made, and those that could not be; empty without checks."""
    checked = page.checks
    if checked is None:
        return ""
    looked_at = looked_at_text(checked)
    if not checked.findings:
        parts = [f"<p>Nothing was found in {looked_at}.</p>"]
    else:
        rows = [[finding.check, xml_text(" = ".join(filter(None, (finding.system, finding.other)))),
                 f"{len(finding.lines):,}", percent(finding), f"{finding.threshold:g}", _segment_links(page, finding)]
                for finding in checked.findings]
        heads = ["Check", "System", "Lines", "Share", "Threshold", "First lines"]
        parts = [f"<p>Found in {looked_at}:</p>", plain_table("Findings", heads, rows, 2)]
    return "\n".join([*parts, subsections(explanations_of_checks(checked), "Checks of the outputs")])


def _segment_links(page: Page, finding: CheckFinding) -> str:
    """Return the first line numbers of a finding, with links to the segments that are in the page."""
    shown = {*page.segments["numbers"]}
    links: list[str] = []
    for index, line in enumerate(finding.lines[:_MAX_LINKS]):
        link = f'<a href="#{page.prefix}s{line}">{line}</a>' if line in shown else f"{line}"
        if finding.spans and index < _MAX_TEXTS:
            link += f" {xml_text(span_texts(finding.spans[index], 1))}"
        links.append(link)
    if len(finding.lines) > _MAX_LINKS:
        links.append("...")
    return ", ".join(links)


#: The fields of signatures about resampling, which does not change a score.
_RESAMPLING_FIELDS = ("bs", "ar", "sar", "seed", "rng", "unit", "strata")

#: The fields of what was done to the text before it was scored.
_PREPARED = ("reseg", "unicode", "fix")

#: The beginnings of the names of the scores of sacreBLEU's metrics.
_SACREBLEU_NAMES = ("BLEU", "chrF", "TER")


def page_sections(page: Page) -> Iterator[tuple[str, str, str]]:
    """Yield the id, the title and the content of each section of the page; the content may be empty."""
    yield "scores", "Scores", scores_content(page)
    yield "gates", "Gates", subsections(page.gates, "Gates")
    if len(page.names) > 1 and page.summary.results.test is not None:
        yield "worth", "Are the differences real, and worth anything?", worth_content(page)
    yield "agreement", "Agreement with people", subsections(page.agreement, "Agreement with people")
    yield "distributions", "How certain the scores are", certainty_content(page)
    yield "buckets", "By kind of segment", kinds_content(page)
    if len(page.names) > 1:
        yield "pairs", "System against system", pairs_content(page)
    yield "segments", "Segments", _segments(page)
    yield "checks", "Checks of the outputs", checks_content(page)
    yield "line-breaks", "Line breaks", subsections(page.line_breaks, "Line breaks")
    yield "audit", "Audit of the preprocessing", subsections(page.audit, "Audit of the preprocessing")
    signatures = zip([score.name for score in page.summary.results.scores[0]], page.summary.signatures)
    yield "origin", "Signatures and files", origin_content([*signatures], page.files)


def _segments(page: Page) -> str:
    count, shown = len(page.summary.segments[0][0]), page.shown
    parts: list[str] = []
    if page.segments["outputs"] is None:
        parts.append("<p>The texts are not in this file.</p>")
    elif shown < count:
        parts.append(f"<p>The first {shown:,} of {count:,} segments are in this file.</p>")
    parts.append("<noscript><p>The segments need JavaScript.</p></noscript>")
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
    parts.append(f'<ol class="segments" data-from="{page.prefix}data"></ol>')  # (`page.js` fills it)
    return "\n".join(parts)


def _as_published(signature: str) -> str:
    """Return a signature without the fields of resampling, and without the name of this program.

    >>> _as_published("nrefs:1|bs:1000|seed:12345|rng:mt19937|case:lc|version:purebleu-2.6.0.post1+dev")
    'nrefs:1|case:lc|version:2.6.0'
    """
    fields = [field for field in signature.split("|") if field.partition(":")[0] not in _RESAMPLING_FIELDS]
    text = "|".join(fields).replace("version:purebleu-", "version:")
    return text.partition("+")[0].partition(".post")[0]


def origin_content(signatures: Sequence[tuple[str, Signature]], files: Sequence[InputFile]) -> str:
    """Return the signatures of metrics, by the names of their scores, and the files that were read."""
    items: list[str] = []
    published: list[str] = []
    outside: list[str] = []
    for name, signature in signatures:
        items.append(f"<dt>{xml_text(name)}</dt><dd><code>{xml_text(signature.format())}</code></dd>")
        if signature.info["nrefs"] is None:
            outside.append(name)
        elif name.startswith(_SACREBLEU_NAMES) and not any(map(signature.info.get, _PREPARED)):
            published.append(f"<dt>{xml_text(name)}, as sacreBLEU signs it</dt>"
                             f"<dd><code>{xml_text(_as_published(signature.format()))}</code></dd>")
    rows = [[xml_text(name), f"<code>{digest}</code>", f"{lines}"] for name, digest, lines in files]
    # (The summary on paper has the signatures alone; elements with the class `beside` are printed with the whole page.)
    return "\n".join([
        f"<dl>{''.join(items)}</dl>", '<div class="beside">',
        "<p>These scores can be compared with others of the same test set and the same references whose signatures "
        "have the same fields. Resampling (bs, ar, seed, rng) does not change a score.</p>",
        *(["<p>These scores are those of sacreBLEU with the same version number, which would sign them so:</p>",
           f"<dl>{''.join(published)}</dl>"] if published else []),
        *([f"<p>The scores of {xml_text(listed(outside))} come from outside: purebleu did not compute them, and "
           "compares them as they are.</p>"] if outside else []),
        *([plain_table("Files", ["File", "SHA-256", "Lines"], rows, 2)] if rows else []),
        "</div>", f"<p>Made by purebleu {FULL_VERSION}.</p>"])


#: Data of a page beyond this number of characters is compressed.
_MAX_PLAIN = 1_000_000

#: The sections that are printed by default.
_SUMMARY = ("overview", "scores", "worth", "origin")

#: The names of the sections of a page in its navigation, by their ids.
_IN_BRIEF = {"scores": "Scores", "gates": "Gates", "worth": "Worth", "agreement": "Agreement",
             "distributions": "Certainty",
             "buckets": "Kinds of segments", "pairs": "Pairs", "segments": "Segments", "checks": "Checks",
             "line-breaks": "Line breaks", "audit": "Audit", "origin": "Signatures"}


#: An element that shows that purebleu wrote a page.
PAGE_MARK = '<meta name="generator" content="purebleu">'


def page_text(page: Page) -> str:
    """Return the whole page of one corpus."""
    sections = [(name, title, content) for name, title, content in page_sections(page) if content]
    size = f"{counted(len(page.names), 'system')}, {counted(len(page.summary.segments[0][0]), 'segment')}"
    links = [(name, _IN_BRIEF[name]) for name, _, _ in sections]
    return document(f"purebleu: {', '.join(page.names)}", size, page, links,
                    [section_element(*section) for section in sections], [_data_element(page)])


def pairs_text(pairs: Sequence[PairResults], pages: Sequence[Page], width: int) -> str:
    """Return the whole page of several language pairs: a table of all pairs, then the sections of each.

    Args:
        pairs: the results of the pairs.
        pages: the page of each pair, each with a different prefix.
        width: the number of decimal places in the table of all pairs.
    """
    links = [("overview", "All pairs")]
    body = [section_element("overview", "All pairs", _overview(pairs, width))]
    for pair, page in zip(pairs, pages):
        sections = [(name, title, content) for name, title, content in page_sections(page) if content]
        links.append((f"{page.prefix}scores", pair.pair))
        parts = _links([(page.prefix + name, _IN_BRIEF[name]) for name, _, _ in sections])
        beside = f'<nav class="beside" aria-label="{xml_text(f"Parts of {pair.pair}")}">{parts}</nav>\n'
        for name, title, content in sections:
            if name == "scores":
                content = beside + content
            body.append(section_element(name, f"{pair.pair}: {title}", content, page.prefix))
    size = f"{counted(len(pairs), 'pair')}, {counted(len(systems_of(pairs)), 'system')}"
    title = f"purebleu: {', '.join([pair.pair for pair in pairs])}"
    return document(title, size, pages[0], links, body, list(map(_data_element, pages)))


def _overview(pairs: Sequence[PairResults], width: int) -> str:
    metrics = list(range(len(pairs[0].signatures)))
    table = scores_table(pairs, metrics, Style("markdown", max(width, 2)))
    rows = [list(map(xml_text, row)) for row in zip(*[cells for _, cells in table])]
    return "\n".join([*[f"<p>{xml_text(sentence)}</p>" for sentence in _conclusions(pairs, width)],
                      plain_table("Scores on all pairs", [head for head, _ in table], rows, 1), copy_buttons()])


def _conclusions(pairs: Sequence[PairResults], width: int) -> Iterator[str]:
    """Yield a sentence for each metric on the best mean, among systems with outputs for all pairs; and a caveat."""
    if len(pairs) < 2:
        return
    for index, metric in enumerate(pairs[0].signatures):
        means: dict[str, float] = {}
        for name in systems_of(pairs):
            mean = mean_over_pairs(pairs, name, index)
            if mean is not None:
                means[name] = mean
        if len(means) > 1:
            best = (min if pairs[0].lower_is_better[index] else max)(means, key=means.__getitem__)
            yield f"Under {metric}, {best} has the best mean ({means[best]:.{max(width, 2)}f})."
    yield (f"The {MEAN} is over all {len(pairs)} pairs, of systems that have an output for each. It has no test: "
           "whether systems differ is tested on each pair. Scores on one pair tell nothing of another one.")


def section_element(name: str, title: str, content: str, prefix: str = "") -> str:
    """Return a section of the page; `prefix` is the prefix of ids in the page of a pair."""
    identifier = prefix + name
    summary = ' class="summary"' if name in _SUMMARY else ""
    return (f'<section id="{identifier}"{summary} data-segments="{prefix}segments" '
            f'aria-labelledby="{identifier}-title"><h2 id="{identifier}-title">{xml_text(title)}</h2>\n{content}\n'
            "</section>")


def _links(links: Sequence[tuple[str, str]]) -> str:
    items = [f'<li><a href="#{name}">{xml_text(title)}</a></li>' for name, title in links]
    return f"<ul>{''.join(items)}</ul>"


def document(usual_title: str, size: str, page: Page, links: Sequence[tuple[str, str]],
             body: Sequence[str], data: Sequence[str] = ()) -> str:
    """Return the file: a header, links to the sections, the sections, the data of segments, and the script.

    Args:
        usual_title: the title of the window, if the page has none.
        size: the numbers of systems and of segments or pairs, as text: the first heading, if the page has no title.
        page: a page, whose title, command line and warnings are shown.
        links: the ids and the names of the sections with links.
        body: the sections.
        data: elements with the data of segments.
    """
    script, style = page_script(), "\n".join([file_of("page.css"), file_of("charts.css")])
    policy = (f"default-src 'none'; script-src {csp_hash(script)}; style-src {csp_hash(style)}; img-src blob:; "
              "base-uri 'none'; form-action 'none'")
    header = ["<header>", f"<h1>{xml_text(page.title or size)}</h1>"]
    if page.title:
        header.append(f"<p>{size}</p>")
    header.append(f"<p><code>{xml_text(page.command)}</code></p>")
    header += [f'<p class="warning">{xml_text(warning)}</p>' for warning in page.warnings]
    return "\n".join([
        "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        PAGE_MARK, f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">', f"<title>{xml_text(page.title or usual_title)}</title>",
        f"<style>{style}</style>", "</head>", "<body>", *header, "</header>",
        f'<nav aria-label="Parts of the page" data-report>{_links(links)}</nav>', "<main>", *body, "</main>",
        *data, f"<script>{script}</script>", "</body>", "</html>", ""])


def _data_element(page: Page) -> str:
    """Return the element with the data of the page's segments; long data is compressed."""
    data = json_for_script(page.segments)
    is_long = len(data) > _MAX_PLAIN
    return (f'<script type="{"text/plain" if is_long else "application/json"}" id="{page.prefix}data">'
            f"{packed(data.encode('utf-8')) if is_long else data}</script>")
