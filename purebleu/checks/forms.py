"""Find outputs that are blank, too long or short, in another script or language, tokenized, or cut off."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from functools import lru_cache
from itertools import chain

from ..runtime.hints import Callable, CharacterTable, Iterable, Sequence
from ..unicode.letters import SCRIPT_RUNS, SCRIPTS_OF_RUNS
from ..unicode.properties import boundaries_of, code_points
from ..unicode.scripts import UNSPACED_BLOCKS, is_in, unspaced_characters
from .texts import Against, Found, sampled, visible_characters

# Lengths

#: The number that is added to two lengths before the lengths are compared. (The lengths of short lines often differ by
#: a large factor.)
_MARGIN = 10


def empty_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """Return the outputs with at most `threshold` visible characters, each with the number of these characters.

    A segment does not count if its source or a reference also has at most `threshold` visible characters.

    >>> from purebleu.checks.texts import Against
    >>> empty_lines(["a", " ", ""], Against(["A", "B", ""]), 0)
    [(1, 0)]
    """
    found: Found = []
    for index, output in enumerate(outputs):
        length = len(visible_characters(output))
        if length <= threshold and not any(len(visible_characters(text)) <= threshold
                                           for text in against.texts_of(index)):
            found.append((index, length))
    return found


def outlying_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """Return the outputs whose length is far from the expected length, with the factor between the two lengths.

    A length is the number of visible characters (in scripts without spaces between words, twice that number), plus ten.
    The expected length is the length of the closest reference. If a segment has no reference, the expected length is
    the length of the source times the median ratio of outputs to sources. Blank outputs do not count.

    >>> from purebleu.checks.texts import Against
    >>> outlying_lines(["a" * 40, "a" * 90], Against(None, [["b" * 40] * 2]), 2)
    [(1, 2.0)]
    """
    found: Found = []
    lengths_of = compared_lengths(outputs, against)
    for index, output in enumerate(outputs):
        length, expected = lengths_of(index)
        if expected and visible_characters(output):
            value = min([max(length / other, other / length) for other in expected])
            if value >= threshold:
                found.append((index, value))
    return found


def compared_lengths(outputs: Sequence[str], against: Against,
                     with_source: bool = False) -> Callable[[int], tuple[float, list[float]]]:
    """Return a function that takes the index of an output, and returns the output's length and expected lengths.

    `_MARGIN` is added to all lengths that the function returns.

    Args:
        outputs: the outputs.
        against: the references and the source.
        with_source: whether an expected length is also computed from the source if there are references. If
            `with_source` is true, the median ratio is computed from a sample of segments.
    """
    source = against.source

    @lru_cache(maxsize=1)
    def ratio() -> float:
        pairs = list(zip(outputs, source or ()))
        return _median_ratio(sampled(pairs) if with_source else pairs)

    def lengths(index: int) -> tuple[float, list[float]]:
        expected = [float(text_length(text)) for text in against.references_of(index)]
        if source is not None and (with_source or not expected):
            expected.append(ratio() * text_length(source[index]))
        return text_length(outputs[index]) + _MARGIN, [other + _MARGIN for other in expected]

    return lengths


def text_length(line: str) -> int:
    """Return the number of visible characters of a line. Characters of scripts without spaces count twice."""
    return len(visible_characters(line)) + unspaced_characters(line)


def _median_ratio(pairs: Sequence[tuple[str, str]]) -> float:
    """Return the median ratio of the lengths of outputs to the lengths of their sources.

    Pairs with a blank line are skipped. If all pairs are skipped, the ratio is 1.
    """
    ratios: list[float] = []
    for output, source in pairs:
        output_length, source_length = text_length(output), text_length(source)
        if output_length and source_length:
            ratios.append(output_length / source_length)
    return sorted(ratios)[len(ratios) // 2] if ratios else 1.0


# Scripts

#: The references are in a script if the script has at least this share of all their letters. (In Chinese text, up to a
#: tenth of all letters are the Latin letters of names. In Japanese text, a third of all letters are kana.)
_AT_HOME = 0.2

#: Lines with fewer letters than this are not checked. ("OK" and "TV" are the same in all languages.)
_MIN_LETTERS = 4

#: The character that replaces characters that are not letters.
_NO_LETTER = "\0"


class _Scripts(CharacterTable):
    """A table for `str.translate` that replaces a letter by `chr(number)`, with the number of the letter's script."""

    def __init__(self) -> None:
        super().__init__()
        self._starts = boundaries_of(SCRIPT_RUNS)
        self._scripts = code_points(SCRIPTS_OF_RUNS)

    def __missing__(self, code: int) -> str:
        self[code] = chr(self._scripts[bisect_right(self._starts, code) - 1])
        return self[code]


