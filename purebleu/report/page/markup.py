"""Elements of a report's page: tables and figures in HTML; shapes and axes in SVG; scripts, style sheets and data.

The same numbers always make the same bytes of SVG. SVG elements have classes (which `charts.css` defines), but no
attribute `style`, because the page's Content-Security-Policy forbids it. Systems differ not only in colour, but also in
their number or their row.
"""

from __future__ import annotations

import math

from ...errors import PurebleuError
from ...hints import Any, Iterable, Iterator, NamedTuple, Sequence
from ...runtime.program import own_file
from ...unicode.columns import columns_taken, pieces_of_width
from ...version import FULL_VERSION
from ..layouts import LAYOUTS, Section
from ..tables import TableColumn, html_table, xml_characters, xml_text


def head_cell(text: str, small_first: bool = False, metric: int | None = None, spare: bool = False) -> str:
    """Return the head of a column.

    Args:
        text: the text of the head.
        small_first: whether the first click sorts small numbers to the top, because small numbers are better.
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
    """Return a block with the content about one metric; the page's script hides it if another metric is chosen."""
    classes = f' class="{style}"' if style else ""
    return f'<div{classes}{metric_attribute(metric)} data-name="{xml_text(name)}">\n{content}\n</div>'


def folded(paragraphs: Iterable[str], title: str = "How to read this") -> str:
    """Return paragraphs of text in a fold; empty if there are none."""
    texts = "".join([f"<p>{xml_text(paragraph)}</p>" for paragraph in paragraphs])
    return f"<details><summary>{title}</summary>{texts}</details>" if texts else ""


def copy_buttons(paper: str = "") -> str:
    """Return buttons that copy the table before them; with `paper`, also a button that copies `paper` (LaTeX).
    """
    forms = [("tsv", "Copy as TSV"), ("markdown", "Markdown"), ("latex", "LaTeX")]
    if paper:
        forms.append(("paper", "LaTeX for a paper"))
    buttons = [f'<button type="button" data-copy="{form}">{title}</button>' for form, title in forms]
    shown = (f'<details><summary>Show it</summary><pre class="paper">{xml_text(paper)}</pre></details>'
             if paper else "")
    return f'<div class="copies">{" ".join(buttons)}{shown}</div>'


def scrolling(label: str) -> str:
    """Return the start tag of a box that scrolls in narrow windows, with the mouse or the keyboard."""
    return f'<div class="scroll" tabindex="0" role="group" aria-label="{xml_text(label)}">'


def plain_table(label: str, heads: Sequence[str], rows: Sequence[Sequence[str]], names: int) -> str:
    """Return a table whose cells are HTML. The first `names` cells of each row are texts, and the rest are numbers."""
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
    """Return a chart with its caption, and below it a fold with the table of its numbers.

    Args:
        svg: a chart.
        caption: one line of text.
        table: columns of text, such as the result of `group_table`.
        rows: the view that a click on a row of the table opens (see `page_views.js`), without the index of the row,
            which comes last; empty: rows open nothing.

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
    """Return sections of a text report as one section of the page, with tables that scroll.

    Args:
        sections: the sections. A section that has only a heading and paragraphs becomes a fold.
        title: the title of the page's section. Headings that are equal to this title are left out.
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


# SVG

#: The number of colours, and the number of dash patterns. After the last colour, colours repeat with another pattern.
_COLOR_COUNT, _PATTERN_COUNT = 8, 3


def finite(value: float) -> float:
    """Return the number unchanged; raise `PurebleuError` if it is infinite or NaN."""
    if not math.isfinite(value):
        raise PurebleuError(f"a chart cannot show {value!r}: it needs finite numbers")
    return value


def coordinate(value: float) -> str:
    """Return a coordinate with at most two decimals.

    >>> coordinate(2 / 3), coordinate(5.0), coordinate(-0.001)
    ('0.67', '5', '0')
    """
    text = f"{finite(value):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(tag: str, content: str = "", **attributes: str | float) -> str:
    """Return an element whose content is markup. In names of attributes, `_` stands for `-`.

    >>> element("text", "a", x=1.5, class_="n", text_anchor="end")
    '<text x="1.5" class="n" text-anchor="end">a</text>'
    """
    start = f"<{tag}"
    for key, value in attributes.items():
        shown = xml_text(value) if isinstance(value, str) else coordinate(value)
        start += f' {key.rstrip("_").replace("_", "-")}="{shown}"'
    return f"{start}>{content}</{tag}>" if content else f"{start}/>"


