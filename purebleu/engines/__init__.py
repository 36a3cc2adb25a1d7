"""Algorithms that know nothing of metrics, test sets or the command line."""
