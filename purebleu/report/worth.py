"""The worth of differences between systems: agreement with people, power, and what a reviewer asks of a comparison."""

from __future__ import annotations

from math import inf

from ..significance.agreement import CAVEAT, COIN_TOSS, agreement
from ..significance.power import (
    CORRELATIONS,
    POWER,
    detectable_difference,
    power,
    segments_needed,
    standard_error_of_pair,
)
from ..significance.tests import TESTS
from .layouts import Section
from .tables import fitted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Sequence

    from ..metrics.score import Signature
    from ..significance.differences import Difference
    from ..significance.paired import Pair
    from ..significance.results import Results
    from .tables import Column

#: The keys of figures on differences in formats for programs.
FIGURES = ("difference", "difference_low", "difference_high", "agreement", "mde", "segments_needed", "power")

#: The meaning of figures of the agreement with people.
_AGREEMENT_EXPLAINED = (
    "Agreement is the share of pairs of systems with such a difference in score of which people found the same system "
    "better (Kocmi et al., 2024). Half of them is a coin toss. ")

#: The meaning of figures of power.
_POWER_EXPLAINED = (
    "The smallest detectable difference is the true difference that a two-sided test at 5 % finds significant with a "
    f"probability of {100 * POWER:.0f} %, on this many {{units}}; the segments needed are the number with which it "
    "finds a true difference of {difference:g} so often; the power is the probability that it finds that on the "
    "segments that there are. All are normal approximations from the standard error of the difference (Card et al., "
    "2020). They do not say how likely the observed difference is to be found again.")

_POWER_OF_ONE_EXPLAINED = (
    "With a single system, the standard error of a difference is not known: it depends on how far the scores of both "
    "systems rise and fall together over resamples. So there is a line for each of three correlations; two systems of "
    "a kind, such as two versions of one, are near the last one. The figures are normal approximations (Card et al., "
    "2020), for a two-sided test at 5 %.")


class Wanted:
    """The figures on differences that are wanted beside scores.

    Attributes:
        worth: whether the agreement with people is wanted.
        power: the difference whose power is wanted; `None`: no power.
    """

    def __init__(self, worth: bool = False, power: float | None = None) -> None:
        self.worth = worth
        self.power = power

    def __bool__(self) -> bool:
        return self.worth or self.power is not None


#: No further figures.
NOTHING_WANTED = Wanted()


def pairs_to_show(results: Results) -> list[Pair]:
    """The pairs of systems whose differences are shown: all where systems are ranked, else those with the first one."""
    pairs = list(results.differences[0]) if results.differences else []
    return pairs if results.rankings else [pair for pair in pairs if pair[0] == 0]


def difference_figures(results: Results, metric: int, signature: Signature, one: int, two: int,
                       wanted: Wanted) -> dict[str, Any]:
    """The figures of the difference of system `two` to system `one`, by their keys in JSON."""
    figures: dict[str, Any] = dict.fromkeys(("p_holm", *FIGURES))
    figures["p_holm"] = rounded_p(results.corrected_p(metric, one, two))
    if not results.differences:
        return figures
    differences = results.differences[metric]
    difference = differences[one, two] if one < two else -differences[two, one]
    figures.update(difference=difference.value, difference_low=difference.low, difference_high=difference.high)
    if wanted.worth:
        figures["agreement"], _ = agreement(_score_name(results, metric), signature, difference.value)
    if wanted.power is not None:
        figures.update(_power_figures(results, difference, wanted.power))
    return figures


def rounded_p(p_value: float | None) -> float | None:
    """A p-value with six digits; they say more than its samples can."""
    return None if p_value is None else float(f"{p_value:.6g}")


def _score_name(results: Results, metric: int) -> str:
    return results.scores[0][metric].name


def _power_figures(results: Results, difference: Difference, wanted: float) -> dict[str, Any]:
    error = difference.standard_error
    if not error:
        return {"mde": None, "segments_needed": None, "power": None}  # (the difference is the same in all resamples)
    return {"mde": detectable_difference(error), "segments_needed": segments_needed(results.segments, error, wanted),
            "power": power(wanted, error)}


