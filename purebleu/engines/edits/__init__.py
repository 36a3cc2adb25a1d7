"""Edits: distances, and the shifts of blocks of words, one pair of segments at a time, and many at once."""
