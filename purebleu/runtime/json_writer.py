"""Write JSON, also if Python lacks the module `json` (as in minimal containers)."""

from __future__ import annotations

from .hints import Any

#: The escapes of characters that a JSON string can't contain, by code point.
_ESCAPES = {code: f"\\u{code:04x}" for code in range(32)}
_ESCAPES.update(str.maketrans({
    '"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}))


def to_json(value: Any, indent: int | None, ascii_only: bool = True) -> str:
    """Return a value as JSON: the same text that `json.dumps` returns.

    Args:
        value: any nesting of dicts (with strings as keys), lists, strings, finite numbers, `True`, `False` and `None`.
        indent: the number of spaces for each level; `None`: the text is one line.
        ascii_only: whether characters outside ASCII are escaped.

    Example:
        >>> print(to_json({"score": 36.5, "tok": "13a"}, indent=1))
        {
         "score": 36.5,
         "tok": "13a"
        }
    """
    # `json` is imported only for output without indentation, which may have many lines. (The import takes 2 % of the
    # time of a run that scores BLEU.)
    if indent is None:
        try:
            import json
        except ImportError:
            pass
        else:
            return json.dumps(value, ensure_ascii=ascii_only, allow_nan=False)
    return _text(value, indent, ascii_only)


def _text(value: Any, indent: int | None, ascii_only: bool, depth: int = 1) -> str:
    """Return a value as JSON. `depth` is the level of indentation of the items in the value."""
    if isinstance(value, str):
        return _string(value, ascii_only)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (int, float)):
        assert value - value == 0, "numbers in JSON must be finite"
        return repr(value)
    if isinstance(value, dict):
        members: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]  # the caller promises it
        first, last = "{}"
        items = [f"{_string(key, ascii_only)}: {_text(item, indent, ascii_only, depth + 1)}"
                 for key, item in members.items()]
    else:
        first, last = "[]"
        items = [_text(item, indent, ascii_only, depth + 1) for item in value]
    if indent is None or not items:
        return f"{first}{', '.join(items)}{last}"
    line = "\n" + " " * (indent * depth)
    return f"{first}{line}{f',{line}'.join(items)}{line[:-indent]}{last}"


def _string(text: str, ascii_only: bool) -> str:
    escaped = text.translate(_ESCAPES)
    if ascii_only:
        escaped = "".join([character if character <= "~" else _in_ascii(character) for character in escaped])
    return f'"{escaped}"'


def _in_ascii(character: str) -> str:
    # A character beyond U+FFFF becomes two surrogates of UTF-16.
    code_units = character.encode("utf-16-be", "surrogatepass")
    return "".join([f"\\u{code_units[index:index + 2].hex()}" for index in range(0, len(code_units), 2)])
