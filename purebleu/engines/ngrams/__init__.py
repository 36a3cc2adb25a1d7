"""N-grams that segments have in common.

`counting` defines their number. `matching` computes it for many segments at once, on bit planes. `pairs` computes it
for all pairs of hypotheses and references.
"""
