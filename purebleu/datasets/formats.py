"""From the files that test sets are published in to their fields: a list of lines for each, all of the same length.

Each function takes the lines, or the bytes, of one file, and gives sacreBLEU's text, line for line. What it would
garble is refused, with a `PurebleuError` that says what is wrong.
"""

from __future__ import annotations

from ..errors import PurebleuError
from ..unicode.whitespace import SPACES, WHITESPACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO, Callable, Dict, Iterable, List, Sequence, Tuple

    from .archives import Capped

    #: Lines by the names of fields.
    Fields = Dict[str, List[str]]

    #: The fields to make of a member, with a column each (-1 where it has none).
    Uses = Sequence[Tuple[str, int]]

#: Elements within elements, beyond which no test set goes.
_MAX_DEPTH = 32

#: Fields of a document in SGML, which its segments share.
DOCUMENT_FIELDS = ("docid", "genre", "origlang")


def clean(text: str) -> str:
    """The text with one space for each run of whitespace, and none at its ends."""
    return " ".join(filter(None, text.translate(SPACES).split(" ")))


def text_lines(lines: Iterable[str]) -> list[str]:
    """Plain text, a segment a line."""
    return [line.rstrip(WHITESPACE) for line in lines]


def tsv_column(lines: Iterable[str], column: int) -> list[str]:
    """One column, counted from 0, of lines whose columns are separated by tabs."""
    found: list[str] = []
    for number, line in enumerate(lines, 1):
        columns = line.rstrip("\n").split("\t")
        if column >= len(columns):
            raise PurebleuError(f"line {number} has {len(columns)} columns, but column {column + 1} is needed")
        found.append(columns[column])
    return found


def sgml_fields(lines: Iterable[str]) -> dict[str, list[str]]:
    """WMT's format until 2020, and IWSLT's: under "text" the segments, and the `DOCUMENT_FIELDS`.

    It looks like SGML, but isn't escaped, and has each segment on a line of its own; so lines are all that counts.
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


class _Document:
    """A document of WMT's XML: segments by number of the source, of each translator, and of each system."""

    def __init__(self, attributes: dict[str, str]) -> None:
        self.attributes = attributes
        self.source: dict[int, str] = {}
        self.references: dict[str, dict[int, str]] = {}
        self.systems: dict[str, dict[int, str]] = {}


def reference_field(translator: str) -> str:
    """The field of a translator's reference, who may have no name.

    >>> reference_field("A"), reference_field("")
    ('ref:A', 'ref')
    """
    return f"ref:{translator}" if translator else "ref"


def xml_fields(stream: BinaryIO) -> dict[str, list[str]]:
    """WMT's format since 2021: `src`, a reference of each translator, `docid`, `origlang`, each system, and `domain`.

    Test suites are left out, and so are segments without any reference.
    """
    reader = _XMLReader()
    reader.read(stream)
    translators = sorted(reader.translators)
    columns: dict[str, list[str]] = {"src": [], **{reference_field(name): [] for name in translators},
                                     "docid": [], "origlang": []}
    systems: dict[str, list[str]] = {}
    domains: list[str] = []
    has_domains = False
    for document in reader.documents:
        for number in sorted(document.source):
            references = {name: document.references.get(name, {}).get(number, "") for name in translators}
            if not any(references.values()):
                continue
            columns["src"].append(document.source[number])
            for name, text in references.items():
                columns[reference_field(name)].append(text)
            for name, segments in document.systems.items():
                if number not in segments:
                    raise PurebleuError(f"the system {name} has no segment {number} of "
                                        f"document {document.attributes['id']}")
                systems.setdefault(name, []).append(segments[number])
            columns["docid"].append(document.attributes["id"])
            columns["origlang"].append(document.attributes["origlang"])
            domains.append(document.attributes.get("domain", ""))
            # sacreBLEU-compat: the last document tells. (fixtures: datasets)
            has_domains = "domain" in document.attributes
    fields = {**columns, **systems, **({"domain": domains} if has_domains else {})}
    return {name: list(map(clean, column)) for name, column in fields.items()}


