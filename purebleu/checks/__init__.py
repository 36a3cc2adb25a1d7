"""Checks that find faults in outputs without scoring them: copies, loops, chatter, lost numbers.

In reading order: `table` (the checks by name), `texts` (the texts that checks compare), `copies`, `forms`, `parts` and
`phrases` (a function for each check), `findings` (runs all checks on all systems).
"""
