"""Progress of work, for whoever wants to show it: the command line does, a library stays silent."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Iterator, TypeVar

    Item = TypeVar("Item")


class Observer:
    """Receives the progress of work; this base class ignores it."""

    def begin(self, what: str, total: float, unit: str = "segments") -> None:
        """Start a task of `total` steps, which are called `unit`; 0 if their number is not known."""

    def expect(self, total: float) -> None:
        """Correct the number of steps of the task, as far as it is known by now."""

    def advance(self, steps: int = 1) -> None:
        """Take note that `steps` more steps are done."""

    def clear(self) -> None:
        """Take note that something else is about to be shown."""


_observer = Observer()


def observer() -> Observer:
    """The observer that is told of work."""
    return _observer


def observe(by: Observer) -> None:
    """Make `by` the observer that is told of work."""
    global _observer
    _observer = by


def tracked(what: str, items: Iterable[Item], total: int) -> Iterator[Item]:
    """The items, of which there are `total`, each being a step of the task `what`."""
    _observer.begin(what, total)
    for item in items:
        yield item
        _observer.advance()
