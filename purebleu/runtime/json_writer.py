"""JSON as text, also on Pythons without the module `json`, such as that of minimal containers."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

def to_json(value: Any, indent: int | None, ascii_only: bool = True) -> str:
    """Return a value as JSON. The text is the same with and without the module `json`.

    Args:
        value: any nesting of dicts (with strings as keys), lists, strings, finite numbers, `True`, `False` and `None`.
        indent: the number of spaces for each level; `None`: the text is one line.
        ascii_only: whether characters beyond ASCII are escaped.

    Example:
        >>> print(to_json({"score": 36.5, "tok": "13a"}, indent=1))
        {
         "score": 36.5,
         "tok": "13a"
        }
    """
    try:
        import json
    except ImportError:
        from .json_text import written

        return written(value, indent, ascii_only)
    return json.dumps(value, indent=indent, ensure_ascii=ascii_only, allow_nan=False)
