"""Properties of characters. The properties that scores depend on are the same in all versions of Python.

In reading order: `properties` (whitespace; and functions for the generated tables in `tables` and `letters`, which have
categories, letters, digits and scripts); `casing` (lower case); `scripts` (text without spaces between words);
`columns` (text in a terminal).
"""
