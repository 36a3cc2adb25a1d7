"""Runs the command line for `python -m purebleu`, and only its command `score` for `python -m sacrebleu`."""

from .cli import run, run_as_sacrebleu

if __name__ == "__main__":
    (run_as_sacrebleu if __package__ == "sacrebleu" else run)()
