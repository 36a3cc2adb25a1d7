"""From the arguments of a process to the values of a command's options.

In reading order: `groups` (all options), `values` (converts texts to values), `rules` (errors of options that do not
fit together), `command` (a command, its answer, its output style), `parser` (from a line to values), `signature`
(`--signature`).
"""
