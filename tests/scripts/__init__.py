"""Tests of `scripts/` and of the files around the package."""
