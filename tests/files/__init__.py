"""Tests of `purebleu.files`: forms of files, reading, writing."""
