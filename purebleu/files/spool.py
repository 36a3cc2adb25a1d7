"""What can be read only once, kept in a temporary file to be read again."""

from __future__ import annotations

from ..errors import PurebleuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Iterator


class Spool:
    """The items of an iterable, which are all taken at once, and can then be had any number of times, one by one.

    Raises:
        PurebleuError: there is no room for them in the folder of temporary files.

    Example:
        >>> spool = Spool(iter([["a", "b"], ["c"]]))
        >>> list(spool), list(spool)
        ([['a', 'b'], ['c']], [['a', 'b'], ['c']])
    """

    def __init__(self, items: Iterable[Any]) -> None:
        import pickle
        from tempfile import TemporaryFile

        self._count = 0
        iterator = iter(items)
        try:
            self._file = TemporaryFile()  # noqa: SIM115  # (it is closed with this object)
            for item in iterator:
                pickle.dump(item, self._file)
                self._count += 1
            self._file.flush()
        except OSError as error:
            raise PurebleuError(f"what is read only once can't be kept in a temporary file: {error.strerror or error} "
                                "(TMPDIR in the environment names another folder)") from error

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()

    def __iter__(self) -> Iterator[Any]:
        import pickle

        self._file.seek(0)
        for _ in range(self._count):
            yield pickle.load(self._file)
