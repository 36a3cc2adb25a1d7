"""Paragraphs as segments, for texts with several of them, such as documents in JSON Lines."""

from __future__ import annotations

from itertools import groupby, islice

from ..errors import PurebleuError
from ..hints import Any, Iterator, Sequence
from .opening import HYPOTHESES, REFERENCES, SCORES, SOURCE
from .records import RecordColumn

#: The roles of columns whose texts are split, or whose scores are in lists. A value in another column applies to each
#: paragraph of its record.
_SPLIT = (HYPOTHESES, REFERENCES, SOURCE, SCORES)


def paragraphs(text: str) -> list[str]:
    """Split a text into paragraphs at blank lines. A text without words is one paragraph.

    >>> paragraphs("One line,\\nand another.\\n\\n \\nThe next one.\\n")
    ['One line,\\nand another.', 'The next one.']
    """
    runs = groupby(text.split("\n"), lambda line: not line.strip())
    return ["\n".join(lines) for are_blank, lines in runs if not are_blank] or [""]


class ParagraphReader:
    """Splits parallel streams of texts into paragraphs. Parallel texts have the same number of paragraphs.

    Args:
        streams: of lines or of records.
        roles: the role of each.

    Attributes:
        columns: a stream of segments for each stream of records.
    """

    def __init__(self, streams: Sequence[Any], roles: Sequence[str]) -> None:
        self._streams = streams
        self._roles = roles
        self._records = self._read_records()
        self.columns = [RecordColumn(stream.name, getattr(stream, "varies", False), stream, self._advance)
                        for stream in streams]

    def _advance(self, limit: int) -> None:
        """Read up to this many records, and append their paragraphs to the columns."""
        for record in islice(self._records, limit):
            for column, values in zip(self.columns, record):
                column.waiting.extend(values)

    def _read_records(self) -> Iterator[Sequence[Sequence[Any]]]:
        """Yield the paragraphs of each column, record by record.

        Raises `PurebleuError`, with the record, if parallel texts have different numbers of paragraphs. (If one column
        is shorter than another one, its segments end earlier: whoever reads them in parallel reports that.)
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
                raise PurebleuError(f"record {number}: the numbers of paragraphs differ: {described}")
            count = max(counts.values(), default=1)
            yield [texts if role in _SPLIT else texts * count for texts, role in zip(columns, self._roles)]


def _paragraphs_of(value: Any, role: str, number: int) -> list[Any]:
    """Split a value of a column into paragraphs. For a list of references, each paragraph has a list of them.

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
        raise PurebleuError(f"record {number}: the numbers of paragraphs of references differ: "
                            f"{', '.join(map(str, sorted(counts)))}")
    count = max(counts, default=1)
    columns = [[None] * count if texts is None else texts for texts in texts_by_reference]
    return list(map(list, zip(*columns))) or [[]]
