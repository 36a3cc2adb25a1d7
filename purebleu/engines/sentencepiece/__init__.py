"""SentencePiece (Kudo and Richardson, 2018): reading the files of models, and segmenting text with models.

Read the modules in this order: `model_file`, `normalizer`, `unigram`, `bpe`, `words` (from lines to pieces),
`published` (the models of spBLEU in the cache).
"""
