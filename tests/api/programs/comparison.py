"""3: systems side by side, with the table of `purebleu test`."""

import purebleu

references = ["The cat sat on a mat.", "It was a rainy day.", "Nobody came.", "We all left early."]
base = ["The cat sat on the mat.", "It was rainy day.", "No one came.", "We left early."]
new = ["The cat sat on a mat.", "It was a rainy day.", "Nobody came.", "We left early."]

comparison = purebleu.compare({"base": base, "new": new}, [references], metrics=["bleu", "chrf"])
print(comparison)
print(comparison["new", "BLEU"].p_value)
print(comparison["base", "new", "chrf"].difference < 0)
print([record["system"] for record in comparison.to_records()])
