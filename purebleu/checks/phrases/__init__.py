"""Phrases that language models add to a translation, or write instead: `matching`, and patterns in `patterns.txt`."""
