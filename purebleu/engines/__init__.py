"""Algorithms that know nothing of metrics, test sets or the command line.

`ngrams`, `edits` and `word_order` compare segments. `resampling` samples their rows. `exact` has sums that do not
depend on the order of additions. `bits` has the large integers with which many segments are computed at once. `faster`
decides between a plain way and a faster one. `sentencepiece`, `mecab` and `porter` find words and stems.
"""
