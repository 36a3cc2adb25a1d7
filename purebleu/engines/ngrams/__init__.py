"""N-grams that segments have in common.

`counting` defines their number. `matching` finds it for many segments at once, on bit planes, from the ids of symbols
that `encoding` makes; `pairs` for all pairs of hypotheses and references. `information` is NIST's.
"""
