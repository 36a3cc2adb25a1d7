"""N-grams: counting those that segments share, one segment at a time, and many at once on bit planes."""
