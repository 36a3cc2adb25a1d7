"""The base of the program.

`progress` (who is told of it), `workers` (processes that share work), `isolation` (of these from the current folder),
`program` (the package's own files, also in an archive), `json_writer` and `json_text` (JSON, also on minimal Pythons).
"""
