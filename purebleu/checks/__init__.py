"""Checks that find faults in outputs, such as copies of the source, loops, chatter and lost numbers.

Begin with `table`, which lists the checks by name, and `texts`, which has the texts that checks compare. The function
of each check is in `copies`, `forms`, `parts` or `phrases`. `findings` runs all checks on all systems.
"""
