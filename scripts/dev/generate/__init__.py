"""For maintainers: files of the project that are made, records of test sets, releases."""
