"""2: a score for each segment; per hypothesis a string, or a list of references."""

from purebleu import CHRF

hypotheses = ["The cat sat on the mat.", "It was a rainy day."]

print(CHRF().sentence_scores(hypotheses, ["The cat sat on a mat.", "It was a rainy day."]))
print(CHRF().sentence_scores(hypotheses, ["The cat sat on a mat.", ["It rained.", "It was a rainy day."]]))
