"""sacreBLEU's class for paired tests of several systems, from their texts."""

from __future__ import annotations

from functools import partial

from ..engines.resampling.streams import resolved_rng, resolved_seed
from ..metrics.base import Metric
from ..metrics.score import Score, Signature
from ..metrics.segments import listed
from ..runtime.errors import OptionError, whole_number
from ..runtime.hints import Any, Mapping, Row, Segment, Sequence, Streams
from ..runtime.workers import number_of_workers, spread
from .results import results_of
from .sampling import BOOTSTRAP, TESTS, Sampling, check_paired_test


class PairedTest:
    """Tests systems against a baseline, under several metrics.

    A single system has confidence intervals, but is not tested. If `n_jobs` is above 1, a script needs `if __name__ ==
    "__main__":`, because new processes may import the script.

    Args:
        named_systems: pairs of a name and hypotheses; the first pair is the baseline.
        metrics: a dict whose values are the metrics; its keys are not used.
        references: as for `Metric.corpus_score`; `None`: the references of the metrics themselves.
        test_type: `bs` for paired bootstrap resampling, or `ar` for approximate randomization.
        n_samples: the number of resamples or trials (0: 1000 or 10000).
        n_ar_confidence: with `ar`, the number of bootstrap resamples for intervals (0: 1000; -1: no intervals).
        n_jobs: the number of processes that share the systems (0: one for each processor). The maximum is the number
            of processors, or 2 on a machine with a single processor.
        rng: the random stream, `mt19937` (Python's) or `numpy` (as in sacreBLEU); `environment`: the value of
            `PUREBLEU_RNG`, else `mt19937`. The seed comes from the environment (`PUREBLEU_SEED` or
            `SACREBLEU_SEED`, else 12345).

    Raises:
        OptionError: the test or the random stream is unknown, a number is out of range, or there is no system or no
            metric.

    Example:
        >>> from purebleu import CHRF
        >>> systems = [("baseline", ["a b", "c x"]), ("system", ["a x", "y x"])]
        >>> test = PairedTest(systems, {"chrF": CHRF()}, [["a b", "c d"]], test_type="bs", n_samples=100)
        >>> signatures, table = test()
        >>> table["System"]
        ['baseline', 'system']
        >>> [round(result.score, 2) for result in table["chrF2"]]
        [62.5, 12.5]
        >>> signatures["chrF2"].info["bs"]
        100
    """

    def __init__(self, named_systems: Sequence[tuple[str, Sequence[Segment]]], metrics: Mapping[str, Metric[Score]],
                 references: Streams | None, test_type: str = "ar", n_samples: int = 0,
                 n_ar_confidence: int = -1, n_jobs: int = 1, rng: str = "environment") -> None:
        check_paired_test(test_type)
        self.test_type = test_type
        self.n_samples = whole_number("n_samples", n_samples) or TESTS[test_type].samples
        self.n_ar_confidence = whole_number("n_ar_confidence", n_ar_confidence) or BOOTSTRAP.samples
        if self.n_samples < 1 or self.n_ar_confidence < -1:
            raise OptionError("n_samples must be at least 0, and n_ar_confidence at least -1")
        self.n_jobs = n_jobs
        self.named_systems = listed(named_systems, "named_systems")
        if not isinstance(metrics, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"metrics must be a dict of metrics by name, not {metrics!r:.80}")
        self.metrics = dict(metrics)
        if not self.named_systems or not self.metrics:
            raise OptionError("a test needs at least one system and one metric")
        # (Iterators become lists, because each system reads all references.)
        self.references = None if references is None else [
            stream if isinstance(stream, str) else listed(stream, "a stream of references")
            for stream in listed(references, "references")]
        self.rng = resolved_rng(rng)
        self._seed = resolved_seed("environment")

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        """Run the test.

        Returns:
            A dict of signatures by the names of scores (such as "chrF2++"), and a dict of columns. The column "System"
            has the names of the systems. Each other column has the name of a score, and a `Result` for each system.
        """
        metrics = list(self.metrics.values())
        evaluate = partial(_rows_and_signatures, metrics, self.references)
        evaluated = list(spread(evaluate, [hypotheses for _, hypotheses in self.named_systems],
                                number_of_workers(self.n_jobs)))
        sampling = Sampling(self.test_type, self.n_samples, max(0, self.n_ar_confidence), rng=self.rng, seed=self._seed)
        systems = [[rows for rows, _ in system] for system in evaluated]
        results = results_of(systems, metrics, sampling)
        table: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        signatures: dict[str, Signature] = {}
        for score, (_, signature), column in zip(results.scores[0], evaluated[0], zip(*results.systems)):
            if score.name in signatures:
                raise OptionError(f"two metrics are called {score.name}, but a table has a column for each name: test "
                                  "them one at a time", option="metrics")
            table[score.name] = list(column)
            signatures[score.name] = results.signed(signature)
        return signatures, table


def _rows_and_signatures(metrics: Sequence[Metric[Score]], references: Streams | None,
                         hypotheses: Sequence[Segment]) -> list[tuple[list[Row], Signature]]:
    """Return the rows and the signature of a system under each metric. (A worker process may call this function.)"""
    return [(metric._rows_of_corpus(hypotheses, references), metric.get_signature()) for metric in metrics]
