"""Read WMT's XML: documents with sources, references and outputs of systems, in test sets or in users' files.

`read_xml` parses a file, `xml_fields` returns the fields of a test set, and `XMLFile` reads columns of a user's file.
"""

from __future__ import annotations

import codecs

from ..files.opening import IDS, REFERENCES, SOURCE, open_decompressed
from ..files.records import RecordReader
from ..runtime.errors import PurebleuError
from ..runtime.hints import Any, Callable, Iterator, Sequence
from ..unicode.properties import clean

#: The largest depth of nested elements. (No published test set has deeper elements.)
_MAX_DEPTH = 32

#: The number of bytes that are read at once. (`read_xml` reads more if a token is longer.)
_READ_AT_ONCE = 1 << 16

#: Python's names of the encodings that expat decodes correctly. (Expat assumes that all other encodings have one byte
#: for each character.)
_ENCODINGS = ("utf-8", "utf-16", "iso8859-1", "ascii")

#: The elements with text, each with the attribute that names the author of the text. (The source has no author.)
_AUTHORS = {"src": "", "ref": "translator", "hyp": "system"}


def xml_fields(stream: Any) -> dict[str, list[str]]:
    """Read WMT's format since 2021, and return `src`, the references, `docid`, `origlang`, each system, and `domain`.

    Test suites are left out. If the file has references, segments without any reference are left out, too.
    """
    content = read_xml(stream)
    content.check_languages(1)
    translators = sorted(content.authors["ref"])
    columns: dict[str, list[str]] = {"src": [], **{reference_field(name): [] for name in translators},
                                     "docid": [], "origlang": []}
    systems: dict[str, list[str]] = {}
    domains: list[str] = []
    has_domains = False
    for document, number in content.segments():
        columns["src"].append(document.source[number])
        for name in translators:
            columns[reference_field(name)].append(document.texts["ref"].get(name, {}).get(number, ""))
        for name in document.texts["hyp"]:
            systems.setdefault(name, []).append(document.text("hyp", name, number))
        columns["docid"].append(document.attributes["id"])
        columns["origlang"].append(document.attributes["origlang"])
        domains.append(document.attributes.get("domain", ""))
        # sacreBLEU-compat: the field `domain` exists if the last document has a domain. (fixtures: datasets)
        has_domains = "domain" in document.attributes
    fields = {**columns, **systems, **({"domain": domains} if has_domains else {})}
    return {name: list(map(clean, column)) for name, column in fields.items()}


def reference_field(translator: str) -> str:
    """Return the name of the field with a translator's reference. (The translator may have no name.)

    >>> reference_field("A"), reference_field("")
    ('ref:A', 'ref')
    """
    return f"ref:{translator}" if translator else "ref"


class _Document:
    """A document. `texts[element][author][number]` is the text of a segment."""

    def __init__(self, attributes: dict[str, str]) -> None:
        self.attributes = attributes
        self.texts: dict[str, dict[str, dict[int, str]]] = {element: {} for element in _AUTHORS}
        self.source: dict[int, str] = self.texts["src"].setdefault("", {})

    def text(self, element: str, author: str, number: int) -> str:
        """Return a segment of an author; raises `PurebleuError` if the segment is missing."""
        segments = self.texts[element].get(author, {})
        if number not in segments:
            raise PurebleuError(f"the {_AUTHORS[element]} {author} has no segment {number} of document "
                                f"{self.attributes['id']}")
        return segments[number]


def read_xml(stream: Any) -> XMLContent:
    """Parse a stream of WMT's XML; raises `PurebleuError`, with line and column, if the stream is not such XML."""
    from xml.parsers import expat

    parser = expat.ParserCreate()
    content = XMLContent(parser)
    parser.buffer_text = True
    parser.StartElementHandler = content.start
    parser.EndElementHandler = content.end
    parser.CharacterDataHandler = content.characters
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.XmlDeclHandler = _check_encoding
    size = _READ_AT_ONCE
    try:
        while piece := stream.read(size):
            before = parser.CurrentByteIndex
            parser.Parse(piece, False)
            # With each piece, expat before 2.6 parses an unfinished token (a comment, a tag) again from the start. If
            # all pieces had the same size, a long token would take quadratic time.
            size = 2 * size if parser.CurrentByteIndex == before else _READ_AT_ONCE
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise PurebleuError(f"not well-formed XML: {error}") from error
    return content


