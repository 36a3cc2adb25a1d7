"""Resampling: scores of many random samples of segments, computed from their rows.

`streams` makes random numbers, Python's or NumPy's. `packed` adds up rows over many samples, packed into large
integers. `intervals` computes scores and confidence intervals from these sums.
"""
