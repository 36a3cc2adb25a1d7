"""Tests of `purebleu.runtime`."""
