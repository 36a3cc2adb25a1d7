"""5: a training loop, and several processes: the sums are added up, and the score is signed."""

import purebleu
from purebleu import BLEU

batches = [(["The cat sat on the mat."], ["The cat sat on a mat."]),
           (["It was a rainy day."], ["It was a rainy day."])]

running = purebleu.Accumulator(BLEU())
for hypotheses, references in batches:
    running.update(hypotheses, [references])
elsewhere = purebleu.Accumulator(BLEU())
elsewhere.update(["Nobody came."], [["Nobody came."]])
running.merge(elsewhere.state())
score = running.compute()
print(score)
print(score.signature)
