"""Read the fields of test sets from archives: a list of lines for each field, all of the same length.

No files are extracted: only wanted members are read, and paths, links and modes in an archive have no effect. Each
format gives the same text as in sacreBLEU, line for line. A malformed file raises `PurebleuError`.
"""

from __future__ import annotations

import os
from io import BufferedReader

from ..files.download import MAX_BYTES as MAX_BYTES_OF_ARCHIVE
from ..files.download import cache_folder, check_file, fetch
from ..files.opening import Expanded, check_expansion
from ..runtime.errors import PurebleuError
from ..runtime.hints import BinaryFile, Callable, Iterable, Iterator, Sequence
from ..unicode.properties import WHITESPACE, clean

#: The largest number of bytes of a member after decompression.
MAX_BYTES = 256 << 20

#: The endings of the names of archives that have members.
_TAR = (".tar.gz", ".tgz")
_ZIP = ".zip"

#: The flag of encrypted members in ZIP archives.
_ENCRYPTED = 1


class Capped:
    """A binary stream that raises `PurebleuError` if it has more than `limit` bytes (`None`: `MAX_BYTES`).

    In error messages, `kind` says what the content is.
    """

    def __init__(self, stream: BinaryFile, limit: int | None = None, kind: str = "test set") -> None:
        self._stream = stream
        self._limit = self._left = MAX_BYTES if limit is None else limit
        self._kind = kind

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(self._left + 1 if size < 0 else min(size, self._left + 1))
        self._left -= len(data)
        if self._left < 0:
            raise PurebleuError(f"the content is larger than {self._limit >> 20} MB, too large for a {self._kind}")
        return data

    def lines(self) -> list[str]:
        """Return the lines of the stream, decoded from UTF-8. Lines end only at line feeds."""
        try:
            text = self.read().decode("utf-8")
        except UnicodeDecodeError as error:
            raise PurebleuError(f"not valid UTF-8 ({error})") from error
        lines = text.split("\n")
        return lines if lines[-1] else lines[:-1]


def read_members(path: str, name: str, wanted: Iterable[str], use: Callable[[str, Capped], None]) -> None:
    """Call `use` with the name and the stream of each wanted member of the archive at `path`.

    The ending of `name` decides which format the archive has. A file that is no archive counts as a single member
    called `name`. `use` must read the stream before it returns. If several members have the same name, `use` is called
    for each of them. Raises `PurebleuError` if the archive is damaged.
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
    """Return whether a file called `name` is a wanted member, or an archive that may have one."""
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
        raise PurebleuError(f"{name}: this Python can't compress the file or decompress it ({error})") from error
    # (The module `lzma` is imported only for archives that need it.)
    return (*damage, zlib.error, getattr(sys.modules.get("lzma"), "LZMAError", zlib.error))


def _tar_members(path: str, name: str, wanted: Iterable[str]) -> Iterator[tuple[str, Capped]]:
    import tarfile

    with _open_gzip(path, name) as unpacked, tarfile.open(fileobj=unpacked, mode="r|") as archive:
        for member in archive:
            if member.isreg() and _plain(member.name) in wanted:
                stream = archive.extractfile(member)
                assert stream is not None, "the member is a regular file"
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


def file_name(name: str) -> str:
    """Return the beginning of the names of a test set's files."""
    return name.replace("/", "_")


def folder_of(name: str) -> str:
    """Return the folder of a test set in the cache."""
    return os.path.join(cache_folder(), *name.split("/"))


