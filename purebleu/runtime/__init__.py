"""What the program runs on: worker processes, progress, JSON on Pythons that lack it."""
