"""`--scores`: scores that come from outside, read beside the outputs, and their rows."""

from __future__ import annotations

import os

from ...errors import OptionError
from ...files.scores import ScoreStream, matched_systems, only_system, read_scores, scores_in_folder
from ...metrics.evaluation import Evaluation
from ...metrics.outside import DEFAULT_WIDTH, OutsidePart, SegmentScores, checksum_of, outside_rows
from .types import System

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    from ...metrics.base import Metric
    from ...metrics.contract import Row
    from ...metrics.score import Score
    from ..arguments.options import Options
    from .types import ScoreKey


def make_outside_metric(options: Options, name: str) -> SegmentScores:
    """The metric of scores that come from outside; `name` is in lower case."""
    [called] = [outside for outside in options.outside if outside.lower() == name]
    return SegmentScores(called, lower_is_better=called in options.scores_lower,
                         signature=dict(options.scores_signature).get(called, ""),
                         width=options.width if "width" in vars(options) else DEFAULT_WIDTH)


def score_streams(options: Options) -> dict[ScoreKey, ScoreStream]:
    """For each system, a stream of its scores from outside, of each name.

    Raises:
        OptionError: there are more or fewer files than systems.
        PurebleuError: a file can't be read, or lacks the scores of a system.
    """
    names: Sequence[str] = options.names or options.input
    systems = list(zip(names, options.input))
    streams: dict[ScoreKey, ScoreStream] = {}
    for name in options.outside:
        files = [file for of_name, file in options.scores if of_name == name]
        for index, (file, scores) in enumerate(_system_scores(options, name, files, systems)):
            called = file if len(files) > 1 or len(systems) == 1 else f"{file} (of {systems[index][0]})"
            streams[name, index] = ScoreStream(called, scores)
    return streams


def _system_scores(options: Options, name: str, files: Sequence[str],
                systems: Sequence[tuple[str, str]]) -> list[tuple[str, Sequence[str]]]:
    """The file and the scores of each system."""
    if repeated := [file for index, file in enumerate(files) if file in files[:index]]:
        raise OptionError(f"--scores {name} has {repeated[0]} twice: each system has scores of its own",
                          option="scores")
    if len(files) not in (1, len(systems)):
        raise OptionError(f"--scores {name} has {len(files)} files, but the systems are {len(systems)}: give one file "
                          "for each, in their order, or one with the scores of all", option="scores")
    if len(files) == 1 and os.path.isdir(files[0]):
        found = scores_in_folder(files[0], options.encoding)
    else:
        read = [(file, read_scores(file, options.encoding)) for file in files]
        if len(files) > 1:
            return [(file, only_system(of_file, file)) for file, of_file in read]
        [(file, found)] = read
        if len(systems) == 1 and len(found) == 1:
            return [(file, only_system(found, file))]
        if list(found) == [""]:
            raise OptionError(f"--scores {name}={file} has scores of one system, but the systems are {len(systems)}: "
                              "give one file for each, in their order", option="scores")
    return [(files[0], scores) for scores in matched_systems(found, systems, files[0])]


def with_outside_scores(metrics: Sequence[Metric[Score]], systems: Sequence[System],
                        scores: Mapping[ScoreKey, Sequence[str]], keep_rows: bool) -> list[System]:
    """The systems under all metrics, from those that are computed and the scores that came from outside.

    Args:
        metrics: all metrics.
        systems: their evaluations and rows under the metrics that are computed.
        scores: those from outside, for each name and system.
        keep_rows: whether rows are needed.
    """
    outside = [metric for metric in metrics if isinstance(metric, SegmentScores)]
    rows = {metric.name: [outside_rows(scores[metric.name, index]) for index in range(len(systems))]
            for metric in outside}
    signed = {metric.name: metric.signed(checksum_of(rows[metric.name])) for metric in outside}
    merged: list[System] = []
    for index, system in enumerate(systems):
        computed = iter(zip(system.evaluations, system.rows))
        both: list[tuple[Evaluation[Score], list[Row]]] = []
        for metric in metrics:
            if isinstance(metric, SegmentScores):
                of_system = rows[metric.name][index]
                evaluation: Evaluation[Score] = Evaluation(signed[metric.name])
                evaluation.add(OutsidePart(of_system))
                both.append((evaluation, of_system if keep_rows else []))
            else:
                both.append(next(computed))
        merged.append(System([evaluation for evaluation, _ in both], [of_metric for _, of_metric in both]))
    return merged
