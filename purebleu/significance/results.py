"""From rows to results: scores, intervals, p-values and ranks of systems. One function for whoever has rows."""

from __future__ import annotations

from itertools import chain, combinations

from ..engines.resampling.intervals import pairwise_mean
from ..engines.resampling.streams import STREAMS, make_stream, resolved_rng, resolved_seed
from ..errors import LengthError, OptionError, PurebleuError
from ..metrics.contract import sum_statistics
from .paired import (
    TESTS,
    Result,
    bootstrap_results,
    estimate_intervals,
    intervals_beside_randomization,
    randomization_p_values,
    randomization_results,
    resampled_scores,
)
from .ranking import bootstrap_p_values, rank_systems
from .trials import rounding_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ..engines.resampling.intervals import Mean
    from ..engines.resampling.streams import RandomStream, Seed
    from ..metrics.score import Score, Signature
    from .paired import Metrics, Resampled, SystemRows
    from .ranking import Groups

#: The numbers of samples that are usual, by the name of the test.
DEFAULT_SAMPLES = {"bs": 1000, "ar": 10_000}


class Sampling:
    """How rows are resampled.

    Attributes:
        test: the test between systems, `bs` or `ar`; `None`: none.
        samples: the number of its resamples or trials; 0 where there is none.
        resamples: the number of bootstrap resamples for intervals; 0 where those of the test give them, or none do.

    Raises:
        OptionError: for an unknown test.
    """

    def __init__(self, test: str | None, samples: int, resamples: int, rng: str, seed: Seed) -> None:
        if test is not None and test not in TESTS:
            raise OptionError(f"unknown test {test!r}; there are {', '.join(TESTS)}")
        self.test = test
        self.samples = (samples or DEFAULT_SAMPLES[test]) if test else 0
        self.resamples = 0 if test == "bs" else resamples
        self._seed = resolved_seed(seed)
        self._rng = resolved_rng(rng)

    def stream(self) -> RandomStream:
        """The random stream, at its beginning."""
        return make_stream(self._rng, self._seed)

    def tested(self, systems: Sequence[SystemRows], metrics: Metrics, rank: bool) -> Results:
        """The results of the test, with intervals and a ranking as far as asked for, but without scores."""
        stream = self.stream()
        resampled: Resampled
        if self.test == "bs":
            resampled = resampled_scores(systems, metrics, stream, self.samples)
            roundings = [rounding_of(metric, stream) for metric in metrics]
            results = bootstrap_results(systems, metrics, resampled, roundings)
            p_values = bootstrap_p_values(results, resampled, roundings) if rank else []
        else:
            resampled = ()
            pairs = [pair for pair in combinations(range(len(systems)), 2) if rank or pair[0] == 0]
            p_values = randomization_p_values(systems, metrics, pairs, stream, self.samples)
            results = randomization_results(systems, metrics, p_values)
            if self.resamples:
                intervals_beside_randomization(results, systems, metrics, stream, self.stream, self.resamples)
        rankings = rank_systems(results, metrics, p_values, self.samples) if rank else []
        return Results([], results, rankings, self, resampled)

    def signed(self, signature: Signature) -> Signature:
        """A signature with the fields of resampling added."""
        counts = {self.test: self.samples} if self.test else {}
        if self.resamples:
            counts["bs"] = self.resamples
        return signature.with_resampling(self._seed, STREAMS[self._rng].SIGNATURE, **counts)


class Results:
    """The results of systems under several metrics, as `results_of` returns them.

    Attributes:
        scores: for each system, its score under each metric, with the interval where it was asked for. (They have no
            signature, because rows do not tell it: see `signed`.)
        systems: for each system, its `Result` under each metric.
        rankings: for each metric, the systems by their indices, the best first, in groups that can't be told apart;
            empty where no ranking was asked for.
        sampling: how rows were resampled; `None` where they were not.
        resampled: for each system, under each metric, its scores in the bootstrap resamples of the test `bs`; empty
            where there were none.
    """

    def __init__(self, scores: list[list[Score]], systems: list[list[Result]], rankings: Sequence[Groups] = (),
                 sampling: Sampling | None = None, resampled: Resampled = ()) -> None:
        self.scores = scores
        self.systems = systems
        self.rankings = rankings
        self.sampling = sampling
        self.resampled = resampled

    @property
    def test(self) -> str | None:
        """The test, `bs` or `ar`; `None` where there was none."""
        return self.sampling.test if self.sampling else None

    @property
    def samples(self) -> int:
        """The number of resamples or trials of the test; 0 where there was none."""
        return self.sampling.samples if self.sampling else 0

    def signed(self, signature: Signature) -> Signature:
        """The signature of an evaluation that rows came from, with the fields of resampling added, if there was any."""
        return self.sampling.signed(signature) if self.sampling else signature

    def __repr__(self) -> str:
        return f"Results({self.systems!r})"