class Source:
    """The archives of a test set. `archives` has the address and the checksum of each archive."""

    def __init__(self, name: str, form: str, archives: Sequence[tuple[str, str]]) -> None:
        self._name = name
        self._form = form
        self._archives = archives

    def read(self, members: Sequence[str], known: Sequence[str]) -> dict[str, list[str]]:
        """Return the fields of a language pair, which consists of `members`. Missing archives are fetched.

        `known` has the names of the fields in order, or is empty if only the data has the names.
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
            raise PurebleuError(f"{self._name}: the archives of this test set lack {', '.join(sorted(missing))}")
        return {field: fields[field] for field in known} if known else fields

    def needed(self, members: Sequence[str]) -> list[tuple[str, str]]:
        """Return the archives that may have one of the `members`."""
        wanted = self._wanted(members, [""] * len(members))
        return [(url, checksum) for url, checksum in self._archives if can_have(self._archive_name(url), wanted)]

    def _wanted(self, members: Sequence[str], known: Sequence[str]) -> dict[str, list[tuple[str, int | str]]]:
        """Return a dict from names of members to lists of fields, each field with its column in the member."""
        wanted: dict[str, list[tuple[str, int | str]]] = {}
        for index, (member, field) in enumerate(zip(members, list(known[:len(members)]) or [""])):
            column, name = column_of_member(self._form, index, member)
            wanted.setdefault(name, []).append((field, column))
        return wanted

    def _archive_name(self, url: str) -> str:
        return f"{file_name(self._name)}.{url.rpartition('/')[2]}"

    def archive(self, url: str, checksum: str) -> str:
        """Return the path of a verified archive in the cache. A missing or wrong archive is fetched."""
        def check(file: BinaryFile) -> None:
            check_file(file, checksum, [url])

        by_sacrebleu = os.path.join(folder_of(self._name), "raw", self._archive_name(url))
        # If sacreBLEU finds an archive in the cache, it skips the extraction. With XML, sacreBLEU then lacks the text
        # files that the extraction makes. So archives with XML have names here that sacreBLEU does not look for.
        path = f"{by_sacrebleu}.verified" if self._form == "xml" else by_sacrebleu
        for there in (path, by_sacrebleu):
            if not os.path.isfile(there) or os.path.getsize(there) > MAX_BYTES_OF_ARCHIVE:
                continue  # (reading a pipe might never end, and reading a file that is too large would take minutes)
            try:
                with open(there, "rb") as file:
                    check(file)
                return there
            except OSError as error:
                raise PurebleuError(f"{there}: {error.strerror or error}") from error
            except PurebleuError:
                continue  # the file has another checksum, so the archive is fetched again
        try:
            fetch([url], path, check)
        except PurebleuError as error:
            raise PurebleuError(f"{self._name}: {error}") from error
        return path


# Formats of files

#: The attributes of a document in SGML that become fields. All segments of the document have the same values.
DOCUMENT_FIELDS = ("docid", "genre", "origlang")


def text_lines(lines: Iterable[str]) -> list[str]:
    """Return the segments of plain text: one on each line."""
    return [line.rstrip(WHITESPACE) for line in lines]


def tsv_column(lines: Sequence[str], column: int | str) -> list[str]:
    """Return a column of tab-separated lines. `column` is an index, or a name from the first line."""
    if isinstance(column, str):
        names = lines[0].split("\t") if lines else []
        if column not in names:
            known = ", ".join(map(repr, names)) or "none"
            raise PurebleuError(f"there is no column {column!r}; the columns are {known}")
        return tsv_column(lines, names.index(column))[1:]
    values: list[str] = []
    for number, line in enumerate(lines, 1):
        columns = line.rstrip("\n").split("\t")
        if column >= len(columns):
            raise PurebleuError(f"line {number} has {len(columns)} columns, but column {column + 1} is needed")
        values.append(columns[column])
    return values


def sgml_fields(lines: Iterable[str]) -> dict[str, list[str]]:
    """Return the segments of SGML (of WMT until 2020, or of IWSLT) as "text", and attributes of their documents.

    The files look like SGML, but their text is not escaped, and each segment is on its own line. So this function reads
    the files line by line.
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
            is_complete = start.startswith("<seg ") and "</seg>" in rest and not after.strip(WHITESPACE)
            if not is_complete or "<seg" in text or "</seg>" in text:
                raise PurebleuError(f"line {number} does not have exactly one complete segment")
            fields["text"].append(clean(text))
            for name, value in document.items():
                fields[name].append(value)
    return fields


#: The formats whose fields are known only from the data or from a description.
DESCRIBES_ITSELF = ("xml", "described")


def field_names(form: str, test_set: str, members: Sequence[str]) -> list[str]:
    """Return the names of a pair's fields in order, or an empty list if only the data has the names.

    Args:
        form: the format of the files: `sgml`, `xml`, `text`, `tsv`, `parallel`, `embedded`, or `described` (files that
            the module `described` reads).
        test_set: the name of the test set.
        members: the members of archives that the pair consists of.
    """
    if form in DESCRIBES_ITSELF:
        return []
    if form == "embedded":
        return [member.replace("ref-", "ref:") for member in members]
    references = members[1:]
    if form == "parallel":
        further = [member.partition("=")[0] for member in members if "=" in member]
        return ["src", "ref", *[f"ref:{number}" for number in range(2, len(members) - len(further))], *further]
    names = ["src", *(["ref"] if len(references) == 1 else [f"ref:{index}" for index, _ in enumerate(references)])]
    # sacreBLEU-compat: test sets of IWSLT also have the fields of documents, which are empty. (fixtures: catalogue)
    return [*names, *DOCUMENT_FIELDS] if form == "sgml" and not test_set.startswith("wmt08") else names


def column_of_member(form: str, index: int, member: str) -> tuple[int | str, str]:
    """Return the column and the name of the member that has field number `index` of a pair.

    `member` may have the column before the name: `1:train.tsv` in the format `tsv`, `docid=COLUMN:train.tsv` in the
    format `parallel`. By default, column 0 of TSV is the source, and column 1 is the reference. Column -1 means
    whole lines.
    """
    described = member.rpartition("=")[2] if form == "parallel" else member
    column, colon, name = described.partition(":")
    if colon and form in ("tsv", "parallel"):
        return (int(column) if form == "tsv" else column), name
    return (min(index, 1) if form == "tsv" else -1), described


def read_member(form: str, member: str, stream: Capped, uses: Sequence[tuple[str, int | str]]) -> dict[str, list[str]]:
    """Return fields from a member of an archive. `uses` has the wanted fields, each with its column."""
    if form == "xml":
        from .wmt_xml import xml_fields

        return xml_fields(stream)
    lines = stream.lines()
    if form == "sgml" and member.endswith((".sgm", ".xml")):
        attributes = sgml_fields(lines)
        text = attributes.pop("text")
        fields = {field: text for field, _ in uses}
        return {**fields, **attributes} if "src" in fields else fields
    return {field: text_lines(lines) if column == -1 else tsv_column(lines, column) for field, column in uses}
