"""The style of the output that options ask for."""

from __future__ import annotations

import os
import sys

from ...errors import OptionError
from ...report.formats import DELIMITED_FORMATS, SIGNED_JSON, Style
from ..process.terminal import columns_of, is_terminal, takes_colors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from .groups import OutputValues


#: The formats for programs: they have all digits, and whole signatures.
FOR_PROGRAMS = ("json", SIGNED_JSON, *DELIMITED_FORMATS)


def check_style(values: OutputValues, width: Sequence[str] = FOR_PROGRAMS, short: Sequence[str] = FOR_PROGRAMS) -> None:
    """Raise `OptionError` if `--width` or `--short` is given, and the format is one of those that ignore it."""
    for option, formats in (("width", width), ("short", short)):
        if values.format in formats and option in values.given():
            raise OptionError(f"--{option} has no effect on {values.format}", option=option)


def style_of(values: OutputValues, form: str = "") -> Style:
    """The style of the output, in the format `form`, or else in the one that is given, or else as text."""
    color = not (values.no_color or os.environ.get("NO_COLOR")) and takes_colors(sys.stdout)
    columns = columns_of(sys.stdout) if is_terminal(sys.stdout) else None
    return Style(form or values.format or "text", values.width, values.short, color, columns)
