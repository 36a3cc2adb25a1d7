"""Counting the n-grams that segments have in common (clipped counts).

`counting` defines the counts. `matching` computes them for many segments at once, on bit planes. `pairs` computes them
for each hypothesis against each reference.
"""
