"""Build purebleu's wheel, source archive and editable wheel with nothing but the standard library (PEP 517, PEP 660).

An installer finds this module through `[build-system]` in pyproject.toml and calls the functions whose names the two
PEPs fix, so `pip install --no-index .` works without a network. By hand, `python scripts/build_backend.py` writes the
source archive and the wheel into `dist/`.

The metadata comes from `[project]` in pyproject.toml, the version from the literal in the package's `version.py`.
The same tree gives the same bytes, whenever and wherever, with the same Python and zlib.
"""

import argparse
import ast
import base64
import calendar
import contextlib
import gzip
import hashlib
import io
import json
import os
import re
import sys
import tarfile
import time
import zipfile
from pathlib import Path
from typing import IO, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import cyclonedx
from cyclonedx import Member

ROOT = Path(__file__).resolve().parent.parent

SDIST_FOLDERS = ("purebleu", "tests", "scripts", ".ci", ".github")
SDIST_FILES = (
    "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "SECURITY.md",
    "pyproject.toml",
)

# The first and the last moment that a zip file can hold (it counts years from 1980 in seven bits).
FIRST_ZIP_TIME = calendar.timegm((1980, 1, 1, 0, 0, 0))
LAST_ZIP_TIME = calendar.timegm((2107, 12, 31, 23, 59, 58))

WHEEL_TAG = "py3-none-any"
WHEEL_FILE = f"Wheel-Version: 1.0\nGenerator: purebleu-build-backend\nRoot-Is-Purelib: true\nTag: {WHEEL_TAG}\n"

# The keys that can be written into METADATA or entry_points.txt; None allows every key.
SUPPORTED_KEYS: Mapping[str, Optional[Sequence[str]]] = {
    "project": ("name", "dynamic", "description", "readme", "requires-python", "keywords", "classifiers"),
    "project.authors": ("name",),
    "project.license": ("text",),
    "project.urls": None,
    "project.scripts": None,
    "project.optional-dependencies": None,
}

# A TOML table header, [a.b] or [[a.b]], with the comment that may follow it.
HEADER = re.compile(r"(?P<brackets>\[\[?)\s*(?P<name>[\w.\"' -]+?)\s*\]\]?\s*(?:#.*)?")
# A TOML key, bare or in quotes without escapes, the equals sign, and the start of the value.
ENTRY = re.compile(r'(?P<key>[A-Za-z0-9_-]+|"[^"\\]+")\s*=\s*(?P<value>.*)')
# A version as PEP 440 writes it in its normal form, without epoch and local part.
_NUMBER = "(0|[1-9][0-9]*)"
VERSION = re.compile(rf"{_NUMBER}(\.{_NUMBER})*((a|b|rc){_NUMBER})?(\.post{_NUMBER})?(\.dev{_NUMBER})?")

#: The table of optional dependencies in `pyproject.toml`.
EXTRAS = "project.optional-dependencies"

Value = Union[str, List[str]]
Tables = Dict[str, Dict[str, Value]]
Settings = Optional[Mapping[str, object]]


class BuildError(ValueError):
    """The tree cannot be built: the message names the file (and the line, where there is one) and what is wrong."""


class Project(NamedTuple):
    """Metadata of the project at `root`, from pyproject.toml and the package."""

    root: Path
    name: str
    version: str
    tables: Tables

    @property
    def stem(self) -> str:
        """The beginning of the names of the archives and of the metadata folder, such as `purebleu-1.0`."""
        return f"{self.name}-{self.version}"

    def text(self, table: str, key: str) -> str:
        """The string under `key`; BuildError where it is missing, of another type, or longer than a line."""
        value = self.tables.get(table, {}).get(key)
        if not isinstance(value, str) or "\n" in value:
            raise BuildError(f"pyproject.toml: [{table}] {key} must be a string of one line, not {value!r}")
        return value

    def texts(self, table: str, key: str) -> List[str]:
        """The list of strings under `key`; BuildError where it is missing, of another type, or has line breaks."""
        value = self.tables.get(table, {}).get(key)
        if not isinstance(value, list) or any("\n" in item for item in value):
            raise BuildError(f"pyproject.toml: [{table}] {key} must be a list of one-line strings, not {value!r}")
        return value


# Reading the project.


