"""A page for this machine alone.

`server` answers requests, `jobs` does what they ask for in processes, `document` makes the page. The function that does
a job, and the setup of the page, are given by the caller: nothing here depends on metrics.
"""
