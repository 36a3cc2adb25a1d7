"""Edit distances, alignments and shifts of blocks of words.

Read `ter` first: it defines TER's edits, and SubER's. `myers` computes the matrices of many pairs at once, for
`ter_search` (the same edits as `ter`), `alignment` (WER), `character` (CharacTER).
"""
