"""Measure purebleu (this checkout) against sacreBLEU, task by task, in one interleaved run.

    python scripts/dev/benchmarks --data DIR --oracle PYTHON [--python PYTHON] [-n RUNS] [--only SUBSTRING] [--write]

Each task runs once uncounted on both sides and then RUNS times in pairs (sacreBLEU, purebleu, sacreBLEU, ...). The
table, in Markdown, has a row for each task: how many times less time purebleu takes (median of the pairs' ratios,
lowest and highest in brackets), and the medians of both sides; targets that are missed are told, and results that
differ. Both run in the oracle's interpreter unless --python names another: choose one whose bare start-up costs as
much, or the ratios of short tasks mean little. To add a row, add a `Task` to `TASKS` in `tasks.py`; to add a way of
deriving its input from the data, add a function to `RECIPES` in `corpora.py`.

Exit codes: 0 all measured results equal (a target may be missed, a row skipped for want of data), 1 some differ or a
program failed, 2 wrong usage, 130 interrupted. Needs `os.posix_spawn` and `os.wait4` (Linux, macOS).
"""
