"""Splitting text into words as MeCab does (Kudo et al., 2004), with its dictionaries, but without MeCab itself."""
