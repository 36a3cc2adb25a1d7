"""Warnings of what can be scored, but hardly is what was meant, for the command line and Python alike.

`TextWarnings` looks at texts, `SlowLines` at lines that a metric may take long for, and `near_references` at references
that are far nearer to one system than to the others.
"""

from __future__ import annotations

from itertools import zip_longest

from ..errors import warn
from ..tokenizers import SENTENCEPIECE_TOKENIZERS
from ..unicode.normal_forms import normal_form
from ..unicode.scripts import is_unspaced, usual_language
from . import metric_class
from .evaluation import sum_statistics
from .tokens import doubt_of_language

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Sequence

    from .base import Metric
    from .score import Score

#: From this number of blank references on, they are warned of: one or two are in many test sets.
_MANY_BLANK_REFERENCES = 10

#: Only a sample of the text is looked at, which takes less than a hundredth of the time of the rows: the first
#: segments, and then one of each `_STEP`.
_START, _STEP = 20, 256

#: The characters at the start of a line that tell whether its script has spaces, and its normal form.
_CHARACTERS_LOOKED_AT = 60

#: These many lines tell the language of text without spaces.
_LINES_OF_LANGUAGE = 10

#: Segments whose normal forms differ are warned of from this share and this number on (or if all differ).
_SHARE_OF_OTHER_FORMS, _MANY_OTHER_FORMS = 0.05, 2

#: The lines at the start of a file in which subtitles have a time code.
_LINES_BEFORE_TIME = 3

#: The most segments that are kept of a corpus, and how many are compared at least (and fewer than twice as many).
_KEPT_SEGMENTS, _COMPARED_SEGMENTS = 500, 100

#: A reference is near a system from this chrF2 on, if that is so much above the highest one with another system.
_NEAR_REFERENCE, _FAR_NEARER = 75, 5


class _Found:
    """The segments in which something was found: their count, and the number of the first one."""

    def __init__(self) -> None:
        self.count = 0
        self.first = 0

    def add(self, number: int) -> None:
        self.first = self.first if self.count else number
        self.count += 1


