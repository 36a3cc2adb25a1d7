"""Settings of tests and intervals: the test, the number of samples, the random stream, the units of resampling."""

from __future__ import annotations

from math import fsum, sqrt

from ..engines.resampling.intervals import pairwise_mean
from ..engines.resampling.streams import STREAMS, make_stream, resolved_rng, resolved_seed
from ..metrics.evaluation import sum_statistics
from ..metrics.score import Score, Signature
from ..metrics.segments import is_missing_value, listed
from ..runtime.errors import LengthError, OptionError, PurebleuError, warn, whole_number
from ..runtime.hints import Any, Beside, Iterable, Mean, NamedTuple, Row, Seed, Sequence, SystemRows
from .paired import resampled_scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engines.resampling.streams import RandomStream
    from ..metrics.base import Metric

    Metrics = Sequence[Metric[Score]]


class SignificanceTest(NamedTuple):
    """A significance test: its names, its default number of samples, and its explanation.

    Attributes:
        name: the field of the test in signatures.
        title: the name of the test in headings.
        samples: the default number of samples.
        sampled: the word for the samples: `resamples` or `trials`.
        null_hypothesis: the null hypothesis, as a clause; `{baseline}` stands for the name of the baseline.
        explanation: the meaning of the test's figures in a table; `{samples}`, `{unit}` and `{units}` are placeholders.
    """

    name: str
    title: str
    samples: int
    sampled: str
    null_hypothesis: str
    explanation: str


#: The null hypothesis of randomization tests.
_EXCHANGEABLE = "the outputs of the system and of {baseline} are exchangeable"


BOOTSTRAP = SignificanceTest(
    "bs", "Paired bootstrap resampling", 1000, "resamples",
    "the system and {baseline} have the same score on the population from which the test set is sampled",
    "The table shows the score of each system; in parentheses, the mean of its scores in {samples} bootstrap resamples "
    "and half the width of the 95 % confidence interval; and p. Each resample has as many {units} as the test set, "
    "sampled with replacement.")

RANDOMIZATION = SignificanceTest(
    "ar", "Paired approximate randomization", 10_000, "trials", _EXCHANGEABLE,
    "The table shows the score of each system, and p from {samples} trials. For each {unit}, a trial swaps the outputs "
    "of the system and of the baseline with probability 1/2.")

STRATIFIED = SignificanceTest(
    "sar", "Stratified approximate randomization", 10_000, "trials", _EXCHANGEABLE,
    "p comes from {samples} trials. For each {unit}, a trial divides the outputs of all runs between the system and "
    "the baseline at random. The test scores all runs of a system as one corpus.")

#: The tests by their names.
TESTS = {test.name: test for test in (BOOTSTRAP, RANDOMIZATION, STRATIFIED)}

#: The names of the tests of pairs of systems with a single run each.
PAIRED_TESTS = (BOOTSTRAP.name, RANDOMIZATION.name)


def checked_sampling(sampling: Sampling | None, usual: str | None = None) -> Sampling:
    """Return `sampling`, or `Sampling(usual)` if `sampling` is `None`. Raise `TypeError` for values of other types."""
    if sampling is None:
        return Sampling(usual)
    if not isinstance(sampling, Sampling):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"sampling must be a Sampling, not {sampling!r:.80}")
    return sampling


def check_paired_test(name: str) -> None:
    """Raise `OptionError` if `name` is not one of `PAIRED_TESTS`."""
    if name not in PAIRED_TESTS:
        raise OptionError(f"unknown test {name!r}; choose from {', '.join(PAIRED_TESTS)}")


#: The maximum number of trials of an exact test. An exact test of 20 segments has this number of trials.
MAX_ENUMERATED = 1 << 20

#: Bootstrap intervals over fewer units than this number are too narrow.
FEW_UNITS = 20

#: The quantile 0.975 of Student's t with 1 to 18 degrees of freedom.
_T_QUANTILES = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262,
                2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101)


