"""Advice on files with different numbers of lines: where they begin to differ, and what to do."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate

from ..runtime.hints import Any, Sequence
from ..unicode.scripts import words_in
from .warnings import are_subtitles

#: On average, two translations of a line share at least the fraction `_ALIKE` of their words, and lines of unrelated
#: texts share less than the fraction `_UNRELATED`.
_ALIKE = 0.2
_UNRELATED = 0.07

#: Texts are compared in at most `_MAX_PIECES` pieces of at least `_MIN_PIECE_WORDS` words. If two texts agree, the
#: number of shared words is `_FAR_MORE` times as high for corresponding pieces as for other pairs of pieces.
_MAX_PIECES = 40
_MIN_PIECE_WORDS = 50
_FAR_MORE = 1.15

#: Files with more than `_MAX_LINES` lines are not compared. Fewer than `_MIN_LINES` lines can't show that two files are
#: unrelated.
_MAX_LINES = 200_000
_MIN_LINES = 5

#: The highest number of lines per segment for which the lines of a file are probably references.
_MAX_LIKELY_REFERENCES = 8


def advice_on_lengths(streams: Sequence[Any], systems: int, num_refs: int) -> str:
    """Return advice for the end of an error message about different numbers of lines; '' if there is no advice.

    Args:
        streams: the streams of hypotheses, then the streams of references. No line of them has been read yet.
        systems: the number of streams of hypotheses.
        num_refs: the number of references in each line.
    """
    columns = [list(map(_first_text, stream.read(_MAX_LINES))) for stream in streams]
    for stream in streams:
        stream.close()
    subtitles = [stream.name for stream, lines in zip(streams, columns) if are_subtitles(lines)]
    if subtitles:
        return (f"; there are subtitles in {', '.join(subtitles)}: --resegment (or --resegment time) divides outputs "
                "into the blocks of the references, and -m suber compares files with different blocks")
    for output, stream in zip(columns[:systems], streams):
        for reference, reference_stream in zip(columns[systems:], streams[systems:]):
            if len(output) != len(reference) and max(len(output), len(reference)) < _MAX_LINES:
                return _advice(output, stream.name, reference, reference_stream.name, num_refs)
    return ""


def _first_text(value: str | Sequence[str | None] | None) -> str:
    """Return a line, or the first reference with text from a list of references."""
    return value if isinstance(value, str) else next(filter(None, value or ()), "")


def _advice(output: Sequence[str], name: str, reference: Sequence[str], reference_name: str, num_refs: int) -> str:
    named = [(output, name), (reference, reference_name)]
    (shorter, shorter_name), (longer, longer_name) = sorted(named, key=lambda file: len(file[0]))
    if not shorter:
        return ""
    if not any(longer[len(shorter):]):  # (the lines have no white space at their ends)
        surplus = len(longer) - len(shorter)
        if surplus == 1:
            return f"; {longer_name} ends with an empty line, which counts as a segment: remove it"
        return f"; {longer_name} ends with {surplus} empty lines, which count as segments: remove them"
    if len(shorter) + sum([line.count("\r") for line in shorter]) >= len(longer):
        return (f"; {shorter_name} has old Mac line breaks (carriage returns alone): tr '\\r' '\\n' < {shorter_name} "
                "turns them into line feeds")
    words, longer_words = [list(map(_words_of, lines)) for lines in (shorter, longer)]
    same = list(map(_shared, words, longer_words))
    shifted = list(map(_shared, words, longer_words[1:]))
    lines = len(same)
    agree = _words_agree(shorter, longer)
    if lines >= _MIN_LINES and max(sum(same), sum(shifted)) < _UNRELATED * lines and not agree:
        return (f"; {name} and {reference_name} have hardly a word in common: is one of the files wrong, such as "
                "the source?")
    # If the shorter file lacks a line, the lines before the gap match, and each later line matches the next line of the
    # longer file. The most likely index of the gap is the index with the largest sum of matches.
    before = [0.0, *accumulate(same)]
    after = [*accumulate([0.0, *shifted[::-1]])][::-1]
    totals = [unshifted + then_shifted for unshifted, then_shifted in zip(before, after)]
    index = totals.index(max(totals))
    advice = ""
    if after[index] > max(_ALIKE * (lines - index), 2 * (before[-1] - before[index])):
        advice = f"; from line {index + 1} on, line n of {shorter_name} matches line n + 1 of {longer_name}"
    count, rest = divmod(len(reference), len(output))
    if num_refs == 1 and not rest and len(output) > 1 and 1 < count <= _MAX_LIKELY_REFERENCES:
        advice += (f" (if each segment has {count} references, use -nr {count} and put all references of a segment on "
                   "one line, separated by tabs)")
    elif index == lines and before[-1] > _ALIKE * lines:
        return f"; {shorter_name} is cut at the end: its lines match the first {lines} lines of {longer_name}"
    return f"{advice}; --resegment divides outputs into the lines of the references" if agree else advice


def _words_agree(lines: Sequence[str], other_lines: Sequence[str]) -> bool:
    """Return whether two texts have about the same words in the same order, apart from line breaks."""
    words = [word for line in lines for word in words_in(line)]
    other_words = [word for line in other_lines for word in words_in(line)]
    pieces = max(1, min(_MAX_PIECES, len(words) // _MIN_PIECE_WORDS, len(other_words) // _MIN_PIECE_WORDS))
    columns = [_in_pieces(words, pieces), _in_pieces(other_words, pieces)]
    # (All texts of a language share frequent words, and pieces that do not correspond show how many.)
    alike, elsewhere = 0.0, 0.0
    for index, piece in enumerate(columns[0]):
        alike += _shared_words(piece, columns[1][index]) / pieces
        elsewhere += _shared_words(piece, columns[1][index - (pieces + 1) // 2]) / pieces
    return alike > _ALIKE and (pieces == 1 or alike > _FAR_MORE * elsewhere)


def _in_pieces(words: Sequence[str], pieces: int) -> list[Counter[str]]:
    """Cut a text into pieces of equal length, and return the counts of the words in each piece."""
    ends = [len(words) * index // pieces for index in range(pieces + 1)]
    return [Counter(words[start:end]) for start, end in zip(ends, ends[1:])]


def _shared_words(words: Counter[str], other_words: Counter[str]) -> float:
    """Return the number of words that two pieces share, divided by the number of words of the longer piece."""
    return sum((words & other_words).values()) / max(1, sum(words.values()), sum(other_words.values()))


def _words_of(line: str) -> frozenset[str]:
    return frozenset(words_in(line))


def _shared(words: frozenset[str], other_words: frozenset[str]) -> float:
    """Return the share of common words in the longer of two lines; 1 if both lines are empty."""
    return len(words & other_words) / max(1, len(words), len(other_words)) if words else float(not other_words)
