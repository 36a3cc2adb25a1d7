"""Results as a whole LaTeX table for a paper, with a caption, marks of significance, and signatures."""

from __future__ import annotations

import sys
from collections.abc import Collection
from itertools import accumulate, groupby, product

from ..metrics.score import Signature
from ..runtime.errors import counted
from ..runtime.hints import Iterator, Mapping, NamedTuple, Sequence
from ..significance.paired import SIGNIFICANT
from ..significance.results import Ranking, Results, is_same_score
from ..significance.runs import RunsResult, RunsResults
from ..significance.sampling import BOOTSTRAP, STRATIFIED, Units
from .comparison import further_numbers, means_over_pairs, systems_of
from .formats import PairResults, Style, width_of
from .tables import LATEX_ESCAPES
from .worth import family_text, samples_text, test_text

#: The sign in place of the score of a missing output.
_NO_SCORE = "--"


def paper_table(pairs: Sequence[PairResults], style: Style) -> str:
    """Return the results of systems on one corpus, or on language pairs with their mean, as a `table` environment.

    The best scores are bold. If systems are ranked, scores that are not significantly worse are also bold. If systems
    are tested but not ranked, marks show significant differences from the first system.

    Args:
        pairs: the results of each pair under the same metrics; or the results on a single corpus.
        style: the number of decimal places, the form of signatures, and the label.
    """
    names, rankings = systems_of(pairs), pairs[0].results.rankings
    if len(pairs) == 1 and rankings:
        names = [names[system] for system in rankings[0].order]
    columns = [PaperColumn("System", list(map(paper_text, names))), *_score_columns(pairs, names, style.width)]
    return table_environment(columns, list(_caption(pairs, len(names))), _signature_notes(pairs, style.short),
                             style.label, _cluster_starts(pairs))


def _cluster_starts(pairs: Sequence[PairResults]) -> list[int]:
    """Return the index of the first row of each cluster under the first metric, except the first cluster."""
    rankings = pairs[0].results.rankings
    if len(pairs) > 1 or not rankings:
        return []
    return list(accumulate(map(len, rankings[0].clusters)))[:-1]


def _score_columns(pairs: Sequence[PairResults], names: Sequence[str], width: int) -> Iterator[PaperColumn]:
    """Yield the columns of scores under each metric on each pair, each followed by further columns such as ranks."""
    for metric, metric_name in enumerate(pairs[0].signatures):
        head = metric_head(metric_name, pairs[0].results.lower_is_better[metric])
        group = head if len(pairs) > 1 else ""
        for pair in pairs:
            for own_head, cells in _columns_of_pair(pair, metric, paper_text(pair.pair) if group else head, width):
                by_name = dict(zip(pair.names, cells))
                yield PaperColumn(own_head, [by_name.get(name, _NO_SCORE) for name in names], group)
        if group:
            yield PaperColumn("Mean", _mean_cells(pairs, names, metric, width), group)


