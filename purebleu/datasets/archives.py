"""From archives to the fields of test sets: a list of lines for each field, all of the same length.

Nothing is ever extracted: only wanted members are read, and paths, links and modes in an archive have no effect. Each
format gives the same text as in sacreBLEU, line for line. If a file would be garbled, it is refused with a
`PurebleuError`.
"""

from __future__ import annotations

import os
from io import BufferedReader

from ..errors import PurebleuError
from ..files.compressed import Expanded, check_expansion
from ..hints import BinaryFile, Callable, Iterable, Iterator, Sequence
from ..unicode.properties import WHITESPACE, clean
from .storage import file_name, folder_of

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

    def __init__(self, stream: BinaryFile, limit: int | None = None, kind: str = "test set") -> None:
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
        """Return its lines, decoded from UTF-8. They end only at line feeds."""
        try:
            text = self.read().decode("utf-8")
        except UnicodeDecodeError as error:
            raise PurebleuError(f"not valid UTF-8 ({error})") from error
        return text.split("\n")[:-1] if text.endswith("\n") else text.split("\n") if text else []


def read_members(path: str, name: str, wanted: Iterable[str], use: Callable[[str, Capped], None]) -> None:
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


def can_have(name: str, wanted: Iterable[str]) -> bool:
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


def _tar_members(path: str, name: str, wanted: Iterable[str]) -> Iterator[tuple[str, Capped]]:
    import tarfile

    with _open_gzip(path, name) as unpacked, tarfile.open(fileobj=unpacked, mode="r|") as archive:
        for member in archive:
            if member.isreg() and _plain(member.name) in wanted:
                stream = archive.extractfile(member)
                assert stream is not None, "it is a regular file"
                yield _plain(member.name), Capped(stream)


def _zip_members(path: str, name: str, wanted: Iterable[str]) -> Iterator[tuple[str, Capped]]:
    import zipfile

    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if _plain(member.filename) in wanted:
                if member.flag_bits & _ENCRYPTED:
                    raise PurebleuError(f"{name}: {member.filename} is encrypted")
                check_expansion(name, member.file_size, os.path.getsize(path))
                with archive.open(member) as stream:
                    yield _plain(member.filename), Capped(stream)


def _only_member(path: str, name: str, wanted: Iterable[str]) -> Iterator[tuple[str, Capped]]:
    if name in wanted:
        with _open_gzip(path, "it") if name.endswith(".gz") else open(path, "rb") as stream:
            yield name, Capped(stream)


def _open_gzip(path: str, name: str) -> BinaryFile:
    return BufferedReader(Expanded(open(path, "rb"), "gzip", name))


def _plain(name: str) -> str:
    return name[2:] if name.startswith("./") else name


class Source:
    """Archives from which the fields of a test set are made. `archives` has addresses and checksums."""

    def __init__(self, name: str, form: str, archives: Sequence[tuple[str, str]]) -> None:
        self._name = name
        self._form = form
        self._archives = archives

    def read(self, members: Sequence[str], known: Sequence[str]) -> dict[str, list[str]]:
        """Return the fields of a language pair that consists of these members. Missing archives are fetched.

        `known` has the names of the fields in order, if they are known before the data is read; else it is empty.
        """
        wanted = self._wanted(members, known)
        fields: dict[str, list[str]] = {}
        missing = set(wanted)

        def use(member: str, stream: Capped) -> None:
            fields.update(read_member(self._form, member, stream, wanted[member]))
            missing.discard(member)

        for url, checksum in self._archives:
            name = self._archive_name(url)
            if missing and can_have(name, missing):
                read_members(self.archive(url, checksum), name, missing.copy(), use)
        if missing:
            raise PurebleuError(f"{self._name}: its archives have no {', '.join(sorted(missing))}")
        return {field: fields[field] for field in known} if known else fields

    def needed(self, members: Sequence[str]) -> list[tuple[str, str]]:
        """Return the archives that may have some of these members."""
        wanted = self._wanted(members, [""] * len(members))
        return [(url, checksum) for url, checksum in self._archives if can_have(self._archive_name(url), wanted)]

    def _wanted(self, members: Sequence[str], known: Sequence[str]) -> dict[str, list[tuple[str, int | str]]]:
        """Return, for each member by its name, the fields to make of it, each with its column."""
        wanted: dict[str, list[tuple[str, int | str]]] = {}
        for index, (member, field) in enumerate(zip(members, list(known[:len(members)]) or [""])):
            column, name = column_of_member(self._form, index, member)
            wanted.setdefault(name, []).append((field, column))
        return wanted

    def _archive_name(self, url: str) -> str:
        return f"{file_name(self._name)}.{url.rpartition('/')[2]}"

    def archive(self, url: str, checksum: str) -> str:
        """Return the path of a verified archive in the cache, which is fetched if it is missing or wrong."""
        from ..files.download import MAX_BYTES, check_file, fetch

        def check(file: BinaryFile) -> None:
            check_file(file, checksum, [url])

        by_sacrebleu = os.path.join(folder_of(self._name), "raw", self._archive_name(url))
        # sacreBLEU takes an archive for one that it has extracted, and doesn't do so again; with XML, it would then
        # miss what it needs beside the text. So it must not find this one.
        path = f"{by_sacrebleu}.verified" if self._form == "xml" else by_sacrebleu
        for there in (path, by_sacrebleu):
            if not os.path.isfile(there) or os.path.getsize(there) > MAX_BYTES:
                continue  # (to read a pipe might never end, and to read so large a file would take minutes)
            try:
                with open(there, "rb") as file:
                    check(file)
                return there
            except OSError as error:
                raise PurebleuError(f"{there}: {error.strerror or error}") from error
            except PurebleuError:
                continue  # it is not the right file, so it is fetched again
        try:
            fetch([url], path, check)
        except PurebleuError as error:
            raise PurebleuError(f"{self._name}: {error}") from error
        return path