def scripts_at_home(against: Against) -> str:
    """Return the scripts of the references, each as the character by which `_Scripts` replaces its letters.

    >>> from purebleu.checks.texts import Against
    >>> len(scripts_at_home(Against(None, [["テレビを見る見る (TV)"]])))  # Han, kana, Latin
    3
    """
    table = _Scripts()
    counts: Counter[str] = Counter()
    for line in against.all_references():
        counts.update(line.translate(table))
    del counts[_NO_LETTER]
    letters = sum(counts.values())
    return "".join(sorted([script for script, count in counts.items() if count >= _AT_HOME * letters]))


def foreign_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """Return the outputs in foreign scripts (which references do not have), with the share of letters in these scripts.

    From this share, the highest share of foreign letters in a reference of the segment is subtracted. Lines with fewer
    than four letters do not count.

    >>> from purebleu.checks.texts import Against
    >>> foreign_lines(["Где он был", "Where? (Где?)"], Against(None, [["Where was he?"] * 2]), 0.6)
    [(0, 1.0)]
    """
    table, home = _Scripts(), against.cached(scripts_at_home)
    if not home:
        return []  # (there are no references, or no script has enough letters in them)
    found: Found = []
    for index, output in enumerate(outputs):
        share = _foreign_share(output, table, home)
        if share >= threshold:
            share -= max([_foreign_share(text, table, home, 1) for text in against.references_of(index)], default=0.0)
            if share >= threshold:
                found.append((index, share))
    return found


def _foreign_share(line: str, table: CharacterTable, home: str, min_letters: int = _MIN_LETTERS) -> float:
    """Return the share of letters in scripts other than `home`; 0 if the line has fewer than `min_letters` letters."""
    scripts = line.translate(table)
    letters = len(scripts) - scripts.count(_NO_LETTER)
    if letters < min_letters:
        return 0.0
    return (letters - sum([scripts.count(script) for script in home])) / letters


# Languages: the n-grams of an output are compared with the n-grams of references, source and systems

#: The order of n-grams of characters.
_ORDER = 3

#: Lines with fewer n-grams than this are not checked. In scripts without spaces between words, each n-gram counts as
#: three.
_MIN_NGRAMS = 24

#: The number that is added to all counts, so that no count is 0.
_ADDED = 0.5

#: A whole system is in another language if the share of its unknown n-grams is above `_TIMES` times the usual share
#: plus `_MORE`. (For the usual share, the references are split into halves: it is the share of n-grams in one half that
#: do not occur in the other half.)
_TIMES, _MORE = 1.5, 0.1


def _ngrams_in(line: str) -> list[str]:
    text = f" {line.lower().strip()} "
    return [text[start:start + _ORDER] for start in range(len(text) - _ORDER + 1)]


def _counts_of(lines: Iterable[str]) -> Counter[str]:
    return Counter(chain.from_iterable(map(_ngrams_in, lines)))


