"""Read columns of files with records (JSON Lines, CSV, TSV), split texts into paragraphs, and check conditions.

A manifest is a table of the outputs and references of several language pairs.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from contextlib import closing
from itertools import chain, groupby, islice, zip_longest

from ..runtime.errors import FieldCountError, OptionError, PurebleuError, counted, warn
from ..runtime.hints import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Sequence
from ..unicode.properties import WHITESPACE
from .lines import LineStream, is_blank
from .opening import HYPOTHESES, IDS, KEYS, REFERENCES, SAMPLES, SCORES, SOURCE, kind_of

#: The number of lines that are read at once.
_READ_AT_ONCE = 128

#: The stand-in for a missing member of a JSON object.
_MISSING = object()

#: The number of a column has at most this many digits. (Python refuses to convert thousands of digits.)
_MAX_DIGITS = 18

#: The size limit of a CSV field: the largest limit that the module `csv` accepts on all platforms.
_MAX_FIELD = 2**31 - 1


class RecordReader:
    """Reads a file of records once, for all columns together.

    Attributes:
        path: the path of the file; `None` for standard input.
        name: the name in errors.
        stream: the lines of the file.
        selectors: the selector and the role of each column to read.
        optional: the selectors of columns that may be missing. A missing value becomes an empty text.
    """

    #: The key of this class in `READERS`.
    KIND = ""

    def __init__(self, path: str | None, encoding: str) -> None:
        self.stream = LineStream(path, encoding, ends=None)
        self.path = path
        self.name = self.stream.name
        if path is not None and not kind_of(path):
            self.name += f" (which looks like {self.KIND})"
        self.selectors: list[tuple[str, str]] = []
        self.optional: set[str] = set()
        self._columns: list[RecordColumn] = []
        self._records = self._read_records()

    def column(self, name: str, selector: str, role: str, optional: bool = False) -> RecordColumn:
        """Return a column. (Request all columns of a file before you read a column.)

        Args:
            name: the name in errors.
            selector: the text that selects the column, such as its heading.
            role: `HYPOTHESES`, `REFERENCES`, `IDS`, `SOURCE`, `SCORES`, `SAMPLES` or `KEYS`.
            optional: whether the column may be missing.
        """
        if optional:
            self.optional.add(selector)
        self.selectors.append((selector, role))
        column = RecordColumn(name, role == REFERENCES, self.stream, self._advance)
        column.file = self
        self._columns.append(column)
        return column

    def _advance(self, limit: int) -> None:
        """Read up to `limit` records, and append their values to the columns."""
        for record in islice(self._records, limit):
            for column, value in zip(self._columns, record):
                column.waiting.append(value)

    def _read_records(self) -> Iterator[Sequence[Any]]:
        """Yield the values of all columns, record by record; raises `PurebleuError` with the line of a wrong record.

        A value is a text. A value in a column of references may also be a list of texts and `None`, and a value in a
        column of scores may also be a list of scores.
        """
        raise NotImplementedError

    def _lines(self) -> Iterator[str]:
        """Yield the lines with their line feeds, but without the byte-order mark that spreadsheets write."""
        lines: list[str] = self.stream.read(_READ_AT_ONCE)
        if lines and lines[0].startswith("\ufeff"):
            lines[0] = lines[0][1:]
        while lines:
            yield from lines
            lines = self.stream.read(_READ_AT_ONCE)


class RecordColumn:
    """A column of a file, with the methods of a `LineStream`. All columns of a file are read together.

    Attributes:
        name: the name in errors and tables.
        varies: whether a value may be a list of texts, or `None`.
        file: the reader of the file; `None` for paragraphs of several files.
        count: the number of values that `read` has returned.
        waiting: the values that have been read from the file, but not yet returned by `read`.

    Args:
        name: the name in errors and tables.
        varies: whether a value may be a list of texts, or `None`.
        stream: the stream that the values come from.
        advance: a function that reads N records, or fewer at the end, and appends the column's values to `waiting`.
    """

    def __init__(self, name: str, varies: bool, stream: Any, advance: Callable[[int], None]) -> None:
        self.name = name
        self.varies = varies
        self.file: RecordReader | None = None
        self.count = 0
        self.waiting: deque[Any] = deque()
        self._stream = stream
        self._advance = advance

    def read(self, limit: int) -> list[Any]:
        """Return the next `limit` values, or fewer at the end."""
        if len(self.waiting) < limit:
            self._advance(limit - len(self.waiting))
        values = [self.waiting.popleft() for _ in range(min(limit, len(self.waiting)))]
        self.count += len(values)
        return values

    def fraction_read(self) -> float | None:
        """Return the share of the file that has been read; `None` if the share is unknown."""
        return self._stream.fraction_read()  # type: ignore[no-any-return]

    def close(self) -> None:
        self._stream.close()


class JSONLines(RecordReader):
    """Reads JSON Lines (an object on each line), or JSON with one array of objects.

    A column is selected by the name of a member, or by a path of names and list indices (`choices.0.text`,
    `messages[-1].content`). Indices count from 0; negative indices count from the end. Blank lines are skipped.
    """

    KIND = "jsonl"

    def _read_records(self) -> Iterator[Sequence[Any]]:
        for where, record in self._values():
            if not isinstance(record, dict):
                raise PurebleuError(f"{where} is {_kind(record)}, not an object")
            values: list[Any] = []
            for selector, role in self.selectors:
                value = _member(record, selector)  # pyright: ignore[reportUnknownArgumentType]  # JSON
                if value is not _MISSING:
                    values.append(_checked_value(value, f"{where}: {selector!r}", role))
                elif selector in self.optional:
                    values.append("")
                else:
                    raise PurebleuError(f"{where} has no {selector!r}; this record has "
                                        f"{', '.join(map(repr, record)) or 'nothing'}")  # pyright: ignore[reportUnknownArgumentType]  # JSON
            yield values

    def _values(self) -> Iterator[tuple[str, Any]]:
        """Yield the position and the value of each line, or of each item of the array."""
        is_first = True
        lines = enumerate(self._lines(), 1)
        for number, line in lines:
            if is_blank(line):
                continue
            if is_first and line.lstrip().startswith("["):
                text = line + "".join([following for _, following in lines])
                for item, value in enumerate(_value_of(text, self.name, number), 1):
                    yield f"{self.name}: item {item}", value
                return
            is_first = False
            yield f"{self.name}: line {number}", _value_of(line, self.name, number)


def _value_of(text: str, name: str, line: int) -> Any:
    """Return the value of a JSON text, which begins on the line number `line` of the file."""
    import json

    try:
        return json.loads(text.rstrip("\r\n"))
    except json.JSONDecodeError as error:
        where = f"{name}: line {line + error.lineno - 1}, column {error.colno}"
        reason = ascii(error.msg).strip("'\"")  # (PyPy 7.3.11 may quote half of a character, and can't format that)
        raise PurebleuError(f"{where}: not JSON ({reason})") from None
    except (ValueError, RecursionError) as error:
        raise PurebleuError(f"{name}: line {line}: the JSON can't be read ({error})") from None


def _member(record: dict[str, Any], selector: str) -> Any:
    """Return the member of a record that `selector` names; `_MISSING` if there is no such member."""
    if selector in record:
        return record[selector]
    value: Any = record
    rest, dot = selector.replace("[", ".").replace("]", ""), "."
    while dot:
        member: Any = _MISSING
        if isinstance(value, dict) and rest in value:  # (a name may contain dots, such as `GPT4.1`)
            return value[rest]  # pyright: ignore[reportUnknownVariableType]  # JSON
        name, dot, rest = rest.partition(".")
        if isinstance(value, dict):
            member = value.get(name, _MISSING)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # JSON
        elif isinstance(value, list) and name[name.startswith("-"):].isdecimal() and len(name) <= _MAX_DIGITS:
            member = value[int(name)] if -len(value) <= int(name) < len(value) else _MISSING  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # JSON
        if member is _MISSING:
            return _MISSING
        value = member  # pyright: ignore[reportUnknownVariableType]  # JSON
    return value  # pyright: ignore[reportUnknownVariableType]  # JSON


def _checked_value(value: Any, where: str, role: str) -> str | list[str | None]:
    """Return a JSON value in the form for a column's role; raises `PurebleuError` for a value of the wrong type."""
    kind: object = type(value)  # pyright: ignore[reportUnknownVariableType]  # JSON
    if role in (REFERENCES, SAMPLES) and (value is None or kind is list):
        return [None if reference is None else _text_of(reference, where) for reference in value or ()]
    if role == SCORES and kind is list and len(value) != 1:
        return [str(_checked_value(score, where, role)) for score in value]
    if role == KEYS and kind not in (str, list, dict):
        return "" if value is None else str(value).lower()
    if kind is list and len(value) == 1:  # (some programs write a list of answers even if there is only one answer)
        return _checked_value(value[0], where, role)
    if role == IDS and kind is int:
        return str(value)
    if role == SCORES and kind in (int, float):
        return repr(value)
    if value is None and role != SCORES:
        raise PurebleuError(f'{where} is null, not text (write "" for an empty text)')
    return _text_of(value, where)