# Formats of files

#: Fields of a document in SGML, which its segments share.
DOCUMENT_FIELDS = ("docid", "genre", "origlang")


def text_lines(lines: Iterable[str]) -> list[str]:
    """Return the segments of plain text, which has one on each line."""
    return [line.rstrip(WHITESPACE) for line in lines]


def tsv_column(lines: Sequence[str], column: int | str) -> list[str]:
    """Return one column of lines whose columns are separated by tabs: by its index, or its name in the first line."""
    if isinstance(column, str):
        names = lines[0].split("\t") if lines else []
        if column not in names:
            known = ", ".join(map(repr, names)) or "none"
            raise PurebleuError(f"there is no column {column!r}; the columns are {known}")
        return tsv_column(lines, names.index(column))[1:]
    found: list[str] = []
    for number, line in enumerate(lines, 1):
        columns = line.rstrip("\n").split("\t")
        if column >= len(columns):
            raise PurebleuError(f"line {number} has {len(columns)} columns, but column {column + 1} is needed")
        found.append(columns[column])
    return found


def sgml_fields(lines: Iterable[str]) -> dict[str, list[str]]:
    """Read WMT's format until 2020, and IWSLT's; return the segments as "text", and the attributes of their documents.

    It looks like SGML, but is not escaped, and has each segment on its own line. So it is read line by line.
    """
    fields: dict[str, list[str]] = {name: [] for name in ("text", *DOCUMENT_FIELDS)}
    document = dict.fromkeys(DOCUMENT_FIELDS, "")
    for number, line in enumerate(lines, 1):
        if line.startswith("<doc "):
            for name in DOCUMENT_FIELDS:
                value, quote, _ = line.partition(f'{name}="')[2].partition('"')
                if quote:
                    document[name] = value
        elif "<seg" in line or "</seg>" in line:
            start, _, rest = line.partition(">")
            text, _, after = rest.rpartition("</seg>")
            if not start.startswith("<seg ") or "</seg>" not in rest or "<seg" in text or "</seg>" in text \
                    or after.strip(WHITESPACE):
                raise PurebleuError(f"line {number} does not hold one whole segment")
            fields["text"].append(clean(text))
            for name, value in document.items():
                fields[name].append(value)
    return fields


#: The formats whose data names the translators of references and the domains.
DESCRIBES_ITSELF = ("xml", "described")


def field_names(form: str, test_set: str, members: Sequence[str]) -> list[str]:
    """Return the names of the fields of a pair in order; none if they are only in the data.

    Args:
        form: the format of the files: `sgml`, `xml`, `text`, `tsv`, `parallel`, `embedded`, or `described` (files that
            `described` reads).
        test_set: the name of the test set.
        members: those of the pair.
    """
    if form in DESCRIBES_ITSELF:
        return []
    if form == "embedded":
        return [member.replace("ref-", "ref:") for member in members]
    references = members[1:]
    if form == "parallel":
        further = [field for field, equals, _ in [member.partition("=") for member in members] if equals]
        return ["src", "ref", *[f"ref:{number}" for number in range(2, len(members) - len(further))], *further]
    names = ["src", *(["ref"] if len(references) == 1 else [f"ref:{index}" for index, _ in enumerate(references)])]
    # sacreBLEU-compat: IWSLT's files, too, have the fields of documents, if empty ones. (fixtures: catalogue)
    return [*names, *DOCUMENT_FIELDS] if form == "sgml" and not test_set.startswith("wmt08") else names


def column_of_member(form: str, index: int, member: str) -> tuple[int | str, str]:
    """Return the column and the name of the member that a field of this index comes from.

    The column stands before the name, as in `1:train.tsv`, or of parallel files in `docid=column:train.tsv`. By
    default, the first column of TSV is the source, and the second one the reference.
    """
    described = member.rpartition("=")[2] if form == "parallel" else member
    column, colon, name = described.partition(":")
    if colon and form in ("tsv", "parallel"):
        return (int(column) if form == "tsv" else column), name
    return (min(index, 1) if form == "tsv" else -1), described


def read_member(form: str, member: str, stream: Capped, uses: Sequence[tuple[str, int | str]]) -> dict[str, list[str]]:
    """Return the fields to make of a member of an archive. `uses` has each field with its column."""
    if form == "xml":
        from .wmt_xml import xml_fields

        return xml_fields(stream)
    lines = stream.lines()
    if form == "sgml" and member.endswith((".sgm", ".xml")):
        found = sgml_fields(lines)
        text = found.pop("text")
        return {**{field: text for field, _ in uses}, **(found if "src" in dict(uses) else {})}
    return {field: text_lines(lines) if column == -1 else tsv_column(lines, column) for field, column in uses}
