"""A page for this machine alone: a server that gives it to one browser, and processes that do its jobs.

Their work and the setup of the page are handed in: nothing here knows of metrics.
"""
