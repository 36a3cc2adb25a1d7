"""Elements of a report's page (tables, figures, scripts, style sheets, data), and the whole file."""

from __future__ import annotations

from ...runtime.hints import Any, Iterable, Sequence
from ...runtime.program import own_file
from ...version import FULL_VERSION
from ..tables import LAYOUTS, Section, TableColumn, html_table, xml_characters, xml_text


def head_cell(text: str, small_first: bool = False, metric: int | None = None, spare: bool = False) -> str:
    """Return the head of a column.

    Args:
        text: the text of the head.
        small_first: whether the first click puts small numbers on top, because small numbers are better.
        metric: the index of the metric to which the column belongs.
        spare: whether narrow windows hide the column.
    """
    order = ' data-first="ascending"' if small_first else ""
    style = ' class="spare"' if spare else ""
    return f'<th scope="col"{style}{order}{metric_attribute(metric)}>{xml_text(text)}</th>'


def metric_attribute(metric: int | None) -> str:
    """Return the attribute of an element that belongs to the metric with this index; empty if `metric` is `None`."""
    return "" if metric is None else f' data-metric="{metric}"'


def metric_block(metric: int, name: str, content: str, style: str = "") -> str:
    """Return a block with content about one metric. The page's script hides it if a user chooses another metric."""
    classes = f' class="{style}"' if style else ""
    return f'<div{classes}{metric_attribute(metric)} data-name="{xml_text(name)}">\n{content}\n</div>'


def folded(paragraphs: Iterable[str], title: str = "How to read this") -> str:
    """Return paragraphs of text in a fold; empty if there are none."""
    texts = "".join([f"<p>{xml_text(paragraph)}</p>" for paragraph in paragraphs])
    return f"<details><summary>{title}</summary>{texts}</details>" if texts else ""


def copy_buttons(paper: str = "") -> str:
    """Return buttons that copy the table before them, and a button that copies the LaTeX `paper`, if there is one."""
    forms = [("tsv", "Copy as TSV"), ("markdown", "Markdown"), ("latex", "LaTeX")]
    if paper:
        forms.append(("paper", "LaTeX for a paper"))
    buttons = [f'<button type="button" data-copy="{form}">{title}</button>' for form, title in forms]
    shown = (f'<details><summary>Show it</summary><pre class="paper">{xml_text(paper)}</pre></details>'
             if paper else "")
    return f'<div class="copies">{" ".join(buttons)}{shown}</div>'


def scrolling(label: str) -> str:
    """Return the start tag of a box that users can scroll in narrow windows, with the mouse or the keyboard."""
    return f'<div class="scroll" tabindex="0" role="group" aria-label="{xml_text(label)}">'


def plain_table(label: str, heads: Sequence[str], rows: Sequence[Sequence[str]], names: int) -> str:
    """Return a table of cells in HTML. The first `names` cells of a row are texts, and its other cells are numbers."""
    marks = [' class="text"' if 0 < number < names else "" for number in range(len(heads))]
    head = "".join([f'<th scope="col"{mark}>{xml_text(name)}</th>' for mark, name in zip(marks, heads)])
    body: list[str] = []
    for row in rows:
        texts = "".join([f'<td dir="auto" class="text">{cell}</td>' for cell in row[1:names]])
        numbers = "".join([f"<td>{cell}</td>" for cell in row[names:]])
        body.append(f'<tr><th scope="row" dir="auto">{row[0]}</th>{texts}{numbers}</tr>')
    return "\n".join([f'{scrolling(label)}<table class="sortable"><thead><tr>{head}</tr></thead><tbody>', *body,
                      "</tbody></table></div>"])


def figure(svg: str, caption: str, table: Sequence[TableColumn], rows: str = "") -> str:
    """Return a chart with its caption, and with a fold that has the table of its numbers.

    Args:
        svg: the chart.
        caption: one line of text.
        table: columns of text, such as the result of `group_table`.
        rows: the start of the view that a click on a row of the table opens (see `page_views.js`). The view ends with
            the index of the row. If `rows` is empty, rows open nothing.

    Returns:
        a `<figure>` element.
    """
    cleaned = [(xml_characters(head), [*map(xml_characters, cells)]) for head, cells in table]
    opens = f' data-rows="{xml_text(rows)}"' if rows else ""
    return "\n".join([
        f'<figure class="chart-figure"{opens}>', f"<figcaption>{xml_text(caption)}</figcaption>",
        f"{scrolling(f'Chart: {caption}')}{svg}</div>",
        "<details><summary>Numbers and downloads</summary>", scrolling(f"Numbers: {caption}"),
        html_table(cleaned), "</div>", "</details>", "</figure>"])


def subsections(sections: Sequence[Section], title: str) -> str:
    """Return sections of a text report as parts of one section of the page.

    Args:
        sections: the sections. A section that has only a heading and paragraphs becomes a fold.
        title: the title of the page's section. A heading that equals this title is left out.
    """
    parts: list[str] = []
    for section in sections:
        heading = "" if section.heading == title else section.heading
        if heading and not section.tables and not section.items:
            parts.append(folded(section.paragraphs, xml_text(heading)))
            continue
        text = LAYOUTS["html"].section(Section(heading, section.paragraphs, section.tables, section.items))
        text = text.replace("<h2>", "<h3>").replace("</h2>", "</h3>").replace("</table>", "</table></div>")
        before, *tables = text.split("<table>")
        for number, table in enumerate(tables, 1):
            before += f"{scrolling(f'{section.heading}, table {number}')}<table>{table}"
        parts.append(before)
    return "\n".join(parts)