def check_samples(samples: int, resamples: int) -> None:
    """Raise `OptionError` for numbers of samples that are none; 0 stands for the usual one, or for no resampling."""
    if samples < 0:
        raise OptionError(f"{samples} is no number of samples: it must be at least 1 (0: the usual one)")
    if resamples < 0:
        raise OptionError(f"{resamples} is no number of resamples: it must be at least 1 (0: none)")


def check_rows(systems: Sequence[SystemRows], metrics: Metrics, resampled: bool) -> None:
    """Raise `PurebleuError` for rows that do not belong together, or are not those of the metrics."""
    if not systems or not metrics:
        raise PurebleuError("there are no systems" if not systems else "there are no metrics")
    for index, system in enumerate(systems):
        if len(system) != len(metrics):
            raise PurebleuError(f"system {index} has rows under {len(system)} metrics, not {len(metrics)}")
    lengths = {len(rows) for system in systems for rows in system}
    if 0 in lengths:
        raise PurebleuError("a system has no rows")
    if resampled and len(lengths) > 1:
        raise LengthError(f"systems have different numbers of segments: {', '.join(map(str, sorted(lengths)))}")


def results_of(systems: Sequence[SystemRows], metrics: Metrics, *, test: str | None = None, samples: int = 0,
               resamples: int = 0, rank: bool = False, rng: str = "environment", seed: Seed = "environment",
               mean: Mean = pairwise_mean) -> Results:
    """The results of systems, from nothing but their rows.

    Args:
        systems: for each system, its rows under each metric, as `Metric.corpus_statistics` returns them; with a test,
            the baseline is the first. Without resampling, partial sums will do.
        metrics: what the rows are of, in the same order.
        test: of each system against the baseline: `bs`, paired bootstrap resampling, or `ar`, paired approximate
            randomization; `None`: none.
        samples: the number of resamples or trials of the test (0: 1000 or 10000).
        resamples: the number of bootstrap resamples for a 95 % confidence interval of each score (0: none; with `bs`,
            those of the test serve).
        rank: whether to rank the systems, by the test between any two of them.
        rng: the random stream, a key of `STREAMS`; `environment`: `PUREBLEU_RNG`, else `mt19937`.
        seed: `None`: another one every time; `environment`: `PUREBLEU_SEED` or `SACREBLEU_SEED`, else 12345.
        mean: the mean of resampled scores.

    Raises:
        OptionError: for an unknown test or random stream, a number of samples that is none, and a ranking without a
            test.
        PurebleuError: there is no system, a system has rows under more or fewer metrics than there are, or (where they
            are resampled) systems have different numbers of segments.

    Example:
        >>> from purebleu import TER
        >>> metric = TER()
        >>> systems = [["a b", "c x", "e f", "g x"], ["a x", "c d", "e x", "g x"]]
        >>> rows = [[metric.corpus_statistics(system, [["a b", "c d", "e f", "g h"]])] for system in systems]
        >>> results = results_of(rows, [metric], test="ar", samples=100, seed=1)
        >>> [[(result.score, result.p_value) for result in system] for system in results.systems]
        [[(25.0, None)], [(37.5, 0.1782178217821782)]]
    """
    if rank and test is None:
        raise OptionError("a ranking needs a test")
    check_samples(samples, resamples)
    check_rows(systems, metrics, resampled=bool(test or resamples))
    scores = [[metric.score(sum_statistics(rows)) for metric, rows in zip(metrics, system)] for system in systems]
    results = Results(scores, [[Result(score.score) for score in scores_of_system] for scores_of_system in scores])
    if test is None and not resamples:
        return results
    sampling = Sampling(test, samples, resamples, rng, seed)
    if test is None:
        results.sampling = sampling
        estimate_intervals(results.systems, systems, metrics, sampling.stream(), resamples, mean)
    else:
        results = sampling.tested(systems, metrics, rank)
        results.scores = scores
    for score, result in zip(chain.from_iterable(scores), chain.from_iterable(results.systems)):
        score.mean, score.ci = result.mean, result.ci
    return results
