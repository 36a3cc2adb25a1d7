"""MeCab's analysis of text into words (Kudo et al., 2004), from its compiled dictionaries, without MeCab itself."""
