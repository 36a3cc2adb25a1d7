"""7: a tokenizer of one's own, with its name in signatures."""

from purebleu import BLEU


def words(line):
    return line.lower().split()


score = BLEU(tokenize=words, tokenize_name="mine-1").corpus_score(["The cat sat on a mat"], [["the cat sat on a mat"]])
print(score, score.signature.info["tok"])
