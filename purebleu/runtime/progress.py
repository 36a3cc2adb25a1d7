"""Progress of work, for whoever wants to show it: the command line does, a library stays silent."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Iterator, Sequence, TypeVar

    Item = TypeVar("Item")


class Observer:
    """Receives the progress of work; this base class ignores it."""

    def begin(self, what: str, total: float, unit: str = "segments") -> None:
        """Start a task of `total` steps, which are called `unit`; 0 where their number is not known."""

    def expect(self, total: float) -> None:
        """The task has `total` steps, as far as is known by now."""

    def advance(self, steps: int = 1) -> None:
        """`steps` more steps are done."""

    def advance_within_step(self, share: float) -> None:
        """This share of the next step is done."""

    def clear(self) -> None:
        """Something else is about to be shown."""


_observer = Observer()


def observer() -> Observer:
    """The observer that is told of work."""
    return _observer


def observe(by: Observer) -> None:
    """Make `by` the observer that is told of work."""
    global _observer
    _observer = by


def tracked_within(items: Sequence[Item]) -> Iterator[Item]:
    """The items that one long step is made of."""
    for index, item in enumerate(items):
        _observer.advance_within_step(index / len(items))
        yield item


def tracked(what: str, items: Iterable[Item], total: int) -> Iterator[Item]:
    """The items, of which there are `total`, each being a step of the task `what`."""
    _observer.begin(what, total)
    for item in items:
        yield item
        _observer.advance()
