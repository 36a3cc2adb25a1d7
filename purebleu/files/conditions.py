"""Conditions on the columns of a row: of `--where`, and of a test set's description."""

from __future__ import annotations

from ..errors import OptionError
from ..hints import Callable, Mapping

#: Whether the text of a column meets a condition, by the sign of the condition. (Only the command line has `~`.)
_MEETS: Mapping[str, Callable[[str, str], bool]] = {"=": str.__eq__, "!=": str.__ne__, "prefix": str.startswith,
                                                    "contains": str.__contains__}


class Condition:
    """A condition on a column of a row.

    Attributes:
        column: the name of the column.
        sign: `=`, `!=`, `prefix`, `contains`, or `~` for a regular expression that matches somewhere.
        value: what the text is compared with.
    """

    def __init__(self, column: str, sign: str, value: str) -> None:
        self.column = column
        self.sign = sign
        self.value = value

    def is_met(self, text: str) -> bool:
        """Whether the text of the column meets the condition."""
        if self.sign == "~":
            import re

            return re.search(self.value, text) is not None
        return _MEETS[self.sign](text, self.value)

    def __str__(self) -> str:
        return f"{self.column}{self.sign}{self.value}"


def condition_of(text: str) -> Condition:
    """Return the condition `COLUMN=VALUE`, `COLUMN!=VALUE` or `COLUMN~REGEX`.

    Raises:
        OptionError: it has another form, or the regular expression is wrong.

    Example:
        >>> condition = condition_of("doc_id~^en-is_")
        >>> condition.column, condition.is_met("en-is_IS_#_news"), condition.is_met("cs-de_DE_#_news")
        ('doc_id', True, False)
    """
    import re

    found = re.match("([^=~!]+)(!=|=|~)(.*)", text, re.DOTALL)
    if found is None:
        raise OptionError(f"{text!r:.60} is not of the form COLUMN=VALUE, COLUMN!=VALUE or COLUMN~REGEX", "where")
    column, sign, value = found.groups()
    if sign == "~":
        check_regex(value, "where")
    return Condition(column, sign, value)


def check_regex(pattern: str, option: str) -> None:
    """Raise `OptionError` for a text that is not a regular expression."""
    import re

    try:
        re.compile(pattern)
    except re.error as error:
        raise OptionError(f"{pattern!r} is not a regular expression: {error}", option=option) from error
