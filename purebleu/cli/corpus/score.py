"""Score a corpus: read its inputs, and compute the scores of systems under metrics."""

from __future__ import annotations

import warnings
from functools import partial

from ...errors import PurebleuWarning, warn
from ...hints import Any, Callable, Iterable, Iterator, NamedTuple, Sequence
from ...metrics.evaluation import Part, References, System, evaluated_systems, score_block
from ...metrics.input_checks import InputChecks
from ...metrics.score import Score
from ...runtime.progress import observer
from .inputs import Inputs, shown_names
from .read import CorpusTexts, SegmentList, read_blocks, read_references
from .scored import MetricChoice, Scored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...metrics.base import Metric
    from ...metrics.evaluation import Block


class Scoring(NamedTuple):
    """The settings for the scoring of a corpus.

    Attributes:
        jobs: the number of processes; 0: one for each processor.
        keeps_rows: whether the rows of segments are kept.
        checks_references: whether to look for references that may have been made from outputs.
        paired: whether the first system is the baseline of a test. (Without a name, the baseline is called `Baseline`.)
        stored_baseline: a file of rows with a baseline, which becomes the first system; empty: no such baseline.
        offset: the number of segments before the first one in a larger corpus; `None`: texts get no checksums.
        check: a function that raises an error if metrics and options conflict, before anything is read.
    """

    jobs: int
    keeps_rows: bool = False
    checks_references: bool = False
    paired: bool = False
    stored_baseline: str = ""
    offset: int | None = None
    check: Callable[[Sequence[Metric[Score]]], object] = len


def scored_corpus(inputs: Inputs, choice: MetricChoice, scoring: Scoring,
                  warned_texts: list[str] | None = None, warned: set[str] | None = None) -> Scored:
    """Score a corpus.

    Args:
        inputs: the inputs.
        choice: the metrics.
        scoring: the settings.
        warned_texts: the warnings until now, which are kept with the text of the corpus; `None`: no text is kept.
        warned: the kinds of warnings about texts that have been issued, and are not issued again.

    Raises:
        OptionError: no segment is selected, or inputs and metrics conflict.
        PurebleuError: a file can't be read, or files differ in length.
    """
    if inputs.left_out:
        warn(f"the baseline {inputs.left_out[0]} is given again as a system, and this repetition is left out")
    metrics = choice.make()
    scoring.check(metrics)
    baseline = None
    if scoring.stored_baseline:
        from .rows import StoredBaseline

        baseline = StoredBaseline(scoring.stored_baseline)
        baseline.check_before(metrics, inputs.signature_fields)
    texts = None if warned_texts is None else CorpusTexts(warned_texts)
    listed = texts.listed if texts else SegmentList() if inputs.has_units or inputs.group else None
    seen: list[Callable[[Block], None]] = [] if texts is None else [texts.see]
    checksums = None
    if scoring.offset is not None or scoring.stored_baseline:
        from ...rows import TextChecksums

        checksums = TextChecksums(scoring.offset or 0)
        seen.append(checksums.see)
    systems = evaluate_systems(inputs, metrics, scoring, seen, listed, warned)
    naming = inputs.naming
    names = inputs.system_names(len(systems))
    scored = Scored(metrics, systems, inputs, choice, shown_names(names, naming, scoring.paired), naming)
    scored.texts, scored.listed, scored.checksums = texts, listed, checksums
    if baseline is not None:
        baseline.put_first_in(scored, [] if checksums is None else checksums.references)
    if inputs.has_units and listed is not None:
        from .units import units_of

        scored.units = units_of(inputs, listed)
    return scored


def scored_from(inputs: Inputs, choice: MetricChoice, scoring: Scoring,
                warned_texts: list[str] | None = None) -> Scored:
    """Score a corpus for a command that compares systems: from texts (as `scored_corpus` does), or from stored rows.

    The names of systems are shortened.
    """
    if inputs.rows:
        from .rows import scored_rows

        scored = scored_rows(inputs, choice, scoring, paired=True, keeps_order=True)
    else:
        choice.check_unused(warned_texts is not None)
        scored = scored_corpus(inputs, choice, scoring, warned_texts)
    scored.shorten_names()
    return scored