def _text_of(value: Any, where: str) -> str:
    """Return a text without whitespace at its end. If the value is not a text, raise `PurebleuError`."""
    if not isinstance(value, str):
        raise PurebleuError(f"{where} is {_kind(value)}, not text")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise PurebleuError(f"{where} has half of a surrogate pair, which is not a character") from None
    return value.rstrip(WHITESPACE)


def _kind(value: object) -> str:
    """Return the type of a JSON value in the words of error messages."""
    names: dict[type, str] = {dict: "an object", list: "a list", str: "a text", bool: "true or false",
                              type(None): "null"}
    return names.get(type(value), "a number")


class _Delimited(RecordReader):
    """Reads records whose fields are separated by a delimiter.

    A column is selected by its heading in the first record, or by its number from 1. If all selectors are numbers, the
    first record has values and not headings.
    """

    #: The possible delimiters. They are tried in this order, until the first line has all headings.
    DELIMITERS = ""

    def _fields(self, lines: Iterable[str], delimiter: str) -> Iterator[tuple[int, Sequence[str]]]:
        """Yield the fields of the records, each with the number of its first line."""
        raise NotImplementedError

    def _read_records(self) -> Iterator[Sequence[Any]]:
        lines = self._lines()
        first = next(lines, None)
        if first is None:
            return
        names = [name for name, _ in self.selectors]
        headings = [name for name in names if not name.isdecimal()]
        delimiter = self._delimiter([name for name in headings if name not in self.optional], first)
        records = self._fields(chain([first], lines), delimiter)
        start = next(records)
        width = len(start[1])
        indices = [None if name in self.optional and name not in start[1] else self._index(name, start[1])
                   for name in names]
        if not headings:
            following = list(islice(records, 1))
            self._warn_of_heading(start[1], following)
            records = chain([start], following, records)
        for number, fields in records:
            if len(fields) != width:
                if width > 1 and not any(fields):
                    continue  # a blank line
                what = counted(len(fields), "field")
                raise FieldCountError(f"{self.name}: line {number} has {what}, but the first line has {width}")
            yield ["" if index is None else fields[index].rstrip(WHITESPACE) for index in indices]

    def _warn_of_heading(self, fields: Sequence[str], following: Sequence[tuple[int, Sequence[str]]]) -> None:
        """Warn if the first record is read as values, but looks like headings of columns."""
        from .forms import advice_on_columns, is_heading

        if following and is_heading(fields):
            warn(advice_on_columns("a heading", dict(zip(fields, following[0][1])), self.name, self.KIND))

    def _delimiter(self, headings: Sequence[str], first: str) -> str:
        """Return the first delimiter that splits `first` into fields with all headings; by default, `DELIMITERS[0]`."""
        for delimiter in self.DELIMITERS:
            try:
                _, fields = next(self._fields([first], delimiter))
            except PurebleuError:
                continue  # with the next delimiter, the file may be valid CSV
            if all(heading in fields for heading in headings):
                return delimiter
        return self.DELIMITERS[0]

    def _index(self, name: str, fields: Sequence[str]) -> int:
        """Return the index of the column called `name` (or its number - 1), from the fields of the first record."""
        if name.isdecimal():
            if len(name) > _MAX_DIGITS or not 1 <= int(name) <= len(fields):
                raise FieldCountError(f"{self.name}: there is no column {name:.20} (columns in the first line: "
                                      f"{len(fields)})")
            return int(name) - 1
        if fields.count(name) != 1:
            problem = "several columns are called" if name in fields else "no column is called"
            raise PurebleuError(f"{self.name}: {problem} {name!r}; the first line has {', '.join(map(repr, fields))}")
        return fields.index(name)


