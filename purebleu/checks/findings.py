"""Run checks on systems: return the findings, and the checks whose input is missing."""

from __future__ import annotations

from functools import partial

from ..metrics.segments import checked_segments, checked_stream, listed, listed_streams
from ..runtime.errors import LengthError, OptionError, UnknownNameError, nearest
from ..runtime.hints import Any, Callable, Iterable, Mapping, NamedTuple, Sequence
from ..runtime.progress import observer
from .copies import copied_lines, identical_lines, looping_lines, reference_lines, repeated_lines
from .forms import empty_lines, foreign_lines, outlying_lines, tokenized_lines, truncated_lines, wrong_language_lines
from .parts import changed_markup, changed_numbers, changed_parts, escapes, odd_characters
from .phrases.matching import chatter, reasoning, refusals
from .table import CHECKS, NEEDS_REFERENCES, NEEDS_SOURCE, NEEDS_SYSTEMS
from .texts import Against, Found, Span

#: The functions that check whole lines, by the names of checks. Each function takes the outputs of a system, the
#: parallel texts and a threshold, and returns findings.
_FINDERS: dict[str, Callable[[Sequence[str], Against, float], Found]] = {
    "copied": copied_lines, "empty": empty_lines, "repeated": repeated_lines, "script": foreign_lines,
    "loop": looping_lines, "length": outlying_lines, "tokenized": tokenized_lines, "reference": reference_lines,
    "language": wrong_language_lines, "truncated": truncated_lines,
}

#: The functions that check parts of lines, by the names of checks. Each function takes an output, the parallel texts
#: and the output's index, and returns the wrong parts. The number of wrong parts is compared with the threshold.
_MARKERS: dict[str, Callable[[str, Against, int], Sequence[Span]]] = {
    "escapes": escapes, "chatter": chatter, "refusal": refusals, "reasoning": reasoning, "markup": changed_markup,
    "placeholders": partial(changed_parts, "placeholders"), "addresses": partial(changed_parts, "addresses"),
    "numbers": changed_numbers, "unicode": odd_characters,
}


class CheckRecord(NamedTuple):
    """A part of a line that a check found. `check` returns a list of `CheckRecord`s.

    `span` is the start and the end of the part in the output. `text` is the text of the part. If start and end are
    equal, the output lacks `text`. `value` is compared with the check's threshold. (A line may have several records.)
    """

    line: int
    check: str
    value: float
    span: tuple[int, int]
    text: str


class CheckFinding(NamedTuple):
    """The lines (at least one) that a check found in the output of a system.

    Attributes:
        check: the name of the check.
        system: the name of the system.
        threshold: the threshold that values were compared with.
        lines: the numbers of the lines that the check found, in order.
        values: for each of these lines, the value that the check measured.
        segments: the number of lines that were checked.
        other: the name of the other system if the check is `identical`; else empty.
        spans: for each of these lines, the parts that were found; empty if the check is about whole lines.
    """

    check: str
    system: str
    threshold: float
    lines: Sequence[int]
    values: Sequence[float]
    segments: int
    other: str = ""
    spans: Sequence[Sequence[Span]] = ()

    @property
    def share(self) -> float:
        """The share of `lines` in all lines that were checked."""
        return len(self.lines) / self.segments


class CheckedSystems(NamedTuple):
    """The findings of the checks of systems.

    Attributes:
        systems: the names of all systems.
        segments: the number of lines of each system.
        thresholds: the threshold of each check that was run, by the check's name.
        findings: the findings in the order of checks, and of systems within a check.
        not_looked_at: the missing input of each check that could not be run, by the check's name.
    """

    systems: Sequence[str]
    segments: int
    thresholds: Mapping[str, float]
    findings: Sequence[CheckFinding]
    not_looked_at: Mapping[str, str]


def checked_systems(names: Sequence[str], against: Against, thresholds: Mapping[str, float] | None = None,
                    checks: Sequence[str] = (), numbers: Sequence[int] = ()) -> CheckedSystems:
    """Run checks on the outputs of systems, and return the findings.

    Args:
        names: the names of the systems.
        against: the outputs of the systems, the source and the references.
        thresholds: thresholds that replace the usual thresholds, by the names of checks.
        checks: the names of the checks to run; empty: all checks.
        numbers: the number of each line; empty: lines are counted from 1.

    Example:
        >>> from purebleu.checks.texts import Against
        >>> found = checked_systems(["A"], Against(["Yes.", "No."], systems=[["Ja.", ""]]))
        >>> [(finding.check, finding.lines) for finding in found.findings], found.not_looked_at["identical"]
        ([('empty', [2])], 'two systems or more')
    """
    outputs = against.systems
    wanted = [name for name in CHECKS if name in checks or not checks]
    missing = missing_for(wanted, against.source is not None, bool(against.references), len(outputs), len(outputs[0]))
    limits = {name: (thresholds or {}).get(name, CHECKS[name].threshold) for name in wanted if name not in missing}
    segments = len(outputs[0])
    findings: list[CheckFinding] = []

    def add(check: str, system: int, found: Found, other: str = "", spans: Sequence[Sequence[Span]] = ()) -> None:
        if found:
            lines = [numbers[index] if numbers else index + 1 for index, _ in found]
            findings.append(CheckFinding(check, names[system], limits[check], lines, [value for _, value in found],
                                    segments, other, spans))

    observer().begin("checking", segments * len(outputs) * len(limits))
    for check, threshold in limits.items():
        for system, lines in enumerate(outputs):
            if check in _FINDERS:
                add(check, system, _FINDERS[check](lines, against, threshold))
            elif check in _MARKERS:
                found, spans = _marked(check, lines, against, threshold)
                add(check, system, found, "", spans)
            else:
                for other in range(system + 1, len(outputs)):
                    add(check, system, identical_lines(lines, outputs[other], threshold), names[other])
            observer().advance(segments)
    return CheckedSystems(names, segments, limits, findings, missing)


