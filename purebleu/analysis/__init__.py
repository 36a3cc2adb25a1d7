"""Differences between systems: by segments, by kinds of segments, and by the words and n-grams that they get right."""
