"""What is printed of systems, and what is written beside it."""

from __future__ import annotations

from .results import results_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..arguments.options import Options
    from ..scoring.types import Scored


def told_and_written(options: Options, scored: Scored) -> str:
    """The text that is printed of systems; a report and alignments are written first, if asked for."""
    if options.views:
        from .views import views_text

        text = views_text(options, scored)
    else:
        text = results_text(options, scored)
    if options.alignments:
        from .alignments import write_alignments

        write_alignments(options, scored)
    if options.report:
        from .report import write_report

        write_report(options, scored)
    return text
