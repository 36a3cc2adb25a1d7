"""Metrics from names and published signatures, and scores of corpora that come in batches."""

from __future__ import annotations

from ..runtime.blocks import BLOCK_SEGMENTS, slices
from ..runtime.errors import LengthError, OptionError, PurebleuError, nearest
from ..runtime.hints import Any, Iterable, Segment, Sequence
from . import FURTHER_MODULES, METRIC_FAMILIES, MODULES, metric_class, named_metric
from .base import Metric
from .evaluation import Evaluation, signature_of, signed_score, sum_statistics
from .reading import read_signature
from .score import OfScore, OwnScore
from .segments import listed, listed_streams


def metric(name: str, **options: Any) -> Metric[Any]:
    """Make a metric from its name, or from the signature of a published score.

    Args:
        name: the name of a metric, such as `bleu`; or the name of a score, such as `chrF++`; or a signature after the
            name of its score, as sacreBLEU and purebleu print it.
        options: arguments of the metric, which override the options in a signature.

    Raises:
        OptionError: there is no such metric, or the signature has an unknown field or value.

    Example:
        >>> metric("BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.4.3")  # doctest: +ELLIPSIS
        <BLEU case:lc|eff:no|tok:intl|smooth:exp|version:purebleu-...>
    """
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"the name of a metric must be text, such as 'bleu', not {name!r:.80}")
    registered, implied = named_metric(name)
    if registered is None and ("|" in name or ("+" in name and "." in name)):
        read = read_signature(name)
        return metric_class(read.metric)(**read.options_with(options))
    if registered is None:
        known = list(map(str.lower, (*MODULES, *FURTHER_MODULES)))
        raise OptionError(f"unknown metric {name!r:.40}{nearest(name, known)}; choose from {', '.join(known)}",
                          option="metric")
    return metric_class(registered)(**{**implied, **options})


def made_metrics(metrics: str | Metric[Any] | Iterable[str | Metric[Any]]) -> tuple[list[str], list[Metric[Any]]]:
    """Make metrics from names, and return the names and the metrics.

    Args:
        metrics: a name or a metric, or several names and metrics. Metrics are returned unchanged. `rouge` stands for
            all four ROUGE metrics.

    Raises:
        OptionError: `metrics` is empty, or a name is unknown.
        TypeError: an item is neither a metric nor a name.
    """
    is_one = isinstance(metrics, (str, Metric, type)) or not hasattr(metrics, "__iter__")
    given: list[Any] = []
    for one in [metrics] if is_one else list(metrics):  # type: ignore[arg-type]  # just checked
        given += METRIC_FAMILIES.get(one.lower(), [one]) if isinstance(one, str) else [one]
    if not given:
        raise OptionError("no metrics were given", option="metrics")
    made: list[Metric[Any]] = []
    for one in given:
        if not isinstance(one, (str, Metric)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"metrics must be names, such as 'bleu', or metrics, such as BLEU(), not {one!r:.80}")
        chosen: Any = metric(one) if isinstance(one, str) else one  # pyright: ignore[reportUnknownVariableType]
        made.append(chosen)
    return [one if isinstance(one, str) else one.registered_name for one in given], made


#: A state ends with this number of counts: the number of segments, the number of references, the sum of the squares of
#: each segment's number of references, and the number of segments that are tokens instead of text.
_COUNTS = 4


class Accumulator(OfScore[OwnScore]):
    """The sums of a corpus that comes in batches. The score and the signature are those of the whole corpus.

    Args:
        metric: the metric, or its name.

    Raises:
        OptionError: the metric is NIST, without references in its constructor. (NIST's weights need all references.)

    Example:
        >>> from purebleu import BLEU
        >>> running = Accumulator(BLEU())
        >>> running.update(["The cat sat."], [["The cat sat down."]])
        >>> elsewhere = Accumulator(BLEU())
        >>> elsewhere.update(["It rained all day long."], [["It rained all day."]])
        >>> running.merge(elsewhere.state())
        >>> print(f"{running.compute():.1f}")
        51.5
    """

    def __init__(self, metric: Metric[OwnScore] | str) -> None:
        _, [self.metric] = made_metrics([metric])
        self.metric._check_weights()
        self._columns = len(self.metric.column_names())
        self.reset()

    def reset(self) -> None:
        """Begin again, without rows."""
        self._state: list[float] = [0] * (self._columns + _COUNTS)

    def update(self, hypotheses: Iterable[Segment], references: Iterable[Any] | None) -> None:
        """Add a batch. For the arguments and the errors, see `corpus_score`.

        If `references` is a list of strings, the list counts as a single stream.
        """
        streams = None if references is None else listed_streams(references)
        lines, all_references = self.metric._checked_corpus(hypotheses, streams, False, "")
        self.metric._warn_of_texts(Evaluation(self.metric), lines, all_references)
        state = self._state
        for indices in slices(len(lines), BLOCK_SEGMENTS):
            block = all_references.part(indices)
            rows = self.metric.block_statistics(lines[indices], block)
            sums = sum_statistics([state[:self._columns], *rows])
            counts = block.counts_by_segment()
            given_as_tokens = 0 if isinstance(lines[0], str) else len(rows)
            added = (len(rows), sum(counts), sum([count * count for count in counts]), given_as_tokens)
            state = [*sums, *[one + other for one, other in zip(state[self._columns:], added)]]
        self._state = state

    def state(self) -> list[float]:
        """Return the sums of all batches, for `merge`. PyTorch's `all_reduce` can also add up the states of processes.

        RIBES, CharacTER, EED, NIST, ROUGE and metrics of `metric_from` have sums that are too large for a float, so
        collect their states with `all_gather_object`, and merge each state.
        """
        return list(self._state)

    def merge(self, state: Sequence[float] | Accumulator[OwnScore]) -> None:
        """Add the state of another accumulator, which must have the same metric and options.

        Raises `PurebleuError` for an accumulator with other options. (The numbers of a state do not show its options.)
        """
        if isinstance(state, Accumulator) and _options_of(state.metric) != _options_of(self.metric):
            raise OptionError(f"sums of {state.metric!r} can't be added to sums of {self.metric!r}", option="state")
        numbers = listed(state.state() if isinstance(state, Accumulator) else state, "state")
        if len(numbers) != len(self._state):
            raise LengthError(f"a state of {self.metric.registered_name} must have {len(self._state)} numbers, not "
                              f"{len(numbers)}")
        self._state = sum_statistics([self._state, numbers])

    def compute(self) -> OwnScore:
        """Return the score of all batches, with its signature."""
        segments, references, squares, given_as_tokens = map(int, self._state[self._columns:])
        if not segments:
            raise PurebleuError("there are no segments to score: call update first")
        # (The products are equal only if all segments have the same number of references. If not, the signature has
        # `nrefs:var`, as for any two numbers.)
        counts = {references // segments} if segments * squares == references * references else {0, 1}
        signature = signature_of(self.metric, counts, bool(given_as_tokens))
        score: OwnScore = signed_score(self.metric, self._state[:self._columns], signature)
        return score

    def __repr__(self) -> str:
        return f"<Accumulator of {self.metric.registered_name}: {int(self._state[self._columns])} segments>"


def _options_of(metric: Metric[Any]) -> tuple[str, dict[str, Any]]:
    """Return all options that rows and scores of a metric depend on. (A signature may lack some: chrF's lacks beta.)"""
    return repr(metric), metric.scoring_options()
