"""From results to text, pages and files.

In reading order: `results` (tables and scores), `testing` (how systems are tested), `gates`, `findings` (of checks),
`page` (of a report), `pairs` (of languages, also runs and groups), `sentences` (`-sl`, also `--detail`), `views` (of
`compare`), `testsets`.
"""