class _Ratios:
    """The logarithm of the ratio between the frequencies of each n-gram in two texts.

    (The logarithms are integers, in millionths, because sums of integers are the same on every machine.)
    """

    def __init__(self, foreign: Counter[str], home: Counter[str]) -> None:
        different = _ADDED * len({*foreign, *home})
        unknown = math.log((sum(home.values()) + different) / (sum(foreign.values()) + different))
        self._unknown = round(unknown * 1e6)
        self._ratios = {ngram: round((math.log((foreign[ngram] + _ADDED) / (home[ngram] + _ADDED)) + unknown) * 1e6)
                        for ngram in {*foreign, *home}}

    def mean(self, line: str) -> float:
        """Return the mean of the logarithms of a line's n-grams; 0 if the line is too short."""
        ngrams = _ngrams_in(line)
        if len(ngrams) < _MIN_NGRAMS and len(ngrams) + 2 * unspaced_characters(line) < _MIN_NGRAMS:
            return 0.0
        get, unknown = self._ratios.get, self._unknown
        return sum([get(ngram, unknown) for ngram in ngrams]) / len(ngrams) / 1e6


def _unknown_share(counts: Counter[str], known: Counter[str]) -> float:
    """Return the share of n-grams in `counts` that `known` lacks."""
    return sum([count for ngram, count in counts.items() if ngram not in known]) / max(1, sum(counts.values()))


def _ratios_against(against: Against) -> list[_Ratios]:
    """Return `_Ratios` between the source (and each system in another language) and the references."""
    lines: list[str] = []
    for stream in against.references:
        lines += [line for line in sampled(stream) if line is not None]
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

    For each 3-gram of characters, `_Ratios` has the logarithm of the ratio between its frequencies in the source (or
    the other system) and in all references. The value of an output is the mean of the logarithms of its 3-grams, minus
    the highest mean of a reference of the segment (if this mean is above 0).
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


# Punctuation marks and spaces

#: Marks that follow a word without a space, and marks that precede a word without a space, in all languages. (Other
#: marks, such as the exclamation mark, have a space before them in French.)
_CLOSING = frozenset(".,)]。、，！？；：）」』")
_OPENING = frozenset("([（「『")
_MARKS = _CLOSING | _OPENING

#: In scripts without spaces, the number of possible spaces is the number of characters divided by this number. (Few
#: words are longer.)
_CHARACTERS_PER_SPACE = 4

#: In scripts without spaces, the spaces of a line are ignored if their number is below this. (Some spaces separate
#: names or phrases.)
_MIN_SPACES = 3


def tokenized_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """Return the outputs that separate marks from words more often, or less often, than each of their references.

    The value is the difference between the shares of separate marks in the output and in the closest reference. A mark
    is separate if there is a space between the mark and its word. If a reference has no marks, the share in all
    references is used. In scripts without spaces, the shares of positions with a space are also compared, and the
    larger difference counts.

    >>> from purebleu.checks.texts import Against
    >>> tokenized_lines(["Yes , I know .", "Yes, I know."], Against(None, [["Yes, he knows."] * 2]), 0.5)
    [(0, 1.0)]
    """
    usual = against.cached(share_of_separate_marks)
    found: Found = []
    for index, output in enumerate(outputs):
        # (A fast test comes first: if references do not separate marks, only lines with separate marks can be found.)
        if usual < threshold and _MARKS.isdisjoint(output.split()) and not unspaced_characters(output):
            continue
        references = list(map(_line_counts, against.references_of(index)))
        marks, spaces = _line_counts(output)
        value = max(_difference(marks, [reference_marks for reference_marks, _ in references], usual),
                    _difference(spaces, [reference_spaces for _, reference_spaces in references], 0.0))
        if value >= threshold:
            found.append((index, value))
    return found


def share_of_separate_marks(against: Against) -> float:
    """Return the share of marks in all references that spaces separate from their words.

    >>> from purebleu.checks.texts import Against
    >>> [share_of_separate_marks(Against(None, [[line]])) for line in ("Yes , I know .", "Yes, I know.")]
    [1.0, 0.0]
    """
    separate = places = 0
    for line in against.all_references():
        line_separate, line_places = _mark_counts(line.split())
        separate += line_separate
        places += line_places
    return separate / places if places else 0.0


