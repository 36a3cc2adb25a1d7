"""Build purebleu's wheel, source archive and editable wheel with nothing but the standard library (PEP 517, PEP 660).

`[build-system]` in pyproject.toml names this module. An installer calls its functions by the names that the two PEPs
fix, so `pip install --no-index .` works without a network. `python scripts/build_backend.py` writes the source archive
and the wheel into `dist/`.

The metadata comes from `[project]` in pyproject.toml. The version is the literal `FULL_VERSION` in the package's
`version.py`. With the same Python and zlib, the same tree gives the same bytes on every machine.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import re
import sys
import tarfile
from pathlib import Path
from typing import IO, Any, Iterable, Iterator, Mapping, NamedTuple, Sequence

from vendoring.archives import (
    ROOT,
    WHEEL_FILE,
    WHEEL_TAG,
    BuildError,
    Member,
    archive_time,
    folder_members,
    read_version,
    record,
    write_zip,
)
from vendoring.materials import bill_of_materials

SDIST_FOLDERS = ("purebleu", "tests", "scripts", ".ci", ".github")
SDIST_FILES = ("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE",
               "SECURITY.md", "pyproject.toml")

#: The source archive has no golden files of more bytes than this, and no picture of README. (Tests that read such a
#: file are skipped in an unpacked archive.)
MAX_GOLDEN = 50_000
PICTURE = ".github/report.png"

#: A link in README to a file of the project. Its groups: `!` if it is a picture, the label, the path.
LINK = re.compile(r"(!?)(\[[^]]*\]\()(?!https?:|#)([^)]+)\)")

#: Tables of pyproject.toml with the keys that METADATA and entry_points.txt are made from. `None` allows any key.
KNOWN_KEYS: Mapping[str, Sequence[str] | None] = {
    "project": ("name", "dynamic", "description", "readme", "requires-python", "keywords", "classifiers"),
    "project.authors": ("name",),
    "project.license": ("text",),
    "project.urls": None,
    "project.scripts": None,
    "project.entry-points.pyinstaller40": None,
    "project.optional-dependencies": None,
}

Tables = Mapping[str, Mapping[str, Any]]


class Project(NamedTuple):
    """Metadata of the project. `tables` has the table `[project]` of pyproject.toml and its sub-tables."""

    root: Path
    name: str
    version: str
    tables: Tables

    @property
    def stem(self) -> str:
        """Return the first part of the names of archives and of the metadata folder, such as `purebleu-1.0`."""
        return f"{self.name}-{self.version}"


def read_project(root: Path) -> Project:
    """Return the project whose pyproject.toml is in `root`. Raise `BuildError` if this file can't be used."""
    tables = read_project_tables((root / "pyproject.toml").read_text(encoding="utf-8"))
    for table, entries in tables.items():
        known = KNOWN_KEYS.get(table, ())
        unknown = [key for key in entries if known is not None and key not in known]
        if unknown or table not in KNOWN_KEYS:
            raise BuildError(f"pyproject.toml: scripts/build_backend.py does not know [{table}] {', '.join(unknown)}")
    name = tables["project"]["name"]
    source = (root / name / "version.py").read_text(encoding="utf-8")
    return Project(root, name, read_version(source, "FULL_VERSION"), tables)


def read_project_tables(toml: str) -> Tables:
    """Return the table `[project]` and its sub-tables.

    Every value in these tables has to be on one line, and has to be valid JSON. Other tables may use all of TOML.
    """
    tables: dict[str, dict[str, Any]] = {}
    table = ""
    for number, line in enumerate(toml.split("\n"), 1):
        text = line.strip()
        header = re.fullmatch(r"\[\[?([\w.\"-]+)\]\]?", text)
        if header:
            table = header[1]
            if table.partition(".")[0] == "project":
                tables[table] = {}
        elif table in tables and text and not text.startswith("#"):
            key, _, value = text.partition(" = ")
            try:
                tables[table][key.strip('"')] = json.loads(value)
            except ValueError:
                raise BuildError(f"pyproject.toml:{number}: expected `key = value` with a value that is valid JSON, "
                                 f"found {text!r}") from None
    return tables


def metadata(project: Project) -> str:
    """Return the core metadata, version 2.1. The long description is README with absolute links."""
    tables = project.tables
    main = tables["project"]
    fields: list[tuple[str, str]] = [
        ("Metadata-Version", "2.1"),
        ("Name", project.name),
        ("Version", project.version),
        ("Summary", main["description"]),
        ("Keywords", ",".join(main["keywords"])),
        ("Author", tables["project.authors"]["name"]),
        ("License", tables["project.license"]["text"]),
        *(("Classifier", classifier) for classifier in main["classifiers"]),
        *(("Project-URL", f"{label}, {url}") for label, url in tables["project.urls"].items()),
        ("Requires-Python", main["requires-python"]),
        *extra_fields(tables["project.optional-dependencies"]),
        ("Description-Content-Type", "text/markdown; charset=UTF-8"),
    ]
    readme: str = (project.root / main["readme"]).read_text(encoding="utf-8")
    return "".join([f"{name}: {value}\n" for name, value in fields]) + "\n" + with_absolute_links(project, readme)


def with_absolute_links(project: Project, text: str) -> str:
    """Return the text with absolute links to the files of this version, or of `main` between two releases."""
    source = project.tables["project.urls"]["Source"]
    revision = "main" if "+" in project.version else f"v{project.version}"

    def absolute(match: re.Match[str]) -> str:
        picture, before, path = match.groups()
        return f"{picture}{before}{source}/{'raw' if picture else 'blob'}/{revision}/{path})"

    return LINK.sub(absolute, text)


