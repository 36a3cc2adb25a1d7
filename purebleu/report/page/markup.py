"""Tables of a report's page, with their buttons and the boxes in which they scroll."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..layouts import LAYOUTS, Section
from ..tables import xml_text


def head_cell(text: str, small_first: bool = False, metric: int | None = None, spare: bool = False) -> str:
    """Return the head of a column.

    Args:
        text: the text of the head.
        small_first: whether the first click sorts small numbers to the top, as they are the better ones.
        metric: the index of the metric that the column belongs to.
        spare: whether narrow windows leave the column out.
    """
    order = ' data-first="ascending"' if small_first else ""
    style = ' class="spare"' if spare else ""
    return f'<th scope="col"{style}{order}{metric_attribute(metric)}>{xml_text(text)}</th>'


def metric_attribute(metric: int | None) -> str:
    """Return the attribute of an element that belongs to a metric, by the metric's index; empty for `None`."""
    return "" if metric is None else f' data-metric="{metric}"'


def metric_block(metric: int, name: str, content: str, style: str = "") -> str:
    """Return the content about one metric, as a block that the page's script shows while this metric is chosen."""
    classes = f' class="{style}"' if style else ""
    return f'<div{classes}{metric_attribute(metric)} data-name="{xml_text(name)}">\n{content}\n</div>'


def folded(paragraphs: Iterable[str], title: str = "How to read this") -> str:
    """Return paragraphs of text in a fold; empty without any."""
    texts = "".join([f"<p>{xml_text(paragraph)}</p>" for paragraph in paragraphs])
    return f"<details><summary>{title}</summary>{texts}</details>" if texts else ""


def copy_buttons(paper: str = "") -> str:
    """Return buttons that copy the table before them; and the text `paper` of `-f paper`, with a button, if given."""
    forms = [("tsv", "Copy as TSV"), ("markdown", "Markdown"), ("latex", "LaTeX")]
    if paper:
        forms.append(("paper", "LaTeX for a paper"))
    buttons = [f'<button type="button" data-copy="{form}">{title}</button>' for form, title in forms]
    shown = (f'<details><summary>Show it</summary><pre class="paper">{xml_text(paper)}</pre></details>'
             if paper else "")
    return f'<div class="copies">{" ".join(buttons)}{shown}</div>'


def scrolling(label: str) -> str:
    """Return the start tag of a box that scrolls in narrow windows, by the keyboard, too."""
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


def subsections(sections: Sequence[Section], title: str) -> str:
    """Return sections of a text report as parts of a section of the page, with tables that scroll.

    A heading that is the title of the section of the page is left out. A section of nothing but text is a fold.
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
