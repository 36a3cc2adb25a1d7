"""Tests of `purebleu.compat`: clients of sacreBLEU, and its name."""
