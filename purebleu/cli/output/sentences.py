"""The score of each segment (`-sl`), and the scores of subsets (`--detail`)."""

from __future__ import annotations

from itertools import compress, repeat

from ...files.writing import Spool
from ...metrics import BLEU
from ...metrics.base import Metric
from ...metrics.evaluation import Evaluation, Part, sum_statistics, warn_of_doubts
from ...metrics.input_checks import InputChecks
from ...metrics.score import Score, Signature
from ...report.formats import Style, delimited, short_names, subset_results
from ...runtime.errors import OptionError
from ...runtime.hints import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Row, Sequence
from ...runtime.json_writer import to_json
from ..arguments.command import Answer
from ..arguments.values import check_needs
from ..corpus.inputs import Inputs
from ..corpus.read import NOTHING_LEFT, SegmentList
from ..corpus.score import MetricChoice, Scored, score_blocks, weighted_metrics
from .results import Printing, Testing, scores_text, warn_of_signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...datasets.registry import Selection

    #: For each system and metric, the rows of the segments in one block.
    RowsOfBlock = Sequence[Sequence[Sequence[Row]]]


class _Evaluated(NamedTuple):
    """The metrics of segments, and their evaluations.

    Attributes:
        metrics: the metrics. The last metric may be a BLEU that is only there for lengths.
        printed: the number of metrics whose scores are printed.
        evaluations: the evaluations of each system under each metric. Segments are added when they are scored.
    """

    metrics: Sequence[Metric[Score]]
    printed: int
    evaluations: Sequence[Sequence[Evaluation[Score]]]


def score_sentences(inputs: Inputs, choice: MetricChoice, jobs: int, printing: Printing) -> Answer:
    """Score each segment. Text has a line for each segment; other formats have a table of systems and metrics."""
    metrics = choice.make()
    count = len(metrics)
    checks = InputChecks(metrics)
    listed = None
    if printing.style.form != "text":
        listed = SegmentList()
        if (bleu := choice.bleu_among(metrics)) not in metrics:
            metrics.append(bleu)  # (for the lengths)
    computed, blocks = weighted_metrics(inputs, metrics, listed, checks)
    evaluations: list[list[Evaluation[Score]]] = []
    fields = inputs.warned_fields()

    def rows_of(block: Sequence[Sequence[Part]]) -> RowsOfBlock:
        rows: list[list[Sequence[Row]]] = []
        for index, parts in enumerate(block):
            if index == len(evaluations):
                evaluations.append([Evaluation(metric, fields) for metric in computed])
            for evaluation, part in zip(evaluations[index], parts):
                evaluation.add(part)
            rows.append([part.rows for part in parts])
        return rows

    scored = score_blocks(computed, blocks, True, jobs)
    evaluated = _Evaluated(computed, count, evaluations)
    return _printed(evaluated, map(rows_of, scored), inputs.short_system_names, listed, printing)


def sentences_of_rows(scored: Scored, printing: Printing) -> Answer:
    """Return the score of each segment from stored rows. `scored` has metrics for single segments."""
    listed = SegmentList()
    count = len(scored.systems[0].rows[0])
    listed.add(range(1, count + 1), [True] * count, {})
    shown = short_names(scored.names) if scored.naming == "files" else scored.names
    evaluated = _Evaluated(scored.metrics, len(scored.metrics), [system.evaluations for system in scored.systems])
    return _printed(evaluated, [scored.rows], lambda _: shown, listed, printing)


def check_single(systems: int, metrics: int) -> None:
    """Raise `OptionError` for several systems or metrics, because a line of text has only one score."""
    check_needs(systems < 2 and metrics < 2, "--sentence-level with several metrics or systems",
                "a table: add -f csv, tsv or json", "sentence_level")


def _printed(evaluated: _Evaluated, blocks: Iterable[RowsOfBlock], names_of: Callable[[int], Sequence[str]],
             listed: SegmentList | None, printing: Printing) -> Answer:
    """Read all blocks, and return the scores of their segments.

    Args:
        evaluated: the metrics, and evaluations to which segments are added while `blocks` are read.
        blocks: blocks of rows.
        names_of: returns the names of a number of systems.
        listed: the segments, for a table; `None`: text is printed.
        printing: how the scores are printed.
    """
    metrics, count, evaluations = evaluated
    style = printing.style

    def lines_of(rows_of_block: RowsOfBlock) -> str:
        check_single(len(rows_of_block), count)
        [[evaluation]] = evaluations
        signature = evaluation.signature().format(style.short)
        return "\n".join([metrics[0].score(row).format(style.width, printing.score_only, signature)
                          for row in rows_of_block[0][0]])

    def cells_of(rows_of_block: RowsOfBlock) -> list[list[list[str]]]:
        columns = [_cells(metrics, count, rows, style.width) for rows in rows_of_block]
        return list(map(list, zip(*columns)))

    if listed is None or style.form == "text":
        answer = Answer(Spool(map(lines_of, blocks)))
        warn_of_signature(printing.signature, evaluations[0][0].signature())
        return answer
    spool = Spool(map(cells_of, blocks))
    signatures = {evaluation.score().name: evaluation.signature() for evaluation in evaluations[0][:count]}
    warn_of_signature(printing.signature, next(iter(signatures.values())))
    # (CSV and TSV have no place for signatures, so signatures go to standard error.)
    messages = [] if style.form == "json" else [f"{name}|{signature}" for name, signature in signatures.items()]
    return Answer(_segment_records(listed, names_of(len(evaluations)), signatures, spool, style.form), messages)


