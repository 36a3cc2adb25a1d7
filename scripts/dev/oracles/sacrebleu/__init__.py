"""Write the golden files in `tests/fixtures`: what sacreBLEU, the oracle, makes of many inputs.

    ORACLE/bin/python scripts/dev/oracles sacrebleu [--data DIR] [--compare] [NAME ...]

Runs with the oracle's interpreter and writes the fixtures with these names, by default all of `FIXTURES` in
`registry.py`, whose functions say what is in them. The same oracle writes the same bytes each time. The questions are
in the golden files themselves, beside their answers: lines, corpora, options, command lines (whose files are in
`tests/fixtures/cli`). To ask more, add a case to a file without its answers. Of the data in DIR, only numbers go into a
fixture; without such a folder, these fixtures stay as they are.

All of them are JSON objects with the members `oracle` (its version) and `cases`. Floats that have to be equal to the
last bit are written as `float.hex` has them.
"""
