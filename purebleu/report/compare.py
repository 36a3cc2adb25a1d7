"""Functions that compare systems in programs, as `purebleu test` does; results are looked up by name."""

from __future__ import annotations

from functools import partial
from itertools import islice

from ..metrics.base import Metric
from ..metrics.evaluation import References, System, evaluated_systems, score_block, signature_of, warn_of_doubts
from ..metrics.input_checks import TextSample
from ..metrics.making import made_metrics
from ..metrics.score import Score, Signature
from ..metrics.segments import check_parallel, checked_references, checked_segments, is_text, listed, listed_streams
from ..metrics.warnings import TextWarnings
from ..runtime.blocks import BLOCK_SEGMENTS, CACHED_SEGMENTS, slices
from ..runtime.errors import (
    LengthError,
    OptionError,
    PurebleuError,
    UnknownNameError,
    check_text,
    counted,
    nearest,
    warn,
)
from ..runtime.hints import Any, Iterable, Mapping, NamedTuple, Row, Seed, Segment, Sequence
from ..runtime.workers import number_of_workers, spread
from ..significance.results import check_rows, listed_rows, results_of
from ..significance.runs import RunsResult, RunsResults, runs_of
from ..significance.sampling import BOOTSTRAP, RANDOMIZATION, STRATIFIED, Sampling, Units
from .comparison import (
    LAST_COLUMNS,
    RESULT_COLUMNS,
    RUNS_COLUMNS,
    further_lines,
    line_of,
    lines_of_runs,
    records_of,
    runs_report,
)
from .comparison import comparison as comparison_text
from .formats import FORMATS, PairResults, Style, signed_by_name
from .worth import USUAL_DIFFERENCE, Wanted, difference_figures, rounded_p


class ComparisonRecord(NamedTuple):
    """The result of a system under a metric, and its difference from the system `against`.

    The fields have the same names as in JSON and CSV, and the manual's page on formats explains them. Unknown values
    are `None`.
    """

    system: str
    metric: str
    score: float
    mean: float | None
    ci: float | None
    p_value: float | None
    p_holm: float | None
    rank: int | str | None
    cluster: int | None
    against: str | None
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    agreement: float | None
    mde: float | None
    segments_needed: int | None
    power: float | None
    lower_is_better: bool
    lowest_possible: int | None
    highest_possible: int | None
    signature: Signature


#: The names of tests in signatures, by their names in `compare`.
_TESTS = {"randomization": RANDOMIZATION.name, "bootstrap": BOOTSTRAP.name, None: None}


class SystemsByName:
    """Base class of results that are looked up by the names of a system and a metric. `print` shows them as a table.

    A metric can have two names: the name of its scores (`chrF2`), and the name in the caller's arguments (`chrf`).

    Attributes:
        systems: the names of the systems; the first system is the baseline.
        metrics: the names of the scores.
        signatures: the signatures by the names of the scores.
    """

    def __init__(self, names: Sequence[str], signatures: Mapping[str, Signature], asked: Sequence[str] = ()) -> None:
        self.systems = list(names)
        self.metrics = list(signatures)
        self.signatures = dict(signatures)
        self._system_indices = _indices_by_name(self.systems)
        # (A name that the caller gave to several metrics is left out, because it is ambiguous.)
        by_caller = {name: index for index, name in enumerate(asked) if asked.count(name) == 1}
        self._metric_indices = {**by_caller, **_indices_by_name(self.metrics)}

    def _indices(self, system: str, metric: str) -> tuple[int, int]:
        """Return the indices of a system and of a metric."""
        return _index_of(system, self._system_indices, "system"), _index_of(metric, self._metric_indices, "metric")

    def _text(self, style: Style) -> str:
        """Return the results as text in a style."""
        raise NotImplementedError

    def format(self, form: str = "text", width: int = 1) -> str:
        """Return the results in one of the formats of `purebleu test -f`, such as `markdown`, `html`, `csv` and `json`.

        Args:
            form: the format.
            width: the decimal places of scores.
        """
        forms = [name for name, known in FORMATS.items() if known.kind != "own"]
        if form not in forms:
            raise OptionError(f"unknown format {form!r:.40}; choose from {', '.join(forms)}", option="form")
        return self._text(Style(form, width))

    def __str__(self) -> str:
        return self.format()

    def _repr_html_(self) -> str:
        """Return HTML for a notebook: the table, and a fold with all further sections."""
        _, _, page = self.format("html").partition("<body>")
        table, heading, rest = page.partition("</body>")[0].partition("<h2>")
        return f"{table}<details><summary>The test, its differences, signatures</summary>{heading}{rest}</details>"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {', '.join(self.systems)} under {', '.join(self.metrics)}>"


