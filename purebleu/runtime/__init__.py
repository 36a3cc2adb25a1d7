"""The base of the program: worker processes, progress, JSON on Pythons that lack it."""