def svg_label(x: float, y: float, text: str, style: str = "label", anchor: str = "start") -> str:
    """Return a line of text; `anchor` says which part is at `x`: the `start`, the `middle` or the `end`."""
    return element("text", xml_text(text), x=x, y=y, class_=style, text_anchor=anchor)


def svg_line(style: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """Return a straight line."""
    return element("path", class_=style, d=f"M{coordinate(x1)} {coordinate(y1)}L{coordinate(x2)} {coordinate(y2)}")


class ChartHead(NamedTuple):
    """The name and the description of an image.

    Attributes:
        name: the prefix of the ids in the image: letters, digits and hyphens, unique in the page.
        title: the title, which a screen reader reads first.
        description: the description, which a screen reader reads next.
    """

    name: str
    title: str
    description: str


def svg_chart(head: ChartHead, size: tuple[float, float], parts: Iterable[str]) -> str:
    """Return an image that is as wide as the element around it.

    Args:
        head: the name and the description.
        size: the width and the height in user units.
        parts: the elements of the image.
    """
    name = head.name
    heading = [element("title", xml_text(head.title), id=f"{name}-title"),
               element("desc", xml_text(head.description), id=f"{name}-desc")]
    # (`direction`: in text from right to left, the anchor "start" would be the right end of a label.)
    return element("svg", "\n".join(["", *heading, *parts, ""]), class_="chart", role="img", direction="ltr",
                   viewBox=f"0 0 {coordinate(size[0])} {coordinate(size[1])}",
                   aria_labelledby=f"{name}-title {name}-desc")


def series_style(index: int) -> str:
    """Return the classes of a system: a colour, and from the ninth system on, a pattern. (After 24 systems, the classes
    repeat.)

    >>> series_style(0), series_style(9)
    ('s0', 's1 d1')
    """
    pattern = index // _COLOR_COUNT % _PATTERN_COUNT
    return f"s{index % _COLOR_COUNT} d{pattern}" if pattern else f"s{index % _COLOR_COUNT}"


def shortened(text: str, limit: int = 24) -> str:
    """Return the text on one line; if it is wider than `limit` narrow characters, its middle is left out.

    >>> shortened("newstest2021.en-de.hyp.online-b.txt", 16)
    'newstest…e-b.txt'
    """
    text = " ".join(text.split())
    if columns_taken(text) <= limit:
        return text
    first = next(pieces_of_width(text, limit // 2))
    last = next(pieces_of_width(text[::-1], limit - 1 - limit // 2))
    return f"{first}…{last[::-1]}"


#: The largest number in a chart. (The last tick of an axis may be larger, but is finite.)
_MAX_VALUE = 1e300

#: The ends of an axis count as equal if their relative difference is smaller than this number.
_MIN_SPAN = 1e-9

#: Numbers count as zero if their absolute value is smaller than this number.
_MIN_VALUE = 1e-290

#: The exponents of ten for which ticks are written without an exponent.
_PLAIN_EXPONENTS = range(-6, 13)


def nice_ticks(low: float, high: float, most: int) -> list[str]:
    """Return round numbers at equal intervals, from one that is at most `low` to one that is at least `high`.

    The length of an interval is 1, 2 or 5 times a power of ten: the smallest length with which there are at most `most`
    intervals. If both ends are the same, the range is extended on either side.

    Args:
        low: the smallest value.
        high: the largest value.
        most: the maximum number of intervals, at least 2; there is one more tick than intervals.

    Returns:
        The ticks as exact decimals: `float(tick)` is the tick's value.

    Raises:
        PurebleuError: a value is not finite, or beyond 1e300.

    Example:
        >>> nice_ticks(0.03, 0.91, 5)
        ['0.0', '0.2', '0.4', '0.6', '0.8', '1.0']
    """
    from decimal import Decimal

    low, high = _spread(low, high)
    most = max(most, 2)  # (if zero is inside the range, zero is a tick between two intervals)
    exponent = math.floor(math.log10(high / most - low / most)) - 1
    while True:
        for factor in (1, 2, 5):
            step = Decimal(factor).scaleb(exponent)
            first, last = math.floor(Decimal(low) / step), math.ceil(Decimal(high) / step)
            if last - first <= most:
                form = "f" if exponent in _PLAIN_EXPONENTS else "e"
                return [format(index * step, form) for index in range(first, last + 1)]
        exponent += 1


def _spread(low: float, high: float) -> tuple[float, float]:
    """Return the ends of a range, the lower end first. Equal ends are moved apart."""
    low, high = sorted([float(finite(low)), float(finite(high))])
    largest = max(-low, high)
    if largest > _MAX_VALUE:
        raise PurebleuError(f"a chart cannot show {low if -low == largest else high!r}: it is beyond {_MAX_VALUE:g}")
    if high - low > max(_MIN_SPAN * largest, _MIN_VALUE):
        return low, high
    room = largest / 10 if largest > _MIN_VALUE else 1.0
    return low - room, high + room


class Axis:
    """An axis from the first of its ticks to the last.

    Attributes:
        ticks: the labels of the ticks.
        low, high: the values of the first tick and of the last tick.
        start, end: the coordinates of the first tick and of the last tick.
    """

    def __init__(self, low: float, high: float, start: float, end: float, most: int = 6) -> None:
        self.ticks = nice_ticks(low, high, most)
        self.low, self.high = float(self.ticks[0]), float(self.ticks[-1])
        self.start, self.end = start, end

    def at(self, value: float) -> float:
        """Return the coordinate of a value."""
        return self.start + (self.end - self.start) * ((finite(value) - self.low) / (self.high - self.low))

    def horizontal_grid(self, top: float, bottom: float) -> Iterator[str]:
        """Yield the ticks of an axis from left to right: lines from top to bottom, and labels below them."""
        for tick in self.ticks:
            x = self.at(float(tick))
            yield svg_line("grid", x, top, x, bottom)
            yield svg_label(x, bottom + 14, tick, "tick", "middle")

    def vertical_grid(self, left: float, right: float) -> Iterator[str]:
        """Yield the ticks of an axis from bottom to top: lines from left to right, and labels to the left of them."""
        for tick in self.ticks:
            y = self.at(float(tick))
            yield svg_line("grid", left, y, right, y)
            yield svg_label(left - 6, y + 4, tick, "tick", "end")


# Content to embed: data for the script, files of this package, hashes for the security policy

#: The files of the page's script; each file uses only the files before it.
SCRIPTS = ("page_words.js", "page.js", "page_tables.js", "page_views.js")

#: Escapes for characters that could end a script element or begin a comment in it, and for line ends of old JavaScript.
_ESCAPED_IN_SCRIPTS = {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def json_for_script(value: Any) -> str:
    r"""Return a value as JSON that is safe inside a script element; surrogates become U+FFFD.

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
    """Return bytes, compressed by gzip, in base64. With the same version of zlib, equal bytes give equal results.

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
    """Return the script of the page as a single text, for one element and one hash."""
    return "\n".join(map(file_of, SCRIPTS))


def page_style() -> str:
    """Return the style sheets of the page as a single text."""
    return "\n".join([file_of("page.css"), file_of("charts.css")])


def file_of(name: str) -> str:
    """Return the text of a file in this module's folder, such as `page.js`, even if the package is in an archive.

    Raises:
        PurebleuError: this copy of the package was made without the file.
    """
    return own_file(f"report/page/{name}").decode("utf-8")


def csp_hash(text: str) -> str:
    """Return the hash with which a Content-Security-Policy allows a script or style element.

    `text` is everything between the tags of the element, including white space.

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
    """Return a list of links; each link is the id of an element and a text."""
    items = [f'<li><a href="#{name}">{xml_text(title)}</a></li>' for name, title in links]
    return f"<ul>{''.join(items)}</ul>"


def page_file(title: str, size: str, command: str, links: Sequence[tuple[str, str]], body: Sequence[str],
              data: Sequence[str]) -> str:
    """Return the HTML file: a title, links, sections, the command line, the data of segments, and the script.

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
    """Return the element with the data of the page's segments; long data is compressed."""
    data = json_for_script(segments)
    is_long = len(data) > _MAX_PLAIN
    return (f'<script type="{"text/plain" if is_long else "application/json"}" id="{prefix}data">'
            f"{packed(data.encode('utf-8')) if is_long else data}</script>")