# Content to embed: data for the script, files of this package, hashes for the security policy

#: The files of the page's script. Each file uses only the files before it.
SCRIPTS = ("page_words.js", "page.js", "page_tables.js", "page_views.js")

#: Escapes for characters that could end a script element or begin a comment in it, and for line ends of old JavaScript.
_ESCAPED_IN_SCRIPTS = {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def json_for_script(value: Any) -> str:
    r"""Return a value as JSON that is safe inside a script element. Surrogates become U+FFFD.

    Args:
        value: dicts with strings as keys, lists, tuples, strings, finite numbers, `True`, `False` and `None`.

    Raises:
        ValueError: a number is not finite.

    Example:
        >>> print(json_for_script({"a": ["</script>", 1.5]}))
        {"a":["\u003c/script\u003e",1.5]}
    """
    import json
    import re

    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    text = re.sub("[\ud800-\udfff]", "\ufffd", text)
    for character, escaped in _ESCAPED_IN_SCRIPTS.items():
        text = text.replace(character, escaped)  # (for megabytes of text, much faster than `translate`)
    return text


def packed(content: bytes) -> str:
    """Return the content, compressed by gzip, in base64. The same version of zlib always gives the same result.

    Example:
        >>> import base64, gzip
        >>> gzip.decompress(base64.b64decode(packed(b"text")))
        b'text'
    """
    import zlib
    from binascii import b2a_base64

    compressor = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)  # (16 stands for gzip's format)
    compressed = compressor.compress(content) + compressor.flush()
    # Byte 9 of gzip's header is the number of the operating system; 255 means that the system is unknown.
    return b2a_base64(compressed[:9] + b"\xff" + compressed[10:], newline=False).decode("ascii")


def page_script() -> str:
    """Return the script of the page as one text, for one element and one hash."""
    return "\n".join(map(file_of, SCRIPTS))


def page_style() -> str:
    """Return the style sheets of the page as one text."""
    return "\n".join([file_of("page.css"), file_of("charts.css")])


def file_of(name: str) -> str:
    """Return the text of a file in this module's folder, such as `page.js`, even if the package is in an archive.

    Raises:
        PurebleuError: this copy of the package was made without the file.
    """
    return own_file(f"report/page/{name}").decode("utf-8")


def csp_hash(text: str) -> str:
    """Return the hash with which a Content-Security-Policy allows a script or style element.

    `text` is the whole content of the element, including white space.

    Example:
        >>> csp_hash("")
        "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    import hashlib
    from binascii import b2a_base64

    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{b2a_base64(digest, newline=False).decode('ascii')}'"


# Files


#: An element by which purebleu recognizes its own pages.
PAGE_MARK = '<meta name="generator" content="purebleu">'

#: The maximum number of characters of a page's data that is not compressed.
_MAX_PLAIN = 200_000


def link_list(links: Sequence[tuple[str, str]]) -> str:
    """Return a list of links. A link is the id of an element, and a text."""
    items = [f'<li><a href="#{name}">{xml_text(title)}</a></li>' for name, title in links]
    return f"<ul>{''.join(items)}</ul>"


def page_file(title: str, size: str, command: str, links: Sequence[tuple[str, str]], body: Sequence[str],
              data: Sequence[str]) -> str:
    """Return the HTML file: title, links, sections, command line, data of segments, and script.

    Args:
        title: the title.
        size: the number of systems, and of segments or pairs, as text.
        command: the command line.
        links: the ids and the names of the sections that have links.
        body: the sections.
        data: elements with the data of segments.
    """
    script, style = page_script(), page_style()
    policy = (f"default-src 'none'; script-src {csp_hash(script)}; style-src {csp_hash(style)}; img-src blob:; "
              "base-uri 'none'; form-action 'none'")
    made_by = f"<p>Made by purebleu {FULL_VERSION}:</p><p><code>{xml_text(command)}</code></p>"
    return "\n".join([
        "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        PAGE_MARK, f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">', f"<title>{xml_text(title)}</title>",
        f"<style>{style}</style>", "</head>", "<body>",
        f"<header><h1>{xml_text(title)}</h1><p>{size}</p></header>",
        f'<nav aria-label="Parts of the page" data-report>{link_list(links)}</nav>', "<main>", *body, "</main>",
        f"<footer>{made_by}</footer>", *data, f"<script>{script}</script>", "</body>", "</html>", ""])


def data_element(prefix: str, segments: Any) -> str:
    """Return the element with the data of the page's segments. Long data is compressed."""
    data = json_for_script(segments)
    is_long = len(data) > _MAX_PLAIN
    return (f'<script type="{"text/plain" if is_long else "application/json"}" id="{prefix}data">'
            f"{packed(data.encode('utf-8')) if is_long else data}</script>")
