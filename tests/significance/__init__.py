"""Tests of `purebleu.significance`: intervals, tests, ranks, power."""