def read_project(root: Path) -> Project:
    """Read and check the project whose pyproject.toml lies in `root`; BuildError says what is wrong with it."""
    tables = read_project_tables((root / "pyproject.toml").read_text(encoding="utf-8"))
    for table, entries in tables.items():
        if table not in SUPPORTED_KEYS:
            raise BuildError(f"pyproject.toml: scripts/build_backend.py does not know the table [{table}]")
        known = SUPPORTED_KEYS[table]
        for key in entries:
            if known is not None and key not in known:
                raise BuildError(f"pyproject.toml: scripts/build_backend.py does not know the key {key!r} of [{table}]")
    unversioned = Project(root, "", "", tables)
    if unversioned.texts("project", "dynamic") != ["version"]:
        raise BuildError('pyproject.toml: [project] must say dynamic = ["version"]: the version stands in the package')
    name = unversioned.text("project", "name")
    if not re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", name):
        raise BuildError(f"pyproject.toml: the name {name!r} cannot stand in the name of a wheel as it is")
    version = read_version((root / name / "version.py").read_text(encoding="utf-8"))
    return unversioned._replace(name=name, version=version)


def read_project_tables(toml: str) -> Tables:
    """The table `[project]` and its sub-tables, as a flat mapping from the full name of a table to its entries.

    Every value has to stand on one line and to be valid JSON too: a string or a list of strings. Other tables are
    passed over and may use all of TOML. BuildError names the line that cannot be read so.
    """
    tables: Tables = {}
    entries: Optional[Dict[str, Value]] = None  # of the table that the line belongs to; None outside [project]
    for number, line in enumerate(toml.split("\n"), 1):
        text = line.strip()
        header = HEADER.fullmatch(text)
        try:
            if header:
                entries = _open_table(tables, header)
            elif entries is not None and text and not text.startswith("#"):
                key, value = _read_entry(text)
                if key in entries:
                    raise BuildError(f"the key {key!r} stands here for the second time")
                entries[key] = value
        except BuildError as error:
            raise BuildError(f"pyproject.toml:{number}: {error}") from None
    if "project" not in tables:
        raise BuildError("pyproject.toml: there is no [project] table")
    return tables


def _open_table(tables: Tables, header: "re.Match[str]") -> Optional[Dict[str, Value]]:
    """Add an empty table for a header of `[project]` or below and return it; None for the header of any other."""
    name = header["name"]
    if name != "project" and not name.startswith("project."):
        return None
    brackets = "[[" if name == "project.authors" else "["  # (There is one author, all developers together.)
    if header["brackets"] != brackets or name in tables:
        raise BuildError(f"the table {brackets}{name}{']' * len(brackets)} may stand here only once, in such brackets")
    return tables.setdefault(name, {})


def _read_entry(text: str) -> Tuple[str, Value]:
    """Split the line `key = value`, with or without a comment after it; BuildError where the value is not JSON."""
    entry = ENTRY.fullmatch(text)
    if entry is None:
        raise BuildError(f"expected `key = value` with a plain key, found {text!r}")
    key = entry["key"].strip('"')
    try:
        value, end = json.JSONDecoder().raw_decode(entry["value"])
    except ValueError:
        raise BuildError(f"the value of {key!r} must be valid JSON and end on this line") from None
    rest = entry["value"][end:].strip()
    if rest and not rest.startswith("#"):
        raise BuildError(f"nothing may follow the value of {key!r}, found {rest!r}")
    if isinstance(value, str) or (isinstance(value, list) and all(isinstance(item, str) for item in value)):
        return key, value
    raise BuildError(f"the value of {key!r} must be a string or a list of strings")


def read_version(source: str) -> str:
    """The literal that is assigned to `__version__` in the package's `source`, which is parsed and never run."""
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign):
            targets: List[ast.expr] = statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        else:
            continue
        if any(isinstance(target, ast.Name) and target.id == "__version__" for target in targets):
            version = statement.value.value if isinstance(statement.value, ast.Constant) else None
            if not isinstance(version, str) or not VERSION.fullmatch(version):
                raise BuildError("version.py: __version__ must be a literal in the normal form of PEP 440")
            return version
    raise BuildError("version.py: there is no __version__")


# Turning the project into members of an archive.


def folder_members(root: Path, folder: str) -> List[Member]:
    """The files below `root/folder`, sorted by path, without compiled, hidden and backup files."""
    members = []
    for path in (root / folder).rglob("*"):
        relative = path.relative_to(root)
        # The folder's own name is left out of the check: `.ci` is hidden, but wanted.
        if path.is_file() and not any(_is_litter(part) for part in relative.parts[1:]):
            members.append((relative.as_posix(), path.read_bytes()))
    # Sorted as strings: Path objects compare differently on Windows.
    return sorted(members)


