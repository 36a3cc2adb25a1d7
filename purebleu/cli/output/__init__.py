"""Functions that convert results to text and pages.

In reading order: `results` (tests of systems, tables of scores, gates), `page` (of a report), `pairs` (language pairs,
runs, groups of segments), `sentences` (`-sl` and `--detail`), `testsets` (`--list`, `--echo` and so on).
"""