def _check_encoding(_: str, encoding: str | None, __: int) -> None:
    """Raise `PurebleuError` if the XML declaration names an encoding that is not in `_ENCODINGS`."""
    try:
        is_read = encoding is None or codecs.lookup(encoding).name in _ENCODINGS
    except LookupError:
        is_read = False
    if not is_read:
        raise PurebleuError(f"the XML declaration names the encoding {encoding!r:.40}, but only UTF-8, UTF-16, "
                            "ISO-8859-1 and ASCII are read: convert the file to UTF-8")


def _refuse_doctype(*_: object) -> None:
    raise PurebleuError("the file has a document type declaration (<!DOCTYPE>), which is not allowed")


class XMLContent:
    """The content of WMT's XML, without test suites. Expat adds content by calls of `start`, `end` and `characters`.

    `parser` is expat's parser of the file.

    Attributes:
        documents: the documents in the order of the file.
        authors: for each element, the names of translators or systems, in order of their first appearance. The name of
            a translator may be empty.
    """

    def __init__(self, parser: Any) -> None:
        self.documents: list[_Document] = []
        self.authors: dict[str, dict[str, None]] = {element: {} for element in _AUTHORS}
        self._languages: dict[str, set[str]] = {"src": set(), "ref": set()}
        self._depth = 0
        self._document: _Document | None = None
        self._segments: dict[int, str] | None = None
        self._number: int | None = None  # the number of the segment that is being read
        self._text: list[str] = []
        self._parser = parser

    def _error(self, message: str) -> PurebleuError:
        """Return an error with the line and the column that are being parsed."""
        line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        return PurebleuError(f"line {line}, column {column}: {message}")

    def check_languages(self, lowest: int) -> None:
        """Raise `PurebleuError` if sources or references have several languages, or fewer than `lowest` languages."""
        for side, languages in self._languages.items():
            if not lowest <= len(languages) <= 1:
                raise PurebleuError(f"the file has <{side}> in {len(languages)} languages, but one is expected")

    def segments(self) -> Iterator[tuple[_Document, int]]:
        """Yield the document and the number of each segment that has a reference.

        If the file has no references, all segments are yielded.
        """
        for document in self.documents:
            for number in sorted(document.source):
                if not self.authors["ref"] or any(lines.get(number) for lines in document.texts["ref"].values()):
                    yield document, number

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._error(f"elements are nested more than {_MAX_DEPTH} deep")
        if self._number is not None:
            raise self._error(f"segment {self._number} has <{name}> in it, but only text is allowed")
        if name == "doc":
            self._start_document(attributes)
        elif name in _AUTHORS:
            if name in self._languages:
                self._languages[name].add(attributes.get("lang", ""))
            author = attributes.get(_AUTHORS[name], "")
            if name == "ref" or self._document is not None:  # (Translators of test suites are listed, too.)
                self.authors[name].setdefault(author)
            if self._document is not None:
                self._segments = self._document.texts[name].setdefault(author, {})
        elif name == "seg" and self._document is not None and self._segments is not None:
            try:
                self._number = int(attributes["id"])
            except (KeyError, ValueError):
                raise self._error(f"the id of a segment is {attributes.get('id', '')!r:.40}, not a number") from None
            if self._number in self._segments:
                raise self._error(f"document {self._document.attributes['id']} has segment {self._number} twice")
            self._text = []

    def _start_document(self, attributes: dict[str, str]) -> None:
        if "testsuite" in attributes:
            self._document = None
            return
        for needed in ("id", "origlang"):
            if needed not in attributes:
                raise self._error(f"a document has no attribute {needed}")
        self._document = _Document(attributes)
        self.documents.append(self._document)

    def end(self, name: str) -> None:
        """Handle the end of an element."""
        self._depth -= 1
        if name == "seg" and self._number is not None and self._segments is not None:
            self._segments[self._number] = "".join(self._text)
            self._number = None
        elif name in _AUTHORS:
            self._segments = None
        elif name == "doc" and self._document is not None:
            self._check_numbers(self._document)
            self._document = None

    def _check_numbers(self, document: _Document) -> None:
        """Raise `PurebleuError` if a translator or a system has a segment that the source lacks."""
        for element, authors in document.texts.items():
            for author, segments in authors.items():
                extra = [number for number in segments if number not in document.source]
                if extra:
                    raise self._error(f"document {document.attributes['id']} has no segment {extra[0]} in its source, "
                                      f"but the {_AUTHORS[element]} {author} has one")

    def characters(self, text: str) -> None:
        """Handle text."""
        if self._number is not None:
            self._text.append(text)


