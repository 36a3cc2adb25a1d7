"""The conformance set: how its cases are made, and programs that answer them with several libraries."""
