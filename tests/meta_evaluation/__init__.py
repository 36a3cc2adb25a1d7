"""Tests of `purebleu.meta_evaluation`, and of `--agreement`."""
