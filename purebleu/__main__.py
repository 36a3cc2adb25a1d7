"""Runs `python -m purebleu`, and `python -m sacrebleu` (the command `score` alone)."""

from .cli import run, run_as_sacrebleu

if __name__ == "__main__":
    (run_as_sacrebleu if __package__ == "sacrebleu" else run)()
