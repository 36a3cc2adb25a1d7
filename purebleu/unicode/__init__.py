"""Facts of Unicode that do not depend on the interpreter.

In reading order: `whitespace`; `normal_forms`; `casing` (lower case); `properties`, which reads the generated tables of
`tables` (categories, casing) and `letters` (letters, digits, scripts); `scripts` (text without spaces between words);
`columns` (text in a terminal).
"""
