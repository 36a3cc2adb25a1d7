"""Reading members of archives as streams.

Nothing is ever extracted: only wanted members are read, and paths, links and modes in an archive have no effect.
"""

from __future__ import annotations

import os
from io import BufferedReader

from ..errors import PurebleuError
from ..files.compressed import Expanded, check_expansion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Callable, Collection, Iterator, Tuple

    Named = Iterator[Tuple[str, "Capped"]]

#: The largest number of bytes of a member after decompression.
MAX_BYTES = 256 << 20

#: The ends of the names of archives that have members.
_TAR = (".tar.gz", ".tgz")
_ZIP = ".zip"

#: The flag of a member of a ZIP archive that needs a password.
_ENCRYPTED = 1


class Capped:
    """A binary stream that raises `PurebleuError` if it has more than `limit` bytes (`None`: `MAX_BYTES`).

    `kind` is what the error calls the content.
    """

    def __init__(self, stream: IO[bytes], limit: int | None = None, kind: str = "test set") -> None:
        self._stream = stream
        self._limit = self._left = MAX_BYTES if limit is None else limit
        self._kind = kind

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(self._left + 1 if size < 0 else min(size, self._left + 1))
        self._left -= len(data)
        if self._left < 0:
            raise PurebleuError(f"it is larger than {self._limit >> 20} MB, too large for a {self._kind}")
        return data

    def lines(self) -> list[str]:
        """Yield its lines, decoded from UTF-8. They end only at line feeds."""
        try:
            text = self.read().decode("utf-8")
        except UnicodeDecodeError as error:
            raise PurebleuError(f"not valid UTF-8 ({error})") from error
        return text.split("\n")[:-1] if text.endswith("\n") else text.split("\n") if text else []


def read_members(path: str, name: str, wanted: Collection[str], use: Callable[[str, Capped], None]) -> None:
    """Call `use` with the name and the stream of each wanted member of the archive at `path`.

    The end of `name` decides about the format of the archive. A file that is no archive has one member, itself, called
    `name`. Of members with the same name, the last one counts. A stream can be read only during the call. Raises
    `PurebleuError` if the archive is damaged.
    """
    damage = errors_of_archives(name, compressed=name.endswith((".gz", ".tgz", ".zip")))
    if name.endswith(_TAR):
        members = _tar_members
    elif name.endswith(_ZIP):
        members = _zip_members
    else:
        members = _only_member
    try:
        for member, stream in members(path, name, wanted):
            try:
                use(member, stream)
            except PurebleuError as error:
                raise PurebleuError(f"{member}: {error}") from error
    except damage as error:
        raise PurebleuError(f"{name}: the archive is damaged ({error})") from error


def can_have(name: str, wanted: Collection[str]) -> bool:
    """Whether a file with this name can have a wanted member. (A file that is no archive has only itself.)"""
    return name in wanted or name.endswith((*_TAR, _ZIP))


def errors_of_archives(name: str, compressed: bool = True) -> tuple[type[Exception], ...]:
    """Return the errors that the standard library raises for damaged, encrypted or unknown archives.

    Raises `PurebleuError` if the file called `name` is compressed and this Python lacks zlib.
    """
    import sys
    import tarfile
    import zipfile

    damage = (EOFError, OSError, RuntimeError, tarfile.TarError, zipfile.BadZipFile)
    if not compressed:
        return damage
    try:
        import zlib
    except ImportError as error:
        raise PurebleuError(f"{name}: this Python can't compress or decompress it ({error})") from error
    # (lzma is imported only for archives that need it.)
    return (*damage, zlib.error, getattr(sys.modules.get("lzma"), "LZMAError", zlib.error))


def _tar_members(path: str, name: str, wanted: Collection[str]) -> Named:
    import tarfile

    with _open_gzip(path, name) as unpacked, tarfile.open(fileobj=unpacked, mode="r|") as archive:
        for member in archive:
            if member.isreg() and _plain(member.name) in wanted:
                stream = archive.extractfile(member)
                assert stream is not None, "it is a regular file"
                yield _plain(member.name), Capped(stream)


def _zip_members(path: str, name: str, wanted: Collection[str]) -> Named:
    import zipfile

    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if _plain(member.filename) in wanted:
                if member.flag_bits & _ENCRYPTED:
                    raise PurebleuError(f"{name}: {member.filename} is encrypted")
                check_expansion(name, member.file_size, os.path.getsize(path))
                with archive.open(member) as stream:
                    yield _plain(member.filename), Capped(stream)


def _only_member(path: str, name: str, wanted: Collection[str]) -> Named:
    if name in wanted:
        if name.endswith(".gz"):
            with _open_gzip(path, "it") as unpacked:
                yield name, Capped(unpacked)
        else:
            with open(path, "rb") as stream:
                yield name, Capped(stream)


def _open_gzip(path: str, name: str) -> IO[bytes]:
    return BufferedReader(Expanded(open(path, "rb"), "gzip", name))


def _plain(name: str) -> str:
    return name[2:] if name.startswith("./") else name
