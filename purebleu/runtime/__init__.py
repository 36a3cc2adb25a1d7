"""Services for the whole package: progress, worker processes, the package's own files, JSON.

`progress` (reports how much work is done), `workers` (processes that share work), `program` (reads the files of this
package, also from an archive), `json_writer` (writes JSON, also if Python lacks the module `json`).
"""
