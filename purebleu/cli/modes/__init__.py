"""What the command line does with its options: a module for each mode, and the table that chooses among them."""
