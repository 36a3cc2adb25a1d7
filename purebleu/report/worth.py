"""Differences between systems: agreement with people, power, and answers to a reviewer's questions."""

from __future__ import annotations

from itertools import chain
from math import exp

from ..metrics.score import Signature, value_text
from ..runtime.errors import counted
from ..runtime.hints import Any, Mapping, NamedTuple, Sequence
from ..significance.paired import POWER, SIGNIFICANT, detectable_difference, power, segments_needed
from ..significance.results import Results
from ..significance.sampling import RANDOMIZATION, TESTS
from .formats import PairResults, Style, lower_first
from .tables import Section, TableColumn, fitted, fitted_tables


class Fit(NamedTuple):
    """A curve of the agreement with people by the difference in score: `plateau / (1 + exp(-slope * difference))`.

    Attributes:
        fields: the fields that the scores must have in their signatures.
        plateau: the agreement at very large differences, in percent.
        slope: the steepness of the curve, per point of the score.
    """

    fields: Mapping[str, str]
    plateau: float
    slope: float


_BLEU = {"nrefs": "1", "case": "mixed", "eff": "no", "smooth": "exp"}
_CHRF = {"nrefs": "1", "case": "mixed", "eff": "yes", "nc": "6", "nw": "0", "space": "no"}

#: The curves that Kocmi et al. (2024) fitted, by the names of scores. (spBLEU is BLEU with a flores tokenizer.)
_FITS = {
    "BLEU": (Fit({**_BLEU, "tok": "13a"}, 88.33333333333225, 0.9663926931178954),
             Fit({**_BLEU, "tok": "flores200"}, 90.99999999998793, 0.8079046528617078),
             Fit({**_BLEU, "tok": "flores101"}, 84.58445492823891, 1.262507595109315)),
    "chrF2": (Fit(_CHRF, 92.999999999972, 1.1142732157139852),),
}

#: The fields that signatures have only for unusual values, for which no curve was fitted.
_UNUSUAL = ("order",)

#: The agreement with people that a coin toss has, in percent.
COIN_TOSS = 50.0

#: The conditions under which people's agreement with metrics was measured.
CAVEAT = (
    "The figures of agreement are means over many pairs of systems. Most texts were news, and people scored each "
    "output directly. People agree with a metric less often if systems are unrelated (59.1 % for BLEU and 58.2 % for "
    "chrF, of 1,422 pairs). They agree more often if systems are versions of one system (74.8 % and 77.0 %, of 1,607 "
    "pairs). The figures do not say whether a difference is significant.")


def agreement(name: str, signature: Signature, difference: float) -> float | None:
    """Return how often people prefer the system with the better score, for a difference in score.

    Args:
        name: the name of the score, such as `chrF2`.
        signature: the signature of the scores.
        difference: the difference between the scores of two systems; its sign has no effect.

    Returns:
        The agreement in percent; `None` if there is no curve for these scores.

    Example:
        >>> import purebleu
        >>> bleu = purebleu.BLEU()
        >>> _ = bleu.corpus_score(["a b c d"], [["a b c d"]])
        >>> round(agreement("BLEU", bleu.get_signature(), 1.0), 3)
        63.989
    """
    fit = fit_of(name, signature)
    return None if isinstance(fit, str) else fit.plateau / (1 + exp(-fit.slope * abs(difference)))


def fit_of(name: str, signature: Signature) -> Fit | str:
    """Return the curve for scores with this signature, or a text that says why there is no curve."""
    if name not in _FITS:
        return f"no curve of agreement was fitted to scores of {name}"
    fields = {key: value_text(value) for key, value in signature.info.items()}
    reasons = [_mismatch(fit, fields) for fit in _FITS[name]]
    for fit, reason in zip(_FITS[name], reasons):
        if not reason:
            return fit
    # (The curves of a score differ only in their tokenizers.)
    if reasons[0].startswith("tok:"):
        known = " or ".join([fit.fields.get("tok", "usual") for fit in _FITS[name]])
        return f"curves of agreement were fitted to scores with tok:{known}, but these scores have tok:{fields['tok']}"
    return f"the curve of agreement was fitted to scores with {reasons[0]}"


