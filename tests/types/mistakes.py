"""Mistakes that a checker has to find: both mypy and pyright report an error on each line that says so.

Where there is none, the comment itself is an error: mypy reports it as unused, pyright as unnecessary. The first lines
are those that have to be right. Nothing here is ever run.
"""

from __future__ import annotations

import purebleu
from purebleu import BLEU, CHRF, TER, corpus_bleu, sentence_ter
from purebleu.cli.commands.score import ScoreValues
from purebleu.significance import results_of

bleu = BLEU()
score = bleu.corpus_score(["a"], [["a"]])

purebleu.corpus_blue  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
purebleu.metrics.ROUGE3  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
purebleu.significance.PairedTests  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
purebleu.datasets.DATASET  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
BLEU(lower_case=True)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
BLEU(lowercase="yes")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
BLEU(max_ngram_order="4")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
BLEU(tokenize=13)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
CHRF(words=2)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
CHRF(beta="2")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
TER(case_sensitive=1.5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
bleu.corpus_scores(["a"], [["a"]])  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
bleu.corpus_score("a", [[1.5]])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
bleu.corpus_score(["a"])  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
bleu.corpus_score(["a"], [["a"]], bootstrap=10)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
bleu.corpus_score(["a"], 5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
bleu.sentence_score("a", 5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
corpus_bleu(["a"], [["a"]], smooth="exp")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
sentence_ter("a", ["b"], normalised=True)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
results_of([], [], sample=5)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
results_of([], [BLEU])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
purebleu.significance.PairedTest([("a", ["b"])], [BLEU()], [["b"]])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
score.num_edits  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
score.signature.info["nrefs"] + [1]  # type: ignore[operator]  # pyright: ignore[reportOperatorIssue, reportUnusedExpression]
score.precision  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
TER().corpus_score(["a"], [["a"]]).bp  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
CHRF().sentence_score("a", ["a"]).precisions  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
width: str = score.score  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
ScoreValues().refrences  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
offset: str = ScoreValues().offset  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
