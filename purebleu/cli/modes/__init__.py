"""The modes of the command line: a module for each, and the table that chooses among them."""
