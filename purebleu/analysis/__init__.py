"""Differences between systems: in segments, in kinds of segments, and in the words and n-grams that match."""
