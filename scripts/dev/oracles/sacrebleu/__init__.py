"""Write the golden files in `tests/fixtures`: what sacreBLEU, the oracle, makes of many inputs.

    ORACLE/bin/python scripts/dev/oracles sacrebleu [--data DIR] [NAME ...]

Runs with the oracle's interpreter and writes the fixtures with these names, by default all of `FIXTURES` in
`registry.py`, whose functions say what is in them. The same oracle writes the same bytes each time. Text is made up by
`generated_lines` or lies beside its results: the files in `tests/fixtures/cli` called `reference*.txt` and
`hypothesis*.txt` are written by hand, and `cli_files` makes the other files there. Of the data in DIR, only numbers go
into a fixture; without such a folder, these fixtures stay as they are.

All of them are JSON objects with the members `oracle` (its version) and `cases`. Floats that have to be equal to the
last bit are written as `float.hex` has them.
"""