def _mismatch(fit: Fit, fields: Mapping[str, str | None]) -> str:
    """Return a text on the first field in which a signature differs from the fields of a curve; '' if there is none."""
    for field in (*[field for field in fit.fields if field != "tok"], *_UNUSUAL, "tok"):
        if fields.get(field) != fit.fields.get(field):
            return f"{field}:{fit.fields.get(field, 'usual')}, but these scores have {field}:{fields.get(field)}"
    return ""


#: The names in JSON and CSV of the figures on a difference.
FIGURES = ("difference", "difference_low", "difference_high", "agreement", "mde", "segments_needed", "power")

#: The maximum width of tables of text that are not shown in a terminal.
_TEXT_COLUMNS = 80

#: The meaning of the agreement with people.
_AGREEMENT_EXPLAINED = (
    "Agreement is the share of pairs of systems in which people and the metric prefer the same system. Agreement "
    "depends on the difference in score, and was measured by Kocmi et al. (2024). A coin toss gives 50 %. ")

_DETECTABLE = (
    "The smallest detectable difference is the true difference that a two-sided test (at 5 %, not corrected) finds "
    f"significant with a probability of {100 * POWER:.0f} % for this number of {{units}}.")

#: The meaning of figures of power.
_POWER_EXPLAINED = (
    _DETECTABLE + " The column Segments has the number of segments with which the test finds a true difference of "
    f"{{difference:g}} significant with a probability of {100 * POWER:.0f} %. The column Power has the probability "
    "that the test finds a true difference of {difference:g} significant on this test set. All three figures are "
    "normal approximations from the standard error of the difference (Card et al., 2020). The figures do not say how "
    "likely the same test on other segments is to find the observed difference.")

_POWER_OF_ONE_EXPLAINED = (
    "The standard error of a difference depends on the correlation between the resampled scores of both systems. For a "
    "single system, this correlation is not known, so there is a line for each of three correlations. Similar systems, "
    "such as two versions of one system, have a high correlation. The figures are normal approximations (Card et al., "
    "2020) for a two-sided test at 5 %.")


class Wanted(NamedTuple):
    """Which figures outputs show for differences.

    Attributes:
        worth: whether the agreement with people is shown.
        power: the true difference for which power is shown; `None`: power is not shown.
    """

    worth: bool = False
    power: float | None = None

    def __bool__(self) -> bool:
        return self.worth or self.power is not None


#: The text that replaces the agreement if there is no curve.
NO_AGREEMENT = "no figure"

#: No further figures.
NOTHING_WANTED = Wanted()

#: The default of the true difference for which power is shown.
USUAL_DIFFERENCE = 1.0


def pairs_to_show(results: Results) -> list[tuple[int, int]]:
    """Return the pairs whose differences are shown: all pairs of ranked systems, or else pairs with the first system.
    """
    pairs = list(results.differences[0]) if results.differences else []
    return pairs if results.rankings else [pair for pair in pairs if pair[0] == 0]


def difference_figures(pair: PairResults, metric: int, one: int, two: int, wanted: Wanted) -> dict[str, Any]:
    """Return the figures on the score of system `two` minus the score of system `one`, by their names in JSON."""
    results = pair.results
    figures: dict[str, Any] = dict.fromkeys(("p_holm", *FIGURES))
    figures["p_holm"] = rounded_p(results.corrected_p(metric, one, two))
    if not results.differences:
        return figures
    difference = results.difference(metric, one, two)
    figures.update(difference=difference.value, difference_low=difference.low, difference_high=difference.high)
    if wanted.worth:
        name = results.scores[0][metric].name
        percent = agreement(name, pair.signature(metric), difference.value)
        # (Text has "a coin toss" in place of figures below 50 %.)
        figures["agreement"] = None if percent is None else max(percent, COIN_TOSS)
    if wanted.power is not None:
        figures.update(_power_figures(results, difference.standard_error, wanted.power))
    return figures