def worth_sections(names: Sequence[str], results: Results, signatures: Mapping[str, Signature], wanted: Wanted,
                   width: int, limit: int | None) -> list[Section]:
    """The sections on differences, and the reviewer's sentence.

    Args:
        names: the names of the systems.
        results: results that have differences.
        signatures: the signatures by the names of scores, in the order of the metrics.
        wanted: the figures to show.
        width: the number of decimal places.
        limit: the maximum width of tables of text; `None`: any.
    """
    if not wanted:
        return []
    if len(names) == 1 and wanted.power is not None:
        figures = power_of_one_by_metric(results, wanted.power)
        places = [results.places(index, width) for index in range(len(signatures))]
        return [power_of_one_section(list(signatures), figures, wanted.power, places)]
    tables = [fitted(_difference_table(names, results, index, metric, signature, wanted, width), limit)
              for index, (metric, signature) in enumerate(signatures.items())]
    paragraphs = _explanations_of_figures(results, signatures, wanted)
    return [Section("Differences", paragraphs, tables),
            Section("For a reviewer", [reviewer_sentence(results, list(signatures))])]


def explanations_of_worth(results: Results, signatures: Mapping[str, Signature], with_ranks: bool) -> list[str]:
    """The meaning of the figures in a report's table of differences: a paragraph for each.

    Args:
        results: results that have differences.
        signatures: the signatures by the names of scores.
        with_ranks: whether the p-values in the table are the corrected ones from which ranks come.
    """
    assert results.sampling is not None, "differences are resampled"
    ranked = " The p-values are those that the ranks come from: of all pairs, corrected for their number (Holm)."
    return ["Each difference is that of the best system to another one, with its 95 % interval from bootstrap "
            "resamples of both; the intervals are not corrected for their number." + (ranked if with_ranks else ""),
            *_explanations_of_agreement(signatures),
            "The smallest detectable difference is the true difference that a two-sided test at 5 % finds significant "
            f"with a probability of {100 * POWER:.0f} %, on this many {_units_text(results)}, before any correction: "
            "a normal approximation from the standard error of the difference (Card et al., 2020)."]


def _explanations_of_agreement(signatures: Mapping[str, Signature]) -> list[str]:
    reasons = dict.fromkeys([agreement(metric, signature, 0.0)[1] for metric, signature in signatures.items()])
    without_figure = [f"No figure: {'; '.join(filter(None, reasons))}."] if any(reasons) else []
    plateaus = [(metric, agreement(metric, signature, inf)[0]) for metric, signature in signatures.items()]
    limits = [f"{percent:.1f} % ({metric})" for metric, percent in plateaus if percent is not None]
    explained = _AGREEMENT_EXPLAINED + CAVEAT
    if limits:
        explained += (f" The curves level off at {', '.join(limits)}: however large a difference, people agree no more "
                      "often.")
    return [explained, *without_figure]


def _explanations_of_figures(results: Results, signatures: Mapping[str, Signature], wanted: Wanted) -> list[str]:
    assert results.sampling is not None, "differences are resampled"
    paragraphs = ["Each difference is the score of the first system minus that of the second one, with its 95 % "
                  f"interval from {results.sampling.drawn:,} bootstrap resamples of both. The intervals are not "
                  "corrected for their number."]
    if wanted.worth:
        paragraphs += _explanations_of_agreement(signatures)
    if wanted.power is not None:
        paragraphs.append(_POWER_EXPLAINED.format(difference=wanted.power, units=_units_text(results)))
    return paragraphs


def _units_text(results: Results) -> str:
    return results.units.plural if results.units else "segments"


def _difference_table(names: Sequence[str], results: Results, index: int, metric: str, signature: Signature,
                      wanted: Wanted, width: int) -> list[Column]:
    pairs = pairs_to_show(results)
    differences = [results.differences[index][pair] for pair in pairs]
    digits = results.places(index, max(width, 2))
    table: list[Column] = [
        (f"Difference in {metric}", [f"{names[two]} – {names[one]}" for one, two in pairs]),
        ("Points (95 % interval)", [f"{difference.value:+.{digits}f} ({difference.low:+.{digits}f} to "
                                    f"{difference.high:+.{digits}f})" for difference in differences])]
    if results.corrected:
        head = "p (Holm)" if results.family > 1 else "p"
        table.append((head, [f"{results.corrected[index][pair]:.4f}" for pair in pairs]))
    if wanted.worth:
        table.append(("Agreement (with people)", [agreement_text(metric, signature, difference.value)
                                                for difference in differences]))
    if wanted.power is not None:
        figures = [_power_figures(results, difference, wanted.power) for difference in differences]
        table += _power_columns(figures, wanted.power, digits)
    return table


def _power_columns(figures: Sequence[Mapping[str, Any]], difference: float, digits: int) -> list[Column]:
    def cells(key: str, form: str) -> list[str]:
        return [_figure_text(row.get(key), form) for row in figures]

    return [("Smallest (detectable)", cells("mde", f".{digits}f")),
            (f"Segments (for {difference:g})", cells("segments_needed", ",d")),
            (f"Power (for {difference:g})", cells("power", ".0%"))]


