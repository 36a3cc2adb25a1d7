"""Tables and figures of a report's page, with buttons and the boxes in which they scroll."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..layouts import LAYOUTS, Section
from ..tables import TableColumn, html_table, xml_characters, xml_text


def head_cell(text: str, small_first: bool = False, metric: int | None = None, spare: bool = False) -> str:
    """Return the head of a column.

    Args:
        text: the text of the head.
        small_first: whether the first click sorts small numbers to the top, because they are the better ones.
        metric: the index of the metric that the column belongs to.
        spare: whether narrow windows leave the column out.
    """
    order = ' data-first="ascending"' if small_first else ""
    style = ' class="spare"' if spare else ""
    return f'<th scope="col"{style}{order}{metric_attribute(metric)}>{xml_text(text)}</th>'


def metric_attribute(metric: int | None) -> str:
    """Return the attribute of an element that belongs to the metric with this index; empty for `None`."""
    return "" if metric is None else f' data-metric="{metric}"'


def metric_block(metric: int, name: str, content: str, style: str = "") -> str:
    """Return a block with the content about one metric; the page's script shows it while this metric is chosen."""
    classes = f' class="{style}"' if style else ""
    return f'<div{classes}{metric_attribute(metric)} data-name="{xml_text(name)}">\n{content}\n</div>'


def folded(paragraphs: Iterable[str], title: str = "How to read this") -> str:
    """Return paragraphs of text in a fold; empty if there are none."""
    texts = "".join([f"<p>{xml_text(paragraph)}</p>" for paragraph in paragraphs])
    return f"<details><summary>{title}</summary>{texts}</details>" if texts else ""


def copy_buttons(paper: str = "") -> str:
    """Return buttons that copy the table before them; if `paper` has the text of `-f paper`, also that text."""
    forms = [("tsv", "Copy as TSV"), ("markdown", "Markdown"), ("latex", "LaTeX")]
    if paper:
        forms.append(("paper", "LaTeX for a paper"))
    buttons = [f'<button type="button" data-copy="{form}">{title}</button>' for form, title in forms]
    shown = (f'<details><summary>Show it</summary><pre class="paper">{xml_text(paper)}</pre></details>'
             if paper else "")
    return f'<div class="copies">{" ".join(buttons)}{shown}</div>'


def scrolling(label: str) -> str:
    """Return the start tag of a box that scrolls in narrow windows, also by the keyboard."""
    return f'<div class="scroll" tabindex="0" role="group" aria-label="{xml_text(label)}">'


def plain_table(label: str, heads: Sequence[str], rows: Sequence[Sequence[str]], names: int) -> str:
    """Return a table whose cells are HTML; the first `names` cells of each row have text, the others numbers."""
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
    """Return a chart with its caption, and the table of its numbers, which opens below it.

    Args:
        svg: a chart.
        caption: one line of text.
        table: columns of text, such as those of `group_table`.
        rows: the view that a row of the table opens, without the row's index at the end (see `page_views.js`); empty:
            rows open nothing.

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
    """Return sections of a text report as parts of a section of the page, with tables that scroll.

    A heading that is the page's title of the section is left out. A section that has only text is a fold.
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
