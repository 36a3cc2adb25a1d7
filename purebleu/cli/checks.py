"""What is scored as it stands, but is hardly what was meant: warnings about whole files."""

from __future__ import annotations

from ..errors import warn
from ..files.text import is_blank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence, Union

    Lines = Union[Sequence[str], Sequence[bytes]]


class InputChecks:
    """Looks at lines as they are read, and warns of files that are odd from the first line to the last.

    `hypotheses` and `references` are the names of files, whose lines `see` gets in the same order. Of each file, hardly
    more than one line is looked at, unless it is odd.
    """

    def __init__(self, hypotheses: Sequence[str], references: Sequence[str]) -> None:
        self._blank: Mapping[int, str] = dict(enumerate(hypotheses))
        self._tabbed: Mapping[int, str] = dict(enumerate(references))

    def see(self, hypotheses: Sequence[Lines], references: Sequence[Lines]) -> None:
        """Take in the next lines of each file."""
        self._blank = {index: name for index, name in self._blank.items() if all(map(is_blank, hypotheses[index]))}
        self._tabbed = {index: name for index, name in self._tabbed.items() if all(map(_has_tab, references[index]))}

    def warn(self) -> None:
        """Issue the warnings, after the last line."""
        for name in self._blank.values():
            warn(f"{name}: all hypotheses are blank")
        for name in self._tabbed.values():
            warn(f"{name} has a tab on every line, which counts as whitespace (--num-refs splits lines into several "
                 "references)")


def _has_tab(line: str | bytes) -> bool:
    return b"\t" in line if isinstance(line, bytes) else "\t" in line