class Units:
    """The units of resampling: all segments of a document are sampled, or swapped, together.

    Args:
        documents: the id of the document of each segment. The segments of a document need not be adjacent. `None`:
            each segment is a unit.
        strata: the id of the stratum of each segment, such as a domain. Each bootstrap resample has as many units of a
            stratum as the corpus. (Randomization tests do not depend on strata, because they swap outputs in place.)
            `None`: there are no strata.
        strata_name: the value of the field `strata` in signatures.

    Attributes:
        documents: the argument `documents`.
        name, plural: the name of a unit, `segment` or `document`, and its plural.
        fields: the fields about units in signatures; empty if units are segments without strata.
        segments: the number of segments.
        count: the number of units.
        strata: the indices of the units in each stratum; `None` without strata.

    Raises:
        LengthError: `documents` and `strata` have different lengths.
        PurebleuError: there are fewer than two units, no stratum has two units, or a document is in two strata.

    Example:
        >>> units = Units(["a", "a", "b", "c"], ["news", "news", "news", "speech"])
        >>> units.count, units.strata, units.fields
        (3, [[0, 1], [2]], {'unit': 'doc', 'strata': 'file'})
        >>> units.sums([(1, 2), (1, 3), (0, 4), (5, 5)])
        [(2, 5), (0, 4), (5, 5)]
    """

    def __init__(self, documents: Iterable[object] | None = None, strata: Iterable[object] | None = None,
                 strata_name: str = "file") -> None:
        documents = None if documents is None else _listed_ids(documents, "documents")
        strata = None if strata is None else _listed_ids(strata, "strata")
        if documents is not None and strata is not None and len(documents) != len(strata):
            raise LengthError(f"{len(documents)} segments have documents, but {len(strata)} segments have strata")
        self.name = "segment" if documents is None else "document"
        self.plural = f"{self.name}s"
        self.fields: dict[str, str] = {}
        if documents is not None:
            self.fields["unit"] = "doc"
        if strata is not None:
            self.fields["strata"] = strata_name
        self.documents = documents
        self.segments = len(documents if documents is not None else strata or ())
        #: The indices of the segments in each unit; `None` if each segment is a unit.
        self._members = None if documents is None else list(indices_by_value(documents).values())
        self.count = self.segments if self._members is None else len(self._members)
        if self.count < 2:
            raise PurebleuError(f"resampling needs at least 2 {self.plural}, not {self.count} "
                                f"(in {self.segments} segments)")
        self.strata = None if strata is None else self._strata_of_units(strata)
        if self.strata is not None and len(self.strata) == self.count:
            raise PurebleuError(f"resampling needs a stratum with at least 2 {self.plural}, but each stratum has 1")

    def _strata_of_units(self, strata: Sequence[object]) -> list[list[int]]:
        """Return the indices of the units in each stratum. `strata` has the stratum of each segment."""
        by_stratum = list(indices_by_value(strata).values())
        if self._members is None:
            return by_stratum
        for members in self._members:
            strata_of_members = {strata[segment] for segment in members}
            if len(strata_of_members) > 1:
                raise PurebleuError("all segments of a document must be in one stratum, but the document with segment "
                                    f"{members[0] + 1} is in strata {', '.join(sorted(map(str, strata_of_members)))}")
        return list(indices_by_value([strata[members[0]] for members in self._members]).values())

    def sums(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return a row for each unit: the sum of the rows of its segments.

        Raises:
            LengthError: the number of rows is not the number of segments.
        """
        if len(rows) != self.segments:
            raise LengthError(f"{self.segments} segments have documents or strata, but there are {len(rows)} segments")
        if self._members is None:
            return rows
        sums: list[Row] = []
        for members in self._members:
            sums.append(tuple(sum_statistics([rows[segment] for segment in members])))
        return sums


def indices_by_value(values: Sequence[object]) -> dict[Any, list[int]]:
    """Return the indices at which each value occurs; values are in the order of their first occurrence."""
    indices: dict[Any, list[int]] = {}
    for index, value in enumerate(values):
        try:
            indices.setdefault(value, []).append(index)
        except TypeError:
            raise TypeError(f"the id of a document or stratum must be a string or number, not {value!r:.80}") from None
    return indices


def sums_of_units(systems: Sequence[SystemRows], units: Units | None) -> Sequence[SystemRows]:
    """Add up the rows of each unit, for each system and metric. If `units` is `None`, return `systems` as it is."""
    return systems if units is None else [list(map(units.sums, system)) for system in systems]


def _listed_ids(ids: Iterable[object], name: str) -> list[object]:
    """Return the ids of segments as a list. Raise `TypeError` for a missing id (`None`, or NaN in a table)."""
    known = listed(ids, name)
    for index, one in enumerate(known):
        if is_missing_value(one):
            raise TypeError(f"{name}[{index}] is a missing value ({one}), but every segment needs an id")
    return known


def clustered_standard_error(values: Sequence[float], documents: Sequence[object]) -> float:
    """Return the standard error of a mean over segments of documents, in closed form (Miller, 2024).

    For C documents and n segments, the standard error is sqrt(C / (C - 1) * S) / n. S is a sum over documents: for each
    document, the deviations of its values from the mean are added up and squared. If each document has one segment, the
    result is the usual standard error.

    Args:
        values: a value for each segment.
        documents: the id of the document of each segment, as for `Units`. There must be at least two documents.

    Example:
        By hand: the mean is 3. The deviations from the mean add up to -3 in the first document, and to 3 in the second
        document. So the standard error is sqrt(2 / 1 * (9 + 9)) / 4.

        >>> clustered_standard_error([1.0, 2.0, 4.0, 5.0], ["a", "a", "b", "b"])
        1.5
    """
    mean = fsum(values) / len(values)
    sums: list[float] = []
    for members in indices_by_value(documents).values():
        sums.append(fsum([values[segment] - mean for segment in members]))
    return sqrt(len(sums) / (len(sums) - 1) * fsum([total ** 2 for total in sums])) / len(values)


def clustered_half_width(values: Sequence[float], documents: Sequence[object]) -> float:
    """Return half the width of the 95 % interval of a mean over fewer than 20 documents, in closed form.

    The half width is `clustered_standard_error` of the same arguments, times the quantile 0.975 of Student's t. The
    number of degrees of freedom is the number of documents minus 1.

    Example:
        >>> round(clustered_half_width([1.0, 2.0, 4.0, 5.0], ["a", "a", "b", "b"]), 3)    # 12.706 * 1.5
        19.059
    """
    return _T_QUANTILES[len({*documents}) - 2] * clustered_standard_error(values, documents)


def warn_of_few_documents(units: Units, systems: Sequence[SystemRows], metrics: Metrics, has_p_values: bool) -> None:
    """Warn that bootstrap intervals are too narrow if there are fewer than `FEW_UNITS` documents.

    If a metric is a mean over segments, the warning also gives the intervals of `clustered_half_width`. If
    `has_p_values` is true, p-values come from the same resamples, so the warning also mentions p-values.
    """
    if units.documents is None or units.count >= FEW_UNITS:
        return
    closed: list[str] = []
    for index, metric in enumerate(metrics):
        if "segments" in metric.column_names():
            name = metric.score(sum_statistics(systems[0][index])).name
            widths = [clustered_half_width(list(map(metric.value, system[index])), units.documents)
                      for system in systems]
            closed.append(f"{name} " + ", ".join([f"± {width:.2f}" for width in widths]))
    beside = f"; a formula for few documents gives the intervals {'; '.join(closed)}" if closed else ""
    p_values = "; the bootstrap test's p-values are too low: use approximate randomization (ar) instead"
    warn(f"{too_narrow_text(units.count, units.plural)}{beside}{p_values if has_p_values else ''}")


def too_narrow_text(count: int, plural: str) -> str:
    """Return the text of a warning: bootstrap intervals over `count` units (2 or more) are too narrow.

    >>> too_narrow_text(2, "segments")
    'bootstrap intervals over fewer than 20 segments are too narrow: with 2 segments, by 41 % or more'
    """
    narrow = 100 * (sqrt(count / (count - 1)) - 1)
    return (f"bootstrap intervals over fewer than {FEW_UNITS} {plural} are too narrow: with {count} {plural}, by "
            f"{narrow:.0f} % or more")


class Sampling:
    """Settings of resampling: the test, the numbers of samples and resamples, the random stream, the units.

    Args:
        test: the test: `bs`, paired bootstrap resampling; `ar`, paired approximate randomization; for systems with
            several runs, `sar`, stratified approximate randomization; `None`: no test.
        samples: the number of resamples or trials of the test. 0: the default, which is 1000 resamples or 10000 trials
            (for ranks, at least ten times the number that the correction for all pairs needs).
        resamples: the number of bootstrap resamples for a 95 % confidence interval of each score (0: none). With `bs`,
            intervals come from the resamples of the test.
        differences: the number of bootstrap resamples for the differences of all pairs of systems, and for standard
            errors (0: none). With `bs`, differences come from the resamples of the test. With `resamples`, differences
            come from the resamples for intervals.
        units: the units of resampling; `None`: single segments without strata.
        exact: whether randomization makes all possible trials instead of a random sample. (With few documents, the
            test always makes all trials.)
        rng: the random stream, a key of `STREAMS`; `environment`: `PUREBLEU_RNG`, else `mt19937`.
        seed: the seed; `None`: a new seed every time; `environment`: `PUREBLEU_SEED` or `SACREBLEU_SEED`, else 12345.
        mean: the function for the mean of resampled scores.

    Attributes:
        has_default: whether the number of samples is the default of the test.
        samples: the number of resamples or trials of the test; 0 without a test.

    Raises:
        OptionError: the test or the random stream is unknown, a number of samples is negative, or `exact` is true
            without a randomization test.

    Example:
        >>> Sampling("bs").samples, Sampling("bs", 500, units=Units(["a", "a", "b"])).units.count
        (1000, 2)
    """

    def __init__(self, test: str | None = None, samples: int = 0, resamples: int = 0, differences: int = 0, *,
                 units: Units | None = None, exact: bool = False, rng: str = "environment", seed: Seed = "environment",
                 mean: Mean = pairwise_mean) -> None:
        if test is not None and test not in tuple(TESTS):
            raise OptionError(f"unknown test {test!r}; choose from {', '.join(TESTS)}", option="test")
        samples = whole_number("the number of samples", samples)
        resamples = whole_number("the number of resamples", resamples)
        differences = whole_number("the number of resamples for differences", differences)
        if samples < 0:
            raise OptionError(f"the number of samples must be at least 1 (0: the usual number), not {samples}")
        if min(resamples, differences) < 0:
            raise OptionError(f"the number of resamples must be at least 1 (0: none), not "
                              f"{min(resamples, differences)}")
        if exact and test is None:
            raise OptionError("exact=True needs a test, but test is None", option="exact")
        if exact and test == BOOTSTRAP.name:
            raise OptionError("paired bootstrap resampling (bs) has no exact test; use approximate randomization "
                              "(ar)", option="exact")
        self.test = test
        self.has_default = not samples
        self.samples = (samples or TESTS[test].samples) if test else 0
        self.resamples = resamples
        self.differences = differences
        self.units = units
        self.exact = exact
        self.mean = mean
        self._seed = resolved_seed(seed)
        self._rng = resolved_rng(rng)

    def of_trials(self, trials: int) -> Sampling:
        """Return an exact sampling if the test has to make all possible trials, else this sampling.

        The test makes all trials if `exact` is true, or if units are documents and there are at most `samples` trials.
        `trials` is the number of possible trials. Raises `OptionError` if an exact test would have too many trials.
        """
        if not self.exact and (self.units is None or self.units.documents is None or trials > self.samples):
            return self
        if trials > MAX_ENUMERATED:
            digits = f"{trials:,}" if trials < 1 << 60 else "too many"
            raise OptionError(f"an exact test of these {self.units.plural if self.units else 'segments'} needs "
                              f"{digits} trials; at most {MAX_ENUMERATED:,} are allowed", option="exact")
        return self._with(exact=True, samples=trials)

    def _with(self, **attributes: object) -> Sampling:
        """Return a copy of this sampling with new values of `attributes`."""
        from copy import copy

        sampling = copy(self)
        vars(sampling).update(attributes)
        return sampling

    def without_test(self) -> Sampling:
        """Return this sampling without its test, as for a single system."""
        return self._with(test=None, samples=0)

    def intervals_alone(self, differences: bool) -> Sampling:
        """Return this sampling without its test and its units: for intervals and, if requested, for differences."""
        return self._with(test=None, samples=0, units=None, resamples=self.drawn,
                          differences=self.drawn if differences else 0)

    def with_units(self, units: Units | None) -> Sampling:
        """Return a copy with other units, and without differences between systems."""
        return self._with(units=units, differences=0)

    def stream(self) -> RandomStream:
        """Return the random stream from its beginning."""
        return make_stream(self._rng, self._seed)

    @property
    def drawn(self) -> int:
        """The number of bootstrap resamples for the test, for intervals or for differences; 0 if there are none."""
        return self.samples if self.test == BOOTSTRAP.name else self.resamples or self.differences

    @property
    def strata(self) -> Sequence[Sequence[int]] | None:
        """The indices of the units in each stratum; `None` without strata."""
        return self.units.strata if self.units else None

    def resampled(self, systems: Sequence[SystemRows], metrics: Metrics, count: int,
                  beside: Beside = ()) -> tuple[list[list[Sequence[float]]], list[list[Any]]]:
        """Return the result of `resampled_scores` for bootstrap resamples of the units."""
        beside = [(sums_of_units([[rows]], self.units)[0][0], values) for rows, values in beside]
        return resampled_scores(sums_of_units(systems, self.units), metrics, self.stream(), count, self.strata, beside)

    def signed(self, signature: Signature) -> Signature:
        """Return a signature with the fields of resampling added."""
        counts: dict[str, int | str] = {}
        if self.test:
            counts[self.test] = "exact" if self.exact else self.samples
        if self.drawn:
            counts[BOOTSTRAP.name] = self.drawn
        units = self.units.fields if self.units else {}
        return signature.with_resampling(self._seed, STREAMS[self._rng].SIGNATURE, **counts, **units)


#: The sampling of results that were not resampled.
_NOTHING = Sampling(rng="mt19937", seed=None)


class Sampled:
    """Results that were computed from rows, with the settings of their tests and intervals.

    Attributes:
        sampling: the settings of resampling; `None` if nothing was resampled.
        segments: the number of segments; 0 if nothing was resampled, because rows may then be partial sums.
        test: the name of the test; `None` without a test.
        samples: the number of resamples or trials of the test; 0 without a test.
        exact: whether all possible trials of the test were made.
        units: the units of resampling; `None`: single segments without strata.
        drawn: the number of bootstrap resamples; 0 if there are none.
    """

    def __init__(self, sampling: Sampling | None = None, segments: int = 0) -> None:
        self.sampling = sampling
        self.segments = segments
        drawn = sampling or _NOTHING
        self.test = drawn.test
        self.samples = drawn.samples
        self.exact = drawn.exact
        self.units = drawn.units
        self.drawn = drawn.drawn

    def signed(self, signature: Signature) -> Signature:
        """Return an evaluation's signature, with the fields of resampling if the results were resampled."""
        return self.sampling.signed(signature) if self.sampling else signature