def check(outputs: Iterable[str], *, source: Iterable[str] | None = None, references: Any = None,
          checks: Iterable[str] | None = None, thresholds: Mapping[str, float] | None = None) -> list[CheckRecord]:
    """Find faults in the outputs of a system, as `purebleu check` does.

    Args:
        outputs: one text for each segment.
        source: the source of each segment.
        references: streams of references, as for `corpus_score`; or a list of strings, which is one stream.
        checks: the names of the checks to run; `None`: all checks that are possible with these texts.
        thresholds: thresholds that replace the usual thresholds, by the names of checks.

    Returns:
        A record for each faulty line (or faulty part of a line), in the order of lines. Lines are counted from 1.

    Raises:
        TypeError: an element has a wrong type.
        UnknownNameError: there is no check of this name.
        OptionError: a check in `checks` needs a source, references or more lines.
        LengthError: outputs, sources and references have different numbers of texts.

    Example:
        >>> from purebleu import check
        >>> check(["Translation: Es kostet 35 Euro."], source=["It costs 3.5 euros."])[0]
        CheckRecord(line=1, check='chatter', value=1, span=(0, 12), text='Translation:')
    """
    lines: list[Any] = checked_segments(outputs, "outputs", False)
    sources: list[Any] | None = None if source is None else checked_segments(source, "sources", False)
    given = [] if references is None else listed_streams(references)
    streams: list[Any] = [checked_stream(stream, f"references[{index}]", False) for index, stream in enumerate(given)]
    for others in (sources, *streams):
        if others is not None and len(others) != len(lines):
            raise LengthError(f"there are {len(lines)} outputs, but {len(others)} sources or references")
    names = [] if checks is None else listed(checks, "checks")
    if not isinstance(thresholds, (Mapping, type(None))):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"thresholds must be a dict from names of checks to numbers, not {thresholds!r:.80}")
    for name in (*names, *(thresholds or ())):
        if name not in tuple(CHECKS):
            raise UnknownNameError(f"unknown check {name!r}{nearest(str(name), CHECKS)}; choose from "
                                   f"{', '.join(CHECKS)}")
    checked = checked_systems([""], Against(sources, streams, [lines]), thresholds, names)
    if names and checked.not_looked_at:
        name, needed = next(iter(checked.not_looked_at.items()))
        raise OptionError(f"the check {name} needs {needed}")
    records: list[CheckRecord] = []
    for finding in checked.findings:
        for index, line in enumerate(finding.lines):
            output = lines[line - 1]
            spans = finding.spans[index] if finding.spans else [(0, len(output), output)]
            records += [CheckRecord(line, finding.check, finding.values[index], (start, end), text)
                        for start, end, text in spans]
    return sorted(records, key=lambda record: record.line)


def _marked(check: str, outputs: Sequence[str], against: Against,
            threshold: float) -> tuple[Found, list[Sequence[Span]]]:
    """Return the lines with enough parts for a check, each with its number of parts; and the parts of these lines."""
    marked = [(index, _MARKERS[check](output, against, index)) for index, output in enumerate(outputs)]
    found = [(index, spans) for index, spans in marked if spans and len(spans) >= threshold]
    return [(index, len(spans)) for index, spans in found], [spans for _, spans in found]


def missing_for(checks: Sequence[str], has_source: bool, has_references: bool, systems: int,
                lines: int | None = None) -> dict[str, str]:
    """Return the missing input of each check that can't be run, by the check's name.

    `lines` is the number of lines; `None` if it is unknown.

    >>> missing_for(["copied", "empty", "length", "language"], False, True, 1, 10)
    {'copied': 'a source', 'language': '50 lines or more'}
    """
    available = {NEEDS_SOURCE: has_source, NEEDS_REFERENCES: has_references, NEEDS_SYSTEMS: systems > 1}
    missing: dict[str, str] = {}
    for name in checks:
        check = CHECKS[name]
        if check.needs and not any(map(available.__getitem__, check.needs)):
            missing[name] = " or ".join(check.needs)
        elif lines is not None and lines < check.min_lines:
            missing[name] = f"{check.min_lines} lines or more"
    return missing
