"""How far the choice of preprocessing moves BLEU of the same output (Post, 2018)."""
