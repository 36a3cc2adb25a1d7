"""The metrics that options choose (`MetricChoice`), and systems with their scores (`Scored`)."""

from __future__ import annotations

from functools import lru_cache

from ...errors import LeftOutError, OptionError
from ...hints import Any, Iterator, Mapping, Naming, Row, Sequence
from ...metrics import BLEU, metric_class
from ...metrics.base import Metric
from ...metrics.score import Score
from ...report.formats import short_names, signed_by_name
from ..arguments.groups import METRIC_PREFIXES, OPTIONS_OF_METRICS, MetricValues, option_of
from ..arguments.rules import check_takes
from .inputs import Inputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from ...analysis.summary import Tokens
    from ...metrics.evaluation import System
    from ...metrics.score import Signature
    from ...rows import TextChecksums
    from ...significance.sampling import Sampled, Units
    from .read import CorpusTexts, SegmentList

    OfSystem = TypeVar("OfSystem")

#: The number of lines that are tokenized at once.
_TOKENIZED_AT_ONCE = 4096


class MetricChoice:
    """The metrics of a run.

    Attributes:
        as_given: the registered names of the metrics in lower case, in the order of `-m`. Scores of other programs come
            last, unless `-m` has their names.
        names: the registered names of the metrics in lower case, in the order of the results.
        computed: the names of the metrics that purebleu computes.
        asked: the names in `-m`.
    """

    def __init__(self, values: MetricValues, inputs: Inputs, *, keeps_order: bool = False,
                 effective_order: bool = False) -> None:
        """Read the names of metrics from options. The default is BLEU, unless all scores come from other programs.

        Args:
            values: the values of the options about metrics.
            inputs: the inputs, which have the target language and the scores of other programs.
            keeps_order: whether results are in the order of `-m`.
            effective_order: whether BLEU has effective n-gram order, as for single segments.
        """
        self._values = values
        self._language = inputs.target_language
        self._effective_order = effective_order
        self._outside = inputs.outside
        outside = self._outside.lower_names
        self.asked = values.metrics
        usual = ["bleu"] if inputs.has_references or inputs.rows or not outside else []
        self.as_given = list(dict.fromkeys([*(self.asked or usual), *outside]))
        # sacreBLEU-compat: in a significance test, metrics stay in the order of -m. (fixtures: tables)
        self.names = self.as_given if keeps_order else [
            *sorted([name for name in self.as_given if name not in outside]),
            *[name for name in self.as_given if name in outside]]
        self.computed = [name for name in self.names if name not in outside]

    def make(self) -> list[Metric[Score]]:
        """Make the metrics, in the order of `names`."""
        return [self._make(name) if name in self.computed else self._outside.make_metric(name) for name in self.names]

    def bleu_among(self, metrics: Sequence[Metric[Score]]) -> BLEU:
        """Return BLEU if it is in `metrics`, or else make it from options. (Lengths are counted in tokens of BLEU.)"""
        for metric in metrics:
            if isinstance(metric, BLEU):
                return metric
        metric = self._make("bleu")
        assert isinstance(metric, BLEU)
        return metric

    def _make(self, name: str) -> Metric[Score]:
        """Make a metric from its own options, and from options that it shares with BLEU and TER."""
        prefix = option_of(name, "")
        arguments: dict[str, Any] = {key[len(prefix):]: value for key, value in vars(self._values).items()
                                     if key.startswith(prefix)}
        metric_type = metric_class(name)
        if issubclass(metric_type, BLEU):
            arguments["effective_order"] = self._effective_order
        arguments.update({argument: getattr(self._values, option_of(name, argument))
                          for argument in (*metric_type.OPTIONS_OF_BLEU, *metric_type.OPTIONS_OF_TER)})
        if "tokenize" in metric_type.OPTIONS_OF_BLEU or name == "bleu":
            arguments["trg_lang"] = self._language
        try:
            return metric_type(**arguments)
        except OptionError as error:
            if error.option is not None:  # (the name of an argument of the metric)
                error.option = option_of(name, error.option)
            raise

    def check_unused(self, counts_tokens: bool = False) -> None:
        """Raise `OptionError` if an option is given that no metric uses. (`counts_tokens`: see `unused`.)"""
        for name, option, needed in self.unused(counts_tokens):
            raise OptionError(f"{option} needs {needed}", name)

    def unused(self, counts_tokens: bool = False) -> list[tuple[str, str, str]]:
        """Return the given options that no metric uses: the destination, the name, and what the option needs.

        `counts_tokens` says whether tokens of BLEU are counted even if BLEU is not scored.
        """
        values = self._values
        unused: list[tuple[str, str, str]] = []
        names = {option.destination: option.name for option in OPTIONS_OF_METRICS}
        for name in [name for name in values.given() if name.startswith(METRIC_PREFIXES)]:
            family, _, argument = name.partition("_")
            try:
                is_used = any(option_of(metric, argument) == name for metric in self.computed)
            except LeftOutError:
                return []  # (making the metric will raise an error)
            if not is_used and not (counts_tokens and name in ("bleu_tokenize", "bleu_lowercase")):
                unused.append((name, names[name], f"-m {family}"))
        method = values.bleu_smooth_method
        if values.bleu_smooth_value is not None and method not in ("floor", "add-k") and (
                "bleu_smooth_value" in [option_of(name, "smooth_value") for name in self.computed]):
            unused.append(("bleu_smooth_value", "--smooth-value",
                           f"--smooth-method floor or add-k (the method is {method})"))
        return unused


