"""6: any iterable, such as a column of pandas (here, of something like it)."""

from purebleu import BLEU, CHRF


class Column:
    """As much of a column of pandas, or of an array of NumPy, as is needed."""

    def __init__(self, values):
        self.values = values

    def __iter__(self):
        return iter(self.values)

    def tolist(self):
        return list(self.values)


frame = {"hyp": Column(["The cat sat.", "It rained."]), "ref": Column(["The cat sat down.", "It rained."])}
frame["chrf"] = [float(score) for score in CHRF().sentence_scores(frame["hyp"], frame["ref"])]
print([round(score, 2) for score in frame["chrf"]])
lines = (line for line in ("The cat sat on the mat.", "It rained."))
print(BLEU().corpus_score(lines, (iter(stream) for stream in [["The cat sat on a mat.", "It rained."]])))
