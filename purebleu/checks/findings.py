"""All checks of systems together: the findings, and the checks that could not be made."""

from __future__ import annotations

from ..runtime.progress import observer
from .copies import copied_lines, identical_lines, looping_lines, reference_lines, repeated_lines
from .forms import empty_lines, escaped_lines, foreign_lines, outlying_lines, tokenized_lines
from .table import CHECKS, NEEDS_REFERENCES, NEEDS_SOURCE, NEEDS_SYSTEMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Mapping, Sequence

    from .texts import Against, Found

#: The function of each check: from the outputs of a system, the texts parallel to them and a threshold to its findings.
_FINDERS: dict[str, Callable[[Sequence[str], Against, float], Found]] = {
    "copied": copied_lines, "empty": empty_lines, "repeated": repeated_lines, "script": foreign_lines,
    "loop": looping_lines, "length": outlying_lines, "tokenized": tokenized_lines, "escapes": escaped_lines,
    "reference": reference_lines,
}


class CheckFinding:
    """The lines that a check has found in a system, one or more.

    Attributes:
        check: the name of the check.
        system: the name of the system.
        threshold: the threshold that values were compared with.
        lines: the numbers of these lines, in order.
        values: the value of each of these lines, as the function of the check returns it.
        segments: the number of lines that were checked.
        other: the name of the other system, if the check is `identical`; else empty.
    """

    def __init__(self, check: str, system: str, threshold: float, lines: Sequence[int], values: Sequence[float],
                 segments: int, other: str = "") -> None:
        self.check = check
        self.system = system
        self.threshold = threshold
        self.lines = lines
        self.values = values
        self.segments = segments
        self.other = other

    @property
    def share(self) -> float:
        """The share of these lines in all lines that were checked."""
        return len(self.lines) / self.segments


class CheckedSystems:
    """The findings of the checks of systems.

    Attributes:
        systems: the names of all systems.
        segments: the number of lines of each system.
        thresholds: the thresholds of the checks that were made, by the names of the checks.
        findings: in the order of the checks, and then of systems.
        not_looked_at: the input that is missing for each of the other checks, by their names.
    """

    def __init__(self, systems: Sequence[str], segments: int, thresholds: Mapping[str, float],
                 findings: Sequence[CheckFinding], not_looked_at: Mapping[str, str]) -> None:
        self.systems = systems
        self.segments = segments
        self.thresholds = thresholds
        self.findings = findings
        self.not_looked_at = not_looked_at


def checked_systems(names: Sequence[str], outputs: Sequence[Sequence[str]], against: Against,
                    thresholds: Mapping[str, float] | None = None, checks: Sequence[str] = (),
                    numbers: Sequence[int] = ()) -> CheckedSystems:
    """Return the findings of checks in systems.

    Args:
        names: the names of the systems.
        outputs: for each system, one line for each segment.
        against: the texts that are parallel to the outputs.
        thresholds: the threshold of each check that has another one than usual, by the check's name.
        checks: the names of the checks to make; empty: all checks.
        numbers: the number of each line; empty: lines are counted from 1.

    Example:
        >>> from purebleu.checks.texts import Against
        >>> found = checked_systems(["A"], [["Ja.", ""]], Against(["Yes.", "No."]))
        >>> [(finding.check, finding.lines) for finding in found.findings], found.not_looked_at["identical"]
        ([('empty', [2])], 'two systems or more')
    """
    wanted = [name for name in CHECKS if name in checks or not checks]
    missing = missing_for(wanted, against.source is not None, bool(against.references), len(outputs))
    limits = {name: (thresholds or {}).get(name, CHECKS[name].threshold) for name in wanted if name not in missing}
    segments = len(outputs[0])
    findings: list[CheckFinding] = []

    def add(check: str, system: int, found: Found, other: str = "") -> None:
        if found:
            lines = [numbers[index] if numbers else index + 1 for index, _ in found]
            findings.append(CheckFinding(check, names[system], limits[check], lines, [value for _, value in found],
                                    segments, other))

    observer().begin("checking", segments * len(outputs) * len(limits))
    for check, threshold in limits.items():
        for system, lines in enumerate(outputs):
            if check in _FINDERS:
                add(check, system, _FINDERS[check](lines, against, threshold))
            else:
                for other in range(system + 1, len(outputs)):
                    add(check, system, identical_lines(lines, outputs[other], threshold), names[other])
            observer().advance(segments)
    return CheckedSystems(names, segments, limits, findings, missing)


def missing_for(checks: Sequence[str], has_source: bool, has_references: bool, systems: int) -> dict[str, str]:
    """Return the inputs that are missing for checks, by the names of the checks.

    >>> missing_for(["copied", "empty", "length"], False, False, 1)
    {'copied': 'a source', 'length': 'a source or references'}
    """
    available = {NEEDS_SOURCE: has_source, NEEDS_REFERENCES: has_references, NEEDS_SYSTEMS: systems > 1}
    missing: dict[str, str] = {}
    for name in checks:
        needs = CHECKS[name].needs
        if needs and not any(map(available.__getitem__, needs)):
            missing[name] = " or ".join(needs)
    return missing
