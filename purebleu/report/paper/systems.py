"""The results of systems as a table of LaTeX: on one corpus, or on several language pairs."""

from __future__ import annotations

from ..comparison import beside
from ..language_pairs import PairResults, mean_over_pairs, systems_of
from ..worth import samples_text
from .cells import best_as_printed, metric_head, not_worse_than_best, score_cells
from .environment import PaperColumn, paper_text, table_environment
from .sentences import (
    bold_sentence,
    correction_in_words,
    counted_systems,
    interval_sentence,
    mark_sentence,
    on_corpus,
    rank_sentence,
    sentences_by_pair,
    test_in_words,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, List, Mapping, Sequence, Tuple

    from ...metrics.score import Signature
    from ...significance.results import Results

    #: The name of a system, and its index in the results of each language pair; `None` where it has no output.
    Row = Tuple[str, List["int | None"]]

#: The sign in place of the score of a missing output.
_NO_SCORE = "--"


def paper_table(names: Sequence[str], results: Results, signatures: Mapping[str, Signature],
                lower_is_better: Sequence[bool], width: int, short: bool = False, corpus: str = "") -> str:
    """The results of systems as a whole `table` environment of LaTeX.

    The best scores are bold; where systems are ranked, so are scores that are not significantly worse. Where systems
    are tested but not ranked, a mark shows those that differ significantly from the first one.

    Args:
        names: the names of the systems, in the order of the results.
        results: the results, as `significance.results_of` returns them.
        signatures: the signatures by the names of scores, in the order of the metrics.
        lower_is_better: for each metric, whether lower scores are better.
        width: the number of decimal places.
        short: abbreviate the signatures.
        corpus: the test set and the language pair, for the caption; empty where they are not known.
    """
    return paper_table_of_pairs([PairResults(corpus, names, results, signatures, lower_is_better)], width, short)


def paper_table_of_pairs(pairs: Sequence[PairResults], width: int, short: bool = False) -> str:
    """The results on one language pair or more as a whole `table` environment; for several, with means over them.

    Args:
        pairs: the results of each pair, under the same metrics; a single one may be those of any corpus.
        width: the number of decimal places.
        short: abbreviate the signatures.
    """
    rows = _rows_of(pairs)
    columns = [PaperColumn("System", [paper_text(name) for name, _ in rows]), *_score_columns(pairs, rows, width)]
    return table_environment(columns, list(_caption(pairs, rows)), _signature_notes(pairs, short),
                             _cluster_starts(pairs))


def _rows_of(pairs: Sequence[PairResults]) -> list[Row]:
    """The rows of the table in their given order; if a single corpus has ranks, from the best system to the worst."""
    if len(pairs) > 1:
        return [(name, [list(pair.names).index(name) if name in pair.names else None for pair in pairs])
                for name in systems_of(pairs)]
    names, rankings = pairs[0].names, pairs[0].results.rankings
    return [(names[system], [system]) for system in (rankings[0].order if rankings else range(len(names)))]


def _cluster_starts(pairs: Sequence[PairResults]) -> list[int]:
    """The indices of the rows at which the second and each further cluster under the first metric begins."""
    rankings = pairs[0].results.rankings
    if len(pairs) > 1 or not rankings:
        return []
    sizes = list(map(len, rankings[0].clusters))
    return [sum(sizes[:number]) for number in range(1, len(sizes))]


def _score_columns(pairs: Sequence[PairResults], rows: Sequence[Row], width: int) -> Iterator[PaperColumn]:
    """The columns of scores, and those beside them, under each metric on each pair."""
    for metric, name in enumerate(pairs[0].signatures):
        head = metric_head(name, pairs[0].lower_is_better[metric])
        group = head if len(pairs) > 1 else ""
        for number, pair in enumerate(pairs):
            systems = [indices[number] for _, indices in rows]
            for own_head, cells in _columns_of_pair(pair, metric, width):
                yield PaperColumn(own_head or (paper_text(pair.pair) if group else head),
                                  [_NO_SCORE if system is None else cells[system] for system in systems], group)
        if len(pairs) > 1:
            yield PaperColumn("Mean", _mean_cells(pairs, rows, metric, width), group)


def _columns_of_pair(pair: PairResults, metric: int, width: int) -> Iterator[tuple[str, Sequence[str]]]:
    """The head and the cells of each column under a metric; the head of the scores is empty, and set by the caller."""
    results, width = pair.results, pair.results.places(metric, width)
    column = [system[metric] for system in results.systems]
    scores = [result.score for result in column]
    bold = best_as_printed(scores, pair.lower_is_better[metric], width)
    marked: set[int] = set()
    if results.rankings:
        bold = not_worse_than_best(results.rankings[metric], scores)
    else:
        marked = _differing(results, metric)
    spreads = [f"±{result.ci:.{width}f}" for result in column if result.ci is not None]
    yield "", score_cells(scores, width, bold, marked, spreads)
    for head, _, numbers in beside(results, metric):
        yield paper_text(head), list(map(str, numbers))
    if results.rankings:
        yield "Rank", [results.rankings[metric].rank(system).replace("-", "--") for system in range(len(column))]


def _differing(results: Results, metric: int) -> set[int]:
    """The indices of the systems that differ significantly from the first one."""
    return {system for system in range(len(results.systems)) if results.differs_from_first(metric, system)}


def _mean_cells(pairs: Sequence[PairResults], rows: Sequence[Row], metric: int, width: int) -> list[str]:
    """The cells with the means over all pairs; a system without an output for one of them has no mean."""
    width = pairs[0].results.places(metric, width)
    means = {name: mean for name, _ in rows if (mean := mean_over_pairs(pairs, name, metric)) is not None}
    bold = best_as_printed(list(means.values()), pairs[0].lower_is_better[metric], width)
    cells = dict(zip(means, score_cells(list(means.values()), width, bold)))
    return [cells.get(name, _NO_SCORE) for name, _ in rows]


def _caption(pairs: Sequence[PairResults], rows: Sequence[Row]) -> Iterator[str]:
    """The sentences of the caption."""
    first, metrics = pairs[0].results, list(pairs[0].signatures)
    yield f"Scores of {counted_systems(len(rows))}{_on_pairs(pairs)}."
    further = [f"{head}: {name}" for metric in range(len(metrics)) for head, name, _ in beside(first, metric)]
    if further:
        yield paper_text("; ".join(further)) + "."
    if first.systems[0][0].ci is not None:
        yield from sentences_by_pair({pair.pair: interval_sentence(pair.results) for pair in pairs}, len(pairs))
    # (Language pairs may have different numbers of systems: three have ranks, two a test, one has neither.)
    yield from sentences_by_pair({pair.pair: rank_sentence(pair.results, len(pairs) > 1) for pair in pairs
                                  if pair.results.rankings}, len(pairs))
    if _cluster_starts(pairs):
        yield (f"Every system above a line differs significantly from every one below it"
               f"{' under ' + metrics[0] if len(metrics) > 1 else ''}.")
    yield from _mark_sentences(pairs)
    if len(rows) > 1:
        yield from sentences_by_pair({
            pair.pair: bold_sentence(bool(pair.results.rankings), pair.results.test is not None,
                                     len(metrics) * len(pairs)) for pair in pairs}, len(pairs))
    if len(pairs) > 1 and any(pair.results.test for pair in pairs):
        yield "Means over the language pairs are not tested; bold is the best one."


def _on_pairs(pairs: Sequence[PairResults]) -> str:
    """The corpus that was scored, at the end of a phrase."""
    if len(pairs) == 1:
        return on_corpus(pairs[0].pair, pairs[0].results.segments)
    counted = ", ".join([on_corpus(pair.pair, pair.results.segments)[len(" on "):] for pair in pairs])
    return f" on {len(pairs)} language pairs: {counted}"


def _mark_sentences(pairs: Sequence[PairResults]) -> list[str]:
    """The meaning of marks, once for all pairs with the same baseline and the same test."""
    metrics = range(len(pairs[0].signatures))
    tests = sum([(len(pair.names) - 1) * len(metrics) for pair in pairs])
    is_marked = any(_differing(pair.results, metric) for pair in pairs for metric in metrics)
    sentences: dict[str, str] = {}
    for pair in [pair for pair in pairs if pair.results.test and not pair.results.rankings]:
        test = test_in_words(str(pair.results.test), samples_text(pair.results), pair.results.units)
        correction = correction_in_words(tests, bool(pair.results.corrected))
        sentences[pair.pair] = mark_sentence(pair.names[0], test, correction, is_marked)
    return sentences_by_pair(sentences, len(pairs))


def _signature_notes(pairs: Sequence[PairResults], short: bool) -> list[tuple[str, str]]:
    """The signatures of the metrics, once for all pairs that have the same one."""
    notes: list[tuple[str, str]] = []
    for metric in pairs[0].signatures:
        alike: dict[str, list[str]] = {}
        for pair in pairs:
            alike.setdefault(pair.signatures[metric].format(short), []).append(pair.pair)
        notes += [(metric if len(alike) == 1 else f"{metric}, {', '.join(names)}", signature)
                  for signature, names in alike.items()]
    return notes
