"""Phrases that language models write around or instead of a translation. Their patterns are in `patterns.txt`."""
