"""The corpus that options name, read block by block, and its evaluations under their metrics."""
