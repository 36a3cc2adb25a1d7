"""BLEU of the same outputs under many choices of preprocessing."""

from __future__ import annotations

from functools import partial

from ..errors import OptionError
from ..files.sections import divided_blocks
from ..hints import Sequence
from ..metrics.bleu import BLEU, BLEUScore
from ..metrics.evaluation import Evaluation, Part, score_block
from ..runtime.progress import observer
from ..runtime.workers import number_of_workers, spread
from .preprocessing import CASES, Audit, AuditRow, Preprocessing, choices_for, prepared, smoothed_rows, usual_choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..metrics.evaluation import Block


def audit_of(blocks: Sequence[Block], language: str, fields: dict[str, str], prefixes: str | None, counts: str | None,
             *, jobs: int = 1, short: bool = False, warned_as: Sequence[str] | None = ()) -> Audit:
    """Audit a corpus.

    Args:
        blocks: the corpus, which is one block or more.
        language: the code of its language; may be empty.
        fields: further fields of signatures.
        prefixes: Moses' file of abbreviations; `None`: the built-in list.
        counts: a file of the counts of words; `None`: those of the references.
        jobs: the number of processes.
        short: whether signatures are short.
        warned_as: the names of the systems in warnings; `None`: there are no warnings.
    """
    if len({len(references) for _, references in blocks}) > 1 or any(None in stream for _, references in blocks
                                                                     for stream in references):
        raise OptionError("an audit needs the same number of references for each segment")
    choices, left_out = choices_for(language, (stream for _, references in blocks for stream in references),
                                    prefixes, counts)
    usual = usual_choice(choices, language)
    metrics = [choice.metrics(warned_as is None or index != usual) for index, choice in enumerate(choices)]
    lines = sum([len(systems) * len(systems[0]) for systems, _ in blocks])
    observer().begin("scoring", lines * len(choices) * len(CASES))
    evaluations = _evaluations(jobs, fields, blocks, choices, metrics)
    for name, evaluation in zip(warned_as or (), evaluations[usual][0]):
        evaluation.warn_of_doubts(name)
    scores = [[[evaluation.score() for evaluation in metric_evaluations] for metric_evaluations in choice_evaluations]
              for choice_evaluations in evaluations]
    rows = [_row(choice, choice_scores, short) for choice, choice_scores in zip(choices, scores)]
    return Audit(rows, usual, smoothed_rows(scores[usual]), left_out)


def _evaluations(jobs: int, fields: dict[str, str], blocks: Sequence[Block], choices: Sequence[Preprocessing],
                 metrics: Sequence[Sequence[BLEU]]) -> list[list[list[Evaluation[BLEUScore]]]]:
    """The evaluations of the systems, for each choice and each of its metrics."""
    workers = number_of_workers(jobs)
    evaluations = [[[Evaluation(metric, fields) for _ in blocks[0][0]] for metric in choice_metrics]
                   for choice_metrics in metrics]
    score = partial(_score_prepared, choices, metrics)
    for parts_of_choices in spread(score, divided_blocks(blocks, workers), workers, own_process=True):
        for choice_evaluations, systems in zip(evaluations, parts_of_choices):
            for metric_evaluations, parts in zip(choice_evaluations, zip(*systems)):
                for evaluation, part in zip(metric_evaluations, parts):
                    evaluation.add(part)
    return evaluations


def _score_prepared(choices: Sequence[Preprocessing], metrics: Sequence[Sequence[BLEU]],
                    block: Block) -> list[list[list[Part]]]:
    """For each choice, the parts that a block adds to each system under each metric of the choice."""
    systems, references = block
    columns = zip(*[prepared(choices, lines) for lines in [*systems, *references]])
    return [score_block(choice_metrics, False, (list(column[:len(systems)]), list(column[len(systems):])))
            for choice_metrics, column in zip(metrics, columns)]


def _row(choice: Preprocessing, scores: Sequence[Sequence[BLEUScore]], short: bool) -> AuditRow:
    return AuditRow(choice.name, [[score.score for score in case_scores] for case_scores in scores],
                    [choice.signed(case_scores[0].signature).format(short) for case_scores in scores])
