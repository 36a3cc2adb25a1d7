"""The source and the references that outputs are held against."""

from __future__ import annotations

from functools import cached_property

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, List, Sequence, Tuple

    #: The indices of segments that were found, each with its value.
    Found = List[Tuple[int, float]]


class Against:
    """The texts that are parallel to outputs.

    Attributes:
        source: a text for each segment; `None` where there is no source.
        references: streams of them, each with a text for each segment, or `None` where it lacks that; there may be no
            stream at all.
    """

    def __init__(self, source: Sequence[str] | None = None,
                 references: Sequence[Sequence[str | None]] = ()) -> None:
        self.source = source
        self.references = references

    def references_of(self, index: int) -> list[str]:
        """The references of a segment."""
        return [text for text in [stream[index] for stream in self.references] if text is not None]

    def texts_of(self, index: int) -> list[str]:
        """The source of a segment, if there is one, and its references."""
        return [*([] if self.source is None else [self.source[index]]), *self.references_of(index)]

    def all_references(self) -> Iterator[str]:
        """The references of all segments, stream by stream."""
        return (text for stream in self.references for text in stream if text is not None)

    @cached_property
    def scripts(self) -> str:
        """The scripts that the references are written in, as `letters.scripts_at_home` has them."""
        from .letters import scripts_at_home

        return scripts_at_home(self.all_references())

    @cached_property
    def separate_marks(self) -> float:
        """The share of punctuation marks that are separate words in the references."""
        from .marks import share_of_separate_marks

        return share_of_separate_marks(self.all_references())