def extra_fields(extras: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Return the metadata fields of optional dependencies."""
    for extra, requirements in extras.items():
        yield "Provides-Extra", extra
        for requirement in requirements:
            yield "Requires-Dist", f'{requirement}; extra == "{extra}"'


def moved_members(project: Project, folder: str, target: str) -> list[Member]:
    """Return the files of a folder, with paths that begin with `target` instead of `folder`."""
    return [(target + path[len(folder):], content) for path, content in folder_members(project.root, folder)]


def dist_info_members(project: Project) -> list[Member]:
    """Return the files of the `.dist-info` folder except RECORD, sorted by path."""
    tables = project.tables
    entry_points = f"[console_scripts]\n{_lines(tables['project.scripts'])}"
    for table, functions in tables.items():
        if table.startswith("project.entry-points."):
            entry_points += f"\n[{table.rpartition('.')[2]}]\n{_lines(functions)}"
    optional = [requirement for extra in tables["project.optional-dependencies"].values() for requirement in extra]
    bill = bill_of_materials(project.name, project.version, tables["project.license"]["text"], optional,
                             folder_members(project.root, project.name))
    contents = {"LICENSE": (project.root / "LICENSE").read_bytes(), "METADATA": metadata(project).encode(),
                "WHEEL": WHEEL_FILE.encode(), "entry_points.txt": entry_points.encode(),
                f"sboms/{project.name}.cdx.json": bill}
    return [(f"{project.stem}.dist-info/{name}", content) for name, content in contents.items()]


def _lines(functions: Mapping[str, str]) -> str:
    return "".join([f"{name} = {function}\n" for name, function in functions.items()])


def path_member(project: Project) -> Member:
    """Return the .pth file that puts the project's root on Python's path."""
    line = str(project.root)
    if not line.isascii():
        # Python before 3.13 reads the file in the locale's encoding, and does not start if a byte can't be decoded.
        # So the path is written in ASCII, in a statement.
        line = f"import sys; sys.path.append({line!a})"
    return f"__editable__.{project.name}.pth", f"{line}\n".encode("ascii")


def write_tar_gz(file: IO[bytes], members: Iterable[Member]) -> None:
    """Write `members` in their order as a compressed tar archive. Its files have no owner."""
    moment = min(archive_time(), 2**32 - 1)  # (the gzip header has four bytes for the time)
    stream = gzip.GzipFile("", "wb", fileobj=file, mtime=moment)
    with stream, tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            info.mtime = moment
            # (On Windows and in some checkouts, files have no executable bit.)
            info.mode = 0o755 if content.startswith(b"#!") else 0o644
            archive.addfile(info, io.BytesIO(content))


def write_wheel(project: Project, folder: str, members: Sequence[Member]) -> str:
    """Write a wheel with `members`, the metadata and a RECORD into `folder`; return the wheel's file name."""
    # The wheel format recommends that the metadata comes last, because it can then be changed in place.
    complete = [*members, *dist_info_members(project)]
    complete.append(record(complete, f"{project.stem}.dist-info/RECORD"))
    name = f"{project.stem}-{WHEEL_TAG}.whl"
    with open(os.path.join(folder, name), "wb") as file:
        write_zip(file, complete)
    return name


# The hooks. PEP 517 and PEP 660 fix their names and arguments. The hooks for requirements are optional. They are left
# out, because building requires nothing.


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: object = None) -> str:
    """Write the `.dist-info` folder into `metadata_directory`; return the folder's name."""
    project = read_project(ROOT)
    for name, content in dist_info_members(project):
        path = Path(metadata_directory, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return f"{project.stem}.dist-info"


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None) -> str:
    """Write the wheel into `wheel_directory`; return its file name."""
    project = read_project(ROOT)
    members = [
        *folder_members(ROOT, project.name),
        # PyInstaller finds its hook in this package. `share` has the man page and completions for shells.
        *moved_members(project, "scripts/pyinstaller", f"{project.name}/_pyinstaller"),
        *moved_members(project, "scripts/share", f"{project.stem}.data/data/share"),
    ]
    return write_wheel(project, wheel_directory, members)


def build_editable(wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None) -> str:
    """Write a wheel into `wheel_directory` that adds this tree to Python's path; return the wheel's file name."""
    project = read_project(ROOT)
    return write_wheel(project, wheel_directory, [path_member(project)])


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    """Write the source archive (for building and most tests) into `sdist_directory`; return its file name."""
    project = read_project(ROOT)
    members = [("PKG-INFO", metadata(project).encode())]
    for folder in SDIST_FOLDERS:
        members += [member for member in folder_members(ROOT, folder) if not _stays_in_the_repository(*member)]
    members += [(name, (ROOT / name).read_bytes()) for name in SDIST_FILES if (ROOT / name).is_file()]
    name = f"{project.stem}.tar.gz"
    with open(os.path.join(sdist_directory, name), "wb") as file:
        write_tar_gz(file, [(f"{project.stem}/{path}", content) for path, content in sorted(members)])
    return name


def _stays_in_the_repository(path: str, content: bytes) -> bool:
    return path == PICTURE or (path.startswith("tests/fixtures/") and len(content) > MAX_GOLDEN)


def main(argv: Sequence[str] | None = None) -> int:
    """Write the source archive and the wheel into a folder and print their paths; return the exit code."""
    parser = argparse.ArgumentParser(description="Write purebleu's source archive and wheel.")
    parser.add_argument("-o", "--output", metavar="DIR", default="dist", help="folder to write into (default: dist)")
    folder = parser.parse_args(argv).output
    try:
        os.makedirs(folder, exist_ok=True)
        for build in (build_sdist, build_wheel):
            print(os.path.join(folder, build(folder)))
    except (BuildError, OSError) as error:
        print(f"build_backend.py: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
