"""What is computed: the metrics that options choose."""

from __future__ import annotations

from ...errors import LeftOutError, OptionError
from ...hints import Any, Sequence
from ...metrics import BLEU, metric_class
from ...metrics.base import Metric
from ...metrics.score import Score
from ..arguments.groups import COMPUTED, METRIC_PREFIXES, MetricValues, option_of
from .inputs import Inputs


class MetricChoice:
    """The metrics of a run.

    Attributes:
        as_given: their registered names in lower case, in the order given; those of other programs' scores come last,
            unless `-m` names them.
        names: the same, in the order of the results.
        computed: those of them that are computed here.
        asked: the names that were given.
    """

    def __init__(self, values: MetricValues, inputs: Inputs, *, keeps_order: bool = False,
                 effective_order: bool = False) -> None:
        """Take the metrics that options name. If none are named and there is something to score, take BLEU.

        Args:
            values: the values of the options.
            inputs: the inputs, which have the target language and the scores of other programs.
            keeps_order: whether results are in the order given.
            effective_order: whether BLEU has an effective n-gram order, as it has for single segments.
        """
        self._values = values
        self._language = inputs.target_language
        self._effective_order = effective_order
        self._outside = inputs.outside
        outside = self._outside.lower_names
        self.asked = values.metrics
        usual = ["bleu"] if inputs.has_references or inputs.rows or not outside else []
        self.as_given = list(dict.fromkeys([*(self.asked or usual), *outside]))
        # sacreBLEU-compat: with a test, the metrics stay in the order given. (fixtures: tables)
        self.names = self.as_given if keeps_order else [
            *sorted([name for name in self.as_given if name not in outside]),
            *[name for name in self.as_given if name in outside]]
        self.computed = [name for name in self.names if name not in outside]

    def make(self) -> list[Metric[Score]]:
        """Make the metrics, in the order of `names`."""
        return [self._make(name) if name in self.computed else self._outside.make_metric(name) for name in self.names]

    def bleu_among(self, metrics: Sequence[Metric[Score]]) -> BLEU:
        """The BLEU among the metrics, or else one made from the options; lengths are counted in its tokens."""
        for metric in metrics:
            if isinstance(metric, BLEU):
                return metric
        metric = self._make("bleu")
        assert isinstance(metric, BLEU)
        return metric

    def _make(self, name: str) -> Metric[Score]:
        """Make a metric from its own options, and from those of BLEU and TER that it takes, too."""
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
            if error.option is not None:  # (an argument of the metric)
                error.option = option_of(name, error.option)
            raise

    def check_unused(self, counts_tokens: bool = False) -> None:
        """Raise `OptionError` for an option that no metric uses; the argument is that of `unused`."""
        for name, why in self.unused(counts_tokens):
            raise OptionError(why, option=name)

    def unused(self, counts_tokens: bool = False) -> list[tuple[str, str]]:
        """The destinations of the options that are given, and that no metric uses; each with the reason.

        `counts_tokens` says whether tokens of BLEU are counted even if BLEU is not scored.
        """
        values = self._values
        unused: list[tuple[str, str]] = []
        names = {option.destination: option.name for group in COMPUTED for option in group.options}
        for name in [name for name in values.given() if name.startswith(METRIC_PREFIXES)]:
            argument = name.partition("_")[2]
            try:
                is_used = any(option_of(metric, argument) == name for metric in self.computed)
            except LeftOutError:
                return []  # (making the metric will raise an error)
            if not is_used and not (counts_tokens and name in ("bleu_tokenize", "bleu_lowercase")):
                family = name.partition("_")[0]
                unused.append((name, f"{names[name]} is for {family}, which is not scored (-m {family})"))
        method = values.bleu_smooth_method
        if values.bleu_smooth_value is not None and method not in ("floor", "add-k") and (
                "bleu_smooth_value" in [option_of(name, "smooth_value") for name in self.computed]):
            unused.append(("bleu_smooth_value", f"--smooth-value is for --smooth-method floor and add-k, not {method}"))
        return unused
