"""Test sets that files of the user describe: `-t ./mine.json`, or `-t NAME` if `PUREBLEU_TESTSETS` lists the folder.

A description is JSON with the schema `data/test_set.schema.json`. Descriptions are not trusted: they can't name paths
outside their folders or run code, and each file that they name must have a checksum.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from io import BytesIO
from itertools import compress

from ..files.download import check_file, read_cached, sha256_of
from ..files.lines import HeldLines, LineStream
from ..files.opening import IDS, KEYS, REFERENCES, SOURCE, kind_of
from ..files.records import READERS, Condition, ParagraphReader
from ..runtime.errors import PurebleuError, nearest
from ..runtime.hints import Any, Mapping, Sequence
from ..runtime.program import own_file
from .archives import MAX_BYTES, Source, read_members, sgml_fields, text_lines
from .catalogue import catalogue
from .testset import TestSet

#: The file in the cache with the description of a test set that came in a bundle.
CACHED_DESCRIPTION = "description.json"

#: The largest number of bytes of a description.
_MAX_DESCRIPTION = 1 << 20

#: The number of digits of a description's SHA-256 sum in the test set's name.
_DIGITS = 12

#: The JSON members that say which file a column is in. A field or a pair with its own path or url inherits none of
#: these members.
_FILE = ("path", "url", "sha256", "member")

#: The JSON members that a pair inherits from the description, and that a field inherits from its pair.
_INHERITED = (*_FILE, "format", "encoding")

#: Characters that a segment in the cache can't contain, and that become spaces.
_SPACES = str.maketrans("\r\n\t", "   ")

#: The Python types of values, by the names of types in the schema.
_TYPES: Mapping[str, type] = {"object": dict, "array": list, "string": str, "boolean": bool}


class DescribedSet(TestSet):
    """A test set that a user's file describes.

    Attributes:
        name: the name in the description, `@`, and the first digits of the description's SHA-256 sum.
        path: the file of the description.
        text: the description.

    Raises:
        PurebleuError: the description is wrong. The message has the file, and the path of the wrong member.
    """

    def __init__(self, text: bytes, path: str) -> None:
        self.path = path
        self.text = text
        self._described = _parsed(text, path)
        _check_form(self._described, _schema(), path)
        name = self._described["name"]
        if name in catalogue():
            raise PurebleuError(f"{path}: name: the catalogue already has a test set called {name}")
        citation = self._described.get("citation", "").replace("\n", "\n  ")
        super().__init__(f"{name}@{sha256_of(text)[:_DIGITS]}",
                         f"description: {self._described['description']}\nformat: described\ncitation: {citation}")
        self._columns = {pair: self._columns_of(pair) for pair in self._described["pairs"]}
        self._folder = os.path.join(os.path.realpath(os.path.dirname(os.path.abspath(path))), "")
        self._checked: dict[str, tuple[int, int]] = {}  # the time and the size of each local file

    @property
    def langpairs(self) -> Mapping[str, list[str]]:
        return {pair: [pair] for pair in self._columns}

    def archives_of(self, langpair: str) -> list[tuple[str, str]]:
        return [(source["url"], f"sha256:{source['sha256']}")
                for source in self._columns[self.own_name(langpair)].values() if "url" in source]

    def files(self, langpair: str) -> dict[str, str]:
        for source in self._columns[self.own_name(langpair)].values():
            if "path" in source and os.path.exists(self._local(source)):
                state = os.stat(self._local(source))
                if self._checked.get(source["path"]) != (state.st_mtime_ns, state.st_size):
                    self._check(source)  # (the cache may have the text of an older version of the file)
                    self._checked[source["path"]] = state.st_mtime_ns, state.st_size
        return super().files(langpair)

    def _known_fields(self, langpair: str) -> list[str]:
        return [field for field in self._columns[langpair] if not field.startswith("where.")]

    def _columns_of(self, langpair: str) -> dict[str, dict[str, str]]:
        """Return a description of the column of each field of a pair, and of each condition (`where.N`)."""
        place = f"pairs.{langpair}"
        pair: dict[str, Any] = self._described["pairs"][langpair]
        fields: dict[str, Any] = {**self._described.get("fields", {}), **pair.get("fields", {})}
        if "src" not in fields:
            raise PurebleuError(f"{self.path}: {place}.fields: src is missing")
        if len({*map(str.lower, fields)}) < len(fields):
            raise PurebleuError(f"{self.path}: {place}.fields: names differ only in case")
        for index, condition in enumerate(self._member(langpair, "where", [])):
            fields[f"where.{index}"] = {"column": condition["column"]}
        columns: dict[str, dict[str, str]] = {}
        for name, field in fields.items():
            source: dict[str, str] = {}
            for level in (self._described, pair, {"column": field} if isinstance(field, str) else field):
                if "path" in level or "url" in level:
                    source = {key: value for key, value in source.items() if key not in _FILE}
                source.update({key: level[key] for key in (*_INHERITED, "column") if key in level})
            columns[name] = self._completed(source, name, f"{self.path}: {place}.{name}")
        return columns

    def _completed(self, source: dict[str, str], name: str, place: str) -> dict[str, str]:
        """Add defaults to a column's description, and return the description; raises `PurebleuError` if it is wrong."""
        if ("path" in source) == ("url" in source):
            raise PurebleuError(f"{place}: give either a path or a url")
        address = source.get("path") or source["url"]
        if "sha256" not in source:
            raise PurebleuError(f"{place}: sha256, the checksum of the file, is missing (purebleu testset new adds it)")
        kind = kind_of(source.get("member", address)).replace("sgm", "sgml") or "text"
        form = source.setdefault("format", kind)
        if form == "text" and source.setdefault("column", ""):
            raise PurebleuError(f"{place}: the format 'text' has no columns: remove \"column\" or set another format")
        if form in READERS and not source.get("column"):
            raise PurebleuError(f"{place}: the format {form} needs a column: add \"column\": NAME")
        is_text = form == "sgml" and (name == "src" or name.startswith("ref"))
        source.setdefault("column", "text" if is_text else name)
        return source

    def _member(self, langpair: str, name: str, usual: Any) -> Any:
        """Return a member of a pair's description or of the whole description. If both lack it, return `usual`."""
        return self._described["pairs"][langpair].get(name, self._described.get(name, usual))

    # From files to fields

    def _converted(self, members: Sequence[str]) -> dict[str, list[str]]:
        [langpair] = members
        by_file: dict[object, dict[str, dict[str, str]]] = {}
        for name, source in self._columns[langpair].items():
            file = sorted([item for item in source.items() if item[0] != "column"])
            by_file.setdefault(tuple(file), {})[name] = source
        columns: dict[str, list[str]] = {}
        for sources in by_file.values():
            try:
                columns.update(_columns_in(self._content(next(iter(sources.values()))), sources))
            except PurebleuError as error:
                raise PurebleuError(f"{self.path}: pairs.{langpair}.{', '.join(sources)}: {error}") from error
        fields = {name: columns[name] for name in self._columns[langpair]}
        lengths = {name: len(lines) for name, lines in fields.items()}
        if len({*lengths.values()}) > 1:
            raise PurebleuError(f"{self.path}: pairs.{langpair}: columns differ in length: {lengths}")
        for index, member in enumerate(self._member(langpair, "where", [])):
            condition = Condition(member["column"], member["is"], member["value"])
            keep = list(map(condition.is_met, fields.pop(f"where.{index}")))
            fields = {name: list(compress(lines, keep)) for name, lines in fields.items()}
        if self._member(langpair, "paragraphs", False):
            fields = _split(fields)
        for name, lines in fields.items():
            fields[name] = [line.translate(_SPACES) for line in lines]
        return fields

    def _local(self, source: dict[str, str]) -> str:
        """Return the path of a local file; raises `PurebleuError` if a link leads out of the description's folder."""
        path = os.path.realpath(os.path.join(self._folder, *source["path"].split("/")))
        if not path.startswith(self._folder):
            raise PurebleuError(f"{self.path}: {source['path']} is outside of the folder of the description")
        return path

    def _check(self, source: dict[str, str]) -> str:
        """Return the path of a local file; raises `PurebleuError` if the file has another checksum."""
        path = self._local(source)
        try:
            check_file(BytesIO(read_cached(path, MAX_BYTES)), f"sha256:{source['sha256']}")
        except PurebleuError as error:
            raise PurebleuError(f"{self.path}: {source['path']}: {error}") from error
        return path

    def _content(self, source: dict[str, str]) -> bytes:
        """Return the verified content of a local or fetched file (or of a member, if the file is an archive)."""
        if "path" in source:
            path, name = self._check(source), source["path"].rpartition("/")[2]
        else:
            # (Each checksum has a folder, because files from several addresses may have the same name.)
            folder = f"{self.name}/{source['sha256'][:_DIGITS]}"
            path = Source(folder, "described", ()).archive(source["url"], f"sha256:{source['sha256']}")
            name = source["url"].rpartition("/")[2]
        contents: list[bytes] = []
        member = source.get("member", name)
        read_members(path, name, {member}, lambda _, stream: contents.append(stream.read()))
        if not contents:
            raise PurebleuError(f"{name} has no member {member}")
        return contents[-1]


