"""Results as strings. Functions from results to text; printing it is the command line's."""

from __future__ import annotations

from functools import partial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    from ..metrics.score import Score

#: The format that adds signatures to JSON of several systems, which sacreBLEU's has none of.
SIGNED_JSON = "json-signed"

JSON_FORMATS = ("json", SIGNED_JSON)

#: What `--format` takes.
FORMATS = (*JSON_FORMATS, "text", "latex", "html", "markdown")

#: What it takes, too: formats with a line for each number, in `delimited`.
DELIMITED_FORMATS = ("csv", "tsv")

#: The format of GitHub's workflow commands, in `gates`.
GITHUB = "github"

#: The format of a whole `table` environment of LaTeX, with its caption, in `paper`.
PAPER = "paper"

#: Those that make a table even of a single system.
TABLE_FORMATS = (SIGNED_JSON, "html", "markdown", *DELIMITED_FORMATS, GITHUB, PAPER)


def system_results(scores: Sequence[Score], form: str, width: int, score_only: bool, short: bool, color: bool,
                   further: Sequence[Mapping[str, object]] = ()) -> str:
    """The scores of one system, one or more, as JSON or as text (which LaTeX is, too).

    Args:
        scores: with their signatures.
        form: one of `FORMATS` without `TABLE_FORMATS`.
        width: the number of decimal places.
        score_only: leave nothing but the numbers.
        short: abbreviate the signatures, but not in JSON, whose members are named after their fields.
        color: set intervals off in text, for terminals.
        further: of each score, members that its JSON has besides.
    """
    signatures = [score.signature.format(short and form != "json") for score in scores]
    if form == "json":
        objects = [score.format(score.places(width), score_only, signature, is_json=True)
                   for score, signature in zip(scores, signatures)]
        if further:
            objects = list(map(_with_members, objects, further))
        return objects[0] if len(objects) == 1 else "[\n" + ",\n".join(objects) + "\n]"
    from .colors import colored

    emphasize = partial(colored, color="cyan") if color else str
    if score_only:
        return "\n".join([score.numbers(score.places(width), emphasize) for score in scores])
    heads = [score.head(signature) for score, signature in zip(scores, signatures)]
    widest = max(map(len, heads))
    return "\n".join([f"{head:>{widest}} = {score.body(score.places(width), emphasize)}"
                      for head, score in zip(heads, scores)])


def _with_members(text: str, members: Mapping[str, object]) -> str:
    """An object of JSON with further members."""
    import json

    from ..runtime.json_writer import to_json

    return to_json({**json.loads(text), **members}, indent=1, ascii_only=False)
