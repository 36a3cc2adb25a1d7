"""Phrases of language models around a translation, or in place of it: `matching`, with the patterns in `patterns.txt`.
"""
