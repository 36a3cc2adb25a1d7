"""What is printed of systems, and what is written beside it."""

from __future__ import annotations

from .results import results_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ...metrics.base import Metric
    from ...metrics.score import Score
    from ...rows.stored import Naming
    from ..arguments.options import Options
    from ..scoring.texts import CorpusTexts
    from ..scoring.types import System


def told_and_written(options: Options, metrics: list[Metric[Score]], systems: list[System], inputs: Sequence[str],
                     naming: Naming, texts: CorpusTexts | None) -> str:
    """What is to be printed of systems; a report and alignments are written first, if asked for.

    Args:
        options: those of the command line.
        metrics: in the order of the results.
        systems: one or more.
        inputs: what each system is called.
        naming: where these names come from: as `StoredRows` has it.
        texts: of the corpus; `None` where there are only rows, or where nobody needs it.
    """
    if options.views:
        from .views import views_text

        text = views_text(options, metrics, systems, inputs, naming, texts)
    else:
        text = results_text(options, metrics, systems, inputs, naming)
    if options.alignments:
        assert texts is not None
        from .alignments import write_alignments

        write_alignments(options, metrics, systems, inputs, texts)
    if options.report:
        from .report import write_report

        write_report(options, metrics, systems, inputs, naming, texts)
    return text
