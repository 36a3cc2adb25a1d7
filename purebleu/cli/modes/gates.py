"""Gates on the command line: their conditions, the baseline that they compare with, and their messages."""

from __future__ import annotations

import os
from itertools import product

from ...errors import LengthError, OptionError, PurebleuError, warn
from ...report import GITHUB
from ...report.gates import gate_lines, github_annotations, github_summary, junit, worded_verdicts
from ...significance.gates import MARGIN, MUST_NOT_LOSE, OVER, UNDER, Gate, limit_verdicts, paired_verdicts
from ..answer import Answer
from ..scoring.types import System

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    from ...metrics.base import Metric
    from ...metrics.score import Score, Signature
    from ...report.gates import WordedGate
    from ...rows.stored import Naming, StoredRows
    from ...significance.gates import Verdict
    from ...significance.results import Results
    from ..arguments.options import Options
    from ..scoring.types import Scored

#: The variable that names the file which GitHub shows on the page of a run.
_SUMMARY = "GITHUB_STEP_SUMMARY"


#: The exit code where a gate fails.
GATE_FAILED = 3


def gates_of(given: Options) -> list[Gate]:
    """The gates that options ask for, in the order of `--help`; raises `OptionError` where one lacks its baseline."""
    gates = [Gate(UNDER, limit, metric) for metric, limit in given.fail_under]
    gates += [Gate(OVER, limit, metric) for metric, limit in given.fail_over]
    if given.must_not_lose is not None:
        gates.append(Gate(MUST_NOT_LOSE, given.must_not_lose))
    if given.margin is not None:
        gates.append(Gate(MARGIN, given.margin))
    is_paired = given.must_not_lose is not None or given.margin is not None
    if is_paired != bool(given.baseline):
        raise OptionError("--must-not-lose and --margin need a --baseline, and --baseline needs one of them")
    if gates and (given.sentence_level or given.detail or (given.audit and not given.report)):
        raise OptionError("gates are for scores of whole files: leave out -sl, --detail and --audit")
    return gates


def check_metrics(gates: Sequence[Gate], metrics: Sequence[str]) -> None:
    """Raise `OptionError` for a gate of a metric that is not scored."""
    for gate in gates:
        if gate.metric is not None and gate.metric not in metrics:
            raise OptionError(f"--{gate.kind} is for {gate.metric}, which is not scored: add it to -m")


def _warn_of_directions(gates: Sequence[Gate], metrics: Sequence[Metric[Score]]) -> None:
    """Warn of limits in the unusual direction, which are taken literally nevertheless."""
    for gate, metric in product(gates, metrics):
        lower_is_better = metric.LOWER_IS_BETTER
        if gate.metric == metric.registered_name.lower() and lower_is_better == (gate.kind == UNDER):
            warn(f"--{gate.kind} {metric.registered_name}={gate.limit:g} fails where the score is better than that: "
                 f"{'lower' if lower_is_better else 'higher'} is better")


def with_baseline(path: str, metrics: Sequence[Metric[Score]], systems: Sequence[System],
                  references_sha256: Sequence[str]) -> list[System]:
    """The baseline, from the rows in a file, and then the systems.

    Raises:
        OptionError: the baseline has another signature, or was not scored under one of these metrics.
        LengthError: the baseline has another number of segments.
        PurebleuError: the baseline was scored against other references, or its file can't be read.
    """
    from ...rows.file import read
    from ...rows.merging import merge

    parts = read(path)
    merged = merge(parts, [path] * len(parts))
    if any(part.version == 1 for part in parts):
        raise PurebleuError(f"the baseline {path} has version 1 of the form, which can't be compared in pairs with "
                            "anything but itself: save it again")
    if len({stored.system for stored in merged}) > 1:
        raise OptionError(f"{path} has rows of several systems, but the baseline is one")
    first = systems[0]
    chosen: list[StoredRows] = []
    for metric, evaluation, metric_rows in zip(metrics, first.evaluations, first.rows):
        stored = _stored_like(path, metric, evaluation.signature(), merged)
        if len(stored.rows) != len(metric_rows):
            raise LengthError(f"the baseline {path} has {len(stored.rows)} segments, not {len(metric_rows)}")
        if not (stored.references_sha256 and references_sha256):
            raise PurebleuError(f"it is not known whether the baseline {path} was scored against the same references: "
                                "the checksums of references are missing there, or in the other rows")
        if stored.references_sha256 != list(references_sha256):
            raise PurebleuError(f"the baseline {path} was scored against other references")
        chosen.append(stored)
    baseline = System([stored.evaluation(metric) for stored, metric in zip(chosen, metrics)],
                      [list(stored.rows) for stored in chosen])
    return [baseline, *systems]


