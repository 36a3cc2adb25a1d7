"""Tests of `purebleu.evaluate`."""
