"""Test sets: the catalogue, fetching and verifying, and the fields of each."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .testset import DATASETS as DATASETS
    from .testset import TestSet as TestSet
    from .testset import download_test_set as download_test_set
    from .testset import get_available_testsets as get_available_testsets
    from .testset import get_available_testsets_for_langpair as get_available_testsets_for_langpair
    from .testset import get_files as get_files
    from .testset import get_langpairs_for_testset as get_langpairs_for_testset
    from .testset import get_reference_files as get_reference_files
    from .testset import get_source_file as get_source_file
    from .testset import get_test_set as get_test_set

#: The names that this package has, all in one module, which is imported when one of them is first used.
#: (Were it imported here, two threads that import the package and that module could wait for each other.)
_NAMES = ("DATASETS", "TestSet", "download_test_set", "get_available_testsets", "get_available_testsets_for_langpair",
          "get_files", "get_langpairs_for_testset", "get_reference_files", "get_source_file", "get_test_set")

__all__ = list(_NAMES)  # pyright: ignore[reportUnsupportedDunderAll]  # it sees the imports above

if not TYPE_CHECKING:
    def __getattr__(name: str) -> object:
        if name not in _NAMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from . import testset

        return globals().setdefault(name, getattr(testset, name))
