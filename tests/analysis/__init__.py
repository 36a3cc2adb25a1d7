"""Tests of `purebleu.analysis`, and of the views on the command line."""
