"""The folder that keeps test sets and models, laid out as sacreBLEU's."""

from __future__ import annotations

import os

from ..errors import PurebleuError
from .writing import can_write_into, read_whole

#: Variables that name the folder, and the folder itself if none does.
VARIABLES = ("PUREBLEU_CACHE", "SACREBLEU")
_DEFAULT = os.path.join("~", ".sacrebleu")


def cache_folder() -> str:
    """The folder that `PUREBLEU_CACHE`, or else `SACREBLEU`, names; by default, `.sacrebleu` in the home folder.

    Raises:
        PurebleuError: the variable is empty, or there is no home folder.
    """
    for variable in VARIABLES:
        if variable in os.environ:
            if not os.environ[variable]:
                raise PurebleuError(f"{variable} is empty, but it should name the folder for test sets")
            return os.path.abspath(os.environ[variable])
    folder = os.path.expanduser(_DEFAULT)
    # (An empty variable would make the folder of the root of the file system.)
    if not os.path.isabs(folder) or "" in (os.environ.get("HOME"), os.environ.get("USERPROFILE")):
        raise PurebleuError(f"there is no home folder to keep test sets in: set {VARIABLES[0]} to a folder")
    return folder


def read_cached(path: str, limit: int) -> bytes:
    """The content of a file in the cache, into which others may write: no pipe, and no more than `limit` bytes.

    Raises:
        PurebleuError: the file is something else, or can't be read.
    """
    try:
        if not os.path.isfile(path) and os.path.exists(path):
            raise PurebleuError(f"{path} is no regular file")
        if os.path.getsize(path) > limit:
            raise PurebleuError(f"{path} is larger than {limit:,} bytes, which no such file is")
    except OSError as error:
        raise PurebleuError(f"{path}: {error.strerror or error}") from error
    return read_whole(path)


def cache_is_writable() -> bool:
    """Whether files can be put into the folder, or it can be made; nothing is left there."""
    try:
        folder = cache_folder()
    except PurebleuError:
        return False
    while not os.path.exists(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return can_write_into(folder)
