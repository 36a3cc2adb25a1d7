"""Computes how much BLEU of the same output depends on the choice of preprocessing (Post, 2018)."""
