"""Modules that read a command line: its command, and the values of its options.

In reading order: `groups` (all options), `values` (converts texts to values; errors of values that do not fit
together), `command` (a command, its answer, its output style), `parser` (reads a command line), `signature` (reads
`--signature`).
"""
