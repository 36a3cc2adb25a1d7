"""The findings of checks in a report's page, with links to their segments."""

from __future__ import annotations

from ..checks import explanations_of_checks, percent
from ..markup import xml_text
from .tables import plain_table, subsection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...checks.findings import CheckFinding
    from .content import Page

#: The number of lines of a finding that have links.
_MAX_LINKS = 20


def checks_content(page: Page) -> str:
    """The findings as a table, the checks that were made, and those that could not be; empty without checks."""
    checked = page.checks
    if checked is None:
        return ""
    systems = len(checked.systems)
    looked_at = f"{checked.segments:,} line{'s'[:checked.segments != 1]}"
    if systems > 1:
        looked_at += f" of each of {systems} systems"
    if not checked.findings:
        parts = [f"<p>Nothing was found in {looked_at}.</p>"]
    else:
        rows = [[finding.check, xml_text(" = ".join(filter(None, (finding.system, finding.other)))),
                 f"{len(finding.lines):,}", percent(finding), f"{finding.threshold:g}", _links(page, finding)]
                for finding in checked.findings]
        heads = ["Check", "System", "Lines", "Share", "Threshold", "First lines"]
        parts = [f"<p>Found in {looked_at}:</p>", plain_table("Findings", heads, rows, 2)]
    return "\n".join([*parts, *map(subsection, explanations_of_checks(checked))])


def _links(page: Page, finding: CheckFinding) -> str:
    """The first line numbers of a finding, with links to the segments that are in the page."""
    shown = {*page.segments["numbers"]}
    links = [f'<a href="#{page.prefix}s{line}">{line}</a>' if line in shown else f"{line}"
             for line in finding.lines[:_MAX_LINKS]]
    return ", ".join(links) + ", ..." * (len(finding.lines) > _MAX_LINKS)
