"""Properties of the terminal, if there is one: its width, and whether it takes colours."""

from __future__ import annotations

import os

from ...hints import Any, TextFile

#: The width of a terminal that does not report its own.
_USUAL_COLUMNS = 80

#: Lines that are longer than this are hard to read.
_MAX_COLUMNS = 100

#: The mode of a console of Windows in which it understands escape codes.
_ENABLE_VIRTUAL_TERMINAL_PROCESSING = 4


def is_terminal(stream: TextFile | None) -> bool:
    """Whether a standard stream, which may be closed or missing, is a terminal."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def columns_of(stream: TextFile) -> int:
    """The number of columns of a terminal, or the usual number if that is not known."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or _USUAL_COLUMNS
    except (OSError, ValueError):
        return _USUAL_COLUMNS


def width_of_help(stream: TextFile | None) -> int:
    """The width of lines of help: that of the terminal, unless `COLUMNS` in the environment says another."""
    columns = os.environ.get("COLUMNS", "")
    if not columns.isdecimal() or len(columns) > 9 or not int(columns):  # (Python converts no thousands of digits)
        columns = str(columns_of(stream) if stream is not None else _USUAL_COLUMNS)
    return min(int(columns), _MAX_COLUMNS) - 2


def takes_colors(stream: TextFile | None) -> bool:
    """Whether a standard stream is a terminal that shows colours for escape codes."""
    if not is_terminal(stream):
        return False
    return os.name != "nt" or _enable_escape_codes(stream)


def _enable_escape_codes(stream: Any) -> bool:
    """Make a console of Windows understand escape codes; returns whether that worked (it does not in older ones)."""
    try:
        import ctypes
        import msvcrt

        handle = msvcrt.get_osfhandle(stream.fileno())  # type: ignore[attr-defined, unused-ignore]
        library: Any = ctypes  # whose stubs depend on the system
        kernel32 = library.windll.kernel32
        mode = ctypes.c_ulong()
        return bool(kernel32.GetConsoleMode(handle, ctypes.byref(mode))
                    and kernel32.SetConsoleMode(handle, mode.value | _ENABLE_VIRTUAL_TERMINAL_PROCESSING))
    except (AttributeError, ImportError, OSError, ValueError):
        return False
