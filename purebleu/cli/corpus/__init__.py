"""From options to a scored corpus: what is read, what is computed, and the scores.

In reading order: `inputs`, `read` (block by block), `scored` (what is computed), `score`; then what only some lines
need: `rows` (stored statistics), `selection` (test sets, also those in the program's own archive), `selected_rows`
(`--where`, `--group`), `units` (documents, strata), `outside` (scores of other programs), `resegmentation` (also of
subtitles), `processes`.
"""