class CSVFile(_Delimited):
    """Reads CSV (RFC 4180), as spreadsheets write it: commas separate fields, and fields may be quoted.

    If the first line, split at commas, lacks the heading of a column, semicolons are tried.
    """

    DELIMITERS = ",;"
    KIND = "csv"

    def _fields(self, lines: Iterable[str], delimiter: str) -> Iterator[tuple[int, Sequence[str]]]:
        import csv

        csv.field_size_limit(_MAX_FIELD)
        reader = csv.reader(map(self._without_nul, lines), delimiter=delimiter, strict=True)
        number = 1
        try:
            for fields in reader:
                yield number, fields or [""]
                number = reader.line_num + 1
        except csv.Error as error:
            raise PurebleuError(f"{self.name}: line {number}: not CSV ({error})") from None

    def _without_nul(self, line: str) -> str:
        if "\0" in line:  # (not all versions of Python read such CSV)
            raise PurebleuError(f"{self.name} is not CSV, because it has a NUL character")
        return line


class TSVFile(_Delimited):
    """Reads TSV, as translation programs write it: tabs separate fields, and quotes are part of the text."""

    DELIMITERS = "\t"
    KIND = "tsv"

    def _fields(self, lines: Iterable[str], delimiter: str) -> Iterator[tuple[int, Sequence[str]]]:
        is_warned = False
        for number, line in enumerate(lines, 1):
            fields = line.rstrip("\r\n").split(delimiter)
            if '"' in line and not is_warned and any(map(_is_quoted, fields)):
                is_warned = True
                warn(f"{self.name}: line {number} has a field in quotes, as in CSV; in TSV, quotes are part of the "
                     "text (save the file as CSV)")
            yield number, fields


