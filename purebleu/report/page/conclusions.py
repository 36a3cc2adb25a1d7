"""The conclusions in a report's page, as sentences: which system is best, and how certain that is."""

from __future__ import annotations

from ...significance.paired import SIGNIFICANT
from ...significance.ranking import is_same_score
from ...significance.tests import BOOTSTRAP, TESTS
from ..comparison import explanation_of_ranks
from ..worth import family_text, samples_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Sequence

    from ...significance.paired import Result
    from ...significance.ranking import Ranking
    from ...significance.results import Results
    from .content import Page

#: The number of names in a sentence.
_MAX_LISTED = 5


def best_of(page: Page, metric: int) -> int:
    """The index of the system with the best score."""
    return page.summary.results.best(metric, page.summary.metrics[metric].LOWER_IS_BETTER)


def from_best(page: Page, metric: int) -> list[int]:
    """The indices of the systems from the best to the worst score; equal ones are in their given order."""
    sign = 1 if page.summary.metrics[metric].LOWER_IS_BETTER else -1
    systems = page.summary.results.systems
    return sorted(range(len(systems)), key=lambda system: sign * systems[system][metric].score)


def interval_of(result: Result) -> tuple[float, float]:
    """The ends of the 95 % interval of a score."""
    assert result.mean is not None and result.ci is not None, "there were resamples"
    return result.mean - result.ci, result.mean + result.ci


def _same_as_first(results: Results, metric: int, system: int) -> bool:
    return is_same_score(results.systems[0][metric].score, results.systems[system][metric].score)


def conclusions(page: Page) -> Iterator[str]:
    """For each metric, a sentence on the best system, and on the systems that it is certainly better than."""
    results = page.summary.results
    if len(page.names) == 1:
        return
    for index, (metric, score) in enumerate(zip(page.summary.metrics, results.scores[0])):
        values = [system[index].score for system in results.systems]
        best = best_of(page, index)
        text = f"Under {score.name}, {page.names[best]} is best ({values[best]:.{page.places(index)}f})"
        if all(is_same_score(value, values[best]) for value in values):
            text = f"Under {score.name}, all systems have the same score ({values[best]:.{page.places(index)}f})."
        elif results.rankings:
            text += _not_worse(page, results.rankings[index], best)
        elif len(values) == 2 and results.test is not None:
            p_value = results.corrected_p(index, 0, 1) if results.corrected else results.systems[1][index].p_value
            certain = "" if results.differs_from_first(index, 1) else "not "
            text += f", {certain}significantly better than {page.names[1 - best]} (p {p_text(results, p_value)})."
        else:
            text += "."
        yield text + (" Lower is better." if metric.LOWER_IS_BETTER else "")


def _not_worse(page: Page, ranking: Ranking, best: int) -> str:
    """The end of a sentence that lists the systems that are not significantly worse than the best one."""
    others = [system for system in ranking.order if system != best]
    open_ones = [page.names[system] for system in others if not ranking.differ(best, system)]
    if not open_ones:
        all_of_them = "both" if len(others) == 2 else f"all {len(others)}"
        return f", significantly better than {all_of_them} others (tests of all pairs, with Holm's correction)."
    are = "is" if len(open_ones) == 1 else "are"
    return (f"; of the {len(others)} others, {len(open_ones)} {are} not significantly worse (tests of all pairs, with "
            f"Holm's correction): {listed(open_ones)}.")


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: the first few of them, and the number of the rest."""
    if len(names) > _MAX_LISTED:
        return f"{', '.join(names[:_MAX_LISTED])} and {len(names) - _MAX_LISTED} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def p_text(results: Results, p_value: float | None, samples: int = 0) -> str:
    """A p-value as it follows the letter p: `= 0.0420`, or `≤ 0.0001` where it is the lowest possible one.

    Args:
        results: the results with the test.
        p_value: the p-value of the test, or a corrected one, which is never the lowest possible.
        samples: the number of samples that it comes from; 0: that of the test.
    """
    assert results.sampling is not None and p_value is not None, "there was a test"
    lowest = 0.0 if results.sampling.exact else 1 / ((samples or results.samples) + 1)
    return f"{'≤' if p_value <= lowest else '='} {p_value:.4f}"


def explanation_of_p(page: Page) -> Iterator[str]:
    """The meaning of p-values, marks and ranks, a paragraph for each."""
    results = page.summary.results
    assert results.test is not None and results.sampling is not None, "there was a test"
    test = TESTS[results.test]
    yield (f"p is of the difference between a system and {page.names[0]}, by {test.title[0].lower()}{test.title[1:]} "
           f"({samples_text(results)} {test.sampled}): the probability of a difference at least as large under the "
           "null hypothesis that both are equally good. "
           + ("" if results.sampling.exact else f"With this number of {test.sampled}, its lowest value is 1 / "
              f"({results.samples:,} + 1), which is shown as p ≤. ")
           + _marking(page))
    if results.rankings:
        yield explanation_of_ranks(results)
    if results.test == BOOTSTRAP.name:
        yield ("These p-values are sacreBLEU's (Koehn, 2004), a third to a half of those of approximate randomization: "
               "p may be lower than the interval of a difference, below, suggests.")


def _marking(page: Page) -> str:
    """The meaning of the mark of p-values, and whether they are corrected."""
    results = page.summary.results
    tests = (len(page.names) - 1) * len(page.summary.metrics)
    inconclusive = "Where there is no mark, the result is inconclusive."
    if results.family == 1:
        return f"* marks p ≤ {SIGNIFICANT}. {inconclusive} This is the only test, so there is nothing to correct."
    if results.corrected:
        return (f"p (Holm) is p corrected for {family_text(results)}; * marks p (Holm) ≤ {SIGNIFICANT}. "
                f"{inconclusive}")
    family = "This is the only test." if tests == 1 else f"The p-values are not corrected for the number of tests " \
        f"({tests})."
    return f"* marks p ≤ {SIGNIFICANT}. {inconclusive} {family}"


def other_units_sentences(page: Page) -> Iterator[str]:
    """The differences between verdicts of tests on segments and of tests on documents, where both were made."""
    results, others = page.summary.results, page.summary.other_units
    if others is None:
        return
    these = results.units.plural if results.units else "segments"
    those = others.units.plural if others.units else "segments"
    counts = f"{others.units.count if others.units else others.segments:,} {those}"
    changed: list[str] = []
    for metric, score in enumerate(results.scores[0]):
        for system in range(1, len(page.names)):
            p_value, other_p = results.systems[system][metric].p_value, others.systems[system][metric].p_value
            assert p_value is not None and other_p is not None, "both were tested"
            same = _same_as_first(results, metric, system)
            if not same and (p_value <= SIGNIFICANT) != (other_p <= SIGNIFICANT):
                changed.append(f"{page.names[system]} against {page.names[0]} under {score.name} (p "
                               f"{p_text(results, p_value)} on {these}, p {p_text(others, other_p)} on {those})")
    start = (f"The same tests against {page.names[0]}, with {counts} in place of {these}, before any correction, come "
             f"to {'other verdicts' if changed else 'the same verdicts'} (p ≤ {SIGNIFICANT})")
    yield start + (f" for {'; '.join(changed[:_MAX_LISTED])}"
                   + f"; and {len(changed) - _MAX_LISTED} more" * (len(changed) > _MAX_LISTED) if changed else "") + "."
    yield ("Where segments of a document resemble each other, tests on segments reject true null hypotheses more often "
           "than in 5 % of all cases. Tests on documents need many documents to find a difference.")
