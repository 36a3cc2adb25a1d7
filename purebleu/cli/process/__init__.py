"""The process: its terminal, its signals, and the line that shows its progress."""
