"""Measure the speed and memory of purebleu (this checkout) against sacreBLEU, in interleaved runs.

    python scripts/dev/benchmarks --data DIR --oracle PYTHON [--python PYTHON] [-n RUNS] [--only SUBSTRING] [--write]

Each task first runs once on both sides (a warm-up), and then RUNS times in pairs (sacreBLEU, purebleu, sacreBLEU, ...).
The table (in Markdown) has a row for each task, with the speed-up and the medians of both sides. The speed-up is the
median of the pairs' ratios, with the lowest and the highest ratio in parentheses. Missed targets and different results
are reported on standard error. Both sides run in the oracle's interpreter, unless --python names another interpreter
for purebleu. This interpreter should need the same time to start. To add a row, add a `Task` to `TASKS` in `tasks.py`.
To make another input from the data, add a function to `RECIPES` in `corpora.py`.

Exit codes: 0 all measured results are equal (some targets may be missed, and some tasks skipped), 1 some differ or a
program failed, 2 wrong usage, 130 interrupted. Needs `os.posix_spawn` and `os.wait4` (Linux, macOS).
"""
