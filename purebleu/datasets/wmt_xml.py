"""WMT's XML: documents with their sources, the references of translators and the outputs of systems."""

from __future__ import annotations

from ..errors import PurebleuError
from ..unicode.whitespace import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Callable, Iterator

#: Limit of the depth of elements within elements; no test set goes beyond it.
_MAX_DEPTH = 32

#: The number of bytes that are read at once, unless they end no token. The first of them hold the XML declaration.
_READ_AT_ONCE = 1 << 16

#: The encodings that expat decodes itself; of others, it knows those of one byte for each character, and not all.
_EXPAT_ENCODINGS = ("utf-8", "utf-16", "iso8859-1", "ascii")


def reference_field(translator: str) -> str:
    """The field of a translator's reference, who may have no name.

    >>> reference_field("A"), reference_field("")
    ('ref:A', 'ref')
    """
    return f"ref:{translator}" if translator else "ref"


def xml_fields(stream: IO[bytes]) -> dict[str, list[str]]:
    """WMT's format since 2021: `src`, a reference of each translator, `docid`, `origlang`, each system, and `domain`.

    Test suites are left out, and so are segments without any reference.
    """
    content = read_xml(stream)
    content.check_languages(1)
    translators = sorted(content.translators)
    columns: dict[str, list[str]] = {"src": [], **{reference_field(name): [] for name in translators},
                                     "docid": [], "origlang": []}
    systems: dict[str, list[str]] = {}
    domains: list[str] = []
    has_domains = False
    for document, number in content.segments():
        columns["src"].append(document.source[number])
        for name in translators:
            columns[reference_field(name)].append(document.references.get(name, {}).get(number, ""))
        for name in document.systems:
            systems.setdefault(name, []).append(document.output(name, number))
        columns["docid"].append(document.attributes["id"])
        columns["origlang"].append(document.attributes["origlang"])
        domains.append(document.attributes.get("domain", ""))
        # sacreBLEU-compat: the last document tells. (fixtures: datasets)
        has_domains = "domain" in document.attributes
    fields = {**columns, **systems, **({"domain": domains} if has_domains else {})}
    return {name: list(map(clean, column)) for name, column in fields.items()}


class _Document:
    """A document of WMT's XML: segments by number of the source, of each translator, and of each system."""

    def __init__(self, attributes: dict[str, str]) -> None:
        self.attributes = attributes
        self.source: dict[int, str] = {}
        self.references: dict[str, dict[int, str]] = {}
        self.systems: dict[str, dict[int, str]] = {}

    def output(self, system: str, number: int) -> str:
        """A system's segment; raises `PurebleuError` if it has none."""
        return self._segment(f"the system {system}", self.systems.get(system, {}), number)

    def reference(self, translator: str, number: int) -> str:
        """A translator's segment; raises `PurebleuError` if there is none."""
        return self._segment(f"the translator {translator}", self.references.get(translator, {}), number)

    def _segment(self, author: str, segments: dict[int, str], number: int) -> str:
        if number not in segments:
            raise PurebleuError(f"{author} has no segment {number} of document {self.attributes['id']}")
        return segments[number]

    def check_numbers(self) -> None:
        """Raise `PurebleuError` if a translator or a system has a segment that the source lacks."""
        for kind, authors in (("translator", self.references), ("system", self.systems)):
            for author, segments in authors.items():
                for number in segments:
                    if number not in self.source:
                        raise PurebleuError(f"document {self.attributes['id']} has no segment {number} in its source, "
                                            f"but the {kind} {author} has one")


def read_xml(stream: IO[bytes]) -> XMLContent:
    """The content of a file of WMT's; raises `PurebleuError`, with line and column, for another one."""
    from xml.parsers import expat

    def located(handler: Callable[..., None]) -> Callable[..., None]:
        """The handler, whose errors say at which line and column they were raised."""
        def handle(*arguments: Any) -> None:
            try:
                handler(*arguments)
            except PurebleuError as error:
                line, column = parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
                raise PurebleuError(f"line {line}, column {column}: {error}") from error

        return handle

    content = XMLContent()
    beginning = stream.read(_READ_AT_ONCE)
    decode = _decoder_of(beginning)
    parser = expat.ParserCreate("utf-8" if decode else None)
    parser.buffer_text = True
    parser.StartElementHandler = located(content.start)
    parser.EndElementHandler = located(content.end)
    parser.CharacterDataHandler = content.characters
    parser.StartDoctypeDeclHandler = _refuse_doctype
    piece, size = beginning, _READ_AT_ONCE
    try:
        while piece:
            before = parser.CurrentByteIndex
            parser.Parse(decode(piece) if decode else piece, False)
            # Before 2.6, expat begins each time anew with a token (a comment, a tag) that has not ended yet: pieces of
            # the same size would take quadratic time.
            size = 2 * size if parser.CurrentByteIndex == before else _READ_AT_ONCE
            piece = stream.read(size)
        parser.Parse(decode(b"", True) if decode else b"", True)
    except expat.ExpatError as error:
        raise PurebleuError(f"not well-formed XML: {error}") from error
    return content


