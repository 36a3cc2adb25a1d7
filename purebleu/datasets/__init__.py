"""Test sets: the catalogue, fetching and verifying, and the fields of each."""

from __future__ import annotations

from .testsets import (
    DATASETS,
    TestSet,
    download_test_set,
    get_available_testsets,
    get_available_testsets_for_langpair,
    get_files,
    get_langpairs_for_testset,
    get_reference_files,
    get_source_file,
    get_test_set,
)

__all__ = [
    "DATASETS",
    "TestSet",
    "download_test_set",
    "get_available_testsets",
    "get_available_testsets_for_langpair",
    "get_files",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "get_test_set",
]
