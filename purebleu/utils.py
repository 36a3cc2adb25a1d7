"""Names that clients of sacreBLEU import from here."""

from __future__ import annotations

from .datasets import (
    DATASETS,
    download_test_set,
    get_available_testsets,
    get_available_testsets_for_langpair,
    get_files,
    get_langpairs_for_testset,
    get_reference_files,
    get_source_file,
)
from .datasets.cache import cache_folder
from .textio import smart_open

__all__ = [
    "DATASETS",
    "SACREBLEU_DIR",
    "download_test_set",
    "get_available_testsets",
    "get_available_testsets_for_langpair",
    "get_files",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "smart_open",
]

#: The folder of test sets: found when it is asked for, as the environment then says.
SACREBLEU_DIR: str


def __getattr__(name: str) -> str:
    if name == "SACREBLEU_DIR":
        return cache_folder()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
