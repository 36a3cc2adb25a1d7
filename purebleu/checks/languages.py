"""Outputs in another language than their references: their n-grams are compared with those of the run's texts."""

from __future__ import annotations

import math
from collections import Counter
from itertools import chain

from ..unicode.scripts import unspaced_characters
from .texts import sampled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Sequence

    from .texts import Against, Found

#: The order of n-grams.
_ORDER = 3

#: Lines with fewer n-grams are not judged. In scripts without spaces between words, n-grams count three times.
_MIN_NGRAMS = 24

#: The number that is added to all counts, so that none is 0.
_ADDED = 0.5

#: A system is in another language as a whole if many of its n-grams are in no reference: if their share exceeds
#: `_TIMES` times the usual one (of n-grams in half of the references that the other half lacks), plus `_MORE`.
_TIMES, _MORE = 1.5, 0.1


def _ngrams(line: str) -> list[str]:
    text = f" {line.lower().strip()} "
    return [text[start:start + _ORDER] for start in range(len(text) - _ORDER + 1)]


def _counts_of(lines: Iterable[str]) -> Counter[str]:
    return Counter(chain.from_iterable(map(_ngrams, lines)))


class _Ratios:
    """The logarithms of the ratios between the frequencies of n-grams in two texts, in millionths.

    (Sums of integers are the same on every machine.)
    """

    def __init__(self, foreign: Counter[str], home: Counter[str]) -> None:
        different = _ADDED * len({*foreign, *home})
        unknown = math.log((sum(home.values()) + different) / (sum(foreign.values()) + different))
        self._unknown = round(unknown * 1e6)
        self._ratios = {ngram: round((math.log((foreign[ngram] + _ADDED) / (home[ngram] + _ADDED)) + unknown) * 1e6)
                        for ngram in {*foreign, *home}}

    def mean(self, line: str) -> float:
        """Return the mean of the n-grams of a line; 0 if it is too short to judge."""
        ngrams = _ngrams(line)
        if len(ngrams) < _MIN_NGRAMS and len(ngrams) + 2 * unspaced_characters(line) < _MIN_NGRAMS:
            return 0.0
        get, unknown = self._ratios.get, self._unknown
        return sum([get(ngram, unknown) for ngram in ngrams]) / len(ngrams) / 1e6


def _unknown_share(counts: Counter[str], known: Counter[str]) -> float:
    """Return the share of n-grams that are not known."""
    return sum([count for ngram, count in counts.items() if ngram not in known]) / max(1, sum(counts.values()))


def _ratios_against(against: Against) -> list[_Ratios]:
    """Return the ratios of the source, and of each system in another language, to the references."""
    lines = [line for stream in against.references for line in sampled(stream) if line is not None]
    half, home = _counts_of(lines[::2]), _counts_of(lines[1::2])
    usual = _unknown_share(home, half)
    home.update(half)
    foreign = [] if against.source is None else [_counts_of(sampled(against.source))]
    for system in against.systems:
        counts = _counts_of(sampled(system)[::2])
        if _unknown_share(counts, half) > _TIMES * usual + _MORE:
            foreign.append(counts)
    return [_Ratios(counts, home) for counts in foreign if counts and home]


def wrong_language_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """Return the outputs that are more similar to the source, or to a system in another language, than to references.

    Each 3-gram of characters has a logarithm: that of the ratio between its frequencies in this other text and in all
    references. The value of an output is the mean over its 3-grams, minus the highest mean of its references if that is
    above 0.
    """
    ratios = against.cached(_ratios_against)
    found: Found = []
    for index, output in enumerate(outputs):
        value = 0.0
        for ratio in ratios:
            mean = ratio.mean(output)
            if mean >= threshold:
                of_references: list[float] = [ratio.mean(text) for text in against.references_of(index)]
                value = max(value, mean - max([0.0, *of_references]))
        if value >= threshold:
            found.append((index, value))
    return found
