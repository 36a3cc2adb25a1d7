"""From results to text, pages and files.

In reading order: `results` (how systems are tested, tables and scores, gates), `page` (of a report), `pairs` (of
languages, also runs and groups), `sentences` (`-sl`, also `--detail`), `testsets`.
"""
