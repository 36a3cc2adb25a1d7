"""The version of this package."""

#: The version of sacreBLEU whose scores these are. (Clients that need at least some version of it check this.)
__version__ = "2.6.0"
