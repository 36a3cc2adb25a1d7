"""Metrics with weights from all references, which are read before the corpus is scored."""

from __future__ import annotations

import warnings

from ...errors import PurebleuWarning
from ...files.spool import Spool
from ...metrics.evaluation import References
from ...runtime.progress import observer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterable, Iterator, Sequence

    from ...metrics.base import Metric
    from ...metrics.score import Score
    from .inputs import Inputs
    from .scored import Block

    #: Streams of references, in which a segment may lack some.
    ReferenceBlock = Sequence[Sequence[Any]]


def with_weights(inputs: Inputs, metrics: Sequence[Metric[Score]], read_corpus: Callable[[], Iterator[Block]],
                 read_references: Callable[[], Iterator[ReferenceBlock]]) -> tuple[list[Metric[Score]],
                                                                                    Iterable[Block] | None]:
    """The metrics with their weights, and the blocks of the corpus if it had to be read for that.

    References in files are read again for scoring. Where one of them can be read only once, such as a pipe, the whole
    corpus is kept in a temporary file.
    """
    spool = None
    if not (inputs.selection or inputs.can_be_read_again(inputs.references)):
        spool = Spool(read_corpus())

    def references() -> Iterator[ReferenceBlock]:
        if spool is None:
            return _quietly(read_references())
        return (references for _, references in spool)

    return [metric.with_weights(References(metric, streams) for streams in references()) for metric in metrics], spool


def _quietly(blocks: Iterator[ReferenceBlock]) -> Iterator[ReferenceBlock]:
    """Blocks of references as they are read; warnings are issued only when they are read again."""
    observer().begin("reading references", 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PurebleuWarning)
        for references in blocks:
            observer().advance(len(references[0]))
            yield references
