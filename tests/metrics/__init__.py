"""Tests of `purebleu.metrics` and the engines below it."""
