"""Checks that find faults in outputs without scoring them: copies, loops, chatter, lost numbers.

Begin with `table`, which lists the checks by name, and `texts`, which has the texts that checks compare. `copies`,
`forms`, `parts` and `phrases` have a function for each check. `findings` runs all checks on all systems.
"""
