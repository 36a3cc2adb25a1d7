"""Base class of views, which are printed instead of scores: text in some formats, or an object of JSON."""

from __future__ import annotations

from .layouts import Section
from .names import columns_in
from .tables import fitted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    from .layouts import Layout
    from .style import Style
    from .tables import Column


class View:
    """Something to print instead of scores."""

    @property
    def heading(self) -> str:
        """The heading of the view."""
        raise NotImplementedError

    def as_object(self) -> Mapping[str, object]:
        """The view as JSON has it."""
        raise NotImplementedError

    def as_text(self, layout: Layout, style: Style) -> str:
        """The view as text or Markdown.

        Args:
            layout: the layout of the format.
            style: the style of the output.
        """
        raise NotImplementedError


class TableView(View):
    """A view that is a single table."""

    def table(self, width: int) -> Sequence[Column]:
        """The columns of the table; scores have `width` decimal places."""
        raise NotImplementedError

    def as_text(self, layout: Layout, style: Style) -> str:
        table = columns_in(style, self.table(style.width))
        return layout.section(Section(self.heading, tables=[fitted(table, style.columns)]))
