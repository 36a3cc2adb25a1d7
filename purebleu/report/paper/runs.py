"""The results of systems with several runs as a table of LaTeX: means and standard deviations."""

from __future__ import annotations

from ...significance.tests import STRATIFIED
from .cells import best_as_printed, metric_head, score_cells
from .environment import PaperColumn, paper_text, table_environment
from .sentences import (
    bold_sentence,
    correction_in_words,
    counted_systems,
    mark_sentence,
    on_corpus,
    resampled_units,
    test_in_words,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Mapping, Sequence

    from ...metrics.score import Signature
    from ...significance.runs import RunsResult, RunsResults


def paper_table_of_runs(names: Sequence[str], results: RunsResults, signatures: Mapping[str, Signature],
                        lower_is_better: Sequence[bool], width: int, short: bool = False, corpus: str = "") -> str:
    """The results of systems with several runs as a whole `table` environment of LaTeX.

    Args:
        names: the names of the systems.
        results: the results, as `significance.runs_of` returns them.
        signatures: the signatures by the names of scores, in the order of the metrics.
        lower_is_better: for each metric, whether lower scores are better.
        width: the number of decimal places.
        short: abbreviate the signatures.
        corpus: the test set and the language pair, for the caption; empty where they are not known.
    """
    columns = [PaperColumn("System", list(map(paper_text, names)))]
    runs = _numbers_of_runs(results)
    if len({*runs}) > 1:
        columns.append(PaperColumn("Runs", list(map(str, runs))))
    for metric, name in enumerate(signatures):
        column = [system[metric] for system in results.systems]
        means, places = [result.mean for result in column], results.places(metric, width)
        cells = score_cells(means, places, best_as_printed(means, lower_is_better[metric], places),
                            _differing_systems(results, metric), [_spread(result, places) for result in column])
        columns.append(PaperColumn(metric_head(name, lower_is_better[metric]), cells))
    notes = [(metric, signature.format(short)) for metric, signature in signatures.items()]
    return table_environment(columns, list(_caption_of_runs(names, results, corpus, len(signatures))), notes)


def _numbers_of_runs(results: RunsResults) -> list[int]:
    return [len(system[0].scores) for system in results.systems]


def _differing_systems(results: RunsResults, metric: int) -> set[int]:
    """The indices of systems that differ significantly from the first one, after a correction if there is one."""
    return {system for system in range(len(results.systems)) if results.differs_from_first(metric, system)}


def _spread(result: RunsResult, width: int) -> str:
    """The standard deviation over runs (if there are several), and in parentheses that from the choice of segments."""
    deviation = "" if result.deviation is None else f"±{result.deviation:.{width}f}"
    return deviation if result.selection is None else f"{deviation} ({result.selection:.{width}f})"


def _caption_of_runs(names: Sequence[str], results: RunsResults, corpus: str, metrics: int) -> Iterator[str]:
    """The sentences of the caption."""
    runs = _numbers_of_runs(results)
    runs_text = "the runs" if len({*runs}) > 1 else "a single run" if runs[0] == 1 else f"{runs[0]} runs"
    yield f"Mean scores over {runs_text} of {counted_systems(len(names))}{on_corpus(corpus, results.segments)}."
    if max(runs) > 1:
        yield r"$\pm$: the standard deviation of the scores of a system's runs."
    if results.resamples:
        yield ("In parentheses: the standard deviation that comes from the choice of segments "
               f"({results.resamples:,} bootstrap resamples{resampled_units(results.units)}).")
    if results.samples:
        test = test_in_words(STRATIFIED.name, f"{'up to ' if results.exact else ''}{results.samples:,}", results.units)
        correction = correction_in_words((len(names) - 1) * metrics, bool(results.corrected))
        is_marked = any(_differing_systems(results, metric) for metric in range(metrics))
        yield mark_sentence(names[0], test, correction, is_marked)
    if len(names) > 1:
        yield bold_sentence(False, bool(results.samples), metrics)
