"""Columns of the files that WMT publishes, XML and SGML, as they are."""

from __future__ import annotations

from ..errors import PurebleuError
from ..files.opening import open_decompressed
from ..files.records import IDS, REFERENCES, SOURCE, RecordReader
from ..unicode.whitespace import clean
from .formats import sgml_fields
from .wmt_xml import read_xml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterable, Iterator, Sequence

    from ..files.records import Value
    from .wmt_xml import XMLContent, _Document

    #: From a document and the number of a segment to its text.
    Reading = Callable[[_Document, int], "str | None"]


class XMLFile(RecordReader):
    """WMT's XML.

    A column is `src`, `ref`, `ref:TRANSLATOR`, `hyp`, `hyp:SYSTEM` or `id`; without a selector, its role counts. Test
    suites are left out, and segments without any reference, unless the file has no references at all.
    """

    def _read_records(self) -> Iterator[Sequence[Value]]:
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


def _reading(content: XMLContent, selector: str, role: str) -> Reading:
    """The function that reads a column. Only a reference may be missing (`None`), and only in the role of one."""
    kind, _, name = selector.partition(":")
    if selector == SOURCE:
        return lambda document, number: document.source[number]
    if selector == IDS:
        return lambda document, number: f"{document.attributes['id']}:{number}"
    if kind == REFERENCES:
        translator = _chosen(name, sorted(content.translators), "references of", "ref")
        if role != REFERENCES:
            return lambda document, number: document.reference(translator, number)
        return lambda document, number: document.references.get(translator, {}).get(number) or None
    if kind == "hyp":
        system = _chosen(name, list(content.systems), "the systems", "hyp")
        return lambda document, number: document.output(system, number)
    raise PurebleuError(f"there is no column {selector!r}, but src, ref, ref:TRANSLATOR, hyp, hyp:SYSTEM and id")


def _chosen(name: str, names: Sequence[str], called: str, kind: str) -> str:
    """The name that is asked for, or else the only one."""
    if not names:
        raise PurebleuError(f"the file has no <{kind}>")
    if name in names:
        return name
    if not name and len(names) == 1:
        return names[0]
    raise PurebleuError(f"the file has {called} {', '.join(map(repr, names))}: choose one, such as "
                        f"{kind}:{names[0]}")


class SGMFile(RecordReader):
    """WMT's format until 2020. A column is the `sysid` of documents, and needs no selector where they have but one."""

    def _read_records(self) -> Iterator[Sequence[Value]]:
        lines = list(self._lines())
        try:
            found = sgml_fields(lines, ("sysid", "docid"), ids_differ=True)
        except PurebleuError as error:
            raise PurebleuError(f"{self.name}: {error}") from error
        yield from zip(*[self._texts(found["text"], found["sysid"], selector) for selector, _ in self.selectors])

    def _texts(self, texts: Iterable[str], systems: Sequence[str], selector: str) -> list[str]:
        there = list(dict.fromkeys(systems))
        if selector not in there and (selector or len(there) > 1):
            raise PurebleuError(f"{self.name}: the file has the systems {', '.join(map(repr, there))}: choose one, "
                                f"such as {self.name}:{there[0] if there else ''}")
        return [text for text, system in zip(texts, systems) if not selector or system == selector]


#: The reader of each kind of file.
WMT_READERS = {"xml": XMLFile, "sgm": SGMFile}
