"""`--audit`: BLEU of the same output under many choices of preprocessing."""

from __future__ import annotations

from functools import partial

from ...audit.choices import CASES, choices_for, prepared, usual_choice
from ...audit.results import Audit, AuditRow, smoothed_rows
from ...errors import OptionError
from ...files.sections import divided
from ...metrics.evaluation import Evaluation
from ...report.audit import audit_report
from ...runtime.progress import observer
from ...runtime.workers import number_of_workers, spread
from ..scoring.corpus import input_fields, read_blocks, score_block, target_language
from ..scoring.naming import system_inputs
from .results import NOTHING_LEFT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Sequence

    from ...audit.choices import Preprocessing
    from ...metrics.bleu import BLEU, BLEUScore
    from ...metrics.evaluation import Part
    from ..arguments.options import Options
    from ..scoring.types import Block


def audit(options: Options) -> str:
    """The report of an audit: the scores under each choice, and what they mean."""
    # The counts of words come from all references, and the corpus may be readable only once: so all of it is held.
    blocks = [block for block in read_blocks(options) if block[0][0]]
    if not blocks:
        raise OptionError(NOTHING_LEFT)
    inputs = system_inputs(options, len(blocks[0][0]))
    results = audit_of(options, blocks, inputs if len(inputs) > 1 else [""])
    return audit_report(inputs, results, options.style, shorten=not options.names)


def audit_of(options: Options, blocks: Sequence[Block], warned_as: Sequence[str] = ()) -> Audit:
    """The audit of a corpus, which is one block or more; `warned_as` are the names of its systems in warnings."""
    if len({len(references) for _, references in blocks}) > 1 or any(None in stream for _, references in blocks
                                                                     for stream in references):
        raise OptionError("--audit needs the same number of references for each segment")
    language = target_language(options)
    choices, left_out = choices_for(language, (stream for _, references in blocks for stream in references),
                                    options.nonbreaking_prefixes, options.counts)
    usual = usual_choice(choices, language)
    metrics = [choice.metrics(options.bleu_force or index != usual) for index, choice in enumerate(choices)]
    lines = sum([len(systems) * len(systems[0]) for systems, _ in blocks])
    observer().begin("scoring", lines * len(choices) * len(CASES))
    evaluations = _evaluations(options.jobs, input_fields(options), blocks, choices, metrics)
    for name, evaluation in zip(warned_as, evaluations[usual][0]):
        evaluation.warn_of_doubts(name)
    scores = [[[evaluation.score() for evaluation in metric_evaluations] for metric_evaluations in choice_evaluations]
              for choice_evaluations in evaluations]
    rows = [_row(choice, choice_scores, options.short) for choice, choice_scores in zip(choices, scores)]
    return Audit(rows, usual, smoothed_rows(scores[usual]), left_out)


def _evaluations(jobs: int, fields: dict[str, str], blocks: Sequence[Block], choices: Sequence[Preprocessing],
                 metrics: Sequence[Sequence[BLEU]]) -> list[list[list[Evaluation[BLEUScore]]]]:
    """The evaluations of the systems, for each choice and each of its metrics."""
    workers = number_of_workers(jobs)
    evaluations = [[[Evaluation(metric, fields) for _ in blocks[0][0]] for metric in choice_metrics]
                   for choice_metrics in metrics]
    score = partial(_score_prepared, choices, metrics)
    for parts_of_choices in spread(score, _pieces(blocks, workers), workers, own_process=True):
        for choice_evaluations, systems in zip(evaluations, parts_of_choices):
            for metric_evaluations, parts in zip(choice_evaluations, zip(*systems)):
                for evaluation, part in zip(metric_evaluations, parts):
                    evaluation.add(part)
    return evaluations


def _pieces(blocks: Sequence[Block], workers: int) -> Iterator[Block]:
    for systems, references in blocks:
        for piece in divided([*systems, *references], workers):
            yield piece[:len(systems)], piece[len(systems):]


def _score_prepared(choices: Sequence[Preprocessing], metrics: Sequence[Sequence[BLEU]],
                    block: Block) -> list[list[list[Part]]]:
    """For each choice, the parts that a block, prepared, adds to each system under each metric of the choice."""
    systems, references = block
    columns = zip(*[prepared(choices, lines) for lines in [*systems, *references]])
    return [score_block(choice_metrics, False, (list(column[:len(systems)]), list(column[len(systems):])))
            for choice_metrics, column in zip(metrics, columns)]


def _row(choice: Preprocessing, scores: Sequence[Sequence[BLEUScore]], short: bool) -> AuditRow:
    return AuditRow(choice.name, [[score.score for score in case_scores] for case_scores in scores],
                    [choice.signed(case_scores[0].signature).format(short) for case_scores in scores])
