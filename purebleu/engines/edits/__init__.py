"""Edit distances, alignments and shifts of blocks of words.

Read `ter` first: TER's edits as they are defined. `myers` computes the matrices of many pairs at once, for
`ter_search` (the same edits as `ter`), `alignment` (WER), `distance` and `character` (CharacTER). `extended` is EED's
distance, `resegmentation` finds the line breaks of references in an output.
"""
