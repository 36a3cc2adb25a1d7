"""Findings of checks: as tables and lists, JSON, lines of numbers, gates, and annotations of GitHub's."""

from __future__ import annotations

from ..checks.table import CHECKS
from .colors import colored
from .gates import WordedGate, annotation, gate_annotations
from .layouts import LAYOUTS, Section
from .tables import fitted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Sequence

    from ..checks.findings import CheckedSystems, CheckFinding
    from .style import Style
    from .tables import Column

#: How many numbers of lines are shown to people.
_MAX_SHOWN = 5

#: The fields of a finding in lines of numbers.
_HEADINGS = ("check", "system", "other", "count", "share", "threshold", "lines")


def check_report(found: CheckedSystems, shown: Sequence[str], style: Style) -> str:
    """The findings in one of the formats of results but GitHub's.

    Args:
        found: the findings.
        shown: what tables call the systems.
        style: that of the tables.
    """
    if style.format.kind == "json":
        return _findings_as_json(found)
    if style.format.kind == "lines":
        from .delimited import delimited

        return delimited(style.form, _HEADINGS, list(_records(found)))
    layout = LAYOUTS[style.form]
    return layout.document([layout.section(section) for section in check_sections(
        found, shown, style.color, style.columns)])


def check_sections(found: CheckedSystems, shown: Sequence[str], color: bool = False,
                   columns: int | None = None) -> list[Section]:
    """The findings as sections: a table, the checks that were made, and those that could not be made.

    Args:
        found: the findings.
        shown: what the table calls the systems.
        color: for terminals.
        columns: the width of the terminal; `None` where lines may have any length.
    """
    names = dict(zip(found.systems, shown))
    systems = len(shown)
    looked_at = f"{found.segments:,} line{'s'[:found.segments > 1]}" + f" of each of {systems} systems" * (systems > 1)
    tables = [fitted(_table_of_findings(found, names, color), columns)] if found.findings else []
    heading = f"Found in {looked_at}:" if tables else f"Nothing was found in {looked_at}."
    sections = [Section("Checks", [heading], tables), *explanations_of_checks(found)]
    if list(shown) != list(found.systems):
        sections.append(Section("Systems", items=list(zip(shown, found.systems))))
    return sections


def explanations_of_checks(found: CheckedSystems) -> list[Section]:
    """The checks that were made, and those that could not be made, as sections."""
    sections = [Section("Looked for", items=[
        (name, f"lines {CHECKS[name].called()}: {CHECKS[name].measured(threshold)}")
        for name, threshold in found.thresholds.items()])]
    if found.not_looked_at:
        sections.append(Section("Not looked at", items=[(name, f"needs {needed}")
                                                        for name, needed in found.not_looked_at.items()]))
    return sections


def _table_of_findings(found: CheckedSystems, names: dict[str, str], color: bool) -> list[Column]:
    findings = found.findings
    table: list[Column] = [("Check", [finding.check for finding in findings])]
    if len(names) > 1:
        table.append(("System", [" = ".join([names[name] for name in (finding.system, finding.other) if name])
                                 for finding in findings]))
    table += [("Lines", [f"{len(finding.lines):,}" for finding in findings]),
              ("Share", [percent(finding) for finding in findings]),
              ("Threshold", [f"{finding.threshold:g}" for finding in findings]),
              ("First lines", [_first_lines(finding) for finding in findings])]
    return [(colored(head, "cyan"), cells) for head, cells in table] if color else table


def percent(finding: CheckFinding) -> str:
    """The share of the lines that were looked at, for people."""
    return f"{100 * finding.share:.2f} %"


def _first_lines(finding: CheckFinding) -> str:
    return ", ".join([*map(str, finding.lines[:_MAX_SHOWN]), *["..."] * (len(finding.lines) > _MAX_SHOWN)])


