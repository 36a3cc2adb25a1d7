"""Reports of progress. The command line shows them. By default, they are ignored."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Iterator, TypeVar

    Item = TypeVar("Item")


class Observer:
    """Receives reports of progress, and counts steps. This base class shows nothing."""

    what, unit = "", "segments"
    total: float = 0
    done = 0

    def begin(self, what: str, total: float, unit: str = "segments") -> None:
        """Start the task `what`, which has `total` steps (0 if unknown). `unit` is what a step is called."""
        self.what, self.total, self.unit, self.done = what, total, unit, 0

    def expect(self, total: float) -> None:
        """Replace the number of steps of the task by a better estimate."""
        self.total = total

    def advance(self, steps: int = 1) -> None:
        """Count `steps` further steps as done."""
        self.done += steps

    def clear(self) -> None:
        """Remove the progress from the screen, because a message is about to be printed."""


_observer = Observer()


def observer() -> Observer:
    """Return the observer of this process."""
    return _observer


def observe(by: Observer) -> None:
    """Make `by` the observer of this process."""
    global _observer
    _observer = by


def tracked(what: str, items: Iterable[Item], total: int) -> Iterator[Item]:
    """Yield the items, and report each item as a step of the task `what`. `total` is the number of items."""
    _observer.begin(what, total)
    for item in items:
        yield item
        _observer.advance()
