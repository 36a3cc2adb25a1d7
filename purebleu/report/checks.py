"""Findings of checks as tables and lists, as JSON, as CSV, as gates, and as GitHub's annotations."""

from __future__ import annotations

from ..checks.findings import CheckedSystems, CheckFinding
from ..checks.table import CHECKS
from ..runtime.errors import counted, printable
from ..runtime.hints import Iterator, Mapping, Sequence
from ..runtime.json_writer import to_json
from .formats import Style, delimited, names_in
from .gates import WordedGate, annotation, gate_annotations
from .tables import Section, TableColumn, document_of, fitted, with_colored_heads

#: The maximum number of line numbers in tables and sentences.
_MAX_SHOWN = 5

#: The maximum numbers that the text on a finding shows: of lines, of parts of a line, of characters of a part.
_MAX_LINES, _MAX_PARTS, _MAX_TEXT = 3, 4, 60

#: The fields of a finding in CSV and TSV.
_HEADINGS = ("check", "system", "other", "count", "share", "threshold", "lines")


def check_report(checked: CheckedSystems, shown: Sequence[str], style: Style) -> str:
    """Return the findings in a format of the command `check`, except `github` (see `annotations_of_checks`).

    Args:
        checked: the findings.
        shown: the names of the systems for tables.
        style: the style of the tables.
    """
    if style.format.kind == "json":
        return _findings_as_json(checked)
    if style.format.kind == "lines":
        return delimited(style.form, _HEADINGS, list(_records(checked)))
    shown = names_in(style, shown)
    looked_at = looked_at_text(checked)
    if checked.not_looked_at:
        looked_at += f" (not looked at: {', '.join(checked.not_looked_at)})"
    tables: list[list[TableColumn]] = []
    if checked.findings:
        table = _table_of_findings(checked, dict(zip(checked.systems, shown)), style.color)
        tables.append(fitted(table, style.columns))
    heading = f"Found in {looked_at}:" if tables else f"Nothing was found in {looked_at}."
    sections = [Section("Checks", [heading], tables), *_found_parts(checked, dict(zip(checked.systems, shown))),
                *explanations_of_checks(checked)]
    if list(map(printable, shown)) != list(map(printable, checked.systems)):
        sections.append(Section("Systems", items=list(zip(shown, checked.systems))))
    return document_of(sections, style)


def looked_at_text(checked: CheckedSystems) -> str:
    """Return the numbers of lines and of systems that were checked, in words."""
    systems = len(checked.systems)
    return counted(checked.segments, "line") + (f" of each of {systems} systems" if systems > 1 else "")


def explanations_of_checks(checked: CheckedSystems) -> list[Section]:
    """Return a section on the checks that were made, and a section on the checks that could not be made."""
    sections = [Section("Looked for", items=[
        (name, f"lines {CHECKS[name].called()}: {CHECKS[name].measured(threshold)}")
        for name, threshold in checked.thresholds.items()])]
    if checked.not_looked_at:
        sections.append(Section("Not looked at", items=[(name, f"needs {needed}")
                                                        for name, needed in checked.not_looked_at.items()]))
    return sections


def _table_of_findings(checked: CheckedSystems, names: dict[str, str], color: bool) -> list[TableColumn]:
    findings = checked.findings
    table: list[TableColumn] = [("Check", [finding.check for finding in findings])]
    if len(names) > 1:
        others = [f" = {names[finding.other]}" if finding.other else "" for finding in findings]
        table.append(("System", [names[finding.system] + other for finding, other in zip(findings, others)]))
    table += [("Lines", [f"{len(finding.lines):,}" for finding in findings]),
              ("Share", [percent(finding) for finding in findings]),
              ("Threshold", [f"{finding.threshold:g}" for finding in findings]),
              ("First lines", [_first_lines(finding) for finding in findings])]
    return with_colored_heads(table) if color else table


def percent(finding: CheckFinding) -> str:
    """Return the share of lines that have the finding, in percent, as text."""
    return f"{100 * finding.share:.2f} %"


def _first_lines(finding: CheckFinding, with_texts: bool = False) -> str:
    shown = list(map(str, finding.lines[:_MAX_SHOWN]))
    if with_texts and finding.spans:
        shown = [f"{line} ({span_texts(finding.spans[index], 1)})" for index, line in enumerate(shown)]
    if len(finding.lines) > _MAX_SHOWN:
        shown.append("...")
    return ", ".join(shown)


def check_gates(checked: CheckedSystems, checks: Mapping[str, str]) -> list[WordedGate]:
    """Return the verdict for each check in `checks` and each system, with the findings in words.

    `checks` has the tolerance of each check: the number or the share (such as `1%`) of lines that may have the finding.
    """
    gates: list[WordedGate] = []
    for check, tolerance in checks.items():
        for system in checked.systems:
            findings = [finding for finding in checked.findings
                        if finding.check == check and system in (finding.system, finding.other)]
            sentences = [finding_sentence(finding, system) for finding in findings]
            nothing_found = f"nothing was found in {system} ({CHECKS[check].measured(checked.thresholds[check])})"
            name = f"--fail-on {check}" + (f"={tolerance}" if tolerance != "0" else "")
            gates.append(WordedGate(name, system, "; ".join(sentences) or nothing_found,
                                    all(_is_tolerated(finding, tolerance) for finding in findings)))
    return gates