def check_gates(found: CheckedSystems, checks: Sequence[str]) -> list[WordedGate]:
    """For each of these checks and each system, whether nothing was found, in words."""
    gates: list[WordedGate] = []
    for check in checks:
        for system in found.systems:
            of_system = [finding for finding in found.findings
                         if finding.check == check and system in (finding.system, finding.other)]
            sentences = [finding_sentence(finding, system) for finding in of_system]
            nothing = f"nothing was found in {system} ({CHECKS[check].measured(found.thresholds[check])})"
            gates.append(WordedGate(f"--fail-on {check}", system, "; ".join(sentences) or nothing, not of_system))
    return gates


def finding_sentence(finding: CheckFinding, system: str = "") -> str:
    """A finding in one line.

    Args:
        finding: the finding.
        system: whose it is, where it is of two systems; empty: the first of them.
    """
    system = system or finding.system
    other = finding.system if system == finding.other else finding.other
    count = len(finding.lines)
    check = CHECKS[finding.check]
    return (f"{system} has {count:,} line{'s'[:count > 1]} ({percent(finding)}) {check.called(other)} "
            f"({check.measured(finding.threshold)}): {_first_lines(finding)}")


def annotations_of_checks(found: CheckedSystems, gates: Sequence[WordedGate], checks: Sequence[str]) -> str:
    """Commands for GitHub's workflows: those of gates, and a warning for each finding of a check that is none.

    Args:
        found: the findings.
        gates: as `check_gates` has them.
        checks: the names of the checks that are gates.
    """
    lines = gate_annotations(gates)
    lines += [annotation("warning", finding.check, finding_sentence(finding)) for finding in found.findings
              if finding.check not in checks]
    lines += [annotation("notice", check, f"not looked at: needs {needed}")
              for check, needed in found.not_looked_at.items()]
    return "\n".join(lines)


def _findings_as_json(found: CheckedSystems) -> str:
    """An object of JSON, with each finding on a line: lines of text may be many."""
    from ..runtime.json_writer import to_json

    def as_list(objects: Sequence[dict[str, object]]) -> str:
        lines = ",\n".join([f"  {to_json(one, indent=None, ascii_only=False)}" for one in objects])
        return f"[\n{lines}\n ]" if objects else "[]"

    findings: list[dict[str, object]] = [
        {"check": finding.check, "system": finding.system, **({"other": finding.other} if finding.other else {}),
         "count": len(finding.lines), "share": finding.share, "threshold": finding.threshold,
         "lines": list(finding.lines), "values": list(finding.values)} for finding in found.findings]
    looked_at: list[dict[str, object]] = [
        {"check": name, "threshold": threshold, "measure": CHECKS[name].measured(threshold)}
        for name, threshold in found.thresholds.items()]
    missing: list[dict[str, object]] = [{"check": name, "needs": needed}
                                        for name, needed in found.not_looked_at.items()]
    systems = to_json(list(found.systems), indent=None, ascii_only=False)
    return (f'{{\n "systems": {systems},\n "segments": {found.segments},\n "findings": {as_list(findings)},\n '
            f'"looked_for": {as_list(looked_at)},\n "not_looked_at": {as_list(missing)}\n}}')


def _records(found: CheckedSystems) -> Iterator[tuple[object, ...]]:
    """The fields of `_HEADINGS` for each finding; of what was not found, a count of 0, and of what was not looked at,
    none."""
    for check in CHECKS:
        for system in found.systems if check in (*found.thresholds, *found.not_looked_at) else ():
            of_system = [finding for finding in found.findings if (finding.check, finding.system) == (check, system)]
            for finding in of_system:
                yield (check, system, finding.other, len(finding.lines), finding.share, finding.threshold,
                       " ".join(map(str, finding.lines)))
            if not of_system:
                was_looked_at = check in found.thresholds
                yield (check, system, "", 0 if was_looked_at else None, 0.0 if was_looked_at else None,
                       found.thresholds.get(check), "")
