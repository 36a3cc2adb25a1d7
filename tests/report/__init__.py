"""Tests of `purebleu.report`: tables in each format, reports, gates."""