def save_rows(path: str, scored: Scored) -> None:
    """Write the rows of systems and checksums of the texts to a file. Do nothing if `path` is empty."""
    if path:
        from ...rows import write
        from .rows import stored_parts

        write(path, stored_parts(scored))


def evaluate_systems(inputs: Inputs, metrics: Sequence[Metric[Score]], scoring: Scoring,
                     see: Sequence[Callable[[Block], None]] = (), listed: SegmentList | None = None,
                     warned: set[str] | None = None) -> list[System]:
    """Evaluate each system under each metric. The rows of segments are kept if `scoring` says so.

    The corpus is read once, with the scores of other programs. Each block is passed to the functions of `see`, scored
    and dropped. (If a metric needs weights, the references are also read before scoring.)

    Raises:
        OptionError: no segment is selected.
    """
    if inputs.outside.files and listed is None:
        listed = SegmentList()
    checks = InputChecks(metrics, warned, samples=scoring.checks_references)
    metrics, blocks = weighted_metrics(inputs, metrics, listed, checks)
    computed = [metric for metric in metrics if metric.COUNTS_TEXT]
    fields = inputs.signature_fields
    score = partial(score_block, computed, scoring.keeps_rows)
    if see:
        blocks = _seen(read_blocks(inputs, listed, checks) if blocks is None else blocks, see)
    scored_blocks = score_blocks(inputs, score, checks, scoring.jobs, listed, blocks)
    systems = evaluated_systems(scored_blocks, computed, scoring.keeps_rows, fields)
    for system in systems:
        for metric, evaluation in zip(computed, system.evaluations):
            evaluation.suits_text = checks.suits(metric)
    if listed is not None and len(computed) < len(metrics):
        from .outside import with_outside_scores

        return with_outside_scores(inputs.outside, metrics, systems, listed, scoring.keeps_rows)
    return systems


def _seen(blocks: Iterable[Block], see: Sequence[Callable[[Block], None]]) -> Iterator[Block]:
    """Pass each block to the functions `see`, and yield the block."""
    for block in blocks:
        for function in see:
            function(block)
        yield block


def weighted_metrics(inputs: Inputs, metrics: Sequence[Metric[Score]],
                     listed: SegmentList | None,
                     checks: InputChecks) -> tuple[Sequence[Metric[Score]], Iterable[Block] | None]:
    """Return the metrics with their weights, and the blocks of the corpus (`None`: the corpus has not been read).

    The weights come from all references. Files of references are read again for scoring. If a file of references can be
    read only once (such as a pipe), the whole corpus is kept in a temporary file.
    """
    if not any(metric.lacks_weights() for metric in metrics):
        return metrics, None
    from ...files.writing import Spool

    spool = None
    if not (inputs.selection or inputs.can_be_read_again(inputs.references)):
        spool = Spool(read_blocks(inputs, listed, checks))

    def weighted(metric: Metric[Score]) -> Metric[Score]:
        blocks = _quietly(read_references(inputs)) if spool is None else (references for _, references in spool)
        return metric.with_weights(References(metric, streams) for streams in blocks)

    return list(map(weighted, metrics)), spool


def _quietly(blocks: Iterator[Sequence[Sequence[Any]]]) -> Iterator[Sequence[Sequence[Any]]]:
    """Yield blocks of references, but suppress warnings. (Warnings are issued when the references are read again.)"""
    observer().begin("reading references", 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PurebleuWarning)
        for references in blocks:
            observer().advance(len(references[0]))
            yield references


def score_blocks(inputs: Inputs, score: Callable[[Block], list[list[Part]]], checks: InputChecks,
                 jobs: int, listed: SegmentList | None = None,
                 blocks: Iterable[Block] | None = None) -> Iterator[list[list[Part]]]:
    """Return the results of `score` for the blocks of the corpus (or pieces of blocks), in order.

    `jobs` processes compute the results. If `blocks` is `None`, this function also reads the blocks of the corpus.
    """
    read = read_blocks(inputs, listed, checks) if blocks is None else iter(blocks)
    if jobs == 1:
        return map(score, read)
    from .processes import consists_of_plain_files, score_in_processes

    is_read_there = listed is None and blocks is None and consists_of_plain_files(inputs)
    return score_in_processes(inputs, score, checks, jobs, None if is_read_there else read)