def _difference(output: tuple[int, int], references: Sequence[tuple[int, int]], usual: float) -> float:
    """Return the difference between the shares of spaces in an output and in the closest reference.

    Each pair has the number of positions with a space, and the number of positions that could have a space. If a
    reference has no position that could have a space, its share is `usual`.
    """
    if not output[1]:
        return 0.0
    share = output[0] / output[1]
    shares = [separate / places if places else usual for separate, places in references]
    return min([abs(share - reference_share) for reference_share in shares], default=0.0)


def _line_counts(line: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the counts of `_mark_counts`, and (for a script without spaces) the counts of `_space_counts`."""
    words = line.split()
    unspaced = unspaced_characters(line)
    return _mark_counts(words), _space_counts(words, unspaced) if unspaced else (0, 0)


def _mark_counts(words: Sequence[str]) -> tuple[int, int]:
    """Return the number of marks that spaces separate from their words, and the number of all marks.

    A closing mark at the start of the line, or an opening mark at its end, belongs to no word and is not counted.
    """
    separate = sum([word in _CLOSING for word in words[1:]]) + sum([word in _OPENING for word in words[:-1]])
    longer = [word for word in words if len(word) > 1]
    attached = sum([word[-1] in _CLOSING for word in longer]) + sum([word[0] in _OPENING for word in longer])
    return separate, separate + attached


def _space_counts(words: Sequence[str], unspaced: int) -> tuple[int, int]:
    """Return the number of spaces between characters of `UNSPACED_BLOCKS`, and the number of possible spaces.

    `unspaced` is the number of characters of `UNSPACED_BLOCKS` in all words.
    """
    spaces = sum([is_in(before[-1], UNSPACED_BLOCKS) and is_in(word[0], UNSPACED_BLOCKS)
                  for before, word in zip(words, words[1:])])
    if spaces < _MIN_SPACES:
        return 0, 0
    return spaces, max(spaces, unspaced // _CHARACTERS_PER_SPACE)


# Ends

#: The marks at the end of a sentence, in many scripts; and characters that may follow such a mark.
_FINAL = frozenset(".!?。！？．｡…:：;；।॥؟۔։።၊။។៕།༎~～")
_BEHIND = "\"'”’“‘»«›‹」』)）]】》〉*_ \u00a0\u3000\u200b"

#: Endings of a line whose text is not complete: dots, and closing brackets (after a word such as "continued").
_ELLIPSES, _BRACKETS = ("...", "…", "。。。"), (")", "）", "]", "】")

#: A text in brackets at the end of a line may mean "to be continued" if it has at most this many characters.
_MAX_BRACKETED = 20


def has_end(line: str) -> bool:
    """Return whether a line has a final mark.

    >>> has_end('He said: "Yes."'), has_end("He said")
    (True, False)
    """
    return line.rstrip(_BEHIND)[-1:] in _FINAL and bool(line.strip(_BEHIND))


def _goes_on(line: str, texts: Sequence[str]) -> bool:
    """Return whether a line ends in dots (and no text does) or in a short text in brackets (no text has brackets)."""
    line = line.rstrip()
    if line.endswith(_BRACKETS) and not any(bracket in text for text in texts for bracket in _BRACKETS):
        return max(map(line.rfind, "(（[【")) >= len(line) - _MAX_BRACKETED
    return line.rstrip(_BEHIND).endswith(_ELLIPSES) and not any(
        text.rstrip(_BEHIND).endswith(_ELLIPSES) for text in texts)


def truncated_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """Return the outputs that end in the middle of a text, with the factor by which they are too short (at least 1).

    Outputs that end in dots or brackets, unlike their source and references, are returned. An output without a final
    mark is returned if it is too short by a factor of at least `threshold`. Any factor above 1 is enough if the source
    and a reference have a final mark. The expected length is the length of the shortest reference, or the source's
    length times the median ratio if this product is smaller.

    >>> from purebleu.checks.texts import Against
    >>> truncated_lines(["Er war", "Er war hier."], Against(["He was here."] * 2, [["Er war da."] * 2]), 1.4)
    [(0, 1.2)]
    """
    found: Found = []
    lengths_of = compared_lengths(outputs, against, with_source=True)
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
