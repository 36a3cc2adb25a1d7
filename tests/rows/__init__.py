"""Tests of `purebleu.rows`."""
