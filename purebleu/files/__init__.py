"""Files: reading lines, the cache, downloads."""
