"""The score of a file for programs: as the command line computes it, with little memory."""

from __future__ import annotations

from os import PathLike, fspath

from ...errors import OptionError, check_text
from ...hints import Any, Iterable, Sequence
from ...metrics.base import Metric
from ...metrics.evaluation import warn_of_doubts
from ...metrics.making import made_metrics
from ...metrics.score import Score
from ...metrics.segments import listed
from ..arguments.command import CorpusValues
from .inputs import inputs_of
from .score import Scoring, evaluate_systems


def score_files(hypotheses: str | PathLike[str], references: str | PathLike[str] | Sequence[str | PathLike[str]], *,
                metrics: str | Metric[Any] | Iterable[str | Metric[Any]] = "bleu", encoding: str = "utf-8",
                jobs: int = 1) -> dict[str, Score]:
    """Score a file of any size, as the command line does. Only one block of the file is in memory at a time.

    Args:
        hypotheses: the file, with a segment on each line; or a column of it, such as `out.jsonl:text`. It may be
            compressed.
        references: files of references likewise, or a single one.
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
    if len(by_name) < len(scores):
        raise OptionError(f"two metrics are called {', '.join(by_name)}: score one at a time", option="metrics")
    return by_name
