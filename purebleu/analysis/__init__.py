"""Analyses of systems: scores of segments and of groups of segments, matched words and n-grams, similarity."""
