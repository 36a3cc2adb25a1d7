"""Modules that read the inputs of a corpus, and score it under the metrics that options choose.

In reading order: `inputs`, `read` (reads a corpus block by block), `score` (metrics, and systems with their scores).
Each of the other modules serves a few options: `rows` (stored statistics), `selection` (test sets, also those in the
program's own archive), `selected_rows` (`--where`, `--group`), `units` (documents, strata), `outside` (scores of other
programs), `resegmentation` (also of subtitles).
"""
