"""Results as strings. Functions from results to text; printing it is the command line's."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..metrics.score import Score

#: What `--format` takes.
FORMATS = ("json", "text")


def system_result(score: Score, form: str, width: int, score_only: bool, short: bool) -> str:
    """The score of one system in one of `FORMATS`, with `width` decimal places.

    `score_only` leaves nothing but the number; `short` abbreviates the signature, but not in JSON, whose members are
    named after its fields.
    """
    is_json = form == "json"
    signature = score.signature.format(short and not is_json) if score.signature else ""
    return score.format(width, score_only, signature, is_json)
