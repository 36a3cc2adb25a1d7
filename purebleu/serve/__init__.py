"""A page for this machine alone: a server that gives it to one browser, and processes that do what it asks for.

What they do is handed in, as is what the page offers: nothing here knows of metrics.
"""
