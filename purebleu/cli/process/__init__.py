"""The process: its terminal, its signals, and the line that tells how far it has come."""
