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

#: Average fractions of words that two lines share: at least this much in translations of the same text, and less than
#: this in unrelated texts.
_ALIKE = 0.2
_UNRELATED = 0.07

#: Files of more lines are not searched; fewer lines than the minimum do not show that files are unrelated.
_MAX_LINES = 200_000
_MIN_LINES = 5

#: Segments hardly ever have more references than this.
_MAX_LIKELY_REFERENCES = 8


def advice_on_lengths(options: Options, streams: Sequence[ParallelStream[str]]) -> str:
    """Advice to append to an error about different numbers of lines; may be empty.

    Args:
        options: the options of the run.
        streams: the streams of hypotheses, then those of references, all at their beginning.
    """
    inputs = len(options.input)
    columns = [stream.read(_MAX_LINES) for stream in streams]
    for stream in streams:
        stream.close()
    for output, stream in zip(columns[:inputs], streams):
        for reference, reference_stream in zip(columns[inputs:], streams[inputs:]):
            if len(output) != len(reference) and max(len(output), len(reference)) < _MAX_LINES:
                return _advice(options, output, stream.name, reference, reference_stream.name)
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
    # If a line is missing, lines match as they stand before it, and with a shift by one after it. The best position of
    # that line has the largest sum of both.
    before = [0.0, *accumulate(same)]
    after = [*accumulate([0.0, *shifted[::-1]])][::-1]
    totals = [unshifted + then_shifted for unshifted, then_shifted in zip(before, after)]
    index = totals.index(max(totals))
    advice = ""
    if after[index] > max(_ALIKE * (lines - index), 2 * (before[-1] - before[index])):
        advice = f"; from line {index + 1} on, each line of {shorter_name} matches the next line of {longer_name}"
    count, rest = divmod(len(reference), len(output))
    if options.num_refs == 1 and not rest and len(output) > 1 and 1 < count <= _MAX_LIKELY_REFERENCES:
        advice += f" ({count} references for each segment go in one line, with tabs between, and -nr {count})"
    return f"{advice}; --resegment breaks the lines of outputs anew"


def _words_of(line: str) -> frozenset[str]:
    """The words of a line; in scripts without spaces, its characters."""
    return frozenset(line if lacks_spaces(line) else line.lower().split())


def _shared(words: frozenset[str], other_words: frozenset[str]) -> float:
    """The fraction of their words that two lines share; of two empty lines, 1."""
    return len(words & other_words) / max(1, len(words), len(other_words)) if words else float(not other_words)