def rounded_p(p_value: float | None) -> float | None:
    """Return a p-value with six significant digits. (The number of samples does not justify more digits.)"""
    return None if p_value is None else float(f"{p_value:.6g}")


def _power_figures(results: Results, error: float, difference: float) -> dict[str, Any]:
    """Return figures of power from the standard error of a difference; all are `None` if `has_power` is false."""
    if not has_power(results, error):
        return dict.fromkeys(("mde", "segments_needed", "power"))
    return {"mde": detectable_difference(error),
            "segments_needed": segments_needed(results.segments, error, difference), "power": power(difference, error)}


def has_power(results: Results, error: float) -> bool:
    """Return whether figures of power exist: the standard error is above 0, and p can be significant."""
    return error > 0 and results.lowest_p <= SIGNIFICANT


def worth_sections(pair: PairResults, wanted: Wanted, style: Style) -> list[Section]:
    """Return a section on differences and a section for reviewers, or a section on power for a single system.

    Args:
        pair: results that have differences.
        wanted: the figures to show.
        style: the style of tables.
    """
    if not wanted:
        return []
    limit = style.columns or (_TEXT_COLUMNS if style.form == "text" else None)
    if len(pair.names) == 1 and wanted.power is not None:
        return [_power_of_one_section(pair, wanted.power, style.width, limit)]
    tables = [fitted_tables(_difference_columns(pair, metric, wanted, style.width), limit)
              for metric in range(len(pair.signatures))]
    return [Section("Differences", _explanations_of_figures(pair, wanted), [*chain.from_iterable(tables)]),
            Section("For a reviewer", [reviewer_sentence(pair)])]


def explanations_of_worth(pair: PairResults) -> list[str]:
    """Return paragraphs that explain the figures in a report's table of differences."""
    ranked = " The ranks come from the p-values of all pairs, corrected for the number of tests (Holm)."
    return ["Each difference is the score of the best system minus the score of another system. Its 95 % interval "
            "comes from bootstrap resamples that both systems share. The intervals are not corrected for the "
            "number of intervals." + (ranked if pair.results.rankings else ""),
            *_explanations_of_agreement(pair),
            _explanation_of_power(pair.results, _DETECTABLE + " Smallest detectable differences are normal "
                                  "approximations from the standard errors of differences (Card et al., 2020).")]


def _explanations_of_agreement(pair: PairResults) -> list[str]:
    ends: list[str] = []
    reasons: list[str] = []
    for metric, signature in pair.signatures.items():
        fit = fit_of(metric, signature)
        if not isinstance(fit, str):
            ends.append(f"{fit.plateau:.1f} % under {metric}")
        elif fit not in reasons:
            reasons.append(fit)
    if not ends:
        return [f"The agreement of people with these scores is not known: {'; '.join(reasons)}."]
    paragraphs = [_AGREEMENT_EXPLAINED + CAVEAT,
                  f"For large differences, the agreement with people approaches a limit: {' and '.join(ends)}."]
    if reasons:
        paragraphs.append(f"The agreement of people with other scores is not known: {'; '.join(reasons)}.")
    return paragraphs


def _explanations_of_figures(pair: PairResults, wanted: Wanted) -> list[str]:
    paragraphs = ["Each difference is the score of the first system minus the score of the second system. Its "
                  f"95 % interval comes from {pair.results.drawn:,} bootstrap resamples that both systems share. The "
                  "intervals are not corrected for multiple comparisons."]
    if wanted.worth:
        paragraphs += _explanations_of_agreement(pair)
    if wanted.power is not None:
        paragraphs.append(_explanation_of_power(pair.results, _POWER_EXPLAINED, wanted.power))
    return paragraphs


def _explanation_of_power(results: Results, explanation: str, difference: float = 0.0) -> str:
    """Return the explanation of figures of power, or a sentence that says why there are none."""
    return reason_without_power(results) or explanation.format(difference=difference, units=_units_text(results))


