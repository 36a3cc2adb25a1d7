"""Functions for other programs: score files, and read options of `purebleu score` (for scoring on Spark)."""

from __future__ import annotations

from copy import copy
from os import PathLike, fspath

from ..files.opening import STDIN
from ..metrics.base import Metric
from ..metrics.evaluation import Part, score_block, warn_of_doubts
from ..metrics.making import made_metrics
from ..metrics.score import Score
from ..metrics.segments import listed
from ..runtime.errors import OptionError, check_text
from ..runtime.hints import Any, Iterable, Sequence
from .arguments.command import CorpusValues
from .arguments.groups import METRIC_PREFIXES
from .arguments.parser import TextRequested, read_line
from .corpus.inputs import Inputs, OutsideScores, check_distinct, inputs_of
from .corpus.score import MetricChoice, Scoring, evaluate_systems

#: The destinations of the options that `options_of_program` accepts, besides options of metrics.
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
        """Make the metrics, except metrics of `--scores`. `language` is a language pair or a target language."""
        values = copy(self.values)
        if language:
            values.langpair = language if "-" in language else f"-{language}"
        choice = MetricChoice(values, Inputs(values, OutsideScores(values, values.scores)))
        return [metric for name, metric in zip(choice.names, choice.make()) if name in choice.computed]

    def parts(self, metrics: Sequence[Metric[Score]], keeps_rows: bool, hypotheses: Sequence[str],
              references: Sequence[Sequence[str | None]]) -> list[Part]:
        """Return the part of each metric's corpus score that comes from these segments.

        `references` has lists that are parallel to `hypotheses`.
        """
        [parts] = score_block(metrics, keeps_rows, ([hypotheses], references))
        return parts


def options_of_program(arguments: Sequence[str]) -> ProgramOptions:
    """Read options of `purebleu score` that say which metrics are computed, and how.

    Raises:
        OptionError: an option is wrong, or works only on the command line (because it names a file, for example).
    """
    try:
        command, values = read_line(["score", STDIN, "--input", STDIN, *arguments])
    except TextRequested:
        raise OptionError("--help and --version work only on the command line") from None
    given = values.given()
    for name in ("input", "references"):
        if given[name] == [STDIN]:
            del given[name]
    for name in given:
        if name in command.options and not name.startswith(METRIC_PREFIXES) and name not in _TAKEN:
            raise OptionError(f"{command.options[name].name} works only on the command line", option=name)
    return ProgramOptions(values)


def score_files(hypotheses: str | PathLike[str], references: str | PathLike[str] | Sequence[str | PathLike[str]], *,
                metrics: str | Metric[Any] | Iterable[str | Metric[Any]] = "bleu", encoding: str = "utf-8",
                jobs: int = 1) -> dict[str, Score]:
    """Score a file of any size, as the command line does. Only one block of the file is in memory at a time.

    Args:
        hypotheses: the file, which may be compressed. Each line is a segment. `out.jsonl:text` names a column.
        references: the file of references, or several such files; columns are possible, too.
        metrics: metrics or their names, one or several.
        encoding: the encoding of all files.
        jobs: the number of processes; 0: one for each processor.

    Returns:
        The scores, with their signatures, by the names of scores, such as `chrF2`.

    Raises:
        PurebleuError: a file can't be read, or files do not have the same number of lines.
        OptionError: a metric or the encoding is unknown, or two metrics have scores of the same name.
    """
    _, made = made_metrics(metrics)
    for metric in made:
        if not metric.COUNTS_TEXT:
            metric.preprocess_lines([])  # (raises the error that this metric scores no text)
    values = CorpusValues()
    values.input = [fspath(hypotheses)]
    check_text("encoding", encoding)
    paths = [references] if isinstance(references, (str, PathLike)) else listed(references, "references")
    values.references = [fspath(path) for path in paths]
    values.encoding = encoding
    values.metrics = [metric.registered_name.lower() for metric in made]
    systems = evaluate_systems(inputs_of(values, needs_files=True), made, Scoring(jobs))
    warn_of_doubts(systems)
    scores = systems[0].scores()
    by_name = {score.name: score for score in scores}
    check_distinct([score.name for score in scores], "two metrics are called {}: score each of them alone", "metrics")
    return by_name
