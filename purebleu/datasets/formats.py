"""From published files to the fields of test sets: a list of lines for each, all of the same length.

Each function takes the lines or the bytes of one file, and returns the same text as sacreBLEU, line for line. If a file
would be garbled, it is refused with a `PurebleuError`.
"""

from __future__ import annotations

from ..errors import PurebleuError
from ..unicode.properties import WHITESPACE, clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Iterable, List, Sequence, Union

    from .archives import Capped

    #: Lines by the names of fields.
    Fields = Dict[str, List[str]]

    #: A column of a table: its number, counted from 0, or its name in the first line; -1: the file is no table.
    Column = Union[int, str]

#: Fields of a document in SGML, which its segments share.
DOCUMENT_FIELDS = ("docid", "genre", "origlang")


def text_lines(lines: Iterable[str]) -> list[str]:
    """Return the segments of plain text, which has one on each line."""
    return [line.rstrip(WHITESPACE) for line in lines]


def tsv_column(lines: Sequence[str], column: Column) -> list[str]:
    """Return one column of lines whose columns are separated by tabs."""
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


# Formats

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


def column_of_member(form: str, index: int, member: str) -> tuple[Column, str]:
    """Return the column and the name of the member that a field of this index comes from.

    The column stands before the name, as in `1:train.tsv`, or of parallel files in `docid=column:train.tsv`. By
    default, the first column of TSV is the source, and the second one the reference.
    """
    described = member.rpartition("=")[2] if form == "parallel" else member
    column, colon, name = described.partition(":")
    if colon and form in ("tsv", "parallel"):
        return (int(column) if form == "tsv" else column), name
    return (min(index, 1) if form == "tsv" else -1), described


def read_member(form: str, member: str, stream: Capped, uses: Sequence[tuple[str, Column]]) -> Fields:
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