def _decoder_of(beginning: bytes) -> Callable[..., bytes] | None:
    """The function from bytes of XML that begins like this to UTF-8; `None`, where expat decodes it.

    It takes the next bytes, and whether they are the last ones.
    """
    import codecs

    is_utf32 = beginning.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE))
    encoding = "utf-32" if is_utf32 else _declared_encoding(beginning)
    if not encoding:
        return None
    try:
        if codecs.lookup(encoding).name in _EXPAT_ENCODINGS:
            return None
        " ".encode(encoding)  # (an error, unless it is an encoding of text: there are others, such as hex)
        decoder = codecs.getincrementaldecoder(encoding)()
    except (LookupError, ValueError):
        raise PurebleuError(f"its declaration names the encoding {encoding!r:.40}, which is unknown here") from None

    def decode(piece: bytes, is_last: bool = False) -> bytes:
        try:
            return decoder.decode(piece, is_last).encode("utf-8")
        except UnicodeError as error:
            raise PurebleuError(f"not valid {encoding}, which its declaration names ({error!s:.80})") from None

    return decode


def _declared_encoding(beginning: bytes) -> str:
    """The encoding that an XML declaration names; an empty string where none does that is read as ASCII."""
    declaration, end, _ = beginning.partition(b"?>")
    start = declaration.find(b"<?xml")
    if not end or start not in (0, 3):  # (there may be a byte-order mark of UTF-8 before it)
        return ""
    value = declaration.partition(b"encoding")[2].lstrip(b" \t\r\n=")
    return value[1:].partition(value[:1])[0].decode("ascii", "replace") if value[:1] in (b'"', b"'") else ""


def _refuse_doctype(*_: object) -> None:
    raise PurebleuError("it has a document type declaration, which no test set needs")


class XMLContent:
    """The content of WMT's XML, without test suites. It is filled by expat; dangerous features of XML are refused.

    Attributes:
        documents: in the order of the file.
        translators: the names of those who made references; one may be empty.
        systems: their names, in the order in which they first appear.
    """

    def __init__(self) -> None:
        self.documents: list[_Document] = []
        self.translators: set[str] = set()
        self.systems: dict[str, None] = {}
        self._languages: dict[str, set[str]] = {"src": set(), "ref": set()}
        self._depth = 0
        self._document: _Document | None = None
        self._segments: dict[int, str] | None = None
        self._number: int | None = None  # of the segment that is being read
        self._text: list[str] = []

    def check_languages(self, lowest: int) -> None:
        """Raise `PurebleuError` unless sources and references are in one language each, or (`lowest`: 0) are none."""
        for side, languages in self._languages.items():
            if not lowest <= len(languages) <= 1:
                raise PurebleuError(f"the file has {len(languages)} languages of <{side}>, not one")

    def segments(self) -> Iterator[tuple[_Document, int]]:
        """Each segment, by its document and number: those with a reference, or all if the file has no references."""
        for document in self.documents:
            for number in sorted(document.source):
                if not self.translators or any(lines.get(number) for lines in document.references.values()):
                    yield document, number

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take in the start of an element."""
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
            self._segments = self._document.references.setdefault(attributes.get("translator", ""), {})
        elif name == "hyp":
            self.systems.setdefault(attributes.get("system", ""))
            self._segments = self._document.systems.setdefault(attributes.get("system", ""), {})
        elif name == "seg" and self._segments is not None:
            try:
                self._number = int(attributes["id"])
            except (KeyError, ValueError):
                raise PurebleuError("a segment has no number in its id") from None
            if self._number in self._segments:
                raise PurebleuError(f"document {self._document.attributes['id']} has segment {self._number} twice")
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

    def end(self, name: str) -> None:
        """Take in the end of an element."""
        self._depth -= 1
        if name == "seg" and self._number is not None and self._segments is not None:
            self._segments[self._number] = "".join(self._text)
            self._number = None
        elif name in ("src", "ref", "hyp"):
            self._segments = None
        elif name == "doc" and self._document is not None:
            self._document.check_numbers()
            self._document = None

    def characters(self, text: str) -> None:
        """Take in text."""
        if self._number is not None:
            self._text.append(text)