def _columns_in(content: bytes, sources: Mapping[str, dict[str, str]]) -> dict[str, list[str]]:
    """Return columns from the content of a file. `sources` describes the columns."""
    from .wmt_xml import xml_fields

    source = next(iter(sources.values()))
    form, encoding = source["format"], source.get("encoding", "utf-8")
    columns = {name: described["column"] for name, described in sources.items()}
    if form == "xml":
        fields = xml_fields(BytesIO(content))
    else:
        try:
            text = content.decode(encoding)
        except UnicodeError as error:
            raise PurebleuError(f"not valid {encoding} ({error})") from error
        text = text[1:] if text.startswith("\ufeff") else text
        if form in READERS:
            reader = READERS[form](None, encoding)
            reader.name = source.get("path") or source["url"]
            reader.stream = LineStream(reader.name, ends=None, text=text)
            streams = {name: reader.column(column, column, KEYS if name.startswith("where.") else IDS)
                       for name, column in columns.items()}
            return {name: stream.read(sys.maxsize) for name, stream in streams.items()}
        lines = text.split("\n")[:-1] if text.endswith("\n") else text.split("\n")
        fields = sgml_fields(lines) if form == "sgml" else {"": text_lines(lines)}
    for column in columns.values():
        if column not in fields:
            raise PurebleuError(f"there is no column {column!r}; the columns are {', '.join(fields)}")
    return {name: fields[column] for name, column in columns.items()}


