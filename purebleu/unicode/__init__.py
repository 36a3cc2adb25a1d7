"""Properties of characters. The properties that scores depend on are the same in all versions of Python.

In reading order: `properties` (whitespace, and functions that read generated tables); `tables` and `letters` (generated
tables of categories, letters, digits and scripts); `casing` (lower case); `scripts` (text without spaces between
words); `columns` (text in a terminal).
"""
