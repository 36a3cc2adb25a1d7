"""10: a test set."""

import purebleu

pair = purebleu.test_set("sample", "en-de")
print(len(pair.source), len(pair.references), pair.documents[0], list(pair.outputs), pair.citation)
print(purebleu.BLEU().corpus_score(pair.outputs["mixed"], pair.references).score > 0)
