"""Parts of `scripts/mutate.py`: faults to put into the package, the map from lines to tests, and runs of tests."""
