"""SentencePiece models (Kudo and Richardson, 2018): reading their files, and segmenting text with them."""
