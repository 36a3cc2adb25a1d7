"""Functions that turn results into text, pages and files.

In reading order: `results` (how systems are tested, tables and scores, gates), `page` (of a report), `pairs` (language
pairs, runs, groups of segments), `sentences` (`-sl` and `--detail`), `testsets` (`--list`, `--echo` and so on).
"""
