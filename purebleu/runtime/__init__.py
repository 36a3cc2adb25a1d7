"""The base of the program: progress, processes, its own files, JSON.

`progress` (how much is done), `workers` (processes that share work; they ignore modules in the current folder),
`program` (the files of this package, also in an archive), `json_writer` (JSON, also on minimal Pythons).
"""