def _is_quoted(field: str) -> bool:
    """Return whether a field is quoted as in CSV, with doubled quotes inside."""
    inside = field[1:-1]
    return len(field) > 1 and field[0] == field[-1] == '"' and '"' in inside and '"' not in inside.replace('""', "")


#: The reader of each kind of file.
READERS = {"jsonl": JSONLines, "csv": CSVFile, "tsv": TSVFile}


def read_columns(path: str | None, kind: str, encoding: str,
                 columns: Sequence[tuple[str, str, bool]]) -> list[list[Any]]:
    """Return all values of some columns of a file of records.

    Args:
        path: the path of the file; `None` for standard input.
        kind: a key of `READERS`.
        encoding: the encoding of the file.
        columns: for each column, its selector, its role, and whether it may be missing.
    """
    reader = READERS[kind](path, encoding)
    with closing(reader.stream):
        streams = [reader.column(selector, selector, role, optional) for selector, role, optional in columns]
        return [stream.read(sys.maxsize) for stream in streams]


def reference_streams(columns: Sequence[Sequence[Any]], varying: Sequence[bool], name: str,
                      first: int) -> list[Sequence[Any]]:
    """Split columns of references, some with lists of references, into streams with one reference for each segment.

    The streams of first references of all columns come before the streams of second references, and so on. This order
    gives a stream the same index in all blocks of a corpus, even if segments have different numbers of references. A
    missing reference is `None`.

    Args:
        columns: columns of texts. If `varying` is true for a column, its values may also be lists of texts, or `None`.
        varying: for each column, whether it may have lists.
        name: the name of the references in errors.
        first: the number of the first segment.

    Raises:
        PurebleuError: a segment has no reference.

    Example:
        >>> reference_streams([["a", "b"], [["c", "d"], None]], [False, True], "ref", 1)
        [['a', 'b'], ['c', None], ['d', None]]
    """
    by_column: list[Sequence[Sequence[Any]]] = []
    for column, varies in zip(columns, varying):
        if varies:
            lists = [[value] if isinstance(value, str) else value or [] for value in column]
            by_column.append(list(map(list, zip_longest(*lists))) or [[None] * len(column)])
        else:
            by_column.append([column])
    streams: list[Sequence[Any]] = []
    for position in range(max(map(len, by_column))):
        for column, varies in zip(by_column, varying):
            if position < len(column):
                streams.append(column[position])
            elif varies:
                streams.append([None] * len(columns[0]))
    while len(streams) > len(columns) and not any(reference is not None for reference in streams[-1]):
        del streams[-1]
    for number, references in enumerate(zip(*streams), first):
        if not any(reference is not None for reference in references):
            raise PurebleuError(f"{name}: segment {number} has no reference")
    return streams


# Manifests: tables of the outputs and references of several language pairs

#: The columns of a manifest: the name, the role, and whether the column may be missing.
_MANIFEST_COLUMNS = (("name", HYPOTHESES, False), ("pair", HYPOTHESES, False), ("references", REFERENCES, False),
                     ("hypothesis", HYPOTHESES, False), ("source", HYPOTHESES, True))

#: The separator between files of references in one field.
_BETWEEN_FILES = ";"


