"""The results of systems on several language pairs as a string: one table of all, with means over the pairs."""

from __future__ import annotations

from math import fsum

from . import DELIMITED_FORMATS, JSON_FORMATS
from .comparison import RANKING_EXPLAINED, explanation, ranking_table, ranks_of, result_cell, result_head
from .layouts import LAYOUTS, Section
from .tables import fits, fitted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Mapping, Sequence

    from ..metrics.score import Signature
    from ..significance.paired import Result
    from ..significance.results import Results
    from .tables import Column

#: What the column of means is called, and the pair of lines that have them.
MEAN = "mean"

#: What stands where a system has no output.
_NO_OUTPUT = "–"

_COMPARED = "Each system is compared with the first one of its pair: {baselines}."


class PairResults:
    """The results of systems on a language pair.

    Attributes:
        pair: its name.
        names: of the systems.
        results: of `significance.results_of`.
        signatures: by the names of the metrics' scores, in the order of the metrics.
        lower_is_better: of each metric, whether a lower score is a better one.
    """

    def __init__(self, pair: str, names: Sequence[str], results: Results, signatures: Mapping[str, Signature],
                 lower_is_better: Sequence[bool]) -> None:
        self.pair = pair
        self.names = names
        self.results = results
        self.signatures = signatures
        self.lower_is_better = lower_is_better

    def result(self, name: str, metric: int) -> Result | None:
        """That of a system under a metric; `None` where it has no output for this pair."""
        return self.results.systems[self.names.index(name)][metric] if name in self.names else None

    def ranks(self, metric: int) -> dict[str, str]:
        """The rank of each system under a metric; none where there is no ranking."""
        if not self.results.rankings:
            return {}
        return {self.names[system]: rank for system, rank in ranks_of(self.results.rankings[metric]).items()}


def systems_of(pairs: Sequence[PairResults]) -> list[str]:
    """The names of all systems, in the order in which they first appear."""
    return list(dict.fromkeys([name for pair in pairs for name in pair.names]))


def mean_over_pairs(pairs: Sequence[PairResults], name: str, metric: int) -> float | None:
    """The mean of a system's scores over all pairs; `None` where it has no output for one of them."""
    results = [pair.result(name, metric) for pair in pairs]
    scores = [result.score for result in results if result is not None]
    return fsum(scores) / len(scores) if len(scores) == len(results) else None


def pairs_report(pairs: Sequence[PairResults], form: str, width: int, short: bool, color: bool,
                 columns: int | None = None) -> str:
    """The results of all pairs in one of `FORMATS` or `DELIMITED_FORMATS`.

    Args:
        pairs: one or more, under the same metrics.
        form: the format.
        width: the number of decimal places.
        short: abbreviate the signatures.
        color: for terminals.
        columns: the width of the terminal, for text; `None` where lines may have any length.
    """
    if form in JSON_FORMATS:
        return _as_json(pairs)
    if form in DELIMITED_FORMATS:
        from .delimited import delimited

        return delimited(form, ("system", "pair", "metric", "score", "mean", "ci", "p_value", "rank", "signature"),
                         _delimited_lines(pairs, width))
    color = color and form == "text"
    layout = LAYOUTS[form]
    limit = columns if form == "text" else None
    metrics = list(range(len(pairs[0].signatures)))
    table = scores_table(pairs, metrics, width, layout.line_break, color)
    tables = [table] if fits(table, limit) else [scores_table(pairs, [metric], width, layout.line_break, color)
                                                 for metric in metrics]
    sections = [Section(tables=[fitted(table, limit) for table in tables])]
    first = pairs[0].results
    if first.test is not None:
        baselines = dict.fromkeys([pair.names[0] for pair in pairs])
        sections.append(explanation(first.test, first.samples, _COMPARED.format(baselines=", ".join(baselines)), color))
    if first.rankings:
        sections.append(Section("Ranking", [RANKING_EXPLAINED]))
        sections += [Section(pair.pair, tables=[fitted(ranking_table(pair.names, pair.results, list(pair.signatures),
                                                                     width), limit)]) for pair in pairs]
    sections.append(Section("Metric signatures", items=[
        (f"{metric}, {pair.pair}", signature.format(short))
        for metric in pairs[0].signatures for pair in pairs for signature in [pair.signatures[metric]]]))
    return layout.document([layout.section(section) for section in sections])


def scores_table(pairs: Sequence[PairResults], metrics: Sequence[int], width: int, line_break: str = " ",
                 color: bool = False) -> list[Column]:
    """Systems by pairs: under each of these metrics a column for each pair, and, of several pairs, their mean."""
    names = systems_of(pairs)
    table: list[Column] = [("System", names)]
    for index, metric in [(index, list(pairs[0].signatures)[index]) for index in metrics]:
        for pair in pairs:
            results = [pair.result(name, index) for name in names]
            head = result_head(f"{metric} {pair.pair}", pair.results.systems[0][index])
            table.append((head, [_NO_OUTPUT if result is None else result_cell(result, width, line_break, color)
                                 for result in results]))
        if len(pairs) > 1:
            means = [mean_over_pairs(pairs, name, index) for name in names]
            table.append((f"{metric} {MEAN}", [_NO_OUTPUT if mean is None else f"{mean:.{width}f}" for mean in means]))
    return table


def _as_json(pairs: Sequence[PairResults]) -> str:
    from ..runtime.json_writer import to_json

    metrics = list(pairs[0].signatures)

    def of_pair(pair: PairResults, name: str) -> Mapping[str, object]:
        found: dict[str, object] = {}
        for index, metric in enumerate(metrics):
            ranks = pair.ranks(index)
            found[metric] = {**vars(pair.result(name, index)), **({"rank": ranks[name]} if ranks else {})}
        return found

    systems = [{"system": name, "pairs": {pair.pair: of_pair(pair, name) for pair in pairs if name in pair.names},
                MEAN: {metric: mean_over_pairs(pairs, name, index) for index, metric in enumerate(metrics)}}
               for name in systems_of(pairs)]
    signatures = {pair.pair: {metric: signature.format() for metric, signature in pair.signatures.items()}
                  for pair in pairs}
    return to_json({"signatures": signatures, "systems": systems}, indent=1, ascii_only=False)


def _delimited_lines(pairs: Sequence[PairResults], width: int) -> Iterator[Sequence[object]]:
    """A line for each score, and, of several pairs, one for each mean over them."""
    for name in systems_of(pairs):
        for index, metric in enumerate(pairs[0].signatures):
            for pair in pairs:
                result = pair.result(name, index)
                if result is not None:
                    numbers = [None if number is None else f"{number:.{width}f}"
                               for number in (result.score, result.mean, result.ci)]
                    yield (name, pair.pair, metric, *numbers, result.p_value, pair.ranks(index).get(name),
                           pair.signatures[metric].format())
            mean = mean_over_pairs(pairs, name, index)
            if len(pairs) > 1 and mean is not None:
                yield (name, MEAN, metric, f"{mean:.{width}f}", None, None, None, None, None)
