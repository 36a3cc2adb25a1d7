"""The process: `terminal`, `progress_line`, `termination` (by signals), `collected_warnings`."""
