"""A page for this machine alone: the server of the page, and the processes that do its jobs.

The function that does a job, and the setup of the page, are given by the caller: nothing here depends on metrics.
"""
