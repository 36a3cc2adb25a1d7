"""The version of this package."""

#: That of sacreBLEU whose scores these are. (Clients that know a version from which on they work ask for that.)
__version__ = "2.6.0"
