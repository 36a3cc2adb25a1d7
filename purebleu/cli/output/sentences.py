"""The score of each segment, held back until the last one has been scored; and those of subsets (`--detail`)."""

from __future__ import annotations

from functools import partial
from itertools import compress

from ...errors import OptionError
from ...files.spool import Spool
from ...hints import Iterable, Row, Sequence
from ...metrics import BLEU
from ...metrics.base import Metric
from ...metrics.evaluation import Evaluation, Part, score_block, sum_statistics, warn_of_doubts
from ...metrics.score import Score, Signature
from ...report.formats import Style, subset_results
from ...report.names import short_names
from ...report.tables import SegmentTable
from ..arguments.command import Answer
from ..corpus.checks import InputChecks
from ..corpus.inputs import Inputs
from ..corpus.metrics import MetricChoice
from ..corpus.read import NOTHING_LEFT
from ..corpus.score import score_blocks, weighted_metrics
from ..corpus.scored import Scored, SegmentList
from ..corpus.selection import Selection
from .results import Printing, scores_text, set_intervals
from .testing import Testing


def score_sentences(inputs: Inputs, choice: MetricChoice, jobs: int, printing: Printing) -> Answer:
    """Score each segment: as text, a line each; in other formats, a table of all systems and metrics."""
    metrics = choice.make()
    if printing.style.form != "text":
        return _table(inputs, choice, metrics, jobs, printing)
    [metric] = metrics
    style = printing.style
    checks = InputChecks([metric])
    [metric], blocks = weighted_metrics(inputs, [metric], None, checks)
    evaluation: Evaluation[Score] = Evaluation(metric, inputs.signature_fields)

    def lines_of(part: Part) -> str:
        evaluation.add(part)
        signature = evaluation.signature().format(style.short)
        return "\n".join([metric.score(row).format(style.width, printing.score_only, signature) for row in part.rows])

    parts = map(_only_part, score_blocks(inputs, partial(score_block, [metric], True), checks, jobs, blocks=blocks))
    spool = Spool(map(lines_of, parts))
    _warn_of_differences(printing, evaluation.signature())
    return Answer(spool)


def _only_part(systems: Sequence[Sequence[Part]]) -> Part:
    """The part that a block adds to the only system under the only metric."""
    if len(systems) > 1:
        raise _several_error()
    return systems[0][0]


def _several_error() -> OptionError:
    return OptionError("--sentence-level of several metrics or systems is a table: add -f csv, tsv or json")


def _warn_of_differences(printing: Printing, signature: Signature) -> None:
    """Warn if a published signature differs from that of the scores."""
    if printing.signature:
        from ..arguments.signature import warn_of_differences

        warn_of_differences(printing.signature, signature)


def _table(inputs: Inputs, choice: MetricChoice, metrics: Sequence[Metric[Score]], jobs: int,
           printing: Printing) -> Answer:
    """A table of the lengths of each segment in tokens of BLEU, and of its scores."""
    listed = SegmentList()
    bleu = choice.bleu_among(metrics)
    checks = InputChecks(metrics)
    computed, blocks = weighted_metrics(inputs, [*metrics, *([] if bleu in metrics else [bleu])], listed, checks)
    lengths = next(index for index, metric in enumerate(computed) if isinstance(metric, BLEU))
    scored = computed[:len(metrics)]
    evaluations: list[list[Evaluation[Score]]] = []

    def rows_of(block: Sequence[Sequence[Part]]) -> list[list[list[str]]]:
        if not evaluations:
            evaluations.extend([[Evaluation(metric, inputs.signature_fields) for metric in computed]
                                for _ in block])
        by_system: list[list[list[str]]] = []
        for system_evaluations, parts in zip(evaluations, block):
            for evaluation, part in zip(system_evaluations, parts):
                evaluation.add(part)
            by_system.append([_cells(scored, rows, rows[lengths], printing.style.width)
                              for rows in zip(*[part.rows for part in parts])])
        return [list(segment_cells) for segment_cells in zip(*by_system)]

    spool = Spool(map(rows_of, score_blocks(inputs, partial(score_block, computed, True), checks, jobs, listed=listed,
                                            blocks=blocks)))
    signatures = {evaluation.score().name: evaluation.signature() for evaluation in evaluations[0][:len(metrics)]}
    _warn_of_differences(printing, next(iter(signatures.values())))
    shown = inputs.short_system_names(len(evaluations))
    return _tabled(SegmentTable(listed.numbers, listed.columns.get("id", []), shown, signatures), spool, printing)