def shared_members(project: Project) -> List[Member]:
    """The files that are installed below `share/`, beside the package: the man page, completions of shells."""
    return [(f"{project.stem}.data/data/{path[len('scripts/'):]}", content)
            for path, content in folder_members(project.root, "scripts/share")]


def _is_litter(name: str) -> bool:
    return name == "__pycache__" or name.startswith(".") or name.endswith((".pyc", ".pyo", "~"))


def metadata(project: Project) -> str:
    """The core metadata, version 2.1, with the readme as the long description."""
    fields = [
        ("Metadata-Version", "2.1"),
        ("Name", project.name),
        ("Version", project.version),
        ("Summary", project.text("project", "description")),
        ("Keywords", ",".join(project.texts("project", "keywords"))),
        ("Author", project.text("project.authors", "name")),
        ("License", project.text("project.license", "text")),
        *(("Classifier", classifier) for classifier in project.texts("project", "classifiers")),
        *urls(project),
        ("Requires-Python", project.text("project", "requires-python")),
        *extras(project),
        ("Description-Content-Type", "text/markdown; charset=UTF-8"),
    ]
    readme = (project.root / project.text("project", "readme")).read_text(encoding="utf-8")
    return "".join(f"{name}: {value}\n" for name, value in fields) + "\n" + readme


def urls(project: Project) -> Iterator[Tuple[str, str]]:
    """The fields of links; BuildError for a label that indexes refuse (over 32 characters) or that has a comma."""
    for label in project.tables.get("project.urls", {}):
        if len(label) > 32 or "," in label:
            raise BuildError(f"pyproject.toml: [project.urls] {label!r} has more than 32 characters, or a comma")
        yield "Project-URL", f"{label}, {project.text('project.urls', label)}"


def product(project: Project) -> cyclonedx.Product:
    """The facts about the project that bills of materials tell."""
    return cyclonedx.Product(project.name, project.version, project.text("project", "description"),
                             project.text("project.license", "text"),
                             [requirement for extra in project.tables.get(EXTRAS, {})
                              for requirement in project.texts(EXTRAS, extra)])


def extras(project: Project) -> Iterator[Tuple[str, str]]:
    """The fields of optional dependencies."""
    for extra in project.tables.get(EXTRAS, {}):
        yield "Provides-Extra", extra
        for requirement in project.texts(EXTRAS, extra):
            yield "Requires-Dist", f'{requirement}; extra == "{extra}"'


def dist_info_members(project: Project) -> List[Member]:
    """The files of the `.dist-info` folder apart from RECORD, sorted."""
    listed = [*folder_members(project.root, project.name), *shared_members(project)]
    scripts = sorted(project.tables.get("project.scripts", {}))
    entry_points = [f"{name} = {project.text('project.scripts', name)}\n" for name in scripts]
    return [
        (f"{project.stem}.dist-info/LICENSE", (project.root / "LICENSE").read_bytes()),
        (f"{project.stem}.dist-info/METADATA", metadata(project).encode("utf-8")),
        (f"{project.stem}.dist-info/WHEEL", WHEEL_FILE.encode("ascii")),
        (f"{project.stem}.dist-info/entry_points.txt", "".join(["[console_scripts]\n", *entry_points]).encode()),
        (f"{project.stem}.dist-info/sboms/{project.name}.cdx.json", cyclonedx.bill(product(project), listed)),
    ]


def record(members: Iterable[Member], path: str) -> Member:
    """The RECORD of a wheel with these `members`, itself to be stored under `path`."""
    rows = []
    for name, content in members:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode("ascii")
        rows.append(f"{_csv_field(name)},sha256={digest},{len(content)}\n")
    return path, "".join([*rows, f"{path},,\n"]).encode()


def _csv_field(text: str) -> str:
    """`text` as a field of a CSV row: quoted where it has to be."""
    return '"{}"'.format(text.replace('"', '""')) if re.search('[",\r\n]', text) else text


def pth_member(project: Project) -> Member:
    """The .pth file that puts the project's root on Python's path."""
    line = str(project.root)
    if not line.isascii():
        # Before Python 3.13 the file is read in the encoding of whatever locale Python is started in, and a byte that
        # this cannot decode keeps Python from starting at all. So the path is spelled in ASCII, inside a statement.
        line = f"import sys; sys.path.append({line!a})"
    return f"__editable__.{project.name}.pth", f"{line}\n".encode("ascii")


# Writing archives.


def archive_time() -> int:
    """The time stamp of every member in seconds since 1970: SOURCE_DATE_EPOCH, else the start of 1980."""
    text = os.environ.get("SOURCE_DATE_EPOCH", "").strip()
    if not text:
        return FIRST_ZIP_TIME
    if not re.fullmatch("[0-9]{1,18}", text):
        raise BuildError(f"SOURCE_DATE_EPOCH must be a whole number of seconds, not {text!r}")
    return int(text)


