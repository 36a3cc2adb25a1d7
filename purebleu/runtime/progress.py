"""Progress of work: the command line shows it, a library stays silent."""

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
        """Set the number of steps of the task to a better estimate."""

    def advance(self, steps: int = 1) -> None:
        """Count `steps` more steps as done."""

    def clear(self) -> None:
        """Remove what is shown, because something else is about to be printed."""


_observer = Observer()


def observer() -> Observer:
    """Return the observer of this process."""
    return _observer


def observe(by: Observer) -> None:
    """Make `by` the observer of this process."""
    global _observer
    _observer = by


def tracked(what: str, items: Iterable[Item], total: int) -> Iterator[Item]:
    """Yield the items, each of which is a step of the task `what`. `total` is their number."""
    _observer.begin(what, total)
    for item in items:
        yield item
        _observer.advance()