def _is_tolerated(finding: CheckFinding, tolerance: str) -> bool:
    count = len(finding.lines)
    if tolerance.endswith("%"):
        return 100 * count <= float(tolerance[:-1]) * finding.segments
    return count <= int(tolerance)


def finding_sentence(finding: CheckFinding, system: str = "") -> str:
    """Return a finding as a sentence.

    Args:
        finding: the finding.
        system: one of the finding's systems, which is the subject of the sentence; empty: the finding's first system.
    """
    system = system or finding.system
    other = finding.system if system == finding.other else finding.other
    check = CHECKS[finding.check]
    return (f"{system} has {counted(len(finding.lines), 'line')} ({percent(finding)}) {check.called(other)} "
            f"({check.measured(finding.threshold)}): {'line' if len(finding.lines) == 1 else 'lines'} "
            f"{_first_lines(finding, with_texts=True)}")


def span_texts(spans: Sequence[tuple[int, int, str]], count: int) -> str:
    """Return the first parts of a line that a finding names, as text. If the line lacks a part, "lacks" precedes it.

    Args:
        spans: the start, the end and the text of each part. If the line lacks the part, its start and end are equal.
        count: the maximum number of parts.

    >>> span_texts([(0, 5, "Note:"), (9, 9, "3.5")], 2)
    '“Note:”, lacks “3.5”'
    """
    texts: list[str] = []
    for start, end, text in spans[:count]:
        shown = printable(text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT - 1]}…")
        texts.append(f"{'lacks ' if start == end else ''}“{shown}”")
    return ", ".join(texts) + (", ..." if len(spans) > count else "")


def _found_parts(checked: CheckedSystems, names: dict[str, str]) -> list[Section]:
    """Return a list with a section on the parts of lines that findings name; empty if they name no parts."""
    items: list[tuple[str, str]] = []
    for finding in checked.findings:
        system = f"{names[finding.system]}, " if len(names) > 1 else ""
        items += [(f"{finding.check}, {system}line {line}", span_texts(spans, _MAX_PARTS))
                  for line, spans in list(zip(finding.lines, finding.spans))[:_MAX_LINES]]
    return [Section("Where", items=items)] if items else []


def annotations_of_checks(checked: CheckedSystems, gates: Sequence[WordedGate], checks: Sequence[str]) -> str:
    """Return commands for GitHub: the verdicts of gates, and a warning for each finding of a check without a gate.

    Args:
        checked: the findings.
        gates: the result of `check_gates`.
        checks: the names of the checks that are gates.
    """
    lines = gate_annotations(gates)
    lines += [annotation("warning", finding.check, finding_sentence(finding)) for finding in checked.findings
              if finding.check not in checks]
    lines += [annotation("notice", check, f"the check was not made, because it needs {needed}")
              for check, needed in checked.not_looked_at.items()]
    return "\n".join(lines)


def _findings_as_json(checked: CheckedSystems) -> str:
    """Return the findings as JSON. Each finding is on one line, because a finding may have many line numbers."""
    def as_list(objects: Sequence[dict[str, object]]) -> str:
        lines = ",\n".join([f"  {to_json(one, indent=None, ascii_only=False)}" for one in objects])
        return f"[\n{lines}\n ]" if objects else "[]"

    findings: list[dict[str, object]] = []
    for finding in checked.findings:
        other = {"other": finding.other} if finding.other else {}
        findings.append({"check": finding.check, "system": finding.system, **other,
                         "count": len(finding.lines), "share": finding.share, "threshold": finding.threshold,
                         "lines": list(finding.lines), "values": list(finding.values),
                         "spans": [list(map(list, spans)) for spans in finding.spans]})
    looked_at: list[dict[str, object]] = [
        {"check": name, "threshold": threshold, "measure": CHECKS[name].measured(threshold)}
        for name, threshold in checked.thresholds.items()]
    missing: list[dict[str, object]] = [{"check": name, "needs": needed}
                                        for name, needed in checked.not_looked_at.items()]
    systems = to_json(list(checked.systems), indent=None, ascii_only=False)
    return (f'{{\n "systems": {systems},\n "segments": {checked.segments},\n "findings": {as_list(findings)},\n '
            f'"looked_for": {as_list(looked_at)},\n "not_looked_at": {as_list(missing)}\n}}')


def _records(checked: CheckedSystems) -> Iterator[tuple[object, ...]]:
    """Yield the rows of CSV: one for each finding, and one for each check without a finding in a system.

    A check without a finding has the count 0. A check that could not be made has the count `None`.
    """
    for check in CHECKS:
        for system in checked.systems if check in (*checked.thresholds, *checked.not_looked_at) else ():
            findings = [finding for finding in checked.findings if (finding.check, finding.system) == (check, system)]
            for finding in findings:
                yield (check, system, finding.other, len(finding.lines), finding.share, finding.threshold,
                       " ".join(map(str, finding.lines)))
            if not findings:
                was_looked_at = check in checked.thresholds
                yield (check, system, "", 0 if was_looked_at else None, 0.0 if was_looked_at else None,
                       checked.thresholds.get(check), "")