class TextWarnings:
    """Looks at the texts of a run before they are scored. There is one warning of a kind, whatever the number of lines.

    Args:
        metrics: the metrics of the run.
        systems: the names of systems, or words for them.
        references: likewise, of streams of references.
        counted_as: the name of what has a number, such as `line`.
        warned: the kinds of warnings that need not be repeated; takes in those that are issued.
    """

    def __init__(self, metrics: Sequence[Metric[Score]], systems: Sequence[str] = ("hypotheses",),
                 references: Sequence[str] = ("references",), counted_as: str = "segment",
                 warned: set[str] | None = None) -> None:
        self._metrics = metrics
        self._systems = systems
        self._references = references
        self._counted_as = counted_as
        self._warned: set[str] = set() if warned is None else warned
        self._seen = 0
        self._looked_at = 0
        self._blank = _Found()
        self._unspaced = _Found()
        self._unspaced_lines: list[str] = []
        self._other_forms: list[_Found] = []
        self._subtitles: list[str] = []

    def see(self, systems: Sequence[Sequence[Any]], references: Sequence[Sequence[Any]],
            numbers: Sequence[int]) -> None:
        """Take in the next segments.

        Args:
            systems: the lines of each system, of text or of bytes.
            references: streams likewise, with `None` if a segment has no such reference; there may be none.
            numbers: that of each segment.
        """
        if not self._seen:
            self._other_forms = [_Found() for _ in systems]
            named = [*zip(self._systems, systems), *zip(self._references, references)]
            self._subtitles = [name for name, lines in named if _are_subtitles(lines)]
        if references:
            self._see_blank(references, numbers)
            for index in _sample(self._seen, len(numbers)):
                reference = next((_text(stream[index]) for stream in references if stream[index] is not None), "")
                self._look_at(numbers[index], reference, [lines[index] for lines in systems])
        self._seen += len(numbers)

    def _see_blank(self, references: Sequence[Sequence[Any]], numbers: Sequence[int]) -> None:
        first, *others = references
        if first and isinstance(first[0], str) and not others:  # as nearly always: without a call for each line
            blank = [number for number, line in zip(numbers, first) if not line or line.isspace()]
        else:
            blank = [number for number, lines in zip(numbers, zip(*references)) if all(map(_is_blank, lines))]
        for number in blank:
            self._blank.add(number)

    def _look_at(self, number: int, reference: str, outputs: Sequence[Any]) -> None:
        self._looked_at += 1
        start = reference[:_CHARACTERS_LOOKED_AT]
        if start.isascii():
            return
        if is_unspaced(start):
            self._unspaced.add(number)
            if len(self._unspaced_lines) < _LINES_OF_LANGUAGE:
                self._unspaced_lines.append(start)
        is_composed = normal_form(start, "nfc") == start
        for found, line in zip(self._other_forms, outputs):
            output = _text(line)[:_CHARACTERS_LOOKED_AT]
            if not output.isascii() and (normal_form(output, "nfc") == output) != is_composed:
                found.add(number)

    def suits(self, metric: Metric[Score]) -> bool:
        """Whether a metric finds the words of these texts."""
        return 2 * self._unspaced.count <= self._looked_at or not self._advice(metric)

    def _advice(self, metric: Metric[Score]) -> str:
        return metric.advice_without_spaces(usual_language(self._unspaced_lines))

    def warn(self) -> None:
        """Issue the warnings, after the last segment."""
        for kind, message in self._messages():
            if kind not in self._warned:
                self._warned.add(kind)
                warn(message)

    def _messages(self) -> Iterator[tuple[str, str]]:
        """The kinds of warnings, and their texts."""
        if self._subtitles:
            yield "subtitles", (f"{', '.join(self._subtitles)}: subtitles are scored as lines, with their numbers and "
                                "time codes: take these out, to score the text alone")
        if self._blank.count >= _MANY_BLANK_REFERENCES:
            yield "blank", (f"the references of {self._blank.count:,} segments are blank (first: {self._counted_as} "
                            f"{self._blank.first}): all words of their hypotheses count as wrong")
        unsuited = [metric for metric in self._metrics
                    if not self.suits(metric) and not doubt_of_language(getattr(metric, "trg_lang", ""))]
        if unsuited:
            names = ", ".join([metric.registered_name for metric in unsuited])
            verb = "compare" if len(unsuited) > 1 else "compares"
            advice = dict.fromkeys(map(self._advice, unsuited))
            yield "unspaced", (f"most lines of {self._references[0]} have hardly any spaces "
                               f"({self._told(self._unspaced)}), and {names} {verb} what stands between spaces: "
                               f"use {'; '.join(advice)}")
        if not self._metrics or not all(getattr(metric, "tokenizer_signature", "") in SENTENCEPIECE_TOKENIZERS
                                        for metric in self._metrics):
            for index, found in enumerate(self._other_forms):
                # (The last name may be that of standard input, with several systems.)
                name = self._systems[min(index, len(self._systems) - 1)]
                enough = max(_SHARE_OF_OTHER_FORMS * self._looked_at, min(_MANY_OTHER_FORMS, self._looked_at))
                if found.count and found.count >= enough:
                    yield "forms", (f"{name} and {self._references[0]} differ in Unicode's normal form ("
                                    f"{self._told(found)}), so that the same letters count as others: --normalize nfc, "
                                    "or normalize=\"nfc\" in Python, makes both alike")

    def _told(self, found: _Found) -> str:
        share = f"{100 * found.count / self._looked_at:.0f} %"
        return f"first: {self._counted_as} {found.first}; {share} of those looked at"


def _sample(start: int, count: int) -> Iterator[int]:
    """The indices, in a block, of the segments that are looked at; the block starts at index `start` of the text."""
    at_start = max(0, min(count, _START - start))
    yield from range(at_start)
    yield from range(at_start + -(start + at_start) % _STEP, count, _STEP)


def _text(line: Any) -> str:
    """The text of a line, without the line's end that those of bytes have."""
    return line.decode("utf-8", "replace").rstrip("\r\n") if isinstance(line, bytes) else line


def _is_blank(line: Any) -> bool:
    line = _text(line)
    return line is None or not line or (isinstance(line, str) and line.isspace())


def _are_subtitles(lines: Sequence[Any]) -> bool:
    """Whether lines begin as a file of subtitles does: WebVTT's heading, or a time code (of SubRip, too).

    >>> _are_subtitles(["1", "00:00:01,000 --> 00:00:02,500", "Yes."]), _are_subtitles(["WEBVTT"])
    (True, True)
    """
    start = [_text(line) for line in lines[:_LINES_BEFORE_TIME] if line is not None]
    return bool(start) and (start[0].lstrip("\ufeff").split() == ["WEBVTT"] or any(map(_is_time_code, start)))


def _is_time_code(line: str) -> bool:
    begin, arrow, _ = line.partition(" --> ")
    digits = begin.replace(":", "").replace(",", "").replace(".", "").strip()
    return bool(arrow) and ":" in begin and digits.isdigit()


