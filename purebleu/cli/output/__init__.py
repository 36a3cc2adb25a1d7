"""From results to text, pages and files.

In reading order: `results` (tables, scores, the verdicts of gates), `testing` (how systems are tested), `findings` (of
checks), `page` (of a report), `pairs` (of languages, also runs and groups), `sentences` (`-sl`, also `--detail`),
`views` (of `compare`), `testsets`.
"""
