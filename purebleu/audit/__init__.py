"""The effect of the choice of preprocessing on BLEU of the same output (Post, 2018)."""