class Comparison(SystemsByName):
    """The results of `compare`.

    `comparison["new", "BLEU"]` is the `ComparisonRecord` of a system under a metric, compared with the baseline.
    `comparison["a", "b", "BLEU"]` is the record of `a` compared with `b`.
    """

    def __init__(self, pair: PairResults, asked: Sequence[str] = ()) -> None:
        super().__init__(pair.names, pair.signatures, asked)
        self._pair = pair
        self._wanted = Wanted(len(pair.names) > 1, USUAL_DIFFERENCE if pair.results.differences else None)

    def __getitem__(self, key: tuple[str, ...]) -> ComparisonRecord:
        if not isinstance(key, tuple) or len(key) not in (2, 3):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError("the key of a comparison must be [system, metric] or [system, other system, metric]")
        system, metric = self._indices(key[0], key[-1])
        members = line_of(self._pair, metric, system, self._wanted)
        if len(key) == 3:
            other, _ = self._indices(key[1], key[-1])
            if system == other:
                raise OptionError(f"{key[0]} can't be compared with itself")
            members.update(self._of_pair(system, other, metric))
        return ComparisonRecord(**{field: members.get(field) for field in ComparisonRecord._fields})  # type: ignore[arg-type]

    def _of_pair(self, system: int, other: int, metric: int) -> dict[str, Any]:
        """Return the fields of a record that compare `system` with `other`."""
        results, pair = self._pair.results, (min(system, other), max(system, other))
        p_value = None
        if not pair[0]:
            p_value = results.systems[pair[1]][metric].p_value
        elif results.tested:
            p_value = results.tested[metric].get(pair)
        return {**difference_figures(self._pair, metric, other, system, self._wanted),
                "p_value": rounded_p(p_value), "against": self.systems[other]}

    def to_records(self) -> list[dict[str, Any]]:
        """Return the lines of `-f csv` as dicts: one for each system under each metric, then one for each further pair.
        """
        lines = [line_of(self._pair, index, system, self._wanted)
                 for system in range(len(self.systems)) for index in range(len(self.metrics))]
        return records_of([*lines, *further_lines(self._pair, self._wanted)], (*RESULT_COLUMNS, *LAST_COLUMNS))

    def _text(self, style: Style) -> str:
        return comparison_text(self._pair, style, self._wanted)


class RunsComparison(SystemsByName):
    """The results of `compare_runs`.

    `comparison["new", "BLEU"]` is the `RunsResult` of a system under a metric.
    """

    def __init__(self, names: Sequence[str], results: RunsResults, signatures: Mapping[str, Signature],
                 asked: Sequence[str]) -> None:
        super().__init__(names, signatures, asked)
        self._results = results

    def __getitem__(self, key: tuple[str, str]) -> RunsResult:
        if not isinstance(key, tuple) or len(key) != 2:  # pyright: ignore[reportUnnecessaryIsInstance, reportUnnecessaryComparison]
            raise TypeError("the key of a comparison of runs must be [system, metric]")
        system, metric = self._indices(*key)
        return self._results.systems[system][metric]

    def to_records(self) -> list[dict[str, Any]]:
        """Return the lines of `-f csv` as dicts: one for each system under each metric."""
        return records_of(lines_of_runs(self.systems, self._results, self.signatures), RUNS_COLUMNS)

    def _text(self, style: Style) -> str:
        return runs_report(self.systems, self._results, self.signatures, style)


def _indices_by_name(names: Sequence[str]) -> dict[str, int]:
    return {name: index for index, name in enumerate(names)}


def _index_of(name: str, indices: Mapping[str, int], what: str) -> int:
    if name not in tuple(indices):
        raise UnknownNameError(f"there is no {what} {name!r:.40}{nearest(str(name), indices)}; choose from "
                               f"{', '.join(indices)}")
    return indices[name]