class ManifestPair(NamedTuple):
    """The systems of a language pair.

    Attributes:
        pair: the name of the language pair, such as `en-de`.
        references: the files of references.
        source: the file of the source; empty if there is none.
        names: the names of the systems, in the order of the table.
        hypotheses: the file of each system.
        scores: the files of external scores of each system, by the names of their columns.
    """

    pair: str
    references: Sequence[str]
    source: str
    names: list[str]
    hypotheses: list[str]
    scores: list[dict[str, str]]


def read_manifest(path: str, encoding: str = "utf-8", scores: Sequence[str] = ()) -> list[ManifestPair]:
    """Return the language pairs in a manifest, in the order of their first rows.

    Args:
        path: the path of a table (`.tsv`, `.csv` or `.jsonl`). The columns are `name` (of the system), `pair`,
            `references` (files, separated by semicolons; in JSON Lines also a list), `hypothesis` (a file), and maybe
            `source` (a file). Files are relative to the folder of the table.
        encoding: the encoding of the table.
        scores: the names of further columns, which have files of external scores.

    Raises:
        PurebleuError: the table can't be read, a field is empty, a system has two outputs for a pair, or a pair has two
            sets of references or two sources.
    """
    kind = kind_of(path)
    if kind not in READERS:
        raise PurebleuError(f"{path}: a manifest is a table whose name ends in .tsv, .csv or .jsonl")
    pairs: dict[str, ManifestPair] = {}
    folder = os.path.dirname(path)
    columns = [*_MANIFEST_COLUMNS, *[(name, HYPOTHESES, False) for name in scores]]
    records = zip(*read_columns(path, kind, encoding, columns))
    for number, (name, pair, references, hypothesis, source, *score_files) in enumerate(records, 1):
        where = f"{path}: system {number}"
        if isinstance(references, str):
            references = references.split(_BETWEEN_FILES)
        files = [(file or "").strip() for file in references or []]
        for column, value in (("name", name), ("pair", pair), ("references", all(files) and files),
                              ("hypothesis", hypothesis), *zip(scores, score_files)):
            if not value:
                raise PurebleuError(f"{where} has no {column}")
        files = [_path_of(folder, file, where) for file in files]
        hypothesis, source, *score_files = [_path_of(folder, file, where)
                                            for file in (hypothesis, source, *score_files)]
        listed = pairs.setdefault(pair, ManifestPair(pair, files, source, [], [], []))
        if listed.source != source:
            raise PurebleuError(f"{where}: the source of {pair} is not the same as in the rows above")
        if listed.references != files:
            raise PurebleuError(f"{where}: the references of {pair} are not the same as in the rows above")
        if name in listed.names:
            raise PurebleuError(f"{where}: {name} already has an output for {pair}")
        listed.names.append(name)
        listed.hypotheses.append(hypothesis)
        listed.scores.append(dict(zip(scores, score_files)))
    if not pairs:
        raise PurebleuError(f"{path}: the manifest has no systems")
    return list(pairs.values())


def _path_of(folder: str, file: str, where: str) -> str:
    """Return the path of a file in the folder of the table; empty if the name is empty."""
    if "\0" in file:
        raise PurebleuError(f"{where}: {file!r:.80} has a NUL character, which no file name can have")
    return file and os.path.join(folder, file)


# Conditions, of `--where` and of a test set's description

#: For each sign of a condition, the function that compares the text of a column with the value of the condition.
#: (`is_met` handles `~` itself.)
_MEETS: Mapping[str, Callable[[str, str], bool]] = {"=": str.__eq__, "!=": str.__ne__, "prefix": str.startswith,
                                                    "contains": str.__contains__}


class Condition(NamedTuple):
    """A condition on a column of a row.

    Attributes:
        column: the name of the column.
        sign: `=`, `!=`, `prefix`, `contains`, or `~` for a regular expression that matches a part of the text.
        value: the text, or the regular expression, that the column's text is compared with.
    """

    column: str
    sign: str
    value: str

    def is_met(self, text: str) -> bool:
        """Return whether the text of the column meets the condition."""
        if self.sign == "~":
            import re

            return re.search(self.value, text) is not None
        return _MEETS[self.sign](text, self.value)

    def __str__(self) -> str:
        return f"{self.column}{self.sign}{self.value}"


