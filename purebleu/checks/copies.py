"""Find outputs that are copies (of the source, of a reference or of other outputs), and outputs with loops."""

from __future__ import annotations

from collections import Counter

from ..runtime.blocks import BLOCK_SEGMENTS, slices
from ..runtime.hints import Hashable, Sequence
from .texts import Against, Found, has_words, visible_characters, words_or_characters

#: Lines with fewer words than this are not checked. (A short line may be the same in two languages, or a translation of
#: several sources.)
_MIN_WORDS = 3

#: Two sources may have the same translation if the chrF2 between them is at least this number.
_ALIKE = 40

#: The maximum number of sources that are compared for an output, and the maximum count of different sources.
_MAX_COMPARED, _MAX_DIFFERENT = 200, 20


def copied_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """Return the indices of outputs that are nearly the same as their source, with their chrF2 against the source.

    Lines of fewer than three words do not count. Segments with a reference that is nearly the same as the source do not
    count either.

    >>> from purebleu.checks.texts import Against
    >>> copied_lines(["He is at home.", "Er ist zu Hause."], Against(["He is at home."] * 2), 90)
    [(0, 100.0)]
    """
    source = against.source
    assert source is not None
    values = chrf_of_lines(outputs, source)
    found = [(index, value) for index, value in enumerate(values)
             if value >= threshold and has_words(outputs[index], _MIN_WORDS)]
    for stream in against.references:
        references = [stream[index] or "" for index, _ in found]
        reference_values = chrf_of_lines(references, [source[index] for index, _ in found])
        found = [copy for copy, value in zip(found, reference_values) if value < threshold]
    return found


def chrf_of_lines(texts: Sequence[str], others: Sequence[str]) -> list[float]:
    """Return the chrF2 of each text against the text in `others` with the same index."""
    from ..metrics.chrf import CHRF
    from ..metrics.evaluation import References

    metric = CHRF()
    return [metric.value(row) for indices in slices(len(texts), BLOCK_SEGMENTS)
            for row in metric.block_statistics(texts[indices], References(metric, [others[indices]]))]


def repeated_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """Return the outputs that several segments share, with the number of different sources of these segments.

    Similar sources (with a chrF2 of 40 or more) count once. The references in each stream are counted in the same way.
    The lowest count is returned, because equal sources or references justify equal outputs. Counting ends at 20, or at
    the threshold if the threshold is higher. Lines of fewer than three words do not count.

    >>> from purebleu.checks.texts import Against
    >>> repeated_lines(["We are here."] * 3 + ["Yes."] * 2, Against(["Ja.", "Nein.", "Wo?", "A", "B"]), 3)
    [(0, 3), (1, 3), (2, 3)]
    """
    streams: list[Sequence[str | None]] = list(against.references)
    if against.source is not None:
        streams.append(against.source)
    indices: dict[str, list[int]] = {}
    for index, output in enumerate(outputs):
        indices.setdefault(output, []).append(index)
    found: Found = []
    for output, segments in indices.items():
        if len(segments) >= threshold and has_words(output, _MIN_WORDS):
            count = min([_different_texts(stream, segments, threshold) for stream in streams])
            if count >= threshold:
                found += [(index, count) for index in segments]
    return sorted(found)


def _different_texts(stream: Sequence[str | None], segments: Sequence[int], threshold: float) -> int:
    """Count the different texts of segments, up to `_MAX_DIFFERENT` or a higher threshold. Similar texts count once."""
    different: list[str] = []
    texts = dict.fromkeys([stream[index] or "" for index in segments])
    for text in list(texts)[:_MAX_COMPARED]:
        if len(different) >= max(_MAX_DIFFERENT, threshold):
            break
        if not different or max(chrf_of_lines([text] * len(different), different)) < _ALIKE:
            different.append(text)
    return len(different)


def reference_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """Return the outputs that equal one of their references, each with the share of these outputs in all outputs.

    If this share of outputs is below the threshold, nothing is returned. Outputs without text do not count.

    >>> from purebleu.checks.texts import Against
    >>> reference_lines(["a", "b", ""], Against(None, [["a", "c", ""]]), 0.5)
    [(0, 0.5)]
    """
    with_text = [index for index, output in enumerate(outputs) if visible_characters(output)]
    same = [index for index in with_text if outputs[index] in against.references_of(index)]
    return _if_many(same, len(with_text), threshold)


def identical_lines(outputs: Sequence[str], others: Sequence[str], threshold: float) -> Found:
    """Return the outputs that equal the outputs of another system, each with the share of equal outputs.

    If the share of equal outputs is below the threshold, nothing is returned.

    >>> identical_lines(["a", "b"], ["a", "c"], 0.5), identical_lines(["a", "b"], ["a", "c"], 0.9)
    ([(0, 0.5)], [])
    """
    same = [index for index, (output, other) in enumerate(zip(outputs, others)) if output == other]
    return _if_many(same, len(outputs), threshold)


def _if_many(indices: Sequence[int], lines: int, threshold: float) -> Found:
    """Return each index with the share `len(indices) / lines`; return nothing if the share is below the threshold."""
    share = len(indices) / max(1, lines)
    return [(index, share) for index in indices if share >= threshold]


# Loops: repetitions by the decoder

#: The order of n-grams of words, and the order of n-grams of characters (in scripts without spaces between words).
_WORD_ORDER, _CHARACTER_ORDER = 4, 8

#: In words with more than `_LONG_WORD` characters, n-grams of `_ORDER_IN_WORD` characters are also counted.
_LONG_WORD, _ORDER_IN_WORD = 25, 4


def looping_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """Return the outputs with an n-gram that is far more frequent than all n-grams in their source and references.

    An n-gram has four words. In lines without spaces between words, an n-gram has eight characters. Within a word of
    more than 25 characters, an n-gram has four characters. The value of an output is the count of its most frequent
    n-gram, divided by the highest count of an n-gram in its source and references (or by 1 if that count is 0).

    >>> from purebleu.checks.texts import Against
    >>> looping_lines(["no " * 12, "no " * 4], Against(["nein"] * 2), 4)
    [(0, 9.0)]
    """
    found: Found = []
    for index, output in enumerate(outputs):
        count = _highest_count(output, threshold)
        if count >= threshold:
            value = count / max([1, *[_highest_count(text, 1) for text in against.texts_of(index)]])
            if value >= threshold:
                found.append((index, value))
    return found


def _highest_count(line: str, minimum: float) -> int:
    """Return the count of the most frequent n-gram of a line, or perhaps 0 if this count is below `minimum`."""
    units, are_characters = words_or_characters(line)
    counts = [_highest_ngram_count(units, _CHARACTER_ORDER if are_characters else _WORD_ORDER, minimum)]
    if not are_characters:
        counts += [_highest_ngram_count(word, _ORDER_IN_WORD, minimum) for word in units
                   if len(word) > _LONG_WORD and any(map(str.isalpha, word))]
    return max(counts)


def _highest_ngram_count(units: Sequence[Hashable], order: int, minimum: float) -> int:
    """Return the count of the most frequent n-gram of an order, or perhaps 0 if this count is below `minimum`."""
    # (This test is fast: no n-gram is more frequent than its first word or character.)
    if len(units) - len(set(units)) < minimum - 1 or max(Counter(units).values(), default=0) < minimum:
        return 0
    counts = Counter(zip(*[units[start:] for start in range(order)]))
    return max(counts.values(), default=0)