def compare(systems: Mapping[str, Iterable[Segment]], references: Iterable[Any], *,
            metrics: str | Metric[Any] | Iterable[str | Metric[Any]] = "bleu", against: str | None = None,
            test: str | None = "randomization", trials: int | None = None, resamples: int = 1000,
            intervals: bool = False, documents: Iterable[object] | None = None, seed: Seed = "environment",
            jobs: int = 1) -> Comparison:
    """Compare systems, as `purebleu test` does.

    Args:
        systems: the hypotheses of each system by its name.
        references: streams of references, as for `corpus_score`; or a list of strings, which is one stream.
        metrics: one metric or several, or their names.
        against: the name of the baseline, with which every other system is compared. `None`: the first system is the
            baseline; if there are three systems or more, all pairs are tested, and the systems are ranked.
        test: `randomization` (paired approximate randomization), `bootstrap` (paired bootstrap resampling), or `None`.
            P-values are corrected for the number of tests (Holm).
        trials: the number of trials of `randomization`, or of resamples of `bootstrap`; `None`: the default of
            `Sampling`.
        resamples: the number of bootstrap resamples for differences and intervals.
        intervals: whether scores have intervals under `randomization` or without a test. (With `bootstrap`, scores
            always have intervals.)
        documents: the id of the document of each segment; tests and intervals then resample documents.
        seed: the seed of the random stream; `None`: a different one every time; `environment`: see `Sampling`.
        jobs: the number of processes; 0: one for each processor.

    Raises:
        TypeError: an argument or an element has a wrong type.
        PurebleuError: there is no system, systems differ in length, or the scores of two metrics have the same name.
        OptionError: a name is unknown, or a number is out of range.

    Example:
        >>> systems = {"base": ["a b", "c x", "e f", "g x"], "new": ["a x", "c d", "e x", "g x"]}
        >>> compared = compare(systems, [["a b", "c d", "e f", "g h"]], metrics="ter", trials=100, seed=1)
        >>> compared["new", "TER"].p_value, compared["new", "TER"].difference
        (0.25, 12.5)
    """
    asked, made = made_metrics(metrics)
    names = _names_of(systems, against)
    outputs, streams = checked_texts({name: systems[name] for name in names}, references, made)
    units = _units_of(documents, len(outputs[0]))
    sampling = _sampling_of(test, len(names), trials, resamples, intervals, units, seed)
    evaluated, weighted = evaluated_texts(names, outputs, streams, made, jobs)
    signatures = [evaluation.signature() for evaluation in evaluated[0].evaluations]
    pair = _compared(names, [system.rows for system in evaluated], weighted, signatures, sampling, against is None)
    warn_of_doubts(evaluated, names if len(names) > 1 else [""])
    return Comparison(pair, asked)


def compare_rows(systems: Mapping[str, Sequence[Sequence[Row]]], metrics: Sequence[Metric[Any]], *,
                 signatures: Sequence[Signature] | None = None, against: str | None = None,
                 test: str | None = "randomization", trials: int | None = None, resamples: int = 1000,
                 intervals: bool = False, documents: Iterable[object] | None = None,
                 seed: Seed = "environment") -> Comparison:
    """Compare systems by their rows, which `corpus_statistics` returns.

    Further arguments are as for `compare`.

    Args:
        systems: the rows of each system under each metric, by its name.
        metrics: the metrics of the rows, in the same order.
        signatures: the signatures of the evaluations, in the same order; `None`: the signature of each metric's latest
            evaluation (for `SegmentScores`, a signature of the rows).

    Raises:
        TypeError: an argument has a wrong type.
        PurebleuError: there is no system, or systems differ in their numbers of segments.
        OptionError: a name is unknown, or a number is out of range.

    Example:
        >>> from purebleu import TER
        >>> metric, systems = TER(), {"base": ["a b", "c x", "e f", "g x"], "new": ["a x", "c d", "e x", "g x"]}
        >>> references = [["a b", "c d", "e f", "g h"]]
        >>> rows = {name: [metric.corpus_statistics(output, references)] for name, output in systems.items()}
        >>> compare_rows(rows, [metric], trials=100, seed=1)["new", "TER"].p_value
        0.25
    """
    names = _names_of(systems, against)
    rows = listed_rows([systems[name] for name in names])
    check_rows(rows, metrics, resampled=True)
    units = _units_of(documents, len(rows[0][0]))
    sampling = _sampling_of(test, len(names), trials, resamples, intervals, units, seed)
    if signatures is None:
        signatures = [_signature_of(metric, of_metric) for metric, of_metric in zip(metrics, zip(*rows))]
    unsigned = listed(signatures, "signatures")
    if not all(isinstance(signature, Signature) for signature in unsigned):
        raise TypeError(f"signatures must be Signature objects, not {signatures!r:.80}")
    if len(unsigned) != len(metrics):
        raise LengthError(f"there are {counted(len(metrics), 'metric')}, but {counted(len(unsigned), 'signature')}")
    return Comparison(_compared(names, rows, metrics, unsigned, sampling, against is None))


