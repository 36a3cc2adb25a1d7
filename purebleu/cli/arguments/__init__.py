"""From the arguments of a process to its options: the table of options, and the meaning of values."""
