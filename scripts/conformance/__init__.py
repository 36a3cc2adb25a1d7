"""Programs that answer the cases of the conformance set, each with another library."""