def condition_of(text: str) -> Condition:
    """Return the condition `COLUMN=VALUE`, `COLUMN!=VALUE` or `COLUMN~REGEX`.

    Raises:
        OptionError: the text is not such a condition, or the regular expression is wrong.

    Example:
        >>> condition = condition_of("doc_id~^en-is_")
        >>> condition.column, condition.is_met("en-is_IS_#_news"), condition.is_met("cs-de_DE_#_news")
        ('doc_id', True, False)
    """
    import re

    match = re.match("([^=~!]+)(!=|=|~)(.*)", text, re.DOTALL)
    if match is None:
        raise OptionError(f"{text!r:.60} is not of the form COLUMN=VALUE, COLUMN!=VALUE or COLUMN~REGEX", "where")
    column, sign, value = match.groups()
    if sign == "~":
        check_regex(value, "where")
    return Condition(column, sign, value)


def check_regex(pattern: str, option: str) -> None:
    """Raise `OptionError` for a text that is not a regular expression."""
    import re

    try:
        re.compile(pattern)
    except re.error as error:
        raise OptionError(f"{pattern!r} is not a regular expression: {error}", option=option) from error


# Texts with several paragraphs, such as documents in JSON Lines: each paragraph becomes a segment

#: The roles of columns with one value for each paragraph: texts are split, and scores are in lists. The value of any
#: other column is repeated for each paragraph of a record.
_SPLIT = (HYPOTHESES, REFERENCES, SOURCE, SCORES)


def paragraphs(text: str) -> list[str]:
    """Split a text into paragraphs at blank lines. A blank text is one empty paragraph.

    >>> paragraphs("One line,\\nand another.\\n\\n \\nThe next one.\\n")
    ['One line,\\nand another.', 'The next one.']
    """
    runs = groupby(text.split("\n"), lambda line: not line.strip())
    return ["\n".join(lines) for are_blank, lines in runs if not are_blank] or [""]


class ParagraphReader:
    """Splits parallel streams of texts into paragraphs. Parallel texts must have the same number of paragraphs.

    Args:
        streams: streams of lines or columns of records.
        roles: the role of each stream.

    Attributes:
        columns: a stream of paragraphs for each stream.
    """

    def __init__(self, streams: Sequence[Any], roles: Sequence[str]) -> None:
        self._streams = streams
        self._roles = roles
        self._records = self._read_records()
        self.columns = [RecordColumn(stream.name, getattr(stream, "varies", False), stream, self._advance)
                        for stream in streams]

    def _advance(self, limit: int) -> None:
        """Read up to `limit` records, and append their paragraphs to the columns."""
        for record in islice(self._records, limit):
            for column, values in zip(self.columns, record):
                column.waiting.extend(values)

    def _read_records(self) -> Iterator[Sequence[Sequence[Any]]]:
        """Yield the paragraphs of each column, record by record.

        Raises `PurebleuError`, with the number of the record, if parallel texts have different numbers of paragraphs.
        (Different numbers of records are reported by `aligned_blocks`.)
        """
        while any(values := [stream.read(1) for stream in self._streams]):
            number = max([stream.count for stream in self._streams])
            columns: list[list[Any]] = []
            counts: dict[str, int] = {}
            for stream, stream_values, role in zip(self._streams, values, self._roles):
                texts = _paragraphs_of(stream_values[0], role, number) if stream_values else []
                columns.append(texts)
                if stream_values and role in _SPLIT:
                    counts[stream.name] = len(texts)
            if len({*counts.values()}) > 1:
                described = ", ".join([f"{count} in {name}" for name, count in counts.items()])
                raise PurebleuError(f"record {number}: the columns have different numbers of paragraphs: {described}")
            count = max(counts.values(), default=1)
            yield [texts if role in _SPLIT else texts * count for texts, role in zip(columns, self._roles)]


def _paragraphs_of(value: Any, role: str, number: int) -> list[Any]:
    """Split a value of a column into paragraphs. A list of references becomes one list for each paragraph.

    Raises `PurebleuError`, with the number of the record, if references have different numbers of paragraphs.
    """
    if role not in _SPLIT or value is None:
        return [value]
    if role == SCORES:
        return value if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, str):
        return paragraphs(value)
    texts_by_reference: list[Any] = [reference if reference is None else paragraphs(reference) for reference in value]
    counts = {len(texts) for texts in texts_by_reference if texts is not None}
    if len(counts) > 1:
        raise PurebleuError(f"record {number}: the references have different numbers of paragraphs: "
                            f"{', '.join(map(str, sorted(counts)))}")
    count = max(counts, default=1)
    columns = [[None] * count if texts is None else texts for texts in texts_by_reference]
    return list(map(list, zip(*columns))) or [[]]