class SlowLines:
    """Looks for lines that a metric may take long for, before they are scored: often, a whole file is in one line.

    It warns of the first segment that has such a line, and at the end of the number of others.
    """

    def __init__(self, metric: Metric[Score]) -> None:
        self._name = metric.registered_name
        self._limit = metric.SLOW_LENGTH
        self._count = 0

    def see(self, hypotheses: Sequence[Any], references: Sequence[Sequence[Any]], place: str,
            numbers: Sequence[int]) -> None:
        """Take in the next segments.

        Args:
            hypotheses: the line of each, of text or of bytes.
            references: streams of lines, with `None` if a segment has no such reference.
            place: what segments are called, before their number.
            numbers: that of each.
        """
        limit = self._limit
        streams = (hypotheses, *references)
        if limit is None or max(map(_longest, streams)) <= limit:
            return
        for number, lines in zip(numbers, zip(*streams)):
            length = max([len(_text(line).rstrip("\n")) for line in lines if line is not None])
            if length <= limit:
                continue
            self._count += 1
            if self._count == 1:
                warn(f"{place} {number}: {self._name} may take long for a line of {length:,} characters (is every "
                     "segment on a line of its own?)")

    def warn_of_more(self) -> None:
        """Warn of the number of such segments after the first one, if there are any."""
        if self._count > 1:
            warn(f"{self._name} may take long for {self._count - 1:,} more segments")


def _longest(lines: Sequence[Any]) -> int:
    return max([len(line) for line in lines if line is not None], default=0)


class TextSample:
    """Segments of a corpus, evenly spaced, so that not all of its text has to be kept."""

    def __init__(self) -> None:
        self._segments: list[tuple[list[Any], list[Any]]] = []
        self._step = 1
        self._seen = 0

    def see(self, systems: Sequence[Sequence[Any]], references: Sequence[Sequence[Any]]) -> None:
        """Take in the next segments: the lines, of text or of bytes, of each system and of each stream of references.
        """
        for index in range(-self._seen % self._step, len(systems[0]), self._step):
            self._segments.append(([lines[index] for lines in systems], [stream[index] for stream in references]))
        self._seen += len(systems[0])
        while len(self._segments) > _KEPT_SEGMENTS:
            del self._segments[1::2]
            self._step *= 2

    def near_references(self) -> list[tuple[int, float, float]]:
        """The result of `near_references` for these segments."""
        outputs, references = [[list(map(_text, lines[kind])) for lines in self._segments] for kind in (0, 1)]
        # (Segments may have more or fewer references.)
        return near_references([*zip(*outputs)], [*zip_longest(*references)])


def near_references(outputs: Sequence[Sequence[str]],
                    references: Sequence[Sequence[str | None]]) -> list[tuple[int, float, float]]:
    """The systems whose outputs are far nearer to a reference than to other systems: was it made from one of them?

    Outputs of translation systems are nearer to each other than to a translation of people: on WMT's data of 2022 (12
    systems), chrF2 with a reference is 9 to 24 below the highest one with another system.

    Args:
        outputs: the lines of each system.
        references: streams of references, with `None` if a segment has no such reference.

    Returns:
        The index of each such system, its chrF2 with that reference, and its highest one with another system; none for
        a single system, and for a few segments.
    """
    found: dict[int, tuple[int, float, float]] = {}
    for stream in references if len(outputs) > 1 else ():
        segments = [index for index, line in enumerate(stream) if line is not None]
        if len(segments) < _COMPARED_SEGMENTS:
            continue
        segments = segments[::len(segments) // _COMPARED_SEGMENTS]
        columns = [[lines[index] for index in segments] for lines in outputs]
        reference = [stream[index] or "" for index in segments]
        for system, lines in enumerate(columns):
            with_reference = _similarity(lines, reference)
            if with_reference < _NEAR_REFERENCE:
                continue
            others = columns[:system] + columns[system + 1:]
            with_systems = max([_similarity(lines, other) for other in others])
            if with_reference >= with_systems + _FAR_NEARER:
                found.setdefault(system, (system, with_reference, with_systems))
    return list(found.values())


def _similarity(lines: Sequence[str], reference: Sequence[str]) -> float:
    """chrF2; 0 in a copy that was made without this metric."""
    try:
        metric = metric_class("CHRF")()
    except ImportError:
        return 0.0
    return metric.score(sum_statistics(metric.corpus_statistics(lines, [reference]))).score
