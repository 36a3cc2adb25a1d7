"""Edit distances, alignments, and shifts of blocks of words.

Read `ter` first: it defines the edits of TER and SubER. `ter_search` counts the same edits faster, `alignment` aligns
words for WER, and `character` computes CharacTER. `ter_search`, `alignment` and `character` compute their matrices of
edit distances with `myers`.
"""