def named_with_baseline(options: Options, inputs: Sequence[str], naming: Naming) -> tuple[Sequence[str], Naming]:
    """The names of all systems, of which the first is the baseline from a file of rows; and the names' origin."""
    return [options.baseline, *inputs], "files" if naming == "files" else "given"


def _stored_like(path: str, metric: Metric[Score], signature: Signature, merged: Sequence[StoredRows]) -> StoredRows:
    """The stored rows under a metric, with this signature."""
    name = metric.registered_name
    candidates = [stored for stored in merged if stored.registered_name == name]
    if not candidates:
        raise OptionError(f"the baseline {path} has no rows of {name}")
    for stored in candidates:
        if stored.signature == signature.format() and stored.options == metric.scoring_options():
            return stored
    raise OptionError(f"the baseline {path} has another signature: {name}|{candidates[0].signature} instead of "
                      f"{name}|{signature}")


def verdicts_of(options: Options, scored: Scored, results: Results | None) -> list[Verdict]:
    """The verdicts of the gates; `results` are `None` for a single system."""
    metrics, inputs = scored.metrics, scored.inputs
    _warn_of_directions(options.gates, metrics)
    first = 1 if options.baseline else 0
    scores = [[metric.score(evaluation.totals()) for metric, evaluation in zip(metrics, system.evaluations)]
              for system in scored.systems[first:]]
    names = [metric.registered_name.lower() for metric in metrics]
    verdicts = limit_verdicts(options.gates, inputs[first:], names, scores)
    if results is not None and results.sampling is not None:
        resamples = results.samples if results.test == "bs" else options.confidence_n
        verdicts += paired_verdicts(options.gates, inputs, metrics, scored.rows, results, resamples)
    return verdicts


def worded_gates(options: Options, scored: Scored, results: Results | None) -> list[WordedGate]:
    """All gates with their verdicts in words: gates of scores, then gates of checks."""
    gates = worded_verdicts(verdicts_of(options, scored, results), options.width)
    if options.fail_on:
        from .findings import gates_of_scored

        gates += gates_of_scored(options, scored)
    return gates


def gated(options: Options, text: str, gates: Sequence[WordedGate]) -> Answer:
    """The answer with a message for each gate (in GitHub's format, the text has these); writes `--junit` first."""
    if options.junit:
        from ...files.writing import write_named

        content = junit(gates).encode("utf-8")
        write_named(options.junit, lambda file: file.write(content))
    reported = [] if options.format == GITHUB else [gate for gate in gates if not (options.quiet and gate.passed)]
    return Answer(text, gate_lines(reported), 0 if all(gate.passed for gate in gates) else GATE_FAILED)


def github_text(options: Options, names: Sequence[str], results: Results, signatures: Mapping[str, Signature],
                gates: Sequence[WordedGate], table: str) -> str:
    """Annotations to print; a summary with the table (in Markdown) is appended to the file that GitHub names."""
    add_to_summary(table, gates)
    return github_annotations(names, results, signatures, gates, options.width)


def add_to_summary(table: str, gates: Sequence[WordedGate]) -> None:
    """Append gates, and results in Markdown, to the file that GitHub names; outside GitHub, do nothing."""
    if path := os.environ.get(_SUMMARY):
        try:
            with open(path, "a", encoding="utf-8", errors="replace", newline="\n") as file:
                file.write(github_summary(table, gates))
        except OSError as error:
            raise PurebleuError(f"{path}: {error.strerror or error}") from error
