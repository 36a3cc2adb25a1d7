"""Algorithms that know nothing of metrics, test sets or the command line.

`ngrams`, `edits`, `subsequences` and `word_order` compare segments; `resampling` samples their rows. `exact` has sums
that depend on no order, `bits` the integers in which many segments are computed at once. `faster` decides whether a
faster way stands in for a plain one. `sentencepiece`, `mecab` and `porter` find words and stems.
"""
