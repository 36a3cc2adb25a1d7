"""Edit distances and shifts of blocks of words, of one pair of segments or of many at once."""
