"""Score systems or a baseline from stored rows, and make rows that can be stored."""

from __future__ import annotations

from ...metrics.base import Metric
from ...metrics.evaluation import Evaluation, System
from ...metrics.score import Score, Signature
from ...metrics.signature import signature_pairs
from ...report.formats import without_folders
from ...rows import StoredRows, check_pairing, merge, public_signature, read, warn_of_versions
from ...runtime.errors import LengthError, OptionError, PurebleuError, printable, without_commands
from ...runtime.hints import Iterator, Naming, Sequence
from ..arguments.values import check_needs, check_takes
from .inputs import Inputs
from .units import labels_of_units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .score import MetricChoice, Scored


def stored_systems(paths: Sequence[str], choice: MetricChoice, *, paired: bool, keeps_order: bool,
                   ) -> tuple[list[Metric[Score]], list[System], Sequence[StoredRows]]:
    """Read files of rows. Return the metrics, the systems, and the rows (merged by system and metric).

    Args:
        paths: the files of rows.
        choice: the metrics; if `-m` names none, all metrics that have rows.
        paired: whether systems are compared, and so need rows of the same segments.
        keeps_order: whether the metrics stay in the order of `-m`.
    """
    stored = _read(paths)
    wanted = _wanted_metrics(choice.asked, [part for part, _ in stored], keeps_order)
    parts, names = zip(*[(part, path) for part, path in stored if part.registered_name.lower() in wanted])
    merged = merge(parts, names)
    if paired:
        check_pairing(parts, names)
    return (*_by_system(merged, wanted, choice.effective_order), merged)


def list_of_rows(paths: Sequence[str]) -> str:
    """Return a text with a line for each part of these files. (A part has the rows of one system under one metric.)

    Each line has the file, the system, the metric, the offset, the number of rows and the signature.
    """
    lines: list[str] = []
    for part, path in _read(paths):
        fields = (path, part.system, part.registered_name, part.offset, len(part.rows), part.signature)
        lines.append(without_commands("\t".join([printable(str(field)) for field in fields])))
    return "\n".join(lines)


def _read(paths: Sequence[str]) -> list[tuple[StoredRows, str]]:
    """Return all parts of files of rows, each with the path of its file."""
    return [(part, path) for path in paths for part in read(path)]


def names_of_rows(inputs: Inputs, merged: Sequence[StoredRows]) -> tuple[Sequence[str], Naming]:
    """Return the names of the systems, and the origin of the names (`given` if their origins differ)."""
    names = list(dict.fromkeys([stored.system for stored in merged]))
    if inputs.names:
        return inputs.system_names(len(names)), "given"
    namings = {stored.naming for stored in merged}
    return names, merged[0].naming if len(namings) == 1 else "given"


def _wanted_metrics(metrics: Sequence[str], parts: Sequence[StoredRows], keeps_order: bool) -> list[str]:
    """Return the metrics of `-m`, or else all metrics that have rows, in the order of the results."""
    available = list(dict.fromkeys([part.registered_name.lower() for part in parts]))
    for name in metrics:
        check_needs(name in available, f"-m {name}", f"rows of {name}, but there are only rows of "
                    f"{', '.join(available)}", "metrics")
    wanted = list(dict.fromkeys(metrics or available))
    return wanted if keeps_order else sorted(wanted)


def _by_system(merged: Sequence[StoredRows], wanted: Sequence[str],
               by_segment: bool) -> tuple[list[Metric[Score]], list[System]]:
    """Return the metrics, and the systems with their evaluations and rows, from the merged rows of `wanted` metrics."""
    by_system: dict[str, list[StoredRows]] = {}
    for stored in merged:
        by_system.setdefault(stored.system, []).append(stored)
    columns: list[list[StoredRows]] = []
    for stored_of_system in by_system.values():
        columns.append(sorted(stored_of_system, key=lambda stored: wanted.index(stored.registered_name.lower())))
    first = columns[0]
    for column in columns:
        if [(stored.metric, stored.options) for stored in column] != [(stored.metric, stored.options)
                                                                      for stored in first]:
            raise OptionError(f"{first[0].system} and {column[0].system} have rows for different metrics: "
                              "with -m, choose metrics that both systems have", option="metrics")
    metrics = [stored.make_metric() for stored in first]
    if by_segment:
        from ...analysis.segments import sentence_metric

        metrics = list(map(sentence_metric, metrics))
    systems: list[System] = []
    for column in columns:
        evaluations = [stored.evaluation(metric) for metric, stored in zip(metrics, column)]
        systems.append(System(evaluations, [list(stored.rows) for stored in column]))
    if by_segment:
        for evaluation in systems[0].evaluations:
            if "eff" in evaluation.signature().info:
                evaluation.signature().info["eff"] = "yes"  # (BLEU of single segments has effective order)
    return metrics, systems


