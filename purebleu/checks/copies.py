"""Outputs that are copies: of the source, of a reference, of each other, of another system."""

from __future__ import annotations

from ..blocks import BLOCK_SEGMENTS, slices
from .words import has_words, visible_characters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from .against import Against, Found

#: Lines with fewer words are often the same in two languages, as names and numbers are, or the right output for several
#: sources.
_MIN_WORDS = 3

#: From this chrF2 on, two texts may well have the same translation.
_ALIKE = 40

#: Limits of the texts with one output that are compared, and of the different ones that are counted.
_MAX_COMPARED, _MAX_DIFFERENT = 200, 20


def copied_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """The outputs that are nearly their source, with their chrF2 against it.

    Lines of fewer than three words are left out, and so are those with a reference that is nearly the source, too.

    >>> from purebleu.checks.against import Against
    >>> copied_lines(["He is at home.", "Er ist zu Hause."], Against(["He is at home."] * 2), 90)
    [(0, 100.0)]
    """
    source = against.source
    assert source is not None
    values = _similarities(outputs, source)
    found = [(index, value) for index, value in enumerate(values)
             if value >= threshold and has_words(outputs[index], _MIN_WORDS)]
    for stream in against.references:
        beside = [stream[index] or "" for index, _ in found]
        of_references = _similarities(beside, [source[index] for index, _ in found])
        found = [one for one, value in zip(found, of_references) if value < threshold]
    return found


def _similarities(texts: Sequence[str], others: Sequence[str]) -> list[float]:
    """The chrF2 of each text against another one."""
    from ..metrics.chrf import CHRF
    from ..metrics.contract import References

    metric = CHRF()
    return [metric.value(row) for part in slices(len(texts), BLOCK_SEGMENTS)
            for row in metric.block_statistics(texts[part], References(metric, [others[part]]))]


def repeated_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """The outputs that stand for many segments, with the number of different sources (or references) among these.

    Of texts that are alike (with a chrF2 of 40 or more), one counts; the number is the lowest of all streams, for where
    sources or references repeat themselves, so may outputs. It is no higher than 20, or the threshold. Lines of fewer
    than three words are left out.

    >>> from purebleu.checks.against import Against
    >>> repeated_lines(["We are here."] * 3 + ["Yes."] * 2, Against(["Ja.", "Nein.", "Wo?", "A", "B"]), 3)
    [(0, 3), (1, 3), (2, 3)]
    """
    streams = [*([] if against.source is None else [against.source]), *against.references]
    indices: dict[str, list[int]] = {}
    for index, output in enumerate(outputs):
        indices.setdefault(output, []).append(index)
    found: Found = []
    for output, of_output in indices.items():
        if len(of_output) >= threshold and has_words(output, _MIN_WORDS):
            count = min([_different_texts([stream[index] or "" for index in of_output], threshold)
                         for stream in streams])
            if count >= threshold:
                found += [(index, count) for index in of_output]
    return sorted(found)


def _different_texts(texts: Sequence[str], threshold: float) -> int:
    """The number of texts that are not like one before them, as far as it is counted."""
    different: list[str] = []
    for text in list(dict.fromkeys(texts))[:_MAX_COMPARED]:
        if len(different) >= max(_MAX_DIFFERENT, threshold):
            break
        if not different or max(_similarities([text] * len(different), different)) < _ALIKE:
            different.append(text)
    return len(different)


def reference_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """The outputs that are one of their references, if they are many, with their share of all outputs that have text.

    >>> from purebleu.checks.against import Against
    >>> reference_lines(["a", "b", ""], Against(None, [["a", "c", ""]]), 0.5)
    [(0, 0.5)]
    """
    with_text = [index for index, output in enumerate(outputs) if visible_characters(output)]
    same = [index for index in with_text if outputs[index] in against.references_of(index)]
    share = len(same) / max(1, len(with_text))
    return [(index, share) for index in same if share >= threshold]


def identical_lines(outputs: Sequence[str], others: Sequence[str], threshold: float) -> Found:
    """The outputs that another system has, too, if they are many, with their share of all.

    >>> identical_lines(["a", "b"], ["a", "c"], 0.5), identical_lines(["a", "b"], ["a", "c"], 0.9)
    ([(0, 0.5)], [])
    """
    same = [index for index, (output, other) in enumerate(zip(outputs, others)) if output == other]
    share = len(same) / max(1, len(outputs))
    return [(index, share) for index in same if share >= threshold]
