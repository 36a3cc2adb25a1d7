"""The folder that keeps test sets and models, laid out as sacreBLEU's."""

from __future__ import annotations

import os

from ..errors import PurebleuError
from .writing import can_write_into, named_errors, read_whole

#: The environment variables that may name the folder, and the default folder.
VARIABLES = ("PUREBLEU_CACHE", "SACREBLEU")
_DEFAULT = os.path.join("~", ".sacrebleu")


def cache_folder() -> str:
    """Return the folder that `PUREBLEU_CACHE`, or else `SACREBLEU`, names; by default, `.sacrebleu` in the home folder.

    Raises:
        PurebleuError: the variable is empty, or there is no home folder.
    """
    for variable in VARIABLES:
        if variable in os.environ:
            if not os.environ[variable]:
                raise PurebleuError(f"{variable} is empty, but it should name the folder for test sets")
            return os.path.abspath(os.environ[variable])
    folder = os.path.expanduser(_DEFAULT)
    # (If a variable is empty, the path could be in the root of the file system.)
    if not os.path.isabs(folder) or "" in (os.environ.get("HOME"), os.environ.get("USERPROFILE")):
        raise PurebleuError(f"there is no home folder to keep test sets in: set {VARIABLES[0]} to a folder")
    return folder


def read_cached(path: str, limit: int) -> bytes:
    """Return the content of a file in the cache, which must be a plain file of at most `limit` bytes.

    (Others may be able to write into the folder.)

    Raises:
        PurebleuError: it is no such file, or can't be read.
    """
    if not os.path.isfile(path) and os.path.exists(path):
        raise PurebleuError(f"{path} is not a regular file")
    with named_errors(path):
        if os.path.getsize(path) > limit:
            raise PurebleuError(f"{path} is larger than {limit:,} bytes, too large for such a file")
    return read_whole(path)


def cache_is_writable() -> bool:
    """Whether files can be written into the folder, or the folder can be made. What is tried leaves no trace."""
    try:
        folder = cache_folder()
    except PurebleuError:
        return False
    while not os.path.exists(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return can_write_into(folder)
