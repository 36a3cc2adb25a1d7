"""Facts about characters that are the same on every Python.

In reading order: `whitespace`; `casing` (lower case); `properties`, which reads the generated tables of
`tables` (categories, casing) and `letters` (letters, digits, scripts); `scripts` (text without spaces between words);
`columns` (text in a terminal).
"""
