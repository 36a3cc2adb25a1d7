"""Rows of sufficient statistics in files: all that scores, intervals and tests need, and no text.

In reading order: `stored` (the rows of a system under a metric), `file`, `checksums` (in place of text), `merging`.

>>> import purebleu.rows
>>> [part.system for part in purebleu.rows.merge([])]
[]
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .checksums import text_checksum as text_checksum
    from .file import read as read
    from .file import write as write
    from .merging import merge as merge
    from .stored import StoredRows as StoredRows

#: The public names, and the modules that hold them. (They are not imported here: see `significance`.)
_MODULES = {"StoredRows": "stored", "merge": "merging", "read": "file", "text_checksum": "checksums", "write": "file"}

__all__ = list(_MODULES)  # pyright: ignore[reportUnsupportedDunderAll]  # it sees the imports above

if not TYPE_CHECKING:
    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return globals().setdefault(name, getattr(import_module("." + _MODULES[name], __name__), name))
