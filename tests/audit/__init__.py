"""Tests of `purebleu.audit`."""
