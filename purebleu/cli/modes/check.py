"""`--check`: faults in outputs, found with the help of their source and references, instead of scores."""

from __future__ import annotations

from ...errors import OptionError
from ...report import GITHUB
from ...report.checks import annotations_of_checks, check_gates, check_report
from ...report.names import short_names
from ..scoring.checks import InputChecks
from ..scoring.corpus import read_blocks
from ..scoring.naming import naming_of, shown_names, system_inputs
from ..scoring.types import CorpusTexts
from .findings import findings_in
from .gates import add_to_summary, gated
from .results import NOTHING_LEFT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..answer import Answer
    from ..arguments.options import Options


def check_outputs(options: Options) -> Answer:
    """The findings of the checks in all systems; where there are gates, the exit code says whether they pass."""
    texts = CorpusTexts([])
    for block in read_blocks(options, texts.listed, InputChecks(samples=True)):
        texts.see(block)
    if not texts.outputs:
        raise OptionError(NOTHING_LEFT)
    naming = naming_of(options)
    names = shown_names(options, system_inputs(options, len(texts.outputs)), naming)
    findings = findings_in(options, names, texts)
    shown = short_names(names) if naming == "files" else names
    gates = check_gates(findings, options.fail_on)
    if options.format == GITHUB:
        add_to_summary(check_report(findings, shown, options.style.in_format("markdown")), gates)
        return gated(options, annotations_of_checks(findings, gates, options.fail_on), gates)
    text = check_report(findings, shown, options.style)
    return gated(options, text, gates)
