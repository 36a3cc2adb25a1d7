"""`--scores`: read scores of other programs, and make rows of these scores."""

from __future__ import annotations

import os

from ...files.lines import HeldLines
from ...files.scores import in_order_of_systems, matched_systems, read_scores, scores_in_folder
from ...metrics.base import Metric
from ...metrics.evaluation import Evaluation, Part, System
from ...metrics.external import SegmentScores, checksum_of, outside_rows
from ...metrics.score import Score
from ...runtime.errors import counted, warn
from ...runtime.hints import Row, Sequence
from ..arguments.values import check_needs
from .inputs import Inputs, OutsideScores, check_distinct, check_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .read import SegmentList


def score_streams(inputs: Inputs) -> dict[tuple[str, int], HeldLines]:
    """Return a stream of scores for each name of `--scores` and each system (by index).

    Raises:
        OptionError: the number of files differs from the number of systems.
        PurebleuError: a file can't be read, or lacks the scores of a system.
    """
    names: Sequence[str] = inputs.names or inputs.files
    systems = list(zip(names, inputs.files))
    streams: dict[tuple[str, int], HeldLines] = {}
    for name in inputs.outside.names:
        files = [file for name_of_file, file in inputs.outside.files if name_of_file == name]
        for index, (file, scores) in enumerate(_system_scores(name, files, systems, inputs)):
            stream_name = file if len(files) > 1 or len(systems) == 1 else f"{file} (of {systems[index][0]})"
            streams[name, index] = HeldLines(stream_name, scores, file)
    return streams


def _system_scores(name: str, files: Sequence[str], systems: Sequence[tuple[str, str]],
                   inputs: Inputs) -> list[tuple[str, Sequence[str]]]:
    """Return the file of scores and the scores for each system."""
    check_distinct(files, f"--scores {name} has {{}} twice: each system needs its own scores", "scores")
    if len(files) > 1:
        check_number("scores", files, len(systems), of=name, more=", or one file with the scores of all systems")
    if len(files) == 1 and os.path.isdir(files[0]):
        return [(files[0], scores) for scores in scores_in_folder(files[0], systems, inputs.encoding)]
    read = [(file, read_scores(file, inputs.encoding, has_lists=inputs.paragraphs)) for file in files]
    [(file, by_system), *others] = read
    if others or len(systems) == len(by_system) == 1:
        return in_order_of_systems(read, systems)
    check_needs(list(by_system) != [""], f"--scores {name}", f"scores of {len(systems)} systems, but {file} has scores "
                "of only one system: give one file for each system, in the same order", "scores")
    return [(file, scores) for scores in matched_systems(by_system, systems, file)]


def with_outside_scores(given: OutsideScores, metrics: Sequence[Metric[Score]], systems: Sequence[System],
                        listed: SegmentList, keep_rows: bool, where: str = "") -> list[System]:
    """Return the systems with the scores of other programs added to the scores that purebleu computed.

    Args:
        given: the options about scores of other programs.
        metrics: all metrics.
        systems: the systems, with the scores that purebleu computed.
        listed: the segments, with the scores of other programs.
        keep_rows: whether the rows of segments are kept.
        where: the conditions of `--where`, for signatures; may be empty.
    """
    rows: dict[str, list[list[Row]]] = {}
    signed: dict[str, SegmentScores] = {}
    for metric in metrics:
        if isinstance(metric, SegmentScores):
            name = metric.name
            rows[name] = [outside_rows(listed.scores[name, index]) for index in range(len(systems))]
            _settle_equal_outputs(name, rows[name], listed, bool(given.equal_outputs))
            signed[name] = metric.signed(checksum_of(rows[name]))
    fields = {name: value for name, value in (("equal", given.equal_outputs), ("where", where)) if value}
    merged: list[System] = []
    for index, system in enumerate(systems):
        computed = iter(zip(system.evaluations, system.rows))
        both: list[tuple[Evaluation[Score], list[Row]]] = []
        for metric in metrics:
            if isinstance(metric, SegmentScores):
                system_rows = rows[metric.name][index]
                evaluation: Evaluation[Score] = Evaluation(signed[metric.name], fields)
                evaluation.add(Part(system_rows, len(system_rows)))
                both.append((evaluation, system_rows if keep_rows else []))
            else:
                both.append(next(computed))
        merged.append(System([evaluation for evaluation, _ in both], [metric_rows for _, metric_rows in both]))
    return merged


def _settle_equal_outputs(name: str, rows: Sequence[list[Row]], listed: SegmentList, as_tie: bool) -> None:
    """If `as_tie`, give equal outputs of a segment the mean of their scores. Else, warn if such scores differ.

    `rows` has a list of rows for each system. The scores in rows are integers.
    """
    unequal: list[int] = []
    for segment, systems in listed.equal:
        scores = [int(rows[system][segment][0]) for system in systems]
        if len({*scores}) > 1:
            unequal.append(segment)
            if as_tie:
                for system in systems:
                    rows[system][segment] = (sum(scores) // len(systems), 1)
    if unequal and not as_tie:
        warn(f"{name} has different scores for the same output on {counted(len({*unequal}), 'segment')} (first on line "
             f"{listed.numbers[unequal[0]]}), which affects tests (--equal-outputs tie gives these systems the mean "
             "of their scores)")
