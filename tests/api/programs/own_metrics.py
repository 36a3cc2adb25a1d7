"""9: metrics of one's own: a mean of segments, and the steps of any other."""

import purebleu

exact = purebleu.metric_from("EXACT", lambda hypothesis, references: 100.0 * (hypothesis in references))
print(exact.corpus_score(["a b", "c"], [["a b", "d"]]))


class WordRecall(purebleu.Metric):
    """The share of the words of references that are in hypotheses; rows are (words found, words)."""

    def preprocess(self, segment):
        return set(segment.split())

    def segment_statistics(self, hypothesis, references):
        return max((len(hypothesis & reference), len(reference)) for reference in references)

    def score(self, totals):
        found, words = totals
        return purebleu.Score("RECALL", 100 * found / words if words else 0.0)

    def column_names(self):
        return ["found", "words"]


print(WordRecall().corpus_score(["a b", "c"], [["a b c", "d"]]))
print(purebleu.compare({"one": ["a b", "c"], "two": ["a c", "d"]}, ["a b c", "d"],
                       metrics=[exact, WordRecall()])["two", "RECALL"].score)