class _XMLReader:
    """Reads documents from WMT's XML with expat; what makes XML dangerous is refused."""

    def __init__(self) -> None:
        self.documents: list[_Document] = []
        self.translators: set[str] = set()
        self._languages: dict[str, set[str]] = {"src": set(), "ref": set()}
        self._depth = 0
        self._document: _Document | None = None
        self._segments: dict[int, str] | None = None
        self._number: int | None = None  # of the segment that is being read
        self._text: list[str] = []

    def read(self, stream: BinaryIO) -> None:
        from xml.parsers import expat

        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        try:
            parser.ParseFile(stream)
        except expat.ExpatError as error:
            raise PurebleuError(f"not well-formed XML: {error}") from error
        for side, languages in self._languages.items():
            if len(languages) != 1:
                raise PurebleuError(f"the file has {len(languages)} languages of <{side}>, not one")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise PurebleuError(f"elements are nested more than {_MAX_DEPTH} deep")
        if self._number is not None:
            raise PurebleuError(f"segment {self._number} has <{name}> in it, not text alone")
        if name == "doc":
            self._start_document(attributes)
        elif name in ("src", "ref"):
            self._languages[name].add(attributes.get("lang", ""))
        if name == "ref":
            self.translators.add(attributes.get("translator", ""))
        if self._document is None:
            return
        if name == "src":
            self._segments = self._document.source
        elif name == "ref":
            self._segments = self._document.references[attributes.get("translator", "")] = {}
        elif name == "hyp":
            self._segments = self._document.systems[attributes.get("system", "")] = {}
        elif name == "seg" and self._segments is not None:
            try:
                self._number = int(attributes["id"])
            except (KeyError, ValueError):
                raise PurebleuError("a segment has no number in its id") from None
            self._text = []

    def _start_document(self, attributes: dict[str, str]) -> None:
        if "testsuite" in attributes:
            self._document = None
            return
        for needed in ("id", "origlang"):
            if needed not in attributes:
                raise PurebleuError(f"a document has no {needed}")
        self._document = _Document(attributes)
        self.documents.append(self._document)

    def _end(self, name: str) -> None:
        self._depth -= 1
        if name == "seg" and self._number is not None and self._segments is not None:
            self._segments[self._number] = "".join(self._text)
            self._number = None
        elif name in ("src", "ref", "hyp"):
            self._segments = None
        elif name == "doc":
            self._document = None

    def _characters(self, text: str) -> None:
        if self._number is not None:
            self._text.append(text)

    def _refuse_doctype(self, *_: object) -> None:
        raise PurebleuError("it has a document type declaration, which no test set needs")


# The table of formats


class Format:
    """How a format is read.

    Attributes:
        names: from a test set's name and the members of a language pair, the names of the fields, in order; none where
            only the data tells.
        read: from a member's name, its stream and what to make of it, fields.
        column: from the index of a field and what the catalogue says of its member, a column and the member's name.
        describes_itself: whether the data says which translators' references and which domains there are.
        archive_suffix: what is appended to the names of archives in the cache.
    """

    def __init__(self, names: Callable[[str, Sequence[str]], list[str]],
                 read: Callable[[str, Capped, Uses], Fields],
                 column: Callable[[int, str], tuple[int, str]] = lambda _, member: (-1, member),
                 describes_itself: bool = False, archive_suffix: str = "") -> None:
        self.names = names
        self.read = read
        self.column = column
        self.describes_itself = describes_itself
        self.archive_suffix = archive_suffix


def _plain_names(_: str, members: Sequence[str]) -> list[str]:
    references = members[1:]
    return ["src", *(["ref"] if len(references) == 1 else [f"ref:{index}" for index, _ in enumerate(references)])]


def _sgml_names(test_set: str, members: Sequence[str]) -> list[str]:
    # sacreBLEU-compat: IWSLT's files, too, have the fields of documents, if empty ones. (fixtures: catalogue)
    has_documents = not test_set.startswith("wmt08")
    return [*_plain_names(test_set, members), *(DOCUMENT_FIELDS if has_documents else ())]


def _embedded_names(_: str, members: Sequence[str]) -> list[str]:
    return [member.replace("ref-", "ref:") for member in members]


def _read_text(_: str, stream: Capped, uses: Uses) -> Fields:
    lines = stream.lines()
    return {field: text_lines(lines) for field, _ in uses}


def _read_tsv(_: str, stream: Capped, uses: Uses) -> Fields:
    lines = stream.lines()
    return {field: tsv_column(lines, column) for field, column in uses}


def _read_sgml(member: str, stream: Capped, uses: Uses) -> Fields:
    if not member.endswith((".sgm", ".xml")):
        return _read_text(member, stream, uses)
    found = sgml_fields(stream.lines())
    text = found.pop("text")
    return {**{field: text for field, _ in uses}, **(found if "src" in dict(uses) else {})}


def _read_xml(_: str, stream: Capped, __: Uses) -> Fields:
    file: Any = stream  # expat needs nothing but `read`
    return xml_fields(file)


def _tsv_column(index: int, member: str) -> tuple[int, str]:
    """The column that stands before a member's name; else the first is the source, and the second the reference."""
    number, colon, name = member.partition(":")
    return (int(number), name) if colon else (min(index, 1), member)


#: The formats by the names that the catalogue gives them.
FORMATS = {
    "sgml": Format(_sgml_names, _read_sgml),
    # sacreBLEU takes an archive for one that it has extracted, and doesn't do so again; with XML, it would then miss
    # what it needs beside the text. So it must not find this one.
    "xml": Format(lambda _, __: [], _read_xml, describes_itself=True, archive_suffix=".verified"),
    "text": Format(_plain_names, _read_text),
    "tsv": Format(_plain_names, _read_tsv, _tsv_column),
    "embedded": Format(_embedded_names, _read_text),
}
