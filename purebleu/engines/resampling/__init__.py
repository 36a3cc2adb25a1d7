"""Resampling: scores of many samples of segments, from their rows.

`streams` has random numbers, also those of NumPy. `packed` sums up rows over many samples, packed into large
integers. `intervals` makes scores and confidence intervals of the sums.
"""
