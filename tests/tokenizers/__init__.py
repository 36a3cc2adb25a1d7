"""Tests of `purebleu.tokenizers`."""
