"""Read, write and download files in the formats of texts and scores.

Reading: `opening` (file names, decompression, encodings), `lines` (streams of lines, read in parallel), `records`
(columns of JSON Lines, CSV and TSV; manifests; conditions; paragraphs), `subtitles`, `forms` (advice if lines look like
records). Scores of programs and of people: `numbers`, `scores`. Writing: `writing`. Downloads and the cache:
`download`.
"""
