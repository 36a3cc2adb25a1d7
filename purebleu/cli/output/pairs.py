"""Results on several language pairs (`--manifest`), runs (`--runs`) or groups of segments (`--group`)."""

from __future__ import annotations

import os
from copy import copy
from functools import partial
from itertools import chain, islice

from ...files.opening import column_of, files_of_pattern
from ...metrics.base import Metric
from ...metrics.evaluation import System, warn_of_doubts
from ...metrics.signature import plain_value
from ...report.comparison import OVER_ALL, pairs_report, runs_report
from ...report.formats import PAPER, PairResults, Style
from ...report.worth import NOTHING_WANTED, Wanted
from ...runtime.errors import OptionError
from ...runtime.hints import Any, Callable, Mapping, Row, Sequence
from ...significance.groups import MacroMean, wide_row
from ...significance.results import Results, correct_together
from ...significance.runs import runs_of
from ...significance.sampling import STRATIFIED, Units, indices_by_value
from ..arguments.command import CorpusValues
from ..arguments.values import check_needs, check_takes
from ..corpus.inputs import Examined, check_distinct, inputs_of
from ..corpus.score import MetricChoice, Scored, Scoring, scored_corpus
from ..corpus.selected_rows import group_labels
from .results import Testing, warn_of_signature


def scored_pairs(values: CorpusValues, scoring: Scoring, warned_texts: list[str] | None = None,
                 written: str = "") -> list[Scored]:
    """Score the systems of each pair of a manifest.

    Args:
        values: the options of the command.
        scoring: the settings for each pair.
        warned_texts: the warnings so far, if a page needs the texts; `None`: no text is kept.
        written: the file of the page; empty: none.

    Raises:
        OptionError: a pair has too few systems for a test, or options do not go with the files of a pair.
    """
    from ...files.records import read_manifest

    pairs = read_manifest(values.manifest, values.encoding, [column for _, column in values.scores])
    for pair in pairs:
        check_needs(not scoring.paired or len(pair.names) > 1, f"{values.manifest}: a paired test",
                    f"two systems or more, but {pair.pair} has only {', '.join(pair.names)}", "manifest")
    warned: set[str] = set()
    all_scored: list[Scored] = []
    for pair in pairs:
        inputs = inputs_of(values, pair=pair)
        inputs.check_targets({"the page": written}, [values.manifest])
        choice = MetricChoice(values, inputs, keeps_order=scoring.paired)
        choice.check_unused(warned_texts is not None)
        try:
            scored = scored_corpus(inputs, choice, scoring, warned_texts, warned)
            scored.pair = pair.pair
            all_scored.append(scored)
        except Examined:
            if pair is pairs[-1]:
                raise
    return all_scored


def pair_results(scored: Scored, results: Results) -> PairResults:
    """Return the results on a pair, with the names of its systems and signatures. Warn of doubtful scores."""
    warn_of_doubts(scored.systems, [f"{name} on {scored.pair}" for name in scored.names])
    return PairResults(scored.pair, scored.names, results, scored.signed(results))


def pairs_text(results: Sequence[PairResults], style: Style, wanted: Wanted = NOTHING_WANTED, autorank: bool = False,
               group: str = "") -> str:
    """Return the results of all pairs as one table. (If the pairs are groups, `group` is the name of the column.)"""
    if style.form == PAPER:
        from ...report.paper import paper_table

        return paper_table(results, style)
    return pairs_report(results, style, wanted, autorank, group)


def scored_runs(values: CorpusValues, against: str = "") -> tuple[dict[str, list[str]], Scored]:
    """Score the runs of systems. Return the files of the runs by the name of the system, and the scored runs.

    The system `against` becomes the first system; if it is empty, the order stays.
    """
    runs = files_of_runs(values.runs)
    if against:
        from ...files.scores import index_called

        first = [*runs][index_called(against, [[name] for name in runs])]
        runs = {first: runs.pop(first), **runs}
    values.input = list(chain(*runs.values()))
    inputs = inputs_of(values)
    choice = MetricChoice(values, inputs, keeps_order=True)
    choice.check_unused()
    return runs, scored_corpus(inputs, choice, Scoring(values.jobs, keeps_rows=True))


def runs_text(runs: Mapping[str, Sequence[str]], scored: Scored, testing: Testing, style: Style) -> str:
    """Return a table of systems with several runs. A test compares each system with the first system."""
    rows = iter(scored.rows)
    systems = [list(islice(rows, len(paths))) for paths in runs.values()]
    sampling = testing.sampling(scored, test=STRATIFIED.name if testing.samples else None)
    results = runs_of(systems, scored.metrics, sampling, holm=testing.corrects)
    warn_of_doubts(scored.systems, list(chain(*runs.values())))
    signed = scored.signed(results)
    if style.form == PAPER:
        from ...report.paper import paper_table_of_runs

        return paper_table_of_runs([*runs], results, signed, style, scored.inputs.corpus)
    return runs_report([*runs], results, signed, style)