def _cells(metrics: Sequence[Metric[Score]], rows: Sequence[Row], row_of_bleu: Row | None, width: int) -> list[str]:
    """The cells of a segment: its lengths as BLEU counts them (empty if they are not known), and its scores."""
    lengths = ["", ""] if row_of_bleu is None else [str(length) for length in row_of_bleu[:2]]
    return [*lengths, *[metric.score(row).numbers(width) for metric, row in zip(metrics, rows)]]


def _tabled(table: SegmentTable, blocks: Iterable[Sequence[Sequence[Sequence[str]]]], printing: Printing) -> Answer:
    """The table; as CSV and TSV have no signatures, standard error has them."""
    form = printing.style.form
    messages = [] if form == "json" else [f"{name}|{signature}" for name, signature in table.signatures.items()]
    return Answer(table.records(blocks, form), messages)


def sentences_of_rows(scored: Scored, printing: Printing) -> Answer:
    """The score of each segment from stored rows; the metrics of `scored` are those of single segments."""
    metrics, style = scored.metrics, printing.style
    if style.form == "text":
        if len(metrics) > 1 or len(scored.systems) > 1:
            raise _several_error()
        [signature], [rows] = scored.signatures, scored.systems[0].rows
        signed = signature.format(style.short)
        return Answer([metrics[0].score(row).format(style.width, printing.score_only, signed) for row in rows])
    of_bleu = next((index for index, metric in enumerate(metrics) if isinstance(metric, BLEU)), None)
    by_system = [[_cells(metrics, rows, None if of_bleu is None else rows[of_bleu], style.width)
                  for rows in zip(*system.rows)] for system in scored.systems]
    shown = short_names(scored.names) if scored.naming == "files" else scored.names
    signatures = {score.name: signature for score, signature in zip(scored.systems[0].scores(), scored.signatures)}
    table = SegmentTable(range(1, 1 + len(by_system[0])), [], shown, signatures)
    return _tabled(table, [list(zip(*by_system))], printing)


#: The text of `--detail` for test sets that don't tell the origin of their segments (sacreBLEU's own).
_NO_SUBSETS = "No subset information found. Consider using --origlang argument."


def detailed_text(scored: Scored, selection: Selection, testing: Testing, printing: Printing) -> str:
    """The scores of one system on the selected segments, and those of subsets of all segments.

    Raises:
        OptionError: no segment is selected.
    """
    warn_of_doubts(scored.systems)
    [system] = scored.systems
    subsets = _subset_scores(scored, selection, printing.style)
    scores = system.scores()
    kept = selection.kept_segments()
    if kept is not None:
        system.rows = [list(compress(rows, kept)) for rows in system.rows]
        if not system.rows[0]:
            raise OptionError(NOTHING_LEFT)
        scores = [evaluation.of_rows(rows, {}).score() for evaluation, rows in zip(system.evaluations, system.rows)]
    if testing.intervals:
        set_intervals(scores, testing.results_of_one(scored))
    return f"{scores_text(scores, printing)}\n{subsets}"


def _subset_scores(scored: Scored, selection: Selection, style: Style) -> str:
    """The scores of subsets of the test sets, by original language and domain."""
    results: list[tuple[str, int, Score]] = []
    by_name = dict(zip(scored.choice.names, zip(scored.metrics, scored.systems[0].rows)))
    for label, kept in selection.subsets():
        # sacreBLEU-compat: here, the metrics are in the order given. (fixtures: test_set_commands)
        for metric, rows in map(by_name.__getitem__, scored.choice.as_given):
            results.append((label, sum(kept), metric.score(sum_statistics(list(compress(rows, kept))))))
    return subset_results(results, style) if results else _NO_SUBSETS
