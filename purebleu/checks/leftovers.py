"""Outputs with leftovers of processing: escapes, entities, pieces, special tokens."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern
    from typing import Sequence

    from .against import Against, Found

#: Bytes from 0x80 to 0xBF as Latin-1 and Windows-1252 show them, but for spaces and quotation marks, which may well
#: follow a letter.
_CONTINUED = "\u0080-\u009f\u00a1-\u00aa\u00ac-\u00ba\u00bc-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ•˜™šœžŸ"

#: The leftovers that are looked for, as parts of a regular expression.
_LEFTOVERS = (
    r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|\#[0-9]{1,7}|\#[xX][0-9A-Fa-f]{1,6});",  # entities of HTML and XML
    r"@-@|@[.,/]@|@@(?!\S)|▁|￭|⁇",  # joints of tokens and pieces: Moses, BPE, SentencePiece, OpenNMT
    r"</?s>|<(?:unk|UNK|pad|PAD|bos|BOS|eos|EOS|mask|MASK|0x[0-9A-F]{2}|\|[a-z_]{1,30}\|)>",  # special tokens
    r"\[(?:UNK|PAD|CLS|SEP|MASK)\]",  # those of BERT
    r"\\(?:[nrt\"']|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})",  # escapes of JSON and of programs
    # UTF-8 that was read as Latin-1 or Windows-1252: characters of two bytes, of three, and emoji; and the replacement
    # character, for bytes that could not be read.
    rf"[ÂÃ][{_CONTINUED}]|(?:[ÐÑ][{_CONTINUED}]){{2}}|[à-ï][{_CONTINUED}“”]{{2}}|â€[{_CONTINUED}“”]?|ðŸ|\ufffd",
)


#: The first characters of all leftovers.
_STARTS = r"[&@▁￭⁇<\[\\ÂÃÐÑà-ð\ufffd]"


@lru_cache(maxsize=None)
def _leftovers_patterns() -> tuple[Pattern[str], Pattern[str]]:
    """The pattern of a first character, which is far faster to search for, and that of whole leftovers."""
    import re

    return re.compile(_STARTS), re.compile("|".join(_LEFTOVERS))


def escaped_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    r"""The outputs with entities, escapes, special tokens or garbled characters, with the number of these.

    Only those are counted that the output has more often than the source and each reference of the segment.

    >>> from purebleu.checks.against import Against
    >>> escaped_lines([r"He &amp; I\n", "a &lt; b"], Against(["Er und ich", "a &lt; b"]), 1)
    [(0, 2)]
    """
    first, whole = _leftovers_patterns()
    find = whole.findall
    found: Found = []
    for index, output in enumerate(outputs):
        counts = Counter(find(output)) if first.search(output) else None
        if counts:
            expected: Counter[str] = Counter()
            for text in against.texts_of(index):
                expected |= Counter(find(text))
            count = sum((counts - expected).values())
            if count >= threshold:
                found.append((index, count))
    return found
