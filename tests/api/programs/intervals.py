"""4: the interval of a score, and the score as text, as a number and as a dict."""

from purebleu import BLEU

hypotheses = ["The cat sat on the mat.", "It was a rainy day."]
references = ["The cat sat on a mat.", "It was a rainy day."]

score = BLEU().corpus_score(hypotheses, [references], n_bootstrap=1000)
low, high = score.interval
print(f"{score:.1f} ({low:.1f} to {high:.1f})")
print(float(score) == score.score, round(score.to_dict()["ci"], 3) == round((high - low) / 2, 3))
