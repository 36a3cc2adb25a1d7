"""The version of this package."""

#: The version of sacreBLEU whose scores this package computes. It has no suffix, because clients split it at its dots.
__version__ = "2.6.0"

#: The version of the program, in signatures and in the names of archives. Between two releases, it ends in `+dev`. A
#: copy that is made between two releases has `+g` and the commit instead.
FULL_VERSION = "2.6.0+dev"
