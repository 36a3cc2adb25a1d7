"""The style of the output that options ask for."""

from __future__ import annotations

import os
import sys

from ...report.style import Style
from ..process.terminal import columns_of, is_terminal, takes_colors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .groups import OutputValues


def style_of(values: OutputValues, form: str = "") -> Style:
    """The style of the output, in the format `form`, or else in the one that is given, or else as text."""
    color = not (values.no_color or os.environ.get("NO_COLOR")) and takes_colors(sys.stdout)
    columns = columns_of(sys.stdout) if is_terminal(sys.stdout) else None
    return Style(form or values.format or "text", values.width, values.short, color, columns)
