"""Resampling: random streams, rows of statistics packed into integers, and intervals of resampled scores."""
