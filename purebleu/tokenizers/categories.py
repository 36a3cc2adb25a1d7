"""Categories of characters, as boundaries: a code point is in one where an odd number of them are not above it."""

from __future__ import annotations

from bisect import bisect_right

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Iterable, Sequence, Union

    _Table = Dict[int, Union[int, str]]
else:
    _Table = dict  # Python 3.8 cannot subscript it


def in_category(boundaries: Sequence[int], characters: Iterable[str]) -> list[bytes]:
    """Those of `characters`, as UTF-8, that are in the category with these boundaries."""
    return [character.encode("utf-8", "surrogatepass") for character in characters
            if bisect_right(boundaries, ord(character)) % 2]


class Spacing(_Table):
    """A table for `str.translate` that puts spaces around the characters of a category, and replaces others.

    It fills itself as characters come up.
    """

    def __init__(self, boundaries: Sequence[int], replacements: dict[int, str]) -> None:
        super().__init__(replacements)
        self._boundaries = boundaries

    def __missing__(self, code_point: int) -> int | str:
        replacement: int | str = code_point
        if bisect_right(self._boundaries, code_point) % 2:
            replacement = f" {chr(code_point)} "
        if code_point <= self._boundaries[-1]:  # so the table stays small, whatever the text
            self[code_point] = replacement
        return replacement
