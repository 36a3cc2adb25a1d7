"""The source and the references that outputs are compared with."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterable, Iterator, List, Sequence, Tuple

    #: The indices of segments that were found, each with its value.
    Found = List[Tuple[int, float]]


class Against:
    """The texts that are parallel to outputs.

    Attributes:
        source: a text for each segment; `None` where there is no source.
        references: streams of references, each with a text for each segment, or `None` where a segment has none; there
            may be no stream at all.
    """

    def __init__(self, source: Sequence[str] | None = None,
                 references: Sequence[Sequence[str | None]] = ()) -> None:
        self.source = source
        self.references = references
        self._values: dict[object, Any] = {}

    def references_of(self, index: int) -> list[str]:
        """The references of a segment."""
        return [text for text in [stream[index] for stream in self.references] if text is not None]

    def texts_of(self, index: int) -> list[str]:
        """The source of a segment, if there is one, and its references."""
        return [*([] if self.source is None else [self.source[index]]), *self.references_of(index)]

    def all_references(self) -> Iterator[str]:
        """The references of all segments, stream by stream."""
        return (text for stream in self.references for text in stream if text is not None)

    def value_of_references(self, function: Callable[[Iterable[str]], Any]) -> Any:
        """The value of a function of all references, which is computed once."""
        if function not in self._values:
            self._values[function] = function(self.all_references())
        return self._values[function]
