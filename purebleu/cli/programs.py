"""For programs that score without a command, as on Spark: options of `purebleu score`, and the parts of a corpus."""

from __future__ import annotations

from ..errors import OptionError
from ..files.opening import STDIN
from ..hints import Any, Sequence
from ..metrics.base import Metric
from ..metrics.evaluation import Part, score_block
from ..metrics.score import Score
from .arguments.groups import METRIC_PREFIXES
from .arguments.parser import TextRequested
from .corpus.inputs import Inputs, OutsideScores
from .corpus.metrics import MetricChoice
from .reading import read_line

#: The destinations of options that are possible besides those of metrics.
_TAKEN = ("metrics", "scores", "scores_lower", "scores_signature", "langpair", "confidence", "confidence_n", "seed",
          "rng", "quiet")


class ProgramOptions:
    """The options that `options_of_program` reads.

    Attributes:
        values: the values of the options by their destinations.
    """

    def __init__(self, values: Any) -> None:
        self.values = values

    def metrics(self, language: str = "") -> list[Metric[Score]]:
        """Make the metrics that are computed here; `language` is a language pair or a target language."""
        inputs = Inputs(self.values, OutsideScores(self.values, self.values.scores))
        if language:
            inputs.langpair = language if "-" in language else f"-{language}"
        choice = MetricChoice(self.values, inputs)
        return [metric for name, metric in zip(choice.names, choice.make()) if name in choice.computed]

    def parts(self, metrics: Sequence[Metric[Score]], keeps_rows: bool, hypotheses: Sequence[str],
              references: Sequence[Sequence[str | None]]) -> list[Part]:
        """Return what segments add to the score of a corpus under each metric; `references` are streams."""
        [parts] = score_block(metrics, keeps_rows, ([hypotheses], references))
        return parts


def options_of_program(arguments: Sequence[str]) -> ProgramOptions:
    """Read the options of `purebleu score` that say what is computed.

    Raises:
        OptionError: an option is wrong, names files, or does not say what is computed.
    """
    try:
        command, values = read_line(["score", STDIN, "--input", STDIN, *arguments])
    except TextRequested:
        raise OptionError("--help and --version are not possible here") from None
    given = values.given()
    for name in ("input", "references"):
        if given[name] == [STDIN]:
            del given[name]
    for name in given:
        if name in command.options and not name.startswith(METRIC_PREFIXES) and name not in _TAKEN:
            raise OptionError(f"{command.options[name].name} is not possible here", option=name)
    return ProgramOptions(values)