def _split(fields: dict[str, list[str]]) -> dict[str, list[str]]:
    """Split the source and the references of each segment into paragraphs; each paragraph becomes a segment."""
    roles = {name: REFERENCES if name.startswith("ref") else IDS for name in fields}
    roles["src"] = SOURCE
    held = [HeldLines(name, lines) for name, lines in fields.items()]
    streams = ParagraphReader(held, list(roles.values())).columns
    return {name: stream.read(sys.maxsize) for name, stream in zip(fields, streams)}


# The form of a description


def schema_text() -> str:
    """Return the JSON Schema of descriptions."""
    return own_file("datasets/data/test_set.schema.json").decode("ascii")


@lru_cache(maxsize=None)
def _schema() -> Any:
    import json

    return json.loads(schema_text())


def _parsed(text: bytes, path: str) -> Any:
    import json

    try:
        return json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise PurebleuError(f"{path}: the file is not valid JSON ({error!s:.200})") from None


def _check_form(value: Any, form: Mapping[str, Any], path: str, place: str = "") -> None:
    """Raise `PurebleuError` if a value does not match a part of the JSON Schema.

    `form` is the part of the schema, and `place` is the path of the value in the description.
    """
    if "$ref" in form:
        form = _schema()["$defs"][form["$ref"].rpartition("/")[2]]
    where = f"{path}: {place or 'the description'}"
    kinds = [form["type"]] if isinstance(form["type"], str) else form["type"]
    if type(value) not in [_TYPES[kind] for kind in kinds]:
        raise PurebleuError(f"{where}: a JSON {' or '.join(kinds)} was expected, not {value!r:.60}")
    if isinstance(value, str) and not (_matches(form.get("pattern", ""), value) and value in form.get("enum", [value])):
        expected = f"one of {', '.join(form['enum'])}" if "enum" in form else f"of the form {form['pattern']}"
        raise PurebleuError(f"{where}: {value!r:.60} is not {expected}")
    if isinstance(value, list):
        for index, item in enumerate(value):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
            _check_form(item, form["items"], path, f"{place}.{index}")
    if isinstance(value, dict):
        for name in form.get("required", ()):
            if name not in value:
                raise PurebleuError(f"{where}: {name} is missing")
        if len(value) < form.get("minProperties", 0):  # pyright: ignore[reportUnknownArgumentType]
            raise PurebleuError(f"{where} must not be empty")
        known: dict[str, Any] = form.get("properties", {})
        members: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]  # JSON
        for name, member in members.items():
            forms = [known[name]] if name in known else [
                part for pattern, part in form.get("patternProperties", {}).items() if _matches(pattern, name)]
            if not forms:
                raise PurebleuError(f"{where}: {name!r:.60} is not a known member{nearest(name, known)}")
            _check_form(member, forms[0], path, f"{place}.{name}".lstrip("."))


def _matches(pattern: str, text: str) -> bool:
    """Return whether a pattern of the schema matches a text. (Python's `$` also matches before a final line feed.)"""
    import re

    return re.search(pattern.replace("$", r"\Z"), text) is not None


def described_by(text: bytes, path: str) -> DescribedSet:
    """Return the test set that the description `text` describes. `path` is the file of the description."""
    return _described_by(text, path, os.path.abspath(path))


@lru_cache(maxsize=None)
def _described_by(text: bytes, path: str, _: str) -> DescribedSet:
    # (A test set is made only once, because it remembers which files it has checked.)
    return DescribedSet(text, path)


def read_description(path: str) -> DescribedSet:
    """Return the test set that a file describes."""
    return described_by(read_cached(path, _MAX_DESCRIPTION), path)
