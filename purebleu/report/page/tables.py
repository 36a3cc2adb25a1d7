"""Tables of a report's page, with their buttons and the boxes in which they scroll."""

from __future__ import annotations

from ..layouts import LAYOUTS
from ..markup import xml_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ..layouts import Section


def head_cell(text: str, small_first: bool = False, metric: int | None = None, more: str = "",
              spare: bool = False) -> str:
    """The head of a column.

    Args:
        text: the text of the head.
        small_first: whether the first click sorts small numbers to the top, as they are the better ones.
        metric: the index of the metric that the column belongs to.
        more: a text that follows in wide windows.
        spare: whether narrow windows leave the column out.
    """
    order = ' data-first="ascending"' if small_first else ""
    rest = f'<span class="wide"> {xml_text(more)}</span>' if more else ""
    style = ' class="spare"' if spare else ""
    return f'<th scope="col"{style}{order}{metric_attribute(metric)}>{xml_text(text)}{rest}</th>'


def metric_attribute(metric: int | None) -> str:
    """The attribute of an element that belongs to a metric, by the metric's index; empty for `None`."""
    return "" if metric is None else f' data-metric="{metric}"'


def metric_block(metric: int, name: str, content: str) -> str:
    """The content about one metric, as a block that the page's script shows while this metric is chosen."""
    return f'<div{metric_attribute(metric)} data-name="{xml_text(name)}">\n{content}\n</div>'


def copy_buttons(paper: str = "") -> str:
    """Buttons that copy the table before them; with `paper`, also the text of `-f paper`, which is shown, too."""
    forms = [("tsv", "Copy as TSV"), ("markdown", "Markdown"), ("latex", "LaTeX")]
    if paper:
        forms.append(("paper", "LaTeX for a paper"))
    buttons = [f'<button type="button" data-copy="{form}">{title}</button>' for form, title in forms]
    shown = (f'<details><summary>LaTeX for a paper: table, caption and signatures</summary><pre class="paper">'
             f"{xml_text(paper)}</pre></details>") if paper else ""
    return f'<p class="copies">{" ".join(buttons)}</p>{shown}'


def scrolling(label: str) -> str:
    """The start tag of a box that scrolls in narrow windows, by the keyboard, too."""
    return f'<div class="scroll" tabindex="0" role="group" aria-label="{xml_text(label)}">'


def plain_table(label: str, heads: Sequence[str], rows: Sequence[Sequence[str]], names: int) -> str:
    """A table whose cells are HTML; the first `names` cells of each row have text, the others numbers."""
    head = "".join([f'<th scope="col">{xml_text(head)}</th>' for head in heads])
    body = [f'<tr><th scope="row" dir="auto">{row[0]}</th>'
            + "".join([f'<td dir="auto" class="text">{cell}</td>' for cell in row[1:names]])
            + "".join([f"<td>{cell}</td>" for cell in row[names:]]) + "</tr>" for row in rows]
    return "\n".join([f'{scrolling(label)}<table class="sortable"><thead><tr>{head}</tr></thead><tbody>', *body,
                      "</tbody></table></div>"])


def subsection(section: Section) -> str:
    """A section of a text report as a part of a section of the page, with tables that scroll."""
    text = LAYOUTS["html"].section(section).replace("<h2>", "<h3>").replace("</h2>", "</h3>")
    before, *tables = text.replace("</table>", "</table></div>").split("<table>")
    return before + "".join([f"{scrolling(f'{section.heading}, table {number}')}<table>{table}"
                             for number, table in enumerate(tables, 1)])
