"""The process: its terminal, its signals, and the line that shows its progress.

In reading order: `terminal`, `collected_warnings`, `progress_line`, `termination`.
"""
