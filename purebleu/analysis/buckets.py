"""Kinds of segments and of words, and F-scores of kinds of words."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import chain

from ..runtime.progress import tracked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Hashable, Sequence, Tuple

    #: For a segment, and each range of frequencies: matched words, words of the output, words of the reference.
    WordRow = Tuple[int, ...]

#: All lengths from this one on share a bucket.
_LONG = 60

#: The lowest frequency of each bucket of words.
FREQUENCIES = (1, 2, 3, 4, 5, 10, 100, 1000)

#: The number of columns of a bucket in a row of `word_rows`.
_COLUMNS = 3


def length_buckets(lengths: Sequence[float]) -> list[tuple[str, list[int]]]:
    """Segments by their lengths: 0 to 9, 10 to 19, and so on, and 60 and more.

    Args:
        lengths: one for each segment.

    Returns:
        For each bucket that has segments, its label and their indices.

    Example:
        >>> length_buckets([3, 12, 75, 8])
        [('0-9', [0, 3]), ('10-19', [1]), ('60+', [2])]
    """
    buckets: dict[int, list[int]] = {}
    for index, length in enumerate(lengths):
        buckets.setdefault(min(int(length) // 10 * 10, _LONG), []).append(index)
    return [(f"{low}+" if low == _LONG else f"{low}-{low + 9}", buckets[low]) for low in sorted(buckets)]


def label_buckets(labels: Sequence[str]) -> list[tuple[str, list[int]]]:
    """Segments by their labels, such as documents or domains, in the order of first appearance.

    >>> label_buckets(["news", "speech", "news"])
    [('news', [0, 2]), ('speech', [1])]
    """
    buckets: dict[str, list[int]] = {}
    for index, label in enumerate(labels):
        buckets.setdefault(label, []).append(index)
    return list(buckets.items())


def frequency_label(index: int) -> str:
    """The label of a bucket of words.

    >>> [frequency_label(index) for index in range(len(FREQUENCIES))]
    ['1', '2', '3', '4', '5-9', '10-99', '100-999', '1000+']
    """
    low = FREQUENCIES[index]
    if index + 1 == len(FREQUENCIES):
        return f"{low}+"
    high = FREQUENCIES[index + 1] - 1
    return f"{low}" if low == high else f"{low}-{high}"


def word_rows(systems: Sequence[Sequence[Sequence[Hashable]]],
              references: Sequence[Sequence[Hashable]]) -> list[list[WordRow]]:
    """Counts of matched words by their frequency in the references: a row for each segment.

    Args:
        systems: for each system, the words of its output, by segment.
        references: the words of a reference, by segment.

    Returns:
        For each system and segment, three numbers for each bucket of `FREQUENCIES`: matched words (clipped), words of
        the output, and words of the reference. Words that no reference has are in no bucket. The rows add up.

    Example:
        >>> word_rows([[["a", "b", "x"]]], [["a", "a", "c"]])[0][0][:6]  # of frequency 1: "c"; of frequency 2: "a"
        (0, 0, 1, 1, 1, 2)
    """
    # For each word, the first column of its bucket.
    columns = {word: _COLUMNS * (bisect_right(FREQUENCIES, count) - 1)
               for word, count in Counter(chain.from_iterable(references)).items()}
    rows_by_system: list[list[WordRow]] = [[] for _ in systems]
    for segment, reference in tracked("matching words", enumerate(references), len(references)):
        reference_row = [0] * (_COLUMNS * len(FREQUENCIES))
        for word in reference:
            reference_row[columns[word] + 2] += 1
        expected = Counter(reference)
        for rows, outputs in zip(rows_by_system, systems):
            row = reference_row[:]
            for word, count in Counter(outputs[segment]).items():
                column = columns.get(word)
                if column is not None:
                    row[column] += min(count, expected[word])
                    row[column + 1] += count
            rows.append(tuple(row))
    return rows_by_system


def word_f_values(totals: Sequence[Sequence[float]]) -> list[Any]:
    """For each resample, a tuple of the F-scores of all buckets, from the column sums of `word_rows`.

    >>> word_f_values([[1, 2], [1, 2], [2, 2]])
    [(66.66666666666667,), (100.0,)]
    """
    buckets = [totals[start:start + _COLUMNS] for start in range(0, len(totals), _COLUMNS)]
    return list(zip(*[map(word_f, zip(*columns)) for columns in buckets]))


def word_f(totals: Sequence[float]) -> float:
    """The F-score of a bucket, from 0 to 100, from the sums of its three columns in `word_rows`.

    Example:
        By hand: 1 of 1 word of the output and 1 of 2 of the reference match; F is 2/3.

        >>> round(word_f([1, 1, 2]), 3)
        66.667
    """
    matched, output_words, reference_words = totals
    return 200 * matched / (output_words + reference_words) if output_words + reference_words else 0.0
