"""Outputs that end in the middle."""

from __future__ import annotations

from .forms import compared_lengths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from .texts import Against, Found

#: The marks at the end of a sentence, in many scripts, and what may stand behind them.
_FINAL = frozenset(".!?。！？．｡…:：;；।॥؟۔։።၊။~～")
_BEHIND = "\"'”’“‘»«›‹」』)）]】》〉*_ \u00a0\u3000\u200b"

#: Dots in place of the rest, and brackets around a word for it.
_ELLIPSES, _BRACKETS = ("...", "…", "。。。"), (")", "）", "]", "】")

#: The number of lines whose lengths are compared with the source's: spread over all of it.
_MAX_LINES = 400

#: The longest bracket at the end of a line that may say "to be continued"; a longer one says something else.
_MAX_BRACKETED = 20


def has_end(line: str) -> bool:
    """Whether a line has a final mark.

    >>> has_end('He said: "Yes."'), has_end("He said")
    (True, False)
    """
    return line.rstrip(_BEHIND)[-1:] in _FINAL and bool(line.strip(_BEHIND))


def _goes_on(line: str, texts: Sequence[str]) -> bool:
    """Whether a line ends in dots, as no other text does, or in a short text in brackets, and no other text has any."""
    line = line.rstrip()
    if line.endswith(_BRACKETS) and not any(bracket in text for text in texts for bracket in _BRACKETS):
        return max(map(line.rfind, "(（[【")) >= len(line) - _MAX_BRACKETED
    return line.rstrip(_BEHIND).endswith(_ELLIPSES) and not any(
        text.rstrip(_BEHIND).endswith(_ELLIPSES) for text in texts)


def truncated_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """Return the outputs that end in the middle, with the factor by which they are too short, and at least 1.

    They lack a final mark that the source and a reference have; or lack one, and are too short by a factor of at least
    `threshold`; or go on with dots or a bracket. The expected length is the shortest one: of references, and of the
    source (times the median ratio).

    >>> from purebleu.checks.texts import Against
    >>> truncated_lines(["Er war", "Er war hier."], Against(["He was here."] * 2, [["Er war da."] * 2]), 1.4)
    [(0, 1.2)]
    """
    found: Found = []
    lengths_of = compared_lengths(outputs, against, max(1, len(outputs) // _MAX_LINES), with_source=True)
    for index, output in enumerate(outputs):
        has_mark, texts = has_end(output), against.texts_of(index)
        is_cut = _goes_on(output, texts)
        if output.strip() and (is_cut or not has_mark):
            length, expected = lengths_of(index)
            value = min(expected) / length if expected else 1.0
            if not is_cut and value > 1:
                has_source = against.source is not None
                is_cut = value >= threshold or (has_source and has_end(texts[0]) and any(map(has_end, texts[1:])))
            if is_cut:
                found.append((index, max(value, 1.0)))
    return found