def _sampling_of(test: str | None, systems: int, trials: int | None, resamples: int, intervals: bool,
                 units: Units | None, seed: Seed) -> Sampling:
    """Return the settings of tests and resampling from arguments of `compare`. (A single system is not tested.)"""
    if test not in tuple(_TESTS):
        raise OptionError(f"unknown test {test!r:.40}; choose randomization, bootstrap or None", option="test")
    name, samples = (_TESTS[test], trials or 0) if systems > 1 and test else (None, 0)
    return Sampling(name, samples, resamples if intervals else 0, resamples, units=units, seed=seed)


def _units_of(documents: Iterable[object] | None, segments: int) -> Units | None:
    """Return documents as units of resampling. Raise `LengthError` if the number of ids is not `segments`."""
    if documents is None:
        return None
    units = Units(listed(documents, "documents"))
    if units.segments != segments:
        raise LengthError(f"there are {segments} segments, but documents has ids for {units.segments} segments")
    return units


def _compared(names: Sequence[str], rows: Sequence[Sequence[Sequence[Row]]], metrics: Sequence[Metric[Any]],
              signatures: Sequence[Signature], sampling: Sampling, ranks: bool) -> PairResults:
    """Return the results of systems from their rows. If `ranks` is true, all pairs of systems are tested."""
    is_tested = sampling.test is not None
    results = results_of(rows, metrics, sampling, rank=is_tested and ranks and len(names) > 2, holm=is_tested)
    results.segments = len(rows[0][0])
    return PairResults("", names, results, signed_by_name(results, results.scores[0], signatures))


def _signature_of(metric: Metric[Any], systems: Sequence[Sequence[Row]]) -> Signature:
    """Return the signature of the metric's latest evaluation; for `SegmentScores`, a signature of the rows."""
    if metric.COUNTS_TEXT:
        return metric.get_signature()
    from ..metrics.external import SegmentScores, checksum_of

    assert isinstance(metric, SegmentScores)
    return signature_of(metric.signed(checksum_of(systems)), set())


def compare_runs(systems: Mapping[str, Iterable[Iterable[Segment]]], references: Iterable[Any], *,
                 metrics: str | Metric[Any] | Iterable[str | Metric[Any]] = "bleu", against: str | None = None,
                 test: str | None = "randomization", trials: int | None = None, resamples: int = 1000,
                 intervals: bool = False, documents: Iterable[object] | None = None, seed: Seed = "environment",
                 jobs: int = 1) -> RunsComparison:
    """Compare systems that have several runs each (of different seeds, for example), as `purebleu test --runs` does.

    The test is stratified approximate randomization. Further arguments and errors are as for `compare`.

    Args:
        systems: the hypotheses of each run of each system, by the name of the system.
        intervals: whether to estimate the standard deviation that comes from the choice of segments
            (`RunsResult.selection`).

    Example:
        >>> systems = {"base": [["a b", "c x"], ["a b", "c d"]], "new": [["a x", "c x"], ["x b", "x d"]]}
        >>> compared = compare_runs(systems, ["a b", "c d"], metrics="ter", trials=100, seed=1)
        >>> compared["base", "TER"].scores, compared["new", "TER"].mean
        ([25.0, 0.0], 50.0)
    """
    if test not in (None, "randomization"):
        raise OptionError(f"the test {test!r:.40} cannot compare runs; choose randomization or None", option="test")
    asked, made = made_metrics(metrics)
    names = _names_of(systems, against)
    runs = {name: listed(systems[name], name) for name in names}
    texts: dict[str, Iterable[Segment]] = {}
    for name in names:
        texts.update({f"{name}, run {number}": run for number, run in enumerate(runs[name], 1)})
    outputs, streams = checked_texts(texts, references, made)
    sampling = Sampling(STRATIFIED.name if test else None, trials or 0, resamples if intervals else 0,
                        units=_units_of(documents, len(outputs[0])), seed=seed)
    evaluated, weighted = evaluated_texts(list(texts), outputs, streams, made, jobs)
    rows = iter([system.rows for system in evaluated])
    rows_of_runs = [list(islice(rows, len(runs[name]))) for name in names]
    results = runs_of(rows_of_runs, weighted, sampling, holm=True)
    signatures = [evaluation.signature() for evaluation in evaluated[0].evaluations]
    comparison = RunsComparison(names, results, signed_by_name(results, results.scores, signatures), asked)
    warn_of_doubts(evaluated, list(texts))
    return comparison