def reason_without_power(results: Results) -> str:
    """Return a sentence that says why there are no figures of power; '' if there are some."""
    if results.lowest_p <= SIGNIFICANT:
        return ""
    return ("There are no figures of power (such as the smallest detectable difference), because the lowest possible p "
            f"(about {results.lowest_p:.4g}) is above {SIGNIFICANT}.")


def _units_text(results: Results) -> str:
    return results.units.plural if results.units else "segments"


def _difference_columns(pair: PairResults, metric: int, wanted: Wanted, width: int) -> list[TableColumn]:
    """Return the table of differences under a metric, with p-values and the wanted figures."""
    results, name = pair.results, pair.metrics[metric]
    digits = results.places(metric, max(width, 2))
    pairs = pairs_to_show(results)
    differences = [results.differences[metric][systems] for systems in pairs]
    columns: list[TableColumn] = [
        (f"Difference in {name}", [f"{pair.names[two]} – {pair.names[one]}" for one, two in pairs]),
        ("Points (95 % interval)", [f"{value:+.{digits}f} ({low:+.{digits}f} to {high:+.{digits}f})"
                                    for value, low, high, _ in differences])]
    if results.corrected:
        p_values = [f"{results.corrected[metric][systems]:.4f}" for systems in pairs]
        columns.append(("p (Holm)" if results.family > 1 else "p", p_values))
    if wanted.worth and any(isinstance(fit_of(*named), Fit) for named in pair.signatures.items()):
        columns.append(("Agreement (with people)", [agreement_text(name, pair.signature(metric), difference.value)
                                                    for difference in differences]))
    if wanted.power is not None:
        figures = [_power_figures(results, difference.standard_error, wanted.power) for difference in differences]
        columns += _power_columns(figures, f"{wanted.power:g} {name}", digits)
    return columns


def _power_columns(figures: Sequence[Mapping[str, Any]], difference: str, digits: int) -> list[TableColumn]:
    """Return columns with figures of power, a row each; `difference` is the true difference, such as `1 BLEU`."""
    def cells(key: str, form: str) -> list[str]:
        return ["–" if row[key] is None else format(row[key], form).replace("%", " %") for row in figures]

    return [("Smallest (detectable)", cells("mde", f".{digits}f")),
            (f"Segments ({difference})", cells("segments_needed", ",d")),
            (f"Power ({difference})", cells("power", ".0%"))]


def agreement_text(metric: str, signature: Signature, difference: float) -> str:
    """Return the agreement with people as text: `85.7 %`, `a coin toss`, or `NO_AGREEMENT`."""
    percent = agreement(metric, signature, difference)
    if percent is None:
        return NO_AGREEMENT
    return "a coin toss" if percent < COIN_TOSS else f"{percent:.1f} %"


def reviewer_sentence(pair: PairResults) -> str:
    """Return a sentence that answers the questions of Marie et al. (2021) on a comparison of systems."""
    results = pair.results
    tested = corrected = "no"
    if results.test is not None:
        tested = f"yes ({test_text(results.test, samples_text(results))}{_samples_for_ranks(results)})"
        tests = len(pair.signatures) * (len(results.systems) - 1)
        corrected = "no (there is one test)" if tests == 1 else f"no ({tests} tests)"
        if results.family > 1:
            corrected = f"yes (Holm, {family_text(results)})"
    # (Earlier checks refuse stored rows that have other references.)
    data = "yes (the same references)"
    if results.scores and all(score.IS_FROM_OUTSIDE for score in results.scores[0]):
        data = "not known (other programs computed all scores, for the same number of segments)"
    others = [metric for metric in pair.signatures if metric != "BLEU"]
    answers = [f"differences tested for significance: {tested}",
               f"p-values corrected for the number of tests: {corrected}",
               f"all systems scored on the same data: {data}",
               f"a metric besides BLEU: {'yes (' + ', '.join(others) + ')' if others else 'no'}",
               f"units that were resampled or swapped: {_units_text(results)}"]
    return f"Answers to the questions of Marie et al. (2021): {'; '.join(answers)}."


