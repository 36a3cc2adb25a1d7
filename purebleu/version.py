"""The version of this package."""

#: The version of sacreBLEU whose scores this package computes. It has no suffix, because programs that use sacreBLEU
#: split it at its dots.
__version__ = "2.6.0"

#: The version of the program, in signatures and in the names of archives. Between two releases, the version ends in
#: `+dev`, or in `+g` and the commit if it is the version of a copy.
FULL_VERSION = "2.6.0+dev"
