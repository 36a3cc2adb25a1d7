"""JSON as text, without the module `json`, which minimal Pythons lack, and which takes a millisecond to import."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterable

    _Table = Dict[int, str]
else:
    _Table = dict

#: The short forms of characters in JSON.
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def to_json(value: Any, indent: int | None, ascii_only: bool = True, depth: int = 1) -> str:
    """Return a value as JSON: the same text as `json.dumps`.

    Args:
        value: any nesting of dicts (with strings as keys), lists, strings, finite numbers, `True`, `False` and `None`.
        indent: the number of spaces for each level; `None`: the text is one line.
        ascii_only: whether characters beyond ASCII are escaped.
        depth: the level of what is inside the value.

    Example:
        >>> print(to_json({"score": 36.5, "tok": "13a"}, indent=1))
        {
         "score": 36.5,
         "tok": "13a"
        }
    """
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
        assert value - value == 0, "a number in JSON is finite"
        return repr(value)
    if isinstance(value, dict):
        members: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]  # the caller promises it
        return inside("{}", [f"{_string(key, ascii_only)}: {to_json(item, indent, ascii_only, depth + 1)}"
                             for key, item in members.items()])
    return inside("[]", [to_json(item, indent, ascii_only, depth + 1) for item in value])


def _string(text: str, ascii_only: bool) -> str:
    return f'"{text.translate(_ESCAPED_BEYOND_ASCII if ascii_only else _ESCAPED)}"'


class _Escapes(_Table):
    """A table for `str.translate`. It fills itself."""

    def __init__(self, ascii_only: bool) -> None:
        super().__init__()
        self._ascii_only = ascii_only

    def __missing__(self, code: int) -> str:
        self[code] = escaped = _escaped(chr(code), self._ascii_only)
        return escaped


_ESCAPED, _ESCAPED_BEYOND_ASCII = _Escapes(False), _Escapes(True)


def _escaped(character: str, ascii_only: bool) -> str:
    if character in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[character]
    if " " <= character <= "~" or (not ascii_only and character > "~"):
        return character
    # A character beyond U+FFFF becomes two surrogates of UTF-16.
    code_units = character.encode("utf-16-be", "surrogatepass")
    return "".join([f"\\u{code_units[index:index + 2].hex()}" for index in range(0, len(code_units), 2)])
