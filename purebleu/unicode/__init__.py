"""Facts about characters that are the same on every Python.

In reading order: `properties` (whitespace; and what the generated tables of `tables` and `letters` say: categories,
letters, digits, scripts); `casing` (lower case); `scripts` (text without spaces between words);
`columns` (text in a terminal).
"""
