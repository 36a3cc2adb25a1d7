"""Resampling: scores of many samples of segments, from their rows.

`streams` has the random numbers, `numpy_stream` those of NumPy; `packed` sums up rows, packed into integers, over many
samples; `intervals` makes scores and confidence intervals of the sums.
"""
