"""Advice where files have different numbers of lines: the line where they diverge, and a remedy."""

from __future__ import annotations

import os
from itertools import accumulate

from ...files.forms import column_of
from ...unicode.scripts import lacks_spaces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ...files.text import ParallelStream
    from ..arguments.options import Options

#: Lines are of the same text where they share this part of their words on average, and unrelated below the other one.
_ALIKE = 0.2
_UNRELATED = 0.07

#: Larger files are not searched; and fewer lines do not show that files are unrelated.
_MAX_LINES = 200_000
_MIN_LINES = 5

#: Segments hardly have more references than this.
_MOST_REFERENCES = 8


def advice_on_lengths(options: Options, streams: Sequence[ParallelStream[str]]) -> str:
    """Advice that ends an error on different numbers of lines; may be empty.

    Args:
        options: those of the run.
        streams: those of hypotheses, and then of references, from their beginning.
    """
    inputs = len(options.input)
    columns = [stream.read(_MAX_LINES) for stream in streams]
    for stream in streams:
        stream.close()
    for output, stream in zip(columns[:inputs], streams):
        for reference, of_references in zip(columns[inputs:], streams[inputs:]):
            if len(output) != len(reference) and max(len(output), len(reference)) < _MAX_LINES:
                return _advice(options, output, stream.name, reference, of_references.name)
    return ""


def can_be_read_again(options: Options) -> bool:
    """Whether hypotheses and references are held in memory or in files."""
    paths = [column_of(name).path for name in [*options.input, *options.references]]
    return bool(options.input) and (options.texts is not None
                                    or all(path is not None and os.path.isfile(path) for path in paths))


def _advice(options: Options, output: Sequence[str], name: str, reference: Sequence[str], reference_name: str) -> str:
    words, reference_words = [list(map(_words_of, lines)) for lines in (output, reference)]
    shorter, longer = (words, reference_words) if len(output) < len(reference) else (reference_words, words)
    shorter_name, longer_name = (name, reference_name) if len(output) < len(reference) else (reference_name, name)
    same = list(map(_shared, shorter, longer))
    shifted = list(map(_shared, shorter, longer[1:]))
    lines = len(same)
    if not lines:
        return ""
    if lines >= _MIN_LINES and max(sum(same), sum(shifted)) < _UNRELATED * lines:
        return (f"; {name} and {reference_name} hardly have a word in common: is one of them another file, such as the "
                "source?")
    # The line to shift from: of all lines, the one that makes most lines alike.
    before = [0.0, *accumulate(same)]
    after = [*accumulate([0.0, *shifted[::-1]])][::-1]
    alike = [first + then for first, then in zip(before, after)]
    place = alike.index(max(alike))
    told = ""
    if after[place] > max(_ALIKE * (lines - place), 2 * (before[-1] - before[place])):
        told = f"; from line {place + 1} on, each line of {shorter_name} matches the next line of {longer_name}"
    count, rest = divmod(len(reference), len(output))
    if options.num_refs == 1 and not rest and len(output) > 1 and 1 < count <= _MOST_REFERENCES:
        told += f" ({count} references for each segment go in one line, with tabs between, and -nr {count})"
    return f"{told}; --resegment breaks the lines of outputs anew"


def _words_of(line: str) -> frozenset[str]:
    """The words of a line; in scripts without spaces, its characters."""
    return frozenset(line if lacks_spaces(line) else line.lower().split())


def _shared(words: frozenset[str], others: frozenset[str]) -> float:
    """The part of the words that both lines have."""
    return len(words & others) / max(1, len(words), len(others)) if words else float(not others)
