"""How systems are resampled and tested."""

from __future__ import annotations

from ...engines.resampling.intervals import exact_mean
from ...report.worth import Wanted, family_text, samples_text, test_text
from ...significance.agreement import agreement
from ...significance.results import results_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...engines.resampling.streams import Seed
    from ...significance.results import Results
    from ..arguments.sampling import SamplingValues, TestValues
    from ..corpus.scored import Scored


class Testing:
    """How systems are resampled and tested.

    Attributes:
        test: the test, `bs` or `ar`; `None`: none.
        samples: the number of its samples; 0: the usual one.
        ranks: whether all pairs of systems are tested, in place of each system against the first one.
        corrects: whether p-values are corrected for the number of tests.
        exact: whether all trials are made.
        intervals: the number of resamples for intervals of scores; 0: none.
        differences: the number of resamples for differences between systems; 0: none.
        rng, seed: the random stream.
    """

    def __init__(self, values: SamplingValues, test: str | None = None, samples: int = 0) -> None:
        self.test = test
        self.samples = samples if test else 0
        self.ranks = False
        self.corrects = False
        self.exact = False
        self.intervals: int = values.confidence_n if values.confidence else 0
        self.differences = 0
        self.rng: str = values.rng
        self.seed: Seed = values.seed

    def results(self, scored: Scored) -> Results:
        """Compute the results of systems."""
        rows = [[kept or [evaluation.totals()] for evaluation, kept in zip(system.evaluations, system.rows)]
                for system in scored.systems]
        results = results_of(rows, scored.metrics, test=self.test, samples=self.samples, resamples=self.intervals,
                             differences=self.differences, rank=self.ranks, holm=self.corrects, exact=self.exact,
                             units=scored.units, rng=self.rng, seed=self.seed)
        results.segments = scored.systems[0].evaluations[0].segments
        return results

    def results_of_one(self, scored: Scored) -> Results:
        """Compute the results of a single system as sacreBLEU does, whose means are exact only there."""
        return results_of(scored.rows, scored.metrics, resamples=self.intervals, differences=self.differences,
                          rng=self.rng, seed=self.seed, mean=exact_mean, units=scored.units)


def testing_of(values: TestValues, systems: int) -> Testing:
    """How a command tests this many systems: all pairs, unless each system is tested against one of them.

    Ranks take three systems and a correction for the number of tests.
    """
    testing = Testing(values, values.test if systems > 1 else None, values.samples)
    testing.corrects = values.correction == "holm" and systems > 1
    testing.ranks = testing.corrects and systems > 2 and not values.against
    testing.exact = values.exact and systems > 1
    testing.differences = values.confidence_n
    return testing


def wanted_figures(values: TestValues, scored: Scored) -> Wanted:
    """The figures on differences to show: power, and the agreement with people, if it is known for a metric."""
    named = zip(scored.systems[0].scores(), scored.signatures)
    has_curve = any(agreement(score.name, signature, 0.0)[0] is not None for score, signature in named)
    return Wanted(has_curve and not values.no_worth and len(scored.systems) > 1,
                  None if values.no_power else values.power or 1.0)


def ran_text(results: Results) -> str:
    """What was tested and how, in one line."""
    units = results.units.plural if results.units else "segments"
    if results.test is None:
        return f"not tested: there is one system (of {results.segments:,} segments)"
    parts = [f"tested: {test_text(results.test, samples_text(results))} of {units}"]
    if results.rankings and results.rank_samples != results.samples:
        parts.append(f"{results.rank_samples:,} for ranks")
    tests = len(results.scores[0]) * (len(results.systems) - 1)
    parts.append(f"Holm's correction for {family_text(results)}" if results.corrected and results.family > 1
                 else "one test" if tests == 1 else f"{tests} tests without a correction")
    return ", ".join(parts)
