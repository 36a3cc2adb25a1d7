"""JSON as text without the module `json`, which minimal Pythons lack."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable

#: The short forms of characters in JSON.
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def written(value: Any, indent: int | None, ascii_only: bool, depth: int = 1) -> str:
    """Return the same text as `json.dumps`."""
    def inside(brackets: str, items: Iterable[str]) -> str:
        if indent is None:
            return f"{brackets[0]}{', '.join(items)}{brackets[1]}"
        line = "\n" + " " * (indent * depth)
        text = f",{line}".join(items)
        return f"{brackets[0]}{line}{text}{line[:-indent]}{brackets[1]}" if text else brackets

    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return _string(value, ascii_only)
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, dict):
        members: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]  # the caller promises it
        return inside("{}", [f"{_string(key, ascii_only)}: {written(item, indent, ascii_only, depth + 1)}"
                             for key, item in members.items()])
    return inside("[]", [written(item, indent, ascii_only, depth + 1) for item in value])


def _string(text: str, ascii_only: bool) -> str:
    return '"' + "".join([_character(character, ascii_only) for character in text]) + '"'


def _character(character: str, ascii_only: bool) -> str:
    if character in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[character]
    if " " <= character <= "~" or (not ascii_only and character > "~"):
        return character
    # A character beyond U+FFFF becomes two surrogates of UTF-16.
    code_units = character.encode("utf-16-be", "surrogatepass")
    return "".join([f"\\u{code_units[index:index + 2].hex()}" for index in range(0, len(code_units), 2)])