def stored_parts(scored: Scored) -> Iterator[StoredRows]:
    """Yield the rows of each system under each metric, in the form that is stored."""
    checksums, inputs, choice = scored.checksums, scored.inputs, scored.choice
    assert checksums is not None, "checksums are computed if rows are saved"
    labels = labels_of_units(inputs, scored.listed)
    names = inputs.system_names(len(checksums.systems))
    # (Metrics are in the order of -m, as in tables of a paired test. A stored baseline, which is the first system, is
    # left out.)
    order = [choice.names.index(name) for name in choice.as_given]
    systems = scored.as_given(scored.systems)[len(scored.systems) - len(names):]
    for name, system, checksum in zip(names, systems, checksums.systems):
        for index in order:
            yield StoredRows.of_evaluation(name, scored.metrics[index], system.evaluations[index].signature(),
                                           system.rows[index], offset=checksums.offset, hypothesis_sha256=checksum,
                                           references_sha256=checksums.references, naming=inputs.naming,
                                           labels=labels)


class StoredBaseline:
    """A baseline that is read from a file of rows.

    Raises:
        OptionError: the file has rows of several systems.
        PurebleuError: the file can't be read.
    """

    def __init__(self, path: str) -> None:
        parts = read(path)
        self._path = path
        self._stored = merge(parts, [path] * len(parts))
        check_takes(len({stored.system for stored in self._stored}) == 1, "--baseline",
                    f"rows of one system, but {path} has rows of several systems: save one system in a file of its "
                    "own", "baseline")

    def check_before(self, metrics: Sequence[Metric[Score]], fields: dict[str, str]) -> None:
        """Check the stored baseline before systems are scored. (`put_first_in` checks the rest.)

        Raise `OptionError` if rows of a metric are missing, or have another signature. `fields` are added to the
        expected signatures. The number of references and the scores of other programs are not checked yet.
        """
        for metric in metrics:
            if metric.COUNTS_TEXT:
                self._rows_like(metric, Evaluation(metric, fields).signature(), before=True)

    def put_first_in(self, scored: Scored, references_sha256: Sequence[str]) -> None:
        """Make the baseline the first of the scored systems.

        Raises:
            OptionError: the baseline lacks rows for one of the metrics, or its rows have another signature.
            LengthError: the baseline and the systems have different numbers of segments.
            PurebleuError: the baseline was scored against other references, or its references are not known.
        """
        path, first = self._path, scored.systems[0]
        chosen: list[StoredRows] = []
        for metric, evaluation, metric_rows in zip(scored.metrics, first.evaluations, first.rows):
            stored = self._rows_like(metric, evaluation.signature())
            if len(stored.rows) != len(metric_rows):
                raise LengthError(f"the baseline {path} has {len(stored.rows)} segments, but the systems have "
                                  f"{len(metric_rows)}")
            if not (stored.references_sha256 and references_sha256):
                raise PurebleuError(f"the baseline {path} may have been scored against other references: {path} or "
                                    "the rows of the systems lack checksums of the references")
            if stored.references_sha256 != list(references_sha256):
                raise PurebleuError(f"the baseline {path} was scored against other references than the systems")
            chosen.append(stored)
        warn_of_versions([chosen[0].signature, first.evaluations[0].signature().format()])
        baseline = System([stored.evaluation(metric) for stored, metric in zip(chosen, scored.metrics)],
                          [list(stored.rows) for stored in chosen])
        scored.systems = [baseline, *scored.systems]
        scored.names = [path if scored.naming == "files" else without_folders(path), *scored.names]
        scored.naming = "files" if scored.naming == "files" else "given"

    def _rows_like(self, metric: Metric[Score], signature: Signature, before: bool = False) -> StoredRows:
        """Return the stored rows of a metric with this signature. If `before`, the number of references may differ."""
        name = metric.registered_name
        candidates = [stored for stored in self._stored if stored.registered_name == name]
        if not candidates:
            raise OptionError(f"the baseline {self._path} has no rows for {name}", option="baseline")
        for stored in candidates:
            if before:
                signature.info["nrefs"] = signature_pairs(stored.signature)["nrefs"]
            if (public_signature(stored.signature) == public_signature(signature.format())
                    and stored.options == metric.scoring_options()):
                return stored
        raise OptionError(f"the baseline {self._path} has the signature {name}|{candidates[0].signature}, but the "
                          f"systems have the signature {name}|{signature}", option="baseline")
