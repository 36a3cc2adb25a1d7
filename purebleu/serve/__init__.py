"""The local page: a server for this machine alone.

`server` answers requests, `jobs` runs each request in a process, and `document` makes the page. The caller provides the
function that does a job, and the setup of the page: nothing here depends on metrics.
"""
