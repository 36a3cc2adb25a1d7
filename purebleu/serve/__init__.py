"""The local page: a server for this machine alone.

`server` answers requests, and opens a browser; `jobs` runs each request in a process; `form` makes the page, and reads
the texts of its requests. The caller provides the function that does a job, and the setup of the page: nothing here
depends on metrics.
"""
