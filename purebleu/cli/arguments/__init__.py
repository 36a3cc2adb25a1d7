"""From the arguments of a process to the values of a command's options.

In reading order: `groups` (options, each described once), `values` (from a text to a value), `command` (with its
answer and its style), `parser` (a line, the options of one command), `signature` (`--signature`).
"""
