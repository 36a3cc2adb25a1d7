"""Results as strings. Functions from results to text; printing it is the command line's."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ..metrics.score import Score

#: The format that adds signatures to JSON of several systems, which sacreBLEU's has none of.
SIGNED_JSON = "json-signed"

JSON_FORMATS = ("json", SIGNED_JSON)

#: What `--format` takes.
FORMATS = (*JSON_FORMATS, "text", "latex", "html", "markdown")

#: Those that make a table even of a single system.
TABLE_FORMATS = (SIGNED_JSON, "html", "markdown")


def system_results(scores: Sequence[Score], form: str, width: int, score_only: bool, short: bool, color: bool) -> str:
    """The scores of one system, one or more, as JSON or as text (which LaTeX is, too), with `width` decimal places.

    `score_only` leaves nothing but the numbers; `short` abbreviates the signatures, but not in JSON, whose members are
    named after their fields. `color` is for terminals, and sets intervals off in text.
    """
    is_json = form == "json"
    results = []
    for score in scores:
        signature = score.signature.format(short and not is_json) if score.signature else ""
        result = score.format(width, score_only, signature, is_json)
        results.append(_with_colored_interval(result) if color and not is_json else result)
    if len(results) == 1:
        return results[0]
    return "[\n" + ",\n".join(results) + "\n]" if is_json else "\n".join(_aligned(results))


def part_results(results: Sequence[tuple[str, int, Score]], width: int, color: bool) -> str:
    """A line for each part of a test set under each metric: what it is called, how many segments it has, its score."""
    from .tables import colored

    widest = max([len(label) for label, _, _ in results]) + 1
    widest_name = max([len(score.name) for _, _, score in results])
    lines = []
    for label, segments, score in results:
        padded = label.ljust(widest)
        lines.append(f"{colored(padded, 'yellow') if color else padded}: sentences={segments:<6} "
                     f"{score.name:<{widest_name}} = {score.score:.{width}f}")
    return "\n".join(lines)


def _with_colored_interval(line: str) -> str:
    from .tables import colored

    before, start, rest = line.partition("(μ = ")
    interval, end, after = rest.partition(")")
    return before + colored(start + interval + end, "cyan") + after if start else line


def _aligned(lines: Sequence[str]) -> list[str]:
    """The lines, moved to the right until their equals signs stand below each other.

    >>> _aligned(["BLEU = 36.5", "chrF2 = 63.9", "12.3"])
    [' BLEU = 36.5', 'chrF2 = 63.9', '12.3']
    """
    places = [line.find("=") for line in lines]
    return [" " * (max(places) - place) + line if place >= 0 else line for line, place in zip(lines, places)]
