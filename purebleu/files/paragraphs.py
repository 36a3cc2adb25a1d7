"""Texts of several paragraphs, such as documents in JSON Lines, as a segment for each paragraph."""

from __future__ import annotations

from collections import deque
from itertools import islice

from ..errors import PurebleuError
from .records import HYPOTHESES, REFERENCES, SOURCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Sequence

#: The roles of columns whose texts are split; the values of others go to each paragraph of the record.
_SPLIT = (HYPOTHESES, REFERENCES, SOURCE)


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, which blank lines separate; a text without words is a single one.

    >>> paragraphs("One line,\\nand another.\\n\\n \\nThe next one.\\n")
    ['One line,\\nand another.', 'The next one.']
    """
    blocks: list[list[str]] = [[]]
    for line in text.split("\n"):
        if line.strip():
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    return ["\n".join(block) for block in blocks if block] or [""]


class ParagraphReader:
    """Parallel streams, whose records are read together: each has the same number of paragraphs in all of them.

    Args:
        streams: of lines or of records.
        roles: the role of each.
    """

    def __init__(self, streams: Sequence[Any], roles: Sequence[str]) -> None:
        self._streams = streams
        self._roles = roles
        self._waiting: list[deque[Any]] = [deque() for _ in streams]
        self._records: Iterator[Sequence[Sequence[Any]]] = self._read_records()

    def columns(self) -> list[ParagraphColumn]:
        """A stream of segments for each stream of records."""
        return [ParagraphColumn(stream, self, waiting) for stream, waiting in zip(self._streams, self._waiting)]

    def advance(self) -> bool:
        """Hand the paragraphs of the next record to the columns; returns whether there was one."""
        for record in islice(self._records, 1):
            for waiting, values in zip(self._waiting, record):
                waiting.extend(values)
            return True
        return False

    def _read_records(self) -> Iterator[Sequence[Sequence[Any]]]:
        """For each record, the paragraphs of each column.

        Raises `PurebleuError`, with the record, for texts with different numbers of them. (Where one column ends before
        another one, so do its segments: the reader of parallel streams reports that.)
        """
        while any(values := [stream.read(1) for stream in self._streams]):
            number = max([stream.count for stream in self._streams])
            split = [None if not stream_values else _paragraphs_of(stream_values[0], role, number)
                     for stream_values, role in zip(values, self._roles)]
            counts = {stream.name: len(texts) for stream, texts, role in zip(self._streams, split, self._roles)
                      if texts is not None and role in _SPLIT}
            if len({*counts.values()}) > 1:
                told = ", ".join([f"{count} in {name}" for name, count in counts.items()])
                raise PurebleuError(f"record {number}: the numbers of paragraphs differ: {told}")
            count = max(counts.values(), default=1)
            yield [[] if texts is None else texts if role in _SPLIT else texts * count
                   for texts, role in zip(split, self._roles)]


class ParagraphColumn:
    """A column of segments, read like a stream of lines.

    Attributes:
        name: for errors and tables.
        varies: whether a value may be a list of texts, or `None`.
        count: the number of segments so far.
    """

    def __init__(self, stream: Any, reader: ParagraphReader, waiting: deque[Any]) -> None:
        self.name: str = stream.name
        self.varies: bool = getattr(stream, "varies", False)
        self.count = 0
        self._stream = stream
        self._reader = reader
        self._waiting = waiting

    def read(self, limit: int) -> list[Any]:
        """The next segments: `limit` of them, or fewer at the end."""
        while len(self._waiting) < limit and self._reader.advance():
            pass
        values = [self._waiting.popleft() for _ in range(min(limit, len(self._waiting)))]
        self.count += len(values)
        return values

    def fraction_read(self) -> float | None:
        """The share of the file that has been read; `None` where that can't be told."""
        fraction: float | None = self._stream.fraction_read()
        return fraction

    def close(self) -> None:
        self._stream.close()


def _paragraphs_of(value: Any, role: str, number: int) -> list[Any]:
    """The paragraphs of a value of a column; of a list of references, a list of references for each paragraph.

    Raises `PurebleuError`, with the number of the record, for references with different numbers of them.
    """
    if role not in _SPLIT or value is None:
        return [value]
    if isinstance(value, str):
        return paragraphs(value)
    texts_by_reference: list[Any] = [reference if reference is None else paragraphs(reference) for reference in value]
    counts = {len(texts) for texts in texts_by_reference if texts is not None}
    if len(counts) > 1:
        raise PurebleuError(f"record {number}: the numbers of paragraphs of references differ: "
                            f"{', '.join(map(str, sorted(counts)))}")
    return [[None if texts is None else texts[index] for texts in texts_by_reference]
            for index in range(max(counts, default=1))]
