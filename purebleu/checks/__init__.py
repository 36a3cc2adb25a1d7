"""Checks of outputs against their source and references, without scores: copies, loops, blank lines and the like.

In reading order: `table` (the checks by name), `texts` (what they look at), `copies`, `forms` (a function for each),
`findings` (all checks of systems together).
"""