def _cells(metrics: Sequence[Metric[Score]], count: int, columns: Sequence[Sequence[Row]],
           width: int) -> list[list[str]]:
    """Return the cells of each segment: its two lengths in BLEU's tokens (empty if unknown), and its scores.

    `columns` has the rows of a system under each metric. Only the first `count` metrics have scores.
    """
    of_bleu = [index for index, metric in enumerate(metrics) if isinstance(metric, BLEU)]
    by_segment: list[list[str]] = []
    for rows in zip(*columns):
        lengths = [str(length) for length in rows[of_bleu[0]][:2]] if of_bleu else ["", ""]
        by_segment.append([*lengths, *[metric.score(row).numbers(width) for metric, row in zip(metrics[:count], rows)]])
    return by_segment


#: The headings of tables of segments, before the names of scores.
_SEGMENT_HEADINGS = ("line", "id", "system", "hyp_len", "ref_len")


def _segment_records(listed: SegmentList, systems: Sequence[str], signatures: Mapping[str, Signature],
                     blocks: Iterable[Sequence[Sequence[Sequence[str]]]], form: str) -> Iterator[str]:
    """Yield a table with a row for each segment and system, block by block, as text.

    Args:
        listed: the numbers and the ids of the segments.
        systems: the names of the systems.
        signatures: the signatures by the names of the scores. (CSV and TSV have only the names of the scores.)
        blocks: blocks of cells, by segment, then by system.
        form: the format: `csv`, `tsv` or `json`.
    """
    signed = {name: signature.format() for name, signature in signatures.items()}
    segments = zip(listed.numbers, listed.columns.get("id") or repeat(""))
    text = f'{{"signatures": {to_json(signed, indent=None, ascii_only=False)}, "segments": ['
    if form != "json":
        yield delimited(form, [*_SEGMENT_HEADINGS, *signed], [])
    for block in blocks:
        rows: list[Sequence[Any]] = []
        for segment_rows, (number, name) in zip(block, segments):
            rows += [(number, name, system, *row) for system, row in zip(systems, segment_rows)]
        if form == "json":
            yield text
            text = ",\n".join([_segment_json(row, list(signed)) for row in rows]) + ","
        else:
            yield delimited(form, rows[0], rows[1:])
    if form == "json":
        yield text[:-1]
        yield "]}"


def _segment_json(row: Sequence[Any], metrics: Sequence[str]) -> str:
    """Return a row of `_segment_records` as an object of JSON, on one line."""
    number, name, system, length, reference_length, *scores = row
    return to_json({"line": number, "id": name or None, "system": system, "hyp_len": int(length) if length else None,
                    "ref_len": int(reference_length) if reference_length else None,
                    "scores": dict(zip(metrics, map(float, scores)))}, indent=None, ascii_only=False)


#: The text of `--detail` if the test set does not know the origin of segments (in sacreBLEU's words).
_NO_SUBSETS = "No subset information found. Consider using --origlang argument."


def detailed_text(scored: Scored, selection: Selection, testing: Testing, printing: Printing) -> str:
    """Return the scores of one system on the selected segments, and the scores of subsets of all segments.

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
    return f"{scores_text(scores, scored, testing, printing)}\n{subsets}"


def _subset_scores(scored: Scored, selection: Selection, style: Style) -> str:
    """Return the scores of subsets of the test sets, by original language and domain, as text."""
    results: list[tuple[str, int, Score]] = []
    by_name = dict(zip(scored.choice.names, zip(scored.metrics, scored.systems[0].rows)))
    for label, kept in selection.subsets():
        # sacreBLEU-compat: scores of subsets follow the order of -m. (fixtures: test_set_commands)
        for name in scored.choice.as_given:
            metric, rows = by_name[name]
            results.append((label, sum(kept), metric.score(sum_statistics(list(compress(rows, kept))))))
    return subset_results(results, style) if results else _NO_SUBSETS
