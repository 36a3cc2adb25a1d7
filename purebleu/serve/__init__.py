"""The local page, and its server for this machine alone.

`server` answers requests and opens a browser. `jobs` runs each request in a process. `form` makes the page, and reads
the texts of requests. These modules do not depend on metrics, because the caller provides the setup of the page and
the function that does a job.
"""
