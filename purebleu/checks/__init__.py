"""Checks of outputs beside their source and references, without scores: copies, loops, blank lines and the like."""
