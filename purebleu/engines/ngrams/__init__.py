"""Counting the n-grams that segments have in common (clipped counts).

`counting` defines the counts. `matching` computes clipped counts for many segments at once, on bit planes. `pairs`
computes the counts of each hypothesis against each reference.
"""