def _figure_text(number: float | None, form: str) -> str:
    return "–" if number is None else format(number, form).replace("%", " %")


def agreement_text(metric: str, signature: Signature, difference: float) -> str:
    """The agreement with people in words."""
    percent, _ = agreement(metric, signature, difference)
    if percent is None:
        return "no figure"
    return "a coin toss" if percent < COIN_TOSS else f"{percent:.1f} %"


def reviewer_sentence(results: Results, metrics: Sequence[str]) -> str:
    """The answers to a reviewer's questions about a comparison of systems (Marie et al., 2021), as a sentence.

    Args:
        results: the results of the systems.
        metrics: the names of their scores.
    """
    others = [metric for metric in metrics if metric != "BLEU"]
    answers = [f"differences tested for significance: {_tested_text(results)}",
               f"p-values corrected for the number of tests: {_corrected_text(results, len(metrics))}",
               f"all systems scored on the same data: {_same_data_text(results)}",
               f"a metric besides BLEU: {'yes (' + ', '.join(others) + ')' if others else 'no'}",
               f"units that were resampled or swapped: {_units_text(results)}"]
    return f"In the terms of Marie et al. (2021): {'; '.join(answers)}."


def _same_data_text(results: Results) -> str:
    if results.scores and all(score.IS_FROM_OUTSIDE for score in results.scores[0]):
        return "as far as the number of segments tells (all scores come from outside)"
    # (Different references are refused: stored rows are compared only if the checksums of references agree.)
    return "yes (the same references)"


def _tested_text(results: Results) -> str:
    if results.test is None:
        return "no"
    return f"yes ({test_text(results.test, samples_text(results))})"


def test_text(test: str, samples: str) -> str:
    """The name of a test within a sentence, with the number of its samples.

    >>> test_text("ar", "10,000")
    'paired approximate randomization, 10,000 trials'
    """
    record = TESTS[test]
    return f"{record.title[0].lower()}{record.title[1:]}, {samples} {record.sampled}"


def samples_text(results: Results) -> str:
    """The number of samples of a test as text: `1,000`, or `all 4,096` for an exact one."""
    assert results.sampling is not None, "there was a test"
    return f"{'all ' if results.sampling.exact else ''}{results.samples:,}"


def family_text(results: Results) -> str:
    """The tests that p-values are corrected for, such as `all 12 tests together` or `the 3 tests under each metric`."""
    if len(results.corrected) > 1 and results.family == len(results.corrected[0]):
        return f"the {results.family} tests under each metric"
    return f"all {results.family} tests together"


def _corrected_text(results: Results, metrics: int) -> str:
    if results.test is None:
        return "no"
    if results.family > 1:
        return f"yes (Holm, {family_text(results)})"
    tests = metrics * (len(results.systems) - 1)
    return "no (there is one test)" if tests == 1 else f"no ({tests} tests)"


def power_of_one_figures(segments: int, standard_error: float, difference: float) -> list[dict[str, Any]]:
    """Figures of power for a difference between a system and an unknown one, for each correlation of their scores.

    Args:
        segments: the number of segments.
        standard_error: the standard error of the system's score.
        difference: the true difference that a test should find.
    """
    figures: list[dict[str, Any]] = []
    for correlation in CORRELATIONS:
        error = standard_error_of_pair(standard_error, correlation)
        figures.append({"correlation": correlation, "mde": detectable_difference(error),
                        "segments_needed": segments_needed(segments, error, difference),
                        "power": power(difference, error) if error else None})
    return figures


def power_of_one_by_metric(results: Results, difference: float) -> list[list[dict[str, Any]]]:
    """The figures of power for a single system, under each metric."""
    return [power_of_one_figures(results.segments, error, difference) for error in results.standard_errors[0]]


def power_of_one_section(metrics: Sequence[str], figures: Sequence[Sequence[Mapping[str, Any]]], difference: float,
                         places: Sequence[int]) -> Section:
    """The section on power for a single system: a table for each metric, with the metric's number of decimal places."""
    tables = [[(f"Correlation ({metric})", [f"{line['correlation']:g}" for line in lines]),
               *_power_columns(lines, difference, max(width, 2))]
              for metric, lines, width in zip(metrics, figures, places)]
    return Section("Power", [_POWER_OF_ONE_EXPLAINED], tables)