def test_text(test: str, samples: str) -> str:
    """Return the name of a test and the number of its samples, for a sentence.

    >>> test_text("ar", "10,000")
    'paired approximate randomization, 10,000 trials'
    """
    record = TESTS[test]
    return f"{lower_first(record.title)}, {samples} {record.sampled}"


def samples_text(results: Results, samples: int = 0) -> str:
    """Return the number of samples of a test as text: `1,000`, or `all 4,096` for an exact test.

    If `samples` is 0, the number is `results.samples`. (Tests for ranks may have another number of samples.)
    """
    return f"{'all ' if results.exact else ''}{samples or results.samples:,}"


def family_text(results: Results) -> str:
    """Return which tests are corrected together, as text: `all 12 tests together`, `the 3 tests under each metric`."""
    if is_corrected_by_metric(results):
        return f"the {results.family} tests under each metric"
    return f"all {results.family} tests together"


def is_corrected_by_metric(results: Results) -> bool:
    """Return whether there are several metrics, and p-values are corrected separately under each of them."""
    return len(results.corrected) > 1 and results.family == len(results.corrected[0])


def power_of_one_figures(results: Results, metric: int, difference: float) -> list[dict[str, Any]]:
    """Return, for each of `CORRELATIONS`, the power of a test of a single system against an unknown system."""
    from ..significance.paired import CORRELATIONS, standard_error_of_pair

    figures: list[dict[str, Any]] = []
    for correlation in CORRELATIONS:
        error = standard_error_of_pair(results.standard_errors[0][metric], correlation)
        figures.append({"correlation": correlation, **_power_figures(results, error, difference)})
    return figures


def _power_of_one_section(pair: PairResults, difference: float, width: int, limit: int | None) -> Section:
    """Return the section on power for a single system: a table for each metric."""
    tables: list[list[TableColumn]] = []
    for metric, name in enumerate(pair.signatures):
        figures = power_of_one_figures(pair.results, metric, difference)
        correlations = [f"{line['correlation']:g}" for line in figures]
        digits = max(pair.results.places(metric, width), 2)
        columns = _power_columns(figures, f"{difference:g} {name}", digits)
        tables.append(fitted([(f"Correlation ({name})", correlations), *columns], limit))
    return Section("Power", [_POWER_OF_ONE_EXPLAINED], tables)


def ran_text(results: Results, corpora: int = 1) -> str:
    """Return a line on the test: its name, its samples and its correction, or that there was no test.

    `corpora` is the number of language pairs or groups that this line describes.
    """
    if results.test is None:
        return ("not tested" if len(results.systems) > 1 else
                f"not tested: there is one system (with {counted(results.segments, 'segment')})")
    parts = [f"tested: {test_text(results.test, samples_text(results))} of {_units_text(results)}"
             f"{_samples_for_ranks(results)}"]
    tests = corpora * len(results.scores[0]) * (len(results.systems) - 1)
    if results.corrected and results.family > 1:
        parts.append(f"Holm's correction for {family_text(results)}")
        if corpora > 1 and results.family <= sum(map(len, results.corrected)):
            parts.append("separately for each")
    else:
        parts.append("one test" if tests == 1 else f"{tests} tests without a correction")
    return ", ".join(parts)


def _samples_for_ranks(results: Results) -> str:
    """Return the end of a list: the number of samples for ranks; '' if all tests have the same number."""
    if not results.rankings or results.rank_samples == results.samples:
        return ""
    at_most = "at most " if results.test == RANDOMIZATION.name and not results.exact else ""
    return f", {at_most}{results.rank_samples:,} for ranks"


def ran_texts(pairs: Sequence[PairResults]) -> list[str]:
    """Return lines on the tests of language pairs or groups. If their texts are the same, they share a line."""
    alike: dict[str, list[PairResults]] = {}
    for pair in pairs:
        alike.setdefault(ran_text(pair.results), []).append(pair)
    lines: list[str] = []
    for group in alike.values():
        *others, last = [pair.pair for pair in group]
        names = f"{', '.join(others)} and {last}" if others else last
        lines.append(f"{names}: {ran_text(group[0].results, len(group))}")
    return lines
