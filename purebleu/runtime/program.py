"""Read the files of this package, from its folder or from the archive that contains it."""

from __future__ import annotations

import os
from contextlib import suppress

from .errors import PurebleuError
from .hints import Iterator

#: The name under which this package was imported, and its name in an archive.
_PACKAGE = __name__.rpartition(".runtime.")[0]
_NAME_IN_ARCHIVE = "purebleu"

#: Files of this package that are not modules, by the subpackage that reads them: one file of each kind, because a wheel
#: may lack the files of some kinds.
DATA_FILES = {
    "checks.phrases": ("patterns.txt",),
    "datasets": ("data/test_sets.txt", "data/test_set.schema.json", "sample/sample.en-de.src"),
    "manual": ("pages.txt", "start.md"),
    "report.page": ("page.css", "page.js"),
    "serve": ("form.css", "form.html", "form.js"),
}

#: The member of a bundle that describes the other members.
CONTENTS = "bundle.json"

#: The first line of an archive that Python can run, and the main module of this archive.
SHEBANG = b"#!/usr/bin/env python3\n"
MAIN = b"""\
from purebleu.cli import run

if __name__ == "__main__":
    raise SystemExit(run())
"""


def own_file(path: str) -> bytes:
    """Return the content of a file of this package, such as `report/page/page.js`, from a folder or an archive.

    Raises:
        PurebleuError: this copy of the package lacks the file, or the archive that contains the file is damaged.
    """
    content = _own_file_if_any(path)
    if content is None:
        raise PurebleuError(f"this copy of purebleu lacks its file {path}: purebleu doctor lists what is missing")
    return content


def _own_file_if_any(path: str) -> bytes | None:
    """Return the content of a file of this package; `None` if there is no such file."""
    folder = os.path.dirname(os.path.dirname(__file__))
    return _content_of(os.path.join(folder, *path.split("/")), path)


def _content_of(path: str, name: str) -> bytes | None:
    """Return the content of a file at `path`, in a folder or in this package's archive; `None` if there is none."""
    # (`pkgutil.get_data` does the same, but importing `pkgutil` takes longer than reading the file.)
    try:
        content: bytes = globals()["__spec__"].loader.get_data(path)
        return content
    except OSError:
        return None
    except Exception as error:  # a damaged archive raises errors of many kinds
        if own_archive() is None:
            raise
        raise PurebleuError(f"{own_archive()}: its file {name} is damaged ({error})") from error


def missing_files() -> list[str]:
    """Return the files of `DATA_FILES` that this copy lacks, although it has the subpackage that reads them."""
    missing: list[str] = []
    for package, names in DATA_FILES.items():
        try:
            __import__(f"{_PACKAGE}.{package}")
        except ImportError:
            continue  # this copy was made without the subpackage
        for name in names:
            path = f"{package.replace('.', '/')}/{name}"
            with suppress(PurebleuError):  # (`purebleu doctor` has another check for damaged files)
                if _own_file_if_any(path) is None:
                    missing.append(path)
    return missing


def own_archive() -> str | None:
    """Return the path of the archive that this package was imported from; `None` if the package is in a folder."""
    return getattr(globals().get("__loader__"), "archive", None)


def own_member(name: str) -> bytes | None:
    """Return the content of a member of the archive that contains this package; `None` if there is no such member.

    If the archive is damaged, the result is `b""`. (`own_file` raises an error for a damaged archive.)
    """
    archive = own_archive()
    with suppress(PurebleuError):
        return None if archive is None else _content_of(os.path.join(archive, name), name)
    return b""


def program_files() -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each member of an archive with which Python can run this program."""
    yield "__main__.py", MAIN
    archive = own_archive()
    found = _files_of_archive(archive) if archive else _files_of_folder()
    for path, content in sorted(found):
        if "__pycache__" not in path and not path.endswith(".pyc"):
            yield f"{_NAME_IN_ARCHIVE}/{path}", content


def _files_of_folder() -> Iterator[tuple[str, bytes]]:
    from pathlib import Path

    package = Path(os.path.abspath(__file__)).parent.parent
    for path in package.rglob("*"):
        if path.is_file():
            yield path.relative_to(package).as_posix(), path.read_bytes()


def _files_of_archive(path: str) -> Iterator[tuple[str, bytes]]:
    from zipfile import ZipFile

    start = _PACKAGE.replace(".", "/") + "/"
    with ZipFile(path) as archive:
        for name in archive.namelist():
            if name.startswith(start) and not name.endswith("/"):
                yield name[len(start):], archive.read(name)
