"""Tests of `purebleu.datasets`: archives, downloads, the cache, bundles."""
