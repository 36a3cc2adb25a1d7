"""`python -m purebleu`, and `python -m sacrebleu`, which has no commands but `score`."""

from .cli import run, run_score

if __name__ == "__main__":
    (run_score if __package__ == "sacrebleu" else run)()
