"""The style of output: its format, decimal places and signatures, and the terminal that it is for."""

from __future__ import annotations

from . import FORMATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import Format


class Style:
    """The style of output.

    Attributes:
        form: the format, a key of `FORMATS`.
        width: the number of decimal places of scores such as BLEU's.
        short: whether signatures are abbreviated.
        color: whether text is coloured; always false in other formats.
        columns: the width of the terminal that text is for; `None`: lines may have any length, as in other formats.
    """

    def __init__(self, form: str, width: int = 1, short: bool = False, color: bool = False,
                 columns: int | None = None) -> None:
        self.form = form
        self.width = width
        self.short = short
        self.color = color and form == "text"
        self.columns = columns if form == "text" else None

    @property
    def format(self) -> Format:
        """The properties of the format."""
        return FORMATS[self.form]

    def in_format(self, form: str) -> Style:
        """This style in another format, without a terminal."""
        return Style(form, self.width, self.short)
