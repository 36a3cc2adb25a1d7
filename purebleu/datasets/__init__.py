"""Test sets: the catalogue, fetching and verifying, and the fields of each."""

from __future__ import annotations

from .testsets import DATASETS as DATASETS
from .testsets import TestSet as TestSet
from .testsets import download_test_set as download_test_set
from .testsets import get_available_testsets as get_available_testsets
from .testsets import get_available_testsets_for_langpair as get_available_testsets_for_langpair
from .testsets import get_files as get_files
from .testsets import get_langpairs_for_testset as get_langpairs_for_testset
from .testsets import get_reference_files as get_reference_files
from .testsets import get_source_file as get_source_file
from .testsets import get_test_set as get_test_set
