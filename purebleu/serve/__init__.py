"""The local page: a server for this machine alone.

`server` answers requests, `jobs` runs each request in a process, `request` has its texts, `document` makes the page,
and `browser` opens it. The caller provides the function that does a job, and the setup of the page: nothing here
depends on metrics.
"""