def _names_of(systems: Mapping[str, object], against: str | None) -> list[str]:
    """Return the names of the systems, the baseline first."""
    if not isinstance(systems, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("systems must be a dict with the hypotheses (or the rows) of each system by its name")
    names = list(systems)
    if not names:
        raise PurebleuError("there are no systems to compare")
    for name in names:
        check_text("the name of a system", name)
    if against is not None:
        names.insert(0, names.pop(_index_of(against, _indices_by_name(names), "system")))
    return names


def checked_texts(systems: Mapping[str, Iterable[Segment]], references: Iterable[Any],
                  metrics: Sequence[Metric[Any]]) -> tuple[list[list[Segment]], list[list[Segment | None]]]:
    """Return the hypotheses of each system, and the streams of references. Errors name the system."""
    tokens_allowed = all(metric.TAKES_TOKENS for metric in metrics)
    streams = checked_references(listed_streams(references), tokens_allowed)
    outputs: list[list[Segment]] = []
    for name, hypotheses in systems.items():
        try:
            outputs.append(checked_segments(hypotheses, "hypotheses", tokens_allowed))
            check_parallel(outputs[-1], streams)
        except (TypeError, PurebleuError) as error:
            raise type(error)(f"{name}: {error}") from None
    return outputs, streams


def evaluated_texts(names: Sequence[str], outputs: Sequence[list[Segment]], streams: Sequence[list[Segment | None]],
                    metrics: Sequence[Metric[Any]], jobs: int) -> tuple[list[System], Sequence[Metric[Score]]]:
    """Return the systems with their rows, and the metrics. Weights such as NIST's come from all references."""
    segments = len(outputs[0])
    texts = TextWarnings(metrics, names)
    if is_text(outputs[0]):
        texts.see(outputs, streams, range(segments))
        texts.warn()
        sample = TextSample()
        sample.see(outputs, streams)
        sample.warn(names, [f"references[{index}]" for index in range(len(streams))])
    weighted: list[Metric[Score]] = []
    for metric in metrics:
        for output in outputs:
            metric._warn_of_slow(output, streams)
        every = References(metric, streams)
        weighted.append(metric.with_weights(every.part(indices) for indices in slices(segments, CACHED_SEGMENTS)))
    if jobs != 1 and not _can_be_sent(weighted):
        warn("a metric has a function that can't be sent to other processes, so one process does all the work")
        jobs = 1
    blocks: list[tuple[list[list[Segment]], list[list[Segment | None]]]] = []
    for indices in slices(segments, BLOCK_SEGMENTS):
        blocks.append(([output[indices] for output in outputs], [stream[indices] for stream in streams]))
    parts = spread(partial(score_block, weighted, True), blocks, 1 if jobs == 1 else number_of_workers(jobs))
    evaluated = evaluated_systems(parts, weighted, True)
    for system in evaluated:
        for metric, evaluation in zip(metrics, system.evaluations):
            evaluation.suits_text = texts.suits(metric)
    return evaluated, weighted


def _can_be_sent(metrics: Sequence[Metric[Score]]) -> bool:
    import pickle

    try:
        pickle.dumps(metrics)
    except Exception:  # (`pickle` calls methods of the caller's objects, which can raise any error)
        return False
    return True
