"""What all modules use: errors, types for annotations, blocks of segments, worker processes.

`errors` (the errors and the warning of purebleu), `hints` (types for annotations, and named tuples), `blocks` (the
sizes of blocks of segments), `workers` (processes that share work), `progress` (reports how much work is done),
`program` (reads the files of this package, also from an archive), `json_writer` (writes JSON, also if Python lacks the
module `json`), `lazy` (imports public names on first use).
"""
