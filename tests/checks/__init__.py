"""Tests of `purebleu.checks`."""
