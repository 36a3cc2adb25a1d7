"""Names that users of sacreBLEU import from its module `utils`."""

from __future__ import annotations

from .compat.tables import print_results_table as print_results_table
from .datasets import DATASETS as DATASETS
from .datasets import download_test_set as download_test_set
from .datasets import get_available_testsets as get_available_testsets
from .datasets import get_available_testsets_for_langpair as get_available_testsets_for_langpair
from .datasets import get_files as get_files
from .datasets import get_langpairs_for_testset as get_langpairs_for_testset
from .datasets import get_reference_files as get_reference_files
from .datasets import get_source_file as get_source_file
from .files.download import cache_folder
from .files.opening import smart_open as smart_open

__all__ = ["DATASETS", "SACREBLEU_DIR", "download_test_set", "get_available_testsets",
           "get_available_testsets_for_langpair", "get_files", "get_langpairs_for_testset", "get_reference_files",
           "get_source_file", "print_results_table", "smart_open"]

#: The folder of test sets. Each use of this name looks it up in the environment.
SACREBLEU_DIR: str


TYPE_CHECKING = False
if not TYPE_CHECKING:
    def __getattr__(name: str) -> str:
        if name == "SACREBLEU_DIR":
            return cache_folder()
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
