"""Test sets: a catalogue, and functions that fetch, verify and read the test sets.

In reading order: `catalogue` (a record for each test set), `testset` (the class of test sets; fields as files in the
cache), `archives` (reads fields from published archives), `wmt_xml` (WMT's format since 2021), `described` (test sets
that files of the user describe), `registry` (all test sets by name, and selections), `bundle` (several test sets in one
file).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .registry import (DATASETS as DATASETS, download_test_set as download_test_set,
                           get_available_testsets as get_available_testsets,
                           get_available_testsets_for_langpair as get_available_testsets_for_langpair,
                           get_files as get_files, get_langpairs_for_testset as get_langpairs_for_testset,
                           get_reference_files as get_reference_files, get_source_file as get_source_file,
                           get_test_set as get_test_set)
    from .testset import TestSet as TestSet

#: The modules of the public names. A module is imported when one of its names is first used.
_MODULES = {
    "registry": ("DATASETS", "download_test_set", "get_available_testsets", "get_available_testsets_for_langpair",
                 "get_files", "get_langpairs_for_testset", "get_reference_files", "get_source_file", "get_test_set"),
    "testset": ("TestSet",),
}

__all__ = [name for names in _MODULES.values() for name in names]  # pyright: ignore[reportUnsupportedDunderAll]

if not TYPE_CHECKING:
    from ..runtime.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(__name__, _MODULES)
