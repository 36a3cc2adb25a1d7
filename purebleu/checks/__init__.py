"""Checks of outputs against their source and references, without scores: copies, loops, chatter, lost numbers.

In reading order: `table` (the checks by name), `texts` (what they look at), `copies`, `forms`, `parts`,
`phrases` (a function for each check), `findings` (all checks of systems together).
"""
