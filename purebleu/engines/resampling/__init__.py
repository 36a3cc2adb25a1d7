"""Resampling: scores of many random samples of segments, computed from their rows.

`streams` makes the same random numbers as Python or NumPy. `packed` adds up the rows of many samples, with the rows
stored as large integers. `intervals` computes scores and confidence intervals from the sums.
"""
