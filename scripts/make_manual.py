"""Write the manual as static HTML pages. They need no server and no network. Only the search needs JavaScript.

    python3 scripts/make_manual.py OUT        # OUT/index.html lists the pages
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from itertools import count
from pathlib import Path
from typing import Iterator, Union

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from purebleu.manual import known_pages, page_text  # noqa: E402  # the package beside this script
from purebleu.manual.markdown import (  # noqa: E402
    SPAN,
    Code,
    Heading,
    Items,
    Paragraph,
    Table,
    blocks_of,
    plain_text,
    texts_of,
)
from purebleu.report.tables import xml_text  # noqa: E402
from purebleu.version import __version__  # noqa: E402

Block = Union[Heading, Paragraph, Items, Table, Code]

#: The folder with the template, style and script of pages, and the style that pages share with the HTML report.
PARTS = Path(__file__).resolve().parent / "dev" / "generate" / "manual"
STYLE = ROOT / "purebleu" / "report" / "page" / "page.css"


# A page


def line_in_html(text: str) -> str:
    """Return a line of Markdown as HTML. Links to pages of the manual get the addresses of the HTML pages."""
    parts: list[str] = []
    end = 0
    for match in re.finditer(SPAN, text):
        parts.append(xml_text(text[end:match.start()]))
        end = match.end()
        code, strong, label, target = match.groups()
        if code is not None:
            parts.append(f"<code>{xml_text(code)}</code>")
        elif strong is not None:
            parts.append(f"<strong>{line_in_html(strong)}</strong>")
        else:
            parts.append(f'<a href="{xml_text(address(target))}">{line_in_html(label)}</a>')
    return "".join([*parts, xml_text(text[end:])])


def address(target: str) -> str:
    """Return the address in HTML of a target of a link in Markdown."""
    page, hash_mark, anchor = target.partition("#")
    return f"{page[:-len('.md')]}.html{hash_mark}{anchor}" if page.endswith(".md") else target


def block_in_html(block: Block, tables: Iterator[int]) -> str:
    """Return a block as HTML. A table gets the next number of `tables`."""
    if isinstance(block, Heading):
        if block.level == 1:
            return f"<h1>{line_in_html(block.text)}</h1>"
        link = f'<a class="anchor" href="#{block.anchor}" aria-label="link to this section">#</a>'
        return f'<h{block.level} id="{block.anchor}">{line_in_html(block.text)}{link}</h{block.level}>'
    if isinstance(block, Paragraph):
        return f"<p>{line_in_html(block.text)}</p>"
    if isinstance(block, Items):
        kind = "ol" if block.ordered else "ul"
        items = "".join([f"<li>{line_in_html(item)}</li>\n" for item in block.items])
        return f"<{kind}>\n{items}</{kind}>"
    if isinstance(block, Code):
        return f'<pre tabindex="0"><code>{xml_text(block.text)}</code></pre>'
    return _table(block, next(tables))


def _table(table: Table, number: int) -> str:
    head = "".join([f'<th scope="col">{line_in_html(cell)}</th>' if cell else "<td></td>" for cell in table.head])
    rows = ["".join([f"<td>{line_in_html(cell)}</td>" for cell in row]) for row in table.rows]
    body = "".join([f"<tr>{row}</tr>\n" for row in rows])
    return (f'<div class="wide" tabindex="0" role="group" aria-label="Table {number}">\n<table>\n'
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n</div>")


def document(title: str, page: str, body: str) -> str:
    """Return an HTML page. The list of all pages marks the one that has the name `page`."""
    here = ' aria-current="page"'
    links = "".join([f'<li><a href="{name}.html"{here * (name == page)}>{name}</a></li>\n' for name in known_pages()])
    template = (PARTS / "page.html").read_text(encoding="utf-8")
    return template.format(title=xml_text(title), version=xml_text(__version__), links=links, body=body)


def page_in_html(page: str) -> str:
    blocks = list(blocks_of(page_text(page)))
    tables = count(1)
    title, *rest = [block_in_html(block, tables) for block in blocks]
    sections = [block for block in blocks if isinstance(block, Heading) and block.level == 2]
    contents = "".join([f'<li><a href="#{block.anchor}">{line_in_html(block.text)}</a></li>\n' for block in sections])
    listed = f'<nav class="contents" aria-label="On this page">\n<ul>\n{contents}</ul>\n</nav>' if sections else ""
    assert isinstance(blocks[0], Heading)
    return document(plain_text(blocks[0].text), page, "\n".join([title, *[listed] * bool(listed), *rest]))


def index() -> str:
    rows = "".join([f'<tr><td><a href="{page}.html">{page}</a></td><td>{xml_text(purpose)}</td></tr>\n'
                    for page, purpose in known_pages().items()])
    return document("Manual", "", f"<h1>The manual</h1>\n<table>\n<thead><tr><th scope=\"col\">page</th>"
                                  f"<th scope=\"col\">for</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>")


# The search


def sections_of(page: str) -> Iterator[dict[str, str]]:
    """Yield the sections of a page, with their texts and addresses."""
    title = heading = ""
    held: list[str] = []
    for block in [*blocks_of(page_text(page)), Heading(2, "")]:
        if not isinstance(block, Heading):
            held.append(" ".join(texts_of(block)))
            continue
        if heading:
            anchor = Heading(2, heading).anchor if heading != title else ""
            yield {"page": plain_text(title), "title": plain_text(heading), "text": " ".join(held),
                   "address": f"{page}.html" + f"#{anchor}" * bool(anchor)}
        title, heading, held = title or block.text, block.text, []


def files() -> dict[str, str]:
    """Return the HTML files of the manual, by their names."""
    sections = [section for page in known_pages() for section in sections_of(page)]
    style = "\n".join([STYLE.read_text(encoding="utf-8"), (PARTS / "manual.css").read_text(encoding="utf-8")])
    return {
        "index.html": index(), **{f"{page}.html": page_in_html(page) for page in known_pages()}, "style.css": style,
        "sections.js": f"const SECTIONS = {json.dumps(sections, ensure_ascii=True, indent=0)};\n",
        "search.js": (PARTS / "search.js").read_text(encoding="utf-8"),
    }


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="OUT", help="the folder to write to (made if it is missing)")
    args = parser.parse_args(argv)
    try:
        args.folder.mkdir(parents=True, exist_ok=True)
        for name, text in files().items():
            (args.folder / name).write_bytes(text.encode("utf-8"))
    except OSError as error:
        print(f"make_manual.py: error: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
