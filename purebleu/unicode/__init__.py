"""Facts of Unicode that do not depend on the interpreter: lower case, categories, whitespace."""
