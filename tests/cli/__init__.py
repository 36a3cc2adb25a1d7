"""Tests of `purebleu.cli`: options, modes, messages, exit codes."""
