"""Tests of `purebleu.serve`: the local page."""