def _columns_of_pair(pair: PairResults, metric: int, head: str, width: int) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the head and the cells of each column of a metric on a pair; `head` is the head of the scores."""
    results, width = pair.results, pair.results.places(metric, width)
    column = [system[metric] for system in results.systems]
    scores = [result.score for result in column]
    if results.rankings:
        bold = not_worse_than_best(results.rankings[metric], scores)
    else:
        bold = best_as_printed(scores, pair.results.lower_is_better[metric], width)
    marked = () if results.rankings else _differing(results, metric)
    spreads = [f"±{result.ci:.{width}f}" for result in column if result.ci is not None]
    yield head, score_cells(scores, width, bold, marked, spreads)
    for own_head, _, numbers in further_numbers(results, metric):
        yield paper_text(own_head), list(map(str, numbers))
    if results.rankings:
        yield "Rank", [results.rankings[metric].rank(system).replace("-", "--") for system in range(len(column))]


def _differing(results: Results | RunsResults, metric: int) -> set[int]:
    """Return the indices of the systems that differ significantly from the first system."""
    return {system for system in range(len(results.systems)) if results.differs_from_first(metric, system)}


def _mean_cells(pairs: Sequence[PairResults], names: Sequence[str], metric: int, width: int) -> list[str]:
    """Return cells with the means over all pairs. If a system lacks an output for a pair, it has no mean."""
    width, means = pairs[0].results.places(metric, width), means_over_pairs(pairs, metric)
    bold = best_as_printed(list(means.values()), pairs[0].results.lower_is_better[metric], width)
    cells = dict(zip(means, score_cells(list(means.values()), width, bold)))
    return [cells.get(name, _NO_SCORE) for name in names]


def _caption(pairs: Sequence[PairResults], systems: int) -> Iterator[str]:
    """Yield the sentences of the caption; `systems` is the number of all systems."""
    first, metrics = pairs[0].results, list(pairs[0].signatures)
    yield f"Scores of {'one system' if systems == 1 else counted(systems, 'system')}{_on_pairs(pairs)}."
    further: list[str] = []
    for metric in range(len(metrics)):
        further += [f"{head}: {name}" for head, name, _ in further_numbers(first, metric)]
    if further:
        yield paper_text("; ".join(further)) + "."
    if first.systems[0][0].ci is not None:
        yield from sentences_by_pair({pair.pair: interval_sentence(pair.results) for pair in pairs}, len(pairs))
    # (Language pairs may differ in the number of systems: three are ranked, two are tested, one is not tested.)
    yield from sentences_by_pair({pair.pair: rank_sentence(pair.results) for pair in pairs
                                  if pair.results.rankings}, len(pairs))
    if _cluster_starts(pairs):
        yield (f"Every system above a line differs significantly from every system below it"
               f"{' under ' + metrics[0] if len(metrics) > 1 else ''}.")
    yield from _mark_sentences(pairs)
    if systems > 1:
        yield from sentences_by_pair({
            pair.pair: bold_sentence(bool(pair.results.rankings), pair.results.test is not None,
                                     len(metrics) * len(pairs)) for pair in pairs}, len(pairs))
    if len(pairs) > 1 and any(pair.results.test for pair in pairs):
        yield "Means over the language pairs are not tested. The best mean is bold."


def _on_pairs(pairs: Sequence[PairResults]) -> str:
    """Return the end of a sentence: ` on ...`, with the corpora of the scores."""
    if len(pairs) == 1:
        return on_corpus(pairs[0].pair, pairs[0].results.segments)
    corpora = ", ".join([on_corpus(pair.pair, pair.results.segments)[len(" on "):] for pair in pairs])
    return f" on {len(pairs)} language pairs: {corpora}"


def _mark_sentences(pairs: Sequence[PairResults]) -> list[str]:
    """Return sentences on the meaning of marks. Pairs with the same baseline and the same test share a sentence."""
    metrics = range(len(pairs[0].signatures))
    tests = sum([(len(pair.names) - 1) * len(metrics) for pair in pairs])
    is_marked = any(_differing(pair.results, metric) for pair, metric in product(pairs, metrics))
    sentences: dict[str, str] = {}
    for pair in [pair for pair in pairs if pair.results.test and not pair.results.rankings]:
        test = test_in_words(str(pair.results.test), samples_text(pair.results), pair.results.units)
        correction = correction_in_words(pair.results.family or tests, bool(pair.results.corrected))
        sentences[pair.pair] = mark_sentence(pair.names[0], test, correction, is_marked)
    return sentences_by_pair(sentences, len(pairs))


def _signature_notes(pairs: Sequence[PairResults], short: bool) -> list[tuple[str, str]]:
    """Return notes: the name of a metric, and its signature. Pairs with the same signature share a note."""
    notes: list[tuple[str, str]] = []
    for metric in pairs[0].signatures:
        alike: dict[str, list[str]] = {}
        for pair in pairs:
            alike.setdefault(pair.signatures[metric].format(short), []).append(pair.pair)
        notes += [(metric if len(alike) == 1 else f"{metric}, {', '.join(names)}", signature)
                  for signature, names in alike.items()]
    return notes


def paper_table_of_runs(names: Sequence[str], results: RunsResults, signatures: Mapping[str, Signature], style: Style,
                        corpus: str = "") -> str:
    """Return the results of systems with several runs as a `table` environment.

    Args:
        names: the names of the systems.
        results: the results, as `significance.runs_of` returns them.
        signatures: the signatures by the names of scores, in the order of the metrics.
        style: the number of decimal places, the form of signatures, and the label.
        corpus: the test set and the language pair, for the caption; empty if they are not known.
    """
    columns = [PaperColumn("System", list(map(paper_text, names)))]
    runs = [len(system[0].scores) for system in results.systems]
    if len({*runs}) > 1:
        columns.append(PaperColumn("Runs", list(map(str, runs))))
    for metric, name in enumerate(signatures):
        column = [system[metric] for system in results.systems]
        means, places = [result.mean for result in column], results.places(metric, style.width)
        is_lower_better = results.scores[metric].lower_is_better
        cells = score_cells(means, places, best_as_printed(means, is_lower_better, places),
                            _differing(results, metric), [_spread(result, places) for result in column])
        columns.append(PaperColumn(metric_head(name, is_lower_better), cells))
    notes = [(metric, signature.format(style.short)) for metric, signature in signatures.items()]
    caption = list(_caption_of_runs(names, runs, results, corpus, len(signatures)))
    return table_environment(columns, caption, notes, style.label)


def _spread(result: RunsResult, width: int) -> str:
    """Return the standard deviation over runs, followed by `RunsResult.selection` in parentheses if it is known."""
    deviation = "" if result.deviation is None else f"±{result.deviation:.{width}f}"
    return deviation if result.selection is None else f"{deviation} ({result.selection:.{width}f})"


def _caption_of_runs(names: Sequence[str], runs: Sequence[int], results: RunsResults, corpus: str,
                     metrics: int) -> Iterator[str]:
    """Yield the sentences of the caption; `runs` has the number of runs of each system."""
    runs_text = "the runs" if len({*runs}) > 1 else "a single run" if runs[0] == 1 else f"{runs[0]} runs"
    yield f"Mean scores over {runs_text} of {counted(len(names), 'system')}{on_corpus(corpus, results.segments)}."
    if max(runs) > 1:
        yield r"$\pm$: the standard deviation of the scores of a system's runs."
    if results.drawn:
        yield ("In parentheses: the standard deviation that comes from the choice of segments "
               f"({results.drawn:,} bootstrap resamples{resampled_units(results.units)}).")
    if results.samples:
        test = test_in_words(STRATIFIED.name, f"{'up to ' if results.exact else ''}{results.samples:,}", results.units)
        correction = correction_in_words((len(names) - 1) * metrics, bool(results.corrected))
        is_marked = any(_differing(results, metric) for metric in range(metrics))
        yield mark_sentence(names[0], test, correction, is_marked)
    if len(names) > 1:
        yield bold_sentence(False, bool(results.samples), metrics)


#: The condition for significance, as LaTeX. (The braces keep LaTeX from breaking a line within the formula.)
_P_VALUE = rf"${{p \le {SIGNIFICANT}}}$"


def on_corpus(corpus: str, segments: int) -> str:
    """Return the end of a sentence: ` on ...`, with the corpus of the scores.

    Args:
        corpus: the test set and the language pair; empty if unknown.
        segments: the number of segments; 0 if unknown.

    >>> on_corpus("wmt18, en-de", 2998), on_corpus("", 1), on_corpus("", 0)
    (' on wmt18, en-de (2,998 segments)', ' on 1 segment', '')
    """
    size = counted(segments, "segment") if segments else ""
    if corpus:
        return f" on {paper_text(corpus)}" + (f" ({size})" if size else "")
    return f" on {size}" if size else ""


def resampled_units(units: Units | None) -> str:
    """Return the end of a sentence: ` of ...`, with the units of resampling; empty for segments without strata."""
    if units is None:
        return ""
    return f" of {units.plural}" + ("" if units.strata is None else " within strata")


def interval_sentence(results: Results) -> str:
    """Return a sentence on the meaning of intervals."""
    return (rf"$\pm$: half the width of the 95\,\% confidence interval, from {results.drawn:,} bootstrap "
            f"resamples{resampled_units(results.units)}.")


def test_in_words(test: str, samples: str, units: Units | None) -> str:
    """Return the name of a test, the number of its samples, and its units of resampling, in words."""
    if test == BOOTSTRAP.name:
        return test_text(test, samples) + resampled_units(units)
    return test_text(test, samples) + (" with whole documents" if units and units.documents else "")


def correction_in_words(tests: int, is_corrected: bool) -> str:
    """Return the correction of p-values for this number of tests, in words."""
    if tests == 1:
        return "the only test"
    return f"Holm's correction for all {tests} tests" if is_corrected else f"{tests} tests, without a correction"


def mark_sentence(baseline: str, test: str, correction: str, is_marked: bool) -> str:
    """Return a sentence on the meaning of marks.

    Args:
        baseline: the name of the baseline.
        test: the result of `test_in_words`.
        correction: the result of `correction_in_words`.
        is_marked: whether there are marks.
    """
    how = f"({_P_VALUE}; {test}; {correction})"
    if is_marked:
        return f"{DAGGER}: significantly different from {paper_text(baseline)} {how}."
    return f"No system differs significantly from {paper_text(baseline)} {how}."


def rank_sentence(results: Results) -> str:
    """Return a sentence on the meaning of ranks."""
    assert results.test is not None, "there was a test"
    samples = samples_text(results, results.rank_samples)
    return ("The possible ranks of a system begin after the systems that are significantly better and end before the "
            f"systems that are significantly worse (tests of all pairs; {_P_VALUE}; "
            f"{test_in_words(results.test, samples, results.units)}; "
            f"Holm's correction for {family_text(results)}).")


def bold_sentence(is_ranked: bool, is_tested: bool, columns: int) -> str:
    """Return a sentence on the meaning of bold scores in this number of columns."""
    best = ("in each column, " if columns > 1 else "") + "the best score"
    if is_ranked:
        return f"Bold: {best} and the scores of systems that are not significantly worse."
    return f"Bold: {best}{', even if not significantly better' if is_tested else '; no significance test was made'}."


def sentences_by_pair(sentences: Mapping[str, str], count: int) -> list[str]:
    """Return each sentence with the names of its language pairs before it; no names if it holds for all `count` pairs.

    >>> sentences_by_pair({"en-de": "A.", "en-zh": "B.", "en-ru": "A."}, 3)
    ['en-de, en-ru: A.', 'en-zh: B.']
    >>> sentences_by_pair({"en-de": "A.", "en-ru": "A."}, 2)
    ['A.']
    """
    alike: dict[str, list[str]] = {}
    for pair, sentence in sentences.items():
        alike.setdefault(sentence, []).append(pair)
    if len(alike) == 1 and len(sentences) == count:
        return list(alike)
    return [f"{paper_text(', '.join(pairs))}: {sentence}" for sentence, pairs in alike.items()]


#: `LATEX_ESCAPES`, and escapes for characters that could be an argument of `\\`, or that look different in LaTeX's
#: oldest fonts. Control characters become spaces.
_PAPER_ESCAPES = {**LATEX_ESCAPES, ord("["): "{[}", ord("*"): "{*}", ord("|"): r"\textbar{}", ord('"'): r"\char34{}",
                  **dict.fromkeys([*range(32), *range(127, 160), *range(0x2028, 0x202F), *range(0x2066, 0x206A)],
                                  " ")}

#: The approximate width of a column of a two-column paper, and of the space between columns of a table, in characters.
_ROOM = 36
_GAP = 2

#: The type sizes, largest first, each after the approximate number of characters for which a row has room.
_SIZES = ((72, ""), (80, r"\small"), (90, r"\footnotesize"), (sys.maxsize, r"\scriptsize"))


class PaperColumn(NamedTuple):
    """A column of the table. All texts are LaTeX.

    Attributes:
        head: the head of the column.
        cells: a cell for each row.
        group: the common head above the heads of adjacent columns; empty: no common head.
    """

    head: str
    cells: Sequence[str]
    group: str = ""


def paper_text(text: str) -> str:
    r"""Return LaTeX that prints the text, even with packages that give characters a special meaning.

    >>> print(paper_text("50 % of a_b -- [x]"))
    50 \% of a\_b -\/- {[}x]
    """
    import re

    text = text.encode("utf-8", "replace").decode("utf-8")  # (a file's name may have bytes that are no characters)
    # LaTeX prints some pairs of punctuation marks as one sign, such as a dash. Two colons can start GitHub's commands.
    return re.sub("[-'`,?!](?=[-'`,])|:(?=:)", r"\g<0>\\/", text.translate(_PAPER_ESCAPES))


def table_environment(columns: Sequence[PaperColumn], caption: Sequence[str], notes: Sequence[tuple[str, str]],
                      label: str, lines_before: Collection[int] = ()) -> str:
    """Return a comment on the package that the table needs (booktabs), and the `table` environment.

    Args:
        columns: a column of names, then columns of numbers.
        caption: the sentences of the caption, as LaTeX.
        notes: the names of metrics and their signatures, as plain text, for the lines below the table.
        label: the label of the table; empty: the default label.
        lines_before: the indices of rows with a horizontal line above them.
    """
    # (`table*` spans both columns of a paper. In a paper with one column, it is the same as `table`.)
    width = sum([_GAP + max(map(_printed_width, [column.head, *column.cells])) for column in columns])
    name = "table*" if width > _ROOM else "table"
    size = next(size for room, size in _SIZES if width <= room)
    rows = _aligned_rows([column.head for column in columns], *zip(*[column.cells for column in columns]))
    body = [f"\\midrule\n{row}" if index in lines_before else row for index, row in enumerate(rows[1:])]
    return "\n".join([
        r"% Needs \usepackage{booktabs}.", rf"\begin{{{name}}}[t]", rf"\centering{size}",
        rf"\begin{{tabular}}{{l{'r' * (len(columns) - 1)}}}", r"\toprule", *_group_lines(columns), rows[0], r"\midrule",
        *body, r"\bottomrule", r"\end{tabular}", r"\par\smallskip", r"{\footnotesize\raggedright",
        *[rf"{paper_text(metric)}: {_signature_text(signature)}\par" for metric, signature in notes], "}",
        "\\caption{" + "\n  ".join(caption) + "}", rf"\label{{{label or 'tab:purebleu'}}}",
        rf"\end{{{name}}}"])


def _group_lines(columns: Sequence[PaperColumn]) -> list[str]:
    """Return the row of common heads and the rules below these heads; empty without groups."""
    cells: list[str] = []
    rules: list[str] = []
    end = 0
    for group, members in groupby(columns, lambda column: column.group):
        start, end = end, end + len(list(members))
        if group:
            cells.append(rf"\multicolumn{{{end - start}}}{{c}}{{{group}}}")
            rules.append(rf"\cmidrule(lr){{{start + 1}-{end}}}")
        else:
            cells += [""] * (end - start)
    return [" & ".join(cells) + r" \\", " ".join(rules)] if rules else []


def _aligned_rows(*rows: Sequence[str]) -> list[str]:
    """Return rows of LaTeX source, in which the cells of a column are aligned."""
    widths = [max(map(width_of, column)) for column in zip(*rows)]
    lines: list[str] = []
    for row in rows:
        cells = [cell + " " * (width - width_of(cell)) for cell, width in zip(row, widths)]
        lines.append(" & ".join(cells) + r" \\")
    return lines


def _signature_text(signature: str) -> str:
    """Return a signature as LaTeX. A line may break after each field."""
    return r"\texttt{" + r"|\allowbreak ".join(map(paper_text, signature.split("|"))) + "}"


def _printed_width(text: str) -> int:
    """Return the approximate number of characters that LaTeX prints for a text."""
    import re

    return width_of(re.sub(r"\\[a-zA-Z]+|[\\{}$^]", "", text))


#: The mark of scores that differ significantly from the score of the baseline.
DAGGER = r"$^\dagger$"


def metric_head(metric: str, lower_is_better: bool) -> str:
    """Return the name of a metric as LaTeX, with an arrow: upwards if higher scores are better, else downwards."""
    return paper_text(metric) + (r" $\downarrow$" if lower_is_better else r" $\uparrow$")


def score_cells(scores: Sequence[float], width: int, bold: Collection[int], marked: Collection[int] = (),
                spreads: Sequence[str] = ()) -> list[str]:
    r"""Return scores as cells.

    Args:
        scores: the score of each row.
        width: the number of decimal places.
        bold: the indices of scores in bold.
        marked: the indices of scores with `DAGGER`.
        spreads: for each score, a text in small type that follows it, such as `±0.4`; empty: no texts.

    >>> for cell in score_cells([41.2, 9.5], 1, {0}, {1}): print(cell)
    \textbf{41.2}
    9.5\rlap{$^\dagger$}
    >>> for cell in score_cells([41.2, 9.5], 1, {0}, {1}, ["±0.4", "±10.2"]): print(cell)
    \textbf{41.2}\phantom{$^\dagger$}{\scriptsize\,$\pm$0.4\phantom{0}}
    9.5$^\dagger${\scriptsize\,$\pm$10.2}
    """
    cells = [f"{score:.{width}f}".replace("-", "$-$") for score in scores]
    cells = [rf"\textbf{{{cell}}}" if index in bold else cell for index, cell in enumerate(cells)]
    longest = max(spreads, key=len, default="")
    if not longest:
        return [rf"{cell}\rlap{{{DAGGER}}}" if index in marked else cell for index, cell in enumerate(cells)]
    if marked:
        cells = [cell + (DAGGER if index in marked else rf"\phantom{{{DAGGER}}}") for index, cell in enumerate(cells)]
    return [cell + _small(spread, longest) for cell, spread in zip(cells, spreads)]


def _small(spread: str, longest: str) -> str:
    """Return `spread` in small type, filled to the width of the longest such text, so that scores are aligned."""
    missing = "±" * (longest.count("±") - spread.count("±"))
    missing += "0" * (len(longest) - len(spread) - len(missing))
    filled = (spread + (rf"\phantom{{{missing}}}" if missing else "")).replace("±", r"$\pm$")
    return rf"{{\scriptsize\,{filled}}}"


def best_as_printed(scores: Sequence[float], lower_is_better: bool, width: int) -> set[int]:
    """Return the indices of the scores that equal the best score after rounding; empty for a single score.

    >>> best_as_printed([30.04, 29.96, 29.9], False, 1)
    {0, 1}
    """
    if len(scores) < 2:
        return set()
    best = f"{(min if lower_is_better else max)(scores):.{width}f}"
    return {index for index, score in enumerate(scores) if f"{score:.{width}f}" == best}


def not_worse_than_best(ranking: Ranking, scores: Sequence[float]) -> set[int]:
    """Return the indices of the systems for which no system with the best score is significantly better."""
    best_score = scores[ranking.order[0]]
    not_worse = set(ranking.order)
    for best in ranking.order:
        if is_same_score(scores[best], best_score):
            not_worse -= {system for system in not_worse if ranking.differ(best, system)}
    return not_worse
