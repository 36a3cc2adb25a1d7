"""For maintainers: write the generated files of the project, and records of test sets."""