def files_of_runs(patterns: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the files that match the patterns of `--runs`, by the name of the system.

    Raises:
        OptionError: a pattern matches no file, or a name or a file is given twice (even by two systems).
    """
    check_distinct([name for name, _ in patterns], "--runs has {} twice: give one pattern for all runs of a system",
                   "runs")
    systems = {name: files_of_pattern(pattern) for name, pattern in patterns}
    for name, pattern in patterns:
        check_takes(systems[name], "--runs", f"patterns of files that exist, not {name}={pattern}", "runs")
    seen: dict[tuple[str, str], str] = {}
    for name, file in [(name, file) for name, files in systems.items() for file in files]:
        path = column_of(file).path or ""
        described = f"{file} of {name}"
        before = seen.setdefault((os.path.realpath(path), file[len(path):]), described)
        if before is not described:
            raise OptionError(f"--runs: {before} and {described} are the same file", option="runs")
    return systems


def groups_of(scored: Scored, testing: Testing) -> list[Scored]:
    """Return the scored systems of each group of segments, of the macro means over groups, and of all segments."""
    assert scored.listed is not None, "groups need a list of segments"
    labels = group_labels(scored.inputs, scored.listed.columns["group"])
    column = plain_value(scored.inputs.group_column)
    documents = scored.units.documents if scored.units else None
    segments_of_groups = indices_by_value(labels)
    indices = {name: index for index, name in enumerate(segments_of_groups)}
    groups: list[Scored] = []
    for name, segments in segments_of_groups.items():
        def of_group(rows: Sequence[Row], segments: Sequence[int] = segments) -> list[Row]:
            return [rows[index] for index in segments]

        group = _rescored(scored, name, of_group, {"group": f"{column}={plain_value(name)}"})
        group.units = None if documents is None else Units([documents[index] for index in segments])
        groups.append(group)

    def of_macro(rows: Sequence[Row]) -> list[Row]:
        return [wide_row(indices[label], len(indices), row) for label, row in zip(labels, rows)]

    macro = _rescored(scored, "macro mean", of_macro, {"group": column}, partial(MacroMean, groups=len(indices)))
    if testing.test or testing.intervals or testing.differences:
        scored.units = macro.units = Units(documents, labels, column)
    pooled = copy(scored)
    pooled.pair = "pooled"
    return [*groups, macro, pooled]


def groups_text(scored: Scored, testing: Testing, style: Style, signature: str = "") -> tuple[str, list[PairResults]]:
    """Return the results on groups of segments as text and as objects. `signature` is as for `results_of_groups`."""
    results = results_of_groups(groups_of(scored, testing), testing, signature)
    return pairs_report(results, style, group=scored.inputs.group_column), results


def results_of_groups(groups: Sequence[Scored], testing: Testing, signature: str = "") -> list[PairResults]:
    """Return the results on the groups that `groups_of` returned. The p-values of all groups are corrected together.

    Warn if a published `signature` (which may be empty) differs from the signature of the score on all segments.
    """
    results = [pair_results(group, testing.results(group)) for group in groups]
    if testing.corrects:
        correct_together([of_group.results for of_group in results[:-OVER_ALL]])
    warn_of_signature(signature, results[-1].signature(0), has_groups=True)
    return results


def _rescored(scored: Scored, name: str, rows_of: Callable[[Sequence[Row]], list[Row]], fields: Mapping[str, str],
              make: Callable[[Metric[Any]], Metric[Any]] | None = None) -> Scored:
    """Return the systems with other rows and metrics, under a new name.

    Args:
        scored: the systems.
        name: the name of the group.
        rows_of: converts the rows of a system under a metric.
        fields: fields that are added to signatures.
        make: converts a metric; `None`: the metrics stay.
    """
    systems: list[System] = []
    for system in scored.systems:
        rows = list(map(rows_of, system.rows))
        evaluations = [evaluation.of_rows(metric_rows, fields, make)
                       for evaluation, metric_rows in zip(system.evaluations, rows)]
        systems.append(System(evaluations, rows))
    metrics: list[Metric[Any]] = [*map(make, scored.metrics)] if make else scored.metrics
    rescored = Scored(metrics, systems, scored.inputs, scored.choice, scored.names, scored.naming)
    rescored.pair = name
    return rescored
