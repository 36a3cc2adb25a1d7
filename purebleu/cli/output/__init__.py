"""From results to text, pages and files.

In reading order: `results` (tables and scores), `testing` (how systems are tested), `tested` (what is told of that),
`gates`, `findings` (of checks), `page` (of a report), `pairs` (of languages), `runs`, `sentences` (`-sl`), `details`
(`-d`), `views` (of `compare`), `agreement`, `audit`, `testsets`.
"""
