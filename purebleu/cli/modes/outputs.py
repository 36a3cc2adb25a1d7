"""The output of a scoring: the text to print, and the files to write."""

from __future__ import annotations

from ..answer import Answer
from .results import results_texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ...report.gates import WordedGate
    from ..arguments.options import Options
    from ..scoring.types import Scored


def write_outputs(options: Options, scored: Scored) -> Answer:
    """The answer with scores or views; writes the files that the options ask for: alignments, a report, gates."""
    gates: Sequence[WordedGate] | None = None
    if options.views:
        from .views import views_text

        text = views_text(options, scored)
    else:
        if options.report:
            from .report import summarized

            summarized(options, scored)
        [text], gates = results_texts(options, scored, [options.format])
    if options.alignments:
        from .alignments import write_alignments

        write_alignments(options, scored)
    if options.report:
        from .report import write_report

        write_report(options, scored)
    if gates is not None:
        from .gates import gated

        return gated(options, text, gates)
    return Answer(text)
