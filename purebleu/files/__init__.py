"""Files: reading, writing, downloading, and the forms in which files have texts and scores.

Reading: `opening` (names, decompression, encodings), `compressed`, `lines` (streams, read in parallel), `sections`
(blocks for later, or for other processes), `records` (columns of JSON Lines, CSV, TSV; paragraphs; conditions),
`subtitles`, `forms` (files that are no lines). Their contents: `numbers`, `scores`, `human_scores`, `manifest`.
Writing: `writing`. The cache: `download`.
"""