def single_metric(values: MetricValues, inputs: Inputs, usual: str, word: str) -> Metric[Score]:
    """Make the metric of a command that takes only one metric; the default is `usual`."""
    values.metrics = list(dict.fromkeys(values.metrics)) or [usual]
    check_takes(len(values.metrics) == 1, word, "one metric", "metrics")
    choice = MetricChoice(values, inputs, effective_order=True)
    choice.check_unused()
    [metric] = choice.make()
    return metric


class Scored:
    """Systems with their scores, from text or from stored rows.

    Attributes:
        metrics: the metrics, in the order of the results.
        systems: one or more systems.
        inputs: the inputs of the corpus.
        choice: the choice of metrics.
        names: the names of the systems, in their order.
        naming: the origin of these names, as for `StoredRows`.
        texts: the text of the corpus; `None` if there are only rows, or if no text is needed.
        pair: the language pair of a manifest, or the group of segments; empty: the whole corpus.
        units: the units of resampling; `None`: single segments without strata.
        listed: the list of segments; `None` if no list was needed.
        checksums: the checksums of the text; `None` if no checksums were needed.
    """

    def __init__(self, metrics: list[Metric[Score]], systems: list[System], inputs: Inputs, choice: MetricChoice,
                 names: Sequence[str], naming: Naming) -> None:
        self.metrics = metrics
        self.systems = systems
        self.inputs = inputs
        self.choice = choice
        self.names = names
        self.naming: Naming = naming
        self.texts: CorpusTexts | None = None
        self.pair = ""
        self.units: Units | None = None
        self.listed: SegmentList | None = None
        self.checksums: TextChecksums | None = None
        self._first = 0

    def shorten_names(self) -> None:
        """If systems have names of files, leave out folders and the parts that all names share."""
        if self.naming == "files":
            self.names, self.naming = short_names(self.names), "given"

    def put_first(self, name: str) -> None:
        """Put a system before all other systems, which are then tested against this system.

        `name` is the name of the system in results, or the name of its file, with or without folders and ending. Raises
        `OptionError` unless exactly one system has this name.
        """
        names = [[shown] for shown in self.names]
        for names_of_system, file in zip(names, self.inputs.files):
            names_of_system.append(file)
        from ...files.scores import index_called

        self._first = index = index_called(name, names)
        self.systems = [self.systems[index], *self.systems[:index], *self.systems[index + 1:]]
        self.names = [self.names[index], *self.names[:index], *self.names[index + 1:]]
        if self.texts is not None:
            self.texts.put_first(index)

    def as_given(self, of_systems: Sequence[OfSystem]) -> list[OfSystem]:
        """Return values that belong to systems in the order in which the systems were given."""
        first, *others = of_systems
        return [*others[:self._first], first, *others[self._first:]]

    @property
    def rows(self) -> list[Sequence[list[Row]]]:
        """The rows of each system under each metric."""
        return [system.rows for system in self.systems]

    @property
    def signatures(self) -> list[Signature]:
        """For each metric, the signature of the scores of all systems."""
        return [evaluation.signature() for evaluation in self.systems[0].evaluations]

    def signed(self, results: Sampled) -> dict[str, Signature]:
        """Return signatures by the names of scores. The signatures have fields about the resampling of `results`."""
        return signed_by_name(results, self.systems[0].scores(), self.signatures)

    @property
    def counting_bleu(self) -> BLEU | None:
        """The BLEU metric that splits texts into tokens; `None` without texts."""
        return None if self.texts is None else self.choice.bleu_among(self.metrics)

    @property
    def labels(self) -> Mapping[str, Sequence[str]]:
        """The labels of each segment, as in `CorpusTexts`; empty without texts."""
        return {} if self.texts is None else self.texts.labels

    def tokens(self) -> Tokens | None:
        """Return the tokens of the outputs and of the references, as BLEU tokenizes text.

        Return `None` without texts or references.
        """
        texts, metric = self.texts, self.counting_bleu
        if texts is None or metric is None or not texts.references:
            return None

        @lru_cache(maxsize=None)  # (a large corpus has many tokens, but few different ones)
        def text_of(token: object) -> str:
            return token.decode("utf-8", "replace") if isinstance(token, bytes) else str(token)

        def words(lines: Sequence[str]) -> list[list[str]]:
            return [list(map(text_of, tokens)) for start in range(0, len(lines), _TOKENIZED_AT_ONCE)
                    for tokens in metric.preprocess_lines(lines[start:start + _TOKENIZED_AT_ONCE])]

        streams: list[Iterator[list[str]]] = []
        for stream in texts.references:
            streams.append(iter(words([line for line in stream if line is not None])))
        references: list[list[list[str]]] = []
        for segment in zip(*texts.references):
            references.append([next(stream) for stream, line in zip(streams, segment) if line is not None])
        return [None if lines is None else words(lines) for lines in texts.outputs_of(len(self.systems))], references

    @property
    def names_in_warnings(self) -> Sequence[str]:
        """The names of the systems in warnings; an empty name for a single system."""
        return self.names if len(self.systems) > 1 else [""]


def check_called(name: str, inputs: Inputs) -> None:
    """Raise `OptionError` if no system has the name in `--against`. (Systems in standard input are not known yet.)"""
    if name and inputs.files and not inputs.splits_last:
        from ...files.scores import index_called

        index_called(name, [*zip(inputs.short_system_names(len(inputs.files)), inputs.files)])
