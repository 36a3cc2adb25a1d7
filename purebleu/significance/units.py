"""The units of resampling: segments, or documents, where their segments are not independent; and strata of units."""

from __future__ import annotations

from math import fsum, sqrt

from ..errors import LengthError, PurebleuError, warn
from ..metrics.evaluation import sum_statistics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ..metrics.evaluation import Row
    from .types import Metrics, SystemRows

#: With fewer documents than this, bootstrap intervals are too narrow.
FEW_DOCUMENTS = 20

#: The quantile 0.975 of Student's t with 1 to 18 degrees of freedom.
_T_QUANTILES = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262,
                2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101)


class Units:
    """The units of resampling: all segments of a document are sampled, or swapped, together.

    Args:
        documents: for each segment, the id of its document: all segments with equal ids belong to one document,
            wherever they are in the corpus. `None`: each segment is a unit.
        strata: for each segment, the id of its stratum, such as a domain: bootstrap resamples have as many units of
            each stratum as the corpus. `None`: there are no strata. (Randomization tests keep strata anyway, as they
            swap the outputs of a unit in place.)
        strata_name: the value of `strata` in signatures.

    Attributes:
        documents: the documents as given.
        name: the name of the unit: `segment` or `document`.
        fields: the fields of signatures about the units; empty for segments without strata.
        segments: the number of segments.
        count: the number of units.
        strata: the indices of the units in each stratum; `None` without strata.

    Raises:
        LengthError: the numbers of documents and strata differ.
        PurebleuError: there are fewer than two units, no stratum has two units, or a document is in two strata.

    Example:
        >>> units = Units(["a", "a", "b", "c"], ["news", "news", "news", "speech"])
        >>> units.count, units.strata, units.fields
        (3, [[0, 1], [2]], {'unit': 'doc', 'strata': 'file'})
        >>> units.sums([(1, 2), (1, 3), (0, 4), (5, 5)])
        [(2, 5), (0, 4), (5, 5)]
    """

    def __init__(self, documents: Sequence[object] | None = None, strata: Sequence[object] | None = None,
                 strata_name: str = "file") -> None:
        if documents is not None and strata is not None and len(documents) != len(strata):
            raise LengthError(f"there are documents of {len(documents)} segments, but strata of {len(strata)}")
        self.name = "segment" if documents is None else "document"
        self.fields = {**({} if documents is None else {"unit": "doc"}),
                       **({} if strata is None else {"strata": strata_name})}
        self.documents = documents
        self.segments = len(documents if documents is not None else strata or ())
        #: The indices of the segments in each unit; `None` where each segment is a unit.
        self._members = None if documents is None else list(_indices_by_value(documents).values())
        self.count = self.segments if self._members is None else len(self._members)
        if self.count < 2:
            raise PurebleuError(f"there is nothing to resample: {self.count} {self.name} in {self.segments} segments")
        self.strata = None if strata is None else self._strata_of_units(strata)
        if self.strata is not None and len(self.strata) == self.count:
            raise PurebleuError(f"there is nothing to resample: each stratum has a single {self.name}")

    def _strata_of_units(self, strata: Sequence[object]) -> list[list[int]]:
        if self._members is None:
            return list(_indices_by_value(strata).values())
        for members in self._members:
            strata_of_members = {strata[segment] for segment in members}
            if len(strata_of_members) > 1:
                raise PurebleuError(f"a document is in one stratum, but that of segment {members[0] + 1} is in "
                                    f"{', '.join(sorted(map(str, strata_of_members)))}")
        return list(_indices_by_value([strata[members[0]] for members in self._members]).values())

    @property
    def plural(self) -> str:
        """The plural of the unit's name."""
        return f"{self.name}s"

    def sums(self, rows: Sequence[Row]) -> Sequence[Row]:
        """The rows of units, each the sum of the rows of its segments.

        Raises:
            LengthError: there are more or fewer rows than segments.
        """
        if len(rows) != self.segments:
            raise LengthError(f"there are {len(rows)} segments, but documents or strata of {self.segments}")
        if self._members is None:
            return rows
        return [rows[members[0]] if len(members) == 1 else tuple(sum_statistics([rows[segment] for segment in members]))
                for members in self._members]


def _indices_by_value(values: Sequence[object]) -> dict[object, list[int]]:
    """The indices of each value, in the order in which values first appear."""
    indices: dict[object, list[int]] = {}
    for index, value in enumerate(values):
        indices.setdefault(value, []).append(index)
    return indices


def sums_of_units(systems: Sequence[SystemRows], units: Units | None) -> Sequence[SystemRows]:
    """The rows of the units of each system under each metric; with `None`, the rows of segments as they are."""
    return systems if units is None else [[units.sums(rows) for rows in system] for system in systems]


def clustered_standard_error(values: Sequence[float], documents: Sequence[object]) -> float:
    """The standard error of a mean over segments that belong to documents, in closed form (Miller, 2024).

    For C documents and n segments, let S be the sum over documents of the squared sum of deviations from the mean: it
    is sqrt(C / (C - 1) * S) / n. With one segment in each document, that is the usual standard error.

    Args:
        values: a value for each segment.
        documents: the document of each segment, as `Units` takes them; two or more documents.

    Example:
        By hand: the mean is 3. Deviations add up to -3 in the first document and to 3 in the second one, which comes to
        sqrt(2 / 1 * (9 + 9)) / 4.

        >>> clustered_standard_error([1.0, 2.0, 4.0, 5.0], ["a", "a", "b", "b"])
        1.5
    """
    mean = fsum(values) / len(values)
    sums = [fsum([values[segment] - mean for segment in members]) for members in _indices_by_value(documents).values()]
    return sqrt(len(sums) / (len(sums) - 1) * fsum([total ** 2 for total in sums])) / len(values)


def clustered_half_width(values: Sequence[float], documents: Sequence[object]) -> float:
    """Half the width of the 95 % interval of a mean over fewer than 20 documents, in closed form.

    It is the standard error times the quantile of Student's t with one degree of freedom less than there are documents.
    Parameters and source are those of `clustered_standard_error`.

    Example:
        >>> round(clustered_half_width([1.0, 2.0, 4.0, 5.0], ["a", "a", "b", "b"]), 3)    # 12.706 * 1.5
        19.059
    """
    return _T_QUANTILES[len({*documents}) - 2] * clustered_standard_error(values, documents)


def warn_of_few_documents(units: Units, systems: Sequence[SystemRows], metrics: Metrics, has_p_values: bool) -> None:
    """Warn if bootstrap resamples are of few documents, so that intervals are too narrow.

    `has_p_values`: p-values come from these resamples, too. For means over segments, the warning has intervals in
    closed form.
    """
    if units.documents is None or units.count >= FEW_DOCUMENTS:
        return
    narrow = 100 * (sqrt(units.count / (units.count - 1)) - 1)
    closed: list[str] = []
    for index, metric in enumerate(metrics):
        if "segments" in metric.column_names():
            name = metric.score(sum_statistics(systems[0][index])).name
            widths = [clustered_half_width(list(map(metric.value, system[index])), units.documents)
                      for system in systems]
            closed.append(f"{name} " + ", ".join([f"± {width:.2f}" for width in widths]))
    beside = f"; by the closed form, the intervals are {'; '.join(closed)}" if closed else ""
    p_values = "; p-values from the bootstrap are too low, those of approximate randomization (ar) are not"
    warn(f"{units.count} documents are few: bootstrap intervals over fewer than {FEW_DOCUMENTS} are too narrow, by "
         f"{narrow:.0f} % or more{beside}{p_values if has_p_values else ''}")
