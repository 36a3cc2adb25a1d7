"""Test sets: the catalogue, fetching and verifying, and the fields of each."""

from __future__ import annotations

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