# Files of users


class XMLFile(RecordReader):
    """Reads columns of a user's file in WMT's XML.

    A column is `src`, `ref`, `ref:TRANSLATOR`, `hyp`, `hyp:SYSTEM` or `id`. If a column has no selector, its role is
    the selector. Test suites are skipped. If the file has references, segments without a reference are skipped, too.
    """

    def _read_records(self) -> Iterator[Sequence[Any]]:
        try:
            with open_decompressed(0 if self.path is None else self.path) as file:
                content = read_xml(file)
            content.check_languages(0)
            readings = [_reading(content, selector or role, role) for selector, role in self.selectors]
            for document, number in content.segments():
                texts = [read(document, number) for read in readings]
                yield [[] if text is None else clean(text) for text in texts]
        except PurebleuError as error:
            raise PurebleuError(f"{self.name}: {error}") from error
        except Exception as error:
            message = self.stream.explain(error, 0)
            if message is None:
                raise
            raise PurebleuError(message) from error


def _reading(content: XMLContent, selector: str, role: str) -> Callable[[_Document, int], str | None]:
    """Return a function that takes a document and a segment's number, and returns the text of a column.

    If a reference is missing, and the column has the role of references, the function returns `None`. Any other missing
    text raises `PurebleuError`.
    """
    element, _, name = selector.partition(":")
    if selector == SOURCE:
        return lambda document, number: document.source[number]
    if selector == IDS:
        return lambda document, number: f"{document.attributes['id']}:{number}"
    if element not in (REFERENCES, "hyp"):
        raise PurebleuError(f"there is no column {selector!r}, only src, ref, ref:TRANSLATOR, hyp, hyp:SYSTEM and id")
    author = _chosen(name, content, element)
    if element == role == REFERENCES:
        return lambda document, number: document.texts[element].get(author, {}).get(number) or None
    return lambda document, number: document.text(element, author, number)


def _chosen(name: str, content: XMLContent, element: str) -> str:
    """Return the name of the translator or system to read: `name`, or the only name in the file if `name` is empty."""
    names = list(content.authors[element])
    if not names:
        raise PurebleuError(f"the file has no <{element}>")
    if name in names:
        return name
    if not name and len(names) == 1:
        return names[0]
    if element == REFERENCES:
        names.sort()
    raise PurebleuError(f"the file has the {_AUTHORS[element]}s {', '.join(map(repr, names))}: choose one, such as "
                        f"{element}:{names[0]}")


class SGMLFile(RecordReader):
    """Refuses WMT's SGML (the format until 2020). If SGML were read line by line, tags would be scored as text."""

    def _read_records(self) -> Iterator[Sequence[Any]]:
        raise PurebleuError(f"{self.name}: SGML can't be read: convert the file to text with one segment on each line "
                            "(for a published test set, use -t)")


#: The reader of each kind of file.
WMT_READERS = {"xml": XMLFile, "sgm": SGMLFile}
