"""1: as sacreBLEU; and a metric by its name, or by a published signature."""

import purebleu
from purebleu import BLEU

hypotheses = ["The cat sat on the mat.", "It was a rainy day."]
references = ["The cat sat on a mat.", "It was a rainy day."]

score = BLEU().corpus_score(hypotheses, [references])
print(score)
print(purebleu.metric("chrF++").corpus_score(hypotheses, [references]))
print(purebleu.metric(f"BLEU|{score.signature}").corpus_score(hypotheses, [references]) == score)
