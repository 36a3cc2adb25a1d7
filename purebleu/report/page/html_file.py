"""A report's page, on one corpus or on several pairs, as one file of HTML that needs no network and no server."""

from __future__ import annotations

from ...errors import counted
from ..language_pairs import MEAN, mean_over_pairs, scores_table, systems_of
from ..markup import xml_text
from .document import page_sections
from .embedding import csp_hash, file_of, json_for_script, packed, page_script
from .tables import copy_buttons, plain_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Sequence

    from ..language_pairs import PairResults
    from .content import Origin, Page

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
    """The whole page of one corpus."""
    sections = [(name, title, content) for name, title, content in page_sections(page) if content]
    size = f"{counted(len(page.names), 'system')}, {counted(len(page.summary.segments[0][0]), 'segment')}"
    title = page.title or f"purebleu: {', '.join(page.names)}"
    return document(title, page.title, size, page, [(name, _IN_BRIEF[name]) for name, _, _ in sections],
                    [section_element(*section) for section in sections], [_data_element(page)])


def pairs_text(pairs: Sequence[PairResults], pages: Sequence[Page], width: int) -> str:
    """The whole page of several language pairs: a table of all pairs, then the sections of each.

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
            content = beside * (name == "scores") + content
            body.append(section_element(name, f"{pair.pair}: {title}", content, page.prefix))
    size = f"{counted(len(pairs), 'pair')}, {counted(len(systems_of(pairs)), 'system')}"
    title = pages[0].title or f"purebleu: {', '.join([pair.pair for pair in pairs])}"
    return document(title, pages[0].title, size, pages[0], links, body, list(map(_data_element, pages)))


def _overview(pairs: Sequence[PairResults], width: int) -> str:
    metrics = list(range(len(pairs[0].signatures)))
    table = scores_table(pairs, metrics, max(width, 2))
    rows = [[xml_text(cell) for cell in row] for row in zip(*[cells for _, cells in table])]
    return "\n".join([*[f"<p>{xml_text(sentence)}</p>" for sentence in _conclusions(pairs, width)],
                      plain_table("Scores on all pairs", [head for head, _ in table], rows, 1), copy_buttons()])


def _conclusions(pairs: Sequence[PairResults], width: int) -> Iterator[str]:
    """A sentence for each metric on the best mean, among systems with outputs for all pairs; and a caveat."""
    if len(pairs) < 2:
        return
    complete = [name for name in systems_of(pairs) if all(name in pair.names for pair in pairs)]
    for index, metric in enumerate(pairs[0].signatures):
        means = {name: mean for name in complete if (mean := mean_over_pairs(pairs, name, index)) is not None}
        if len(means) > 1:
            best = (min if pairs[0].lower_is_better[index] else max)(means, key=means.__getitem__)
            yield f"Under {metric}, {best} has the best mean ({means[best]:.{max(width, 2)}f})."
    yield (f"The {MEAN} is over all {len(pairs)} pairs, of systems that have an output for each. It has no test: "
           "whether systems differ is tested on each pair. Scores on one pair tell nothing of another one.")


def section_element(name: str, title: str, content: str, prefix: str = "") -> str:
    """A section of the page; `prefix` is the prefix of ids in the page of a pair."""
    identifier = prefix + name
    summary = ' class="summary"' if name in _SUMMARY else ""
    return (f'<section id="{identifier}"{summary} data-segments="{prefix}segments" '
            f'aria-labelledby="{identifier}-title"><h2 id="{identifier}-title">{xml_text(title)}</h2>\n{content}\n'
            "</section>")


def _links(links: Sequence[tuple[str, str]]) -> str:
    items = [f'<li><a href="#{name}">{xml_text(title)}</a></li>' for name, title in links]
    return f"<ul>{''.join(items)}</ul>"


def document(title: str, headline: str, size: str, origin: Origin, links: Sequence[tuple[str, str]],
             body: Sequence[str], data: Sequence[str] = ()) -> str:
    """The file: a header, links to the sections, the sections, the data of segments, and the script.

    Args:
        title: the title of the window.
        headline: the first heading; empty: `size` is the heading.
        size: the numbers of systems and of segments or pairs, as text.
        origin: the origin of the numbers.
        links: the ids and the names of the sections with links.
        body: the sections.
        data: elements with the data of segments.
    """
    script, style = page_script(), "\n".join([file_of("page.css"), file_of("charts.css")])
    policy = (f"default-src 'none'; script-src {csp_hash(script)}; style-src {csp_hash(style)}; img-src blob:; "
              "base-uri 'none'; form-action 'none'")
    header = ["<header>", f"<h1>{xml_text(headline or size)}</h1>"]
    if headline:
        header.append(f"<p>{size}</p>")
    header.append(f"<p><code>{xml_text(origin.command)}</code></p>")
    header += [f'<p class="warning">{xml_text(warning)}</p>' for warning in origin.warnings]
    return "\n".join([
        "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        PAGE_MARK, f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">', f"<title>{xml_text(title)}</title>",
        f"<style>{style}</style>", "</head>", "<body>", *header, "</header>",
        f'<nav aria-label="Parts of the page" data-report>{_links(links)}</nav>', "<main>", *body, "</main>",
        *data, f"<script>{script}</script>", "</body>", "</html>", ""])


def _data_element(page: Page) -> str:
    """The element with the data of the page's segments; long data is compressed."""
    data = json_for_script(page.segments)
    is_long = len(data) > _MAX_PLAIN
    return (f'<script type="{"text/plain" if is_long else "application/json"}" id="{page.prefix}data">'
            f"{packed(data.encode('utf-8')) if is_long else data}</script>")
