"""Rows of sufficient statistics in files: they have all that scores, intervals and tests need, but no text.

In reading order: `file` (also the rows of a system under a metric), `checksums` (in place of text), `merging`.

>>> import purebleu.rows
>>> [part.system for part in purebleu.rows.merge([])]
[]
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .checksums import text_checksum as text_checksum
    from .file import StoredRows as StoredRows, read as read, write as write
    from .merging import merge as merge

#: The public names, by their modules; a module is imported when one of its names is first used.
_MODULES = {
    "checksums": ("text_checksum",),
    "file": ("StoredRows", "read", "write"),
    "merging": ("merge",),
}

__all__ = [name for names in _MODULES.values() for name in names]  # pyright: ignore[reportUnsupportedDunderAll]

if not TYPE_CHECKING:
    from ..lazy import lazy_names

    __getattr__, __dir__ = lazy_names(__name__, _MODULES)
