"""From the arguments of a process to its options: what options there are, and what each value means."""