def write_zip(file: IO[bytes], members: Iterable[Member]) -> None:
    """Write `members` in their order as a zip archive, which starts where `file` stands."""
    moment = time.gmtime(min(max(archive_time(), FIRST_ZIP_TIME), LAST_ZIP_TIME))[:6]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            info = zipfile.ZipInfo(name, moment)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # Unix, on Windows too, so that the mode is read and the bytes are the same
            info.external_attr = 0o100644 << 16
            archive.writestr(info, content)


def write_tar_gz(file: IO[bytes], members: Iterable[Member]) -> None:
    """Write `members` in their order as a compressed tar archive that belongs to nobody in particular."""
    moment = min(archive_time(), 2**32 - 1)  # what the gzip header can hold
    stream = gzip.GzipFile("", "wb", fileobj=file, mtime=moment)
    with stream, tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            info.mtime = moment
            # The file system's own bit would get lost on Windows and in some check-outs.
            info.mode = 0o755 if content.startswith(b"#!") else 0o644
            archive.addfile(info, io.BytesIO(content))


def write_whole(path: Path, content: bytes, is_program: bool = False) -> None:
    """Write a file: afterwards it is there as a whole, or else as it was before. Its readers may run a program.

    A link stays, and what it leads to is written. `BuildError` if that is no file, such as a device.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise BuildError(f"{path} is no file")
    temporary = path.with_name(f".purebleu-{os.urandom(8).hex()}")
    try:
        with open(temporary, "xb") as file:
            file.write(content)
        mode = (path if path.exists() else temporary).stat().st_mode
        temporary.chmod(mode | (mode & 0o444) >> 2 if is_program else mode)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def write_wheel(project: Project, folder: str, members: Sequence[Member]) -> str:
    """Write a wheel with `members`, the metadata and a RECORD into `folder`; return the wheel's file name."""
    # The metadata comes last, as the wheel format asks, so that it can be changed without rewriting the archive.
    complete = [*members, *dist_info_members(project)]
    complete.append(record(complete, f"{project.stem}.dist-info/RECORD"))
    name = f"{project.stem}-{WHEEL_TAG}.whl"
    with open(os.path.join(folder, name), "wb") as file:
        write_zip(file, complete)
    return name


# The hooks. Their names and arguments are fixed by PEP 517 and PEP 660; no settings are known, so none is read.


def get_requires_for_build_wheel(config_settings: Settings = None) -> List[str]:
    """The packages that building a wheel needs: none."""
    return []


def get_requires_for_build_sdist(config_settings: Settings = None) -> List[str]:
    """The packages that building a source archive needs: none."""
    return []


def get_requires_for_build_editable(config_settings: Settings = None) -> List[str]:
    """The packages that building an editable wheel needs: none."""
    return []


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    """Write the `.dist-info` folder into `metadata_directory`; return the folder's name."""
    project = read_project(ROOT)
    for name, content in dist_info_members(project):
        path = Path(metadata_directory, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return f"{project.stem}.dist-info"


def prepare_metadata_for_build_editable(metadata_directory: str, config_settings: Settings = None) -> str:
    """Write the `.dist-info` folder into `metadata_directory`; return the folder's name."""
    return prepare_metadata_for_build_wheel(metadata_directory)


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None
) -> str:
    """Write the wheel into `wheel_directory`; return its file name."""
    project = read_project(ROOT)
    return write_wheel(project, wheel_directory, [*folder_members(ROOT, project.name), *shared_members(project)])


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None
) -> str:
    """Write a wheel into `wheel_directory` that makes this tree importable in place; return its file name."""
    project = read_project(ROOT)
    return write_wheel(project, wheel_directory, [pth_member(project)])


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Write the source archive, with all that building and testing need, into `sdist_directory`; return its name."""
    project = read_project(ROOT)
    members = [("PKG-INFO", metadata(project).encode("utf-8"))]
    for folder in SDIST_FOLDERS:
        members += folder_members(ROOT, folder)
    members += [(name, (ROOT / name).read_bytes()) for name in SDIST_FILES if (ROOT / name).is_file()]
    name = f"{project.stem}.tar.gz"
    with open(os.path.join(sdist_directory, name), "wb") as file:
        write_tar_gz(file, [(f"{project.stem}/{path}", content) for path, content in sorted(members)])
    return name


def main(argv: Optional[Sequence[str]] = None) -> int:
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
