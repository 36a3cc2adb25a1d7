"""How systems are resampled and tested."""

from __future__ import annotations

from ...errors import warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...hints import Mean, Seed
    from ...significance.results import Results
    from ...significance.sampling import Sampling
    from ..arguments.groups import SamplingValues, TestValues
    from ..corpus.scored import Scored

#: Options that are for tests alone, by their destinations.
_OF_TESTS = {"test": "--paired-bs", "samples": "--samples", "exact": "--exact", "correction": "--correction"}


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

    def __init__(self, values: SamplingValues, test: str | None = None, samples: int = 0, *, corrects: bool = False,
                 exact: bool = False, differences: int = 0) -> None:
        self.test = test
        self.samples = samples if test else 0
        self.ranks = False
        self.corrects = corrects
        self.exact = exact
        self.intervals: int = values.confidence_n if values.confidence else 0
        self.differences = differences
        self.rng: str = values.rng
        self.seed: Seed = values.seed

    def sampling(self, scored: Scored, mean: Mean | None = None, test: str | None = None) -> Sampling:
        """What is drawn; `mean` is that of resampled scores (`None`: the usual one), and `test` another test."""
        from ...engines.resampling.intervals import pairwise_mean
        from ...significance.sampling import Sampling

        return Sampling(test or self.test, self.samples, self.intervals, self.differences, units=scored.units,
                        exact=self.exact, rng=self.rng, seed=self.seed, mean=mean or pairwise_mean)

    def results(self, scored: Scored) -> Results:
        """Compute the results of systems."""
        from ...significance.results import results_of

        rows = [[kept or [evaluation.totals()] for evaluation, kept in zip(system.evaluations, system.rows)]
                for system in scored.systems]
        results = results_of(rows, scored.metrics, self.sampling(scored), rank=self.ranks, holm=self.corrects)
        results.segments = scored.systems[0].evaluations[0].segments
        return results

    def results_of_one(self, scored: Scored) -> Results:
        """Compute the results of a single system as sacreBLEU does, whose means are exact only there."""
        from ...engines.resampling.intervals import exact_mean
        from ...significance.results import results_of

        return results_of(scored.rows, scored.metrics, self.sampling(scored, exact_mean))


def testing_of(values: TestValues, systems: int, with_differences: bool = True) -> Testing:
    """How a command tests this many systems: all pairs, unless each system is tested against one of them.

    Ranks take three systems and a correction for the number of tests.
    """
    differences = values.confidence_n if with_differences else 0
    if systems < 2:
        for destination, option in _OF_TESTS.items():
            if destination in values.given():
                warn(f"{option} is for tests between systems, but there is only one system: it has no effect")
        return Testing(values, differences=0 if values.no_power else differences)
    testing = Testing(values, values.test, values.samples, corrects=values.correction == "holm", exact=values.exact,
                      differences=differences)
    testing.ranks = testing.corrects and systems > 2 and not values.against
    return testing
