"""The rows of a system under a metric, and all that is needed to score them without the text."""

from __future__ import annotations

from ..hints import Any, Mapping, Naming, Row, Sequence
from ..metrics import metric_class
from ..metrics.base import Metric
from ..metrics.evaluation import Evaluation, sum_statistics
from ..metrics.score import Score, Signature
from ..metrics.signature import signature_pairs

#: The origins of names of systems: paths of files, names that users gave, or mere numbers.
NAMINGS = ("files", "given", "numbers")


class StoredRows:
    """The rows of one system under one metric, for a run of segments.

    Attributes:
        system: the name of the system in tables.
        naming: the origin of that name, one of `NAMINGS`.
        metric: the metric's name in the registry, such as `BLEU`.
        options: the arguments of the metric that the score depends on.
        signature: the signature of the evaluation that the rows come from.
        columns: the names of the columns of a row.
        offset: the number of segments of the corpus before the first one.
        rows: one for each segment.
        hypothesis_sha256: the `text_checksum` of the hypotheses; an empty string if it is not known.
        references_sha256: the same of each stream of references; none if they are not known.
        ids_sha256: the same of the ids that give the order of segments; an empty string if there are none.
        labels: the documents (`docid`) and strata (`domain`, `origlang`, `file`) of the segments, if they were stored:
            by these names, the `label_digests` of the segments.
    """

    def __init__(self, system: str, metric: str, options: Mapping[str, Any], signature: str, columns: Sequence[str],
                 rows: Sequence[Row], offset: int = 0, hypothesis_sha256: str = "",
                 references_sha256: Sequence[str] = (), naming: Naming = "files", ids_sha256: str = "",
                 labels: Mapping[str, Sequence[str]] | None = None) -> None:
        self.system = system
        self.naming: Naming = naming
        self.metric = metric
        self.options = dict(options)
        self.signature = signature
        self.columns = tuple(columns)
        self.offset = offset
        self.rows = list(rows)
        self.hypothesis_sha256 = hypothesis_sha256
        self.references_sha256 = list(references_sha256)
        self.ids_sha256 = ids_sha256
        self.labels = {name: list(segment_labels) for name, segment_labels in (labels or {}).items()}

    @classmethod
    def of_evaluation(cls, system: str, metric: Metric[Score], signature: Signature, rows: Sequence[Row],
                      **further: Any) -> StoredRows:
        """Return the rows that a metric has counted; further arguments are those of the constructor."""
        return cls(system, type(metric).__name__, metric.scoring_options(), signature.format(), metric.column_names(),
                   rows, **further)

    @property
    def end(self) -> int:
        """The number of segments of the corpus up to the last one."""
        return self.offset + len(self.rows)

    @property
    def registered_name(self) -> str:
        """The name of the metric in the registry; for scores from outside, the name that users gave them."""
        return self.make_metric().registered_name

    def make_metric(self) -> Metric[Score]:
        """Make a metric that scores these rows. (It can't score text: only the signature has the tokenizer.)

        Raises:
            OptionError: for options that the metric does not take.
        """
        return metric_class(self.metric)(**self.options)

    def evaluation(self, metric: Metric[Score]) -> Evaluation[Score]:
        """Return the evaluation of the segments that these rows are from. `metric` comes from `make_metric`."""
        return _StoredEvaluation(metric, self)

    def __repr__(self) -> str:
        return (f"<StoredRows {self.system!r} {self.metric}|{self.signature}, segments {self.offset} to "
                f"{self.end}>")


class _StoredEvaluation(Evaluation[Score]):
    """An evaluation from stored rows, with their signature."""

    def __init__(self, metric: Metric[Score], stored: StoredRows) -> None:
        super().__init__(metric)
        self._totals = sum_statistics(stored.rows)
        self.segments = len(stored.rows)
        self._signature = parsed_signature(stored.signature, metric.SHORT_FIELDS)

    def signature(self) -> Signature:
        return self._signature


def parsed_signature(text: str, short_fields: dict[str, str]) -> Signature:
    """Return the signature with this long form."""
    fields = signature_pairs(text)
    signature = Signature(None, {**fields}, short_fields)
    signature.info.update(fields)  # also the version
    return signature
