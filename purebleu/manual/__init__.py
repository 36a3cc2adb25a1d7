"""The manual, whose pages are the Markdown files next to this module."""

from __future__ import annotations

from functools import lru_cache

from ..runtime.hints import Mapping
from ..runtime.program import own_file

#: The names of removed pages, each with the page that has its contents now.
MERGED = {"clients": "differences", "containers": "servers", "exit-codes": "compatibility", "limits": "speed",
          "page": "servers", "scores": "formats", "spark": "rows"}


@lru_cache(maxsize=None)
def known_pages() -> Mapping[str, str]:
    """Return the names of all pages in reading order, each with the purpose of the page."""
    return dict([line.split(": ", 1) for line in own_file("manual/pages.txt").decode("utf-8").splitlines()])


def page_text(name: str) -> str:
    """Return the Markdown of a page. (The package may be in an archive.)

    Args:
        name: a key of `known_pages()`.

    Raises:
        PurebleuError: this copy of the package was made without the page.

    Example:
        >>> page_text("start").splitlines()[0].startswith("# ")
        True
    """
    return own_file(f"manual/{name}.md").decode("utf-8")
