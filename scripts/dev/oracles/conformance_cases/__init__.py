"""The cases of the conformance set."""
