"""Warnings of what can be scored, but hardly is what was meant, for the command line and Python alike.

`TextWarnings` looks at texts, `SlowLines` at lines that a metric may take long for.
"""

from __future__ import annotations

from ..errors import warn
from ..tokenizers import SENTENCEPIECE_TOKENIZERS
from ..unicode.properties import normal_form
from ..unicode.scripts import is_unspaced, usual_language, words_in
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

#: A system shares at least this fraction of its words with its references, if it has at least this many words. (Systems
#: of WMT22 share 0.45 or more. An English source shares less than 0.08 with German references, and so do lines in
#: another order.)
_SHARE_OF_WORDS, _MANY_WORDS = 0.1, 100

#: The lines at the start of a file in which subtitles have a time code.
_LINES_BEFORE_TIME = 3


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
        self._words: list[int] = []
        self._shared_words: list[int] = []
        self._subtitles: list[str] = []

    def see(self, systems: Sequence[Sequence[Any]], references: Sequence[Sequence[Any]],
            numbers: Sequence[int]) -> None:
        """Take in the next segments.

        Args:
            systems: the lines of each system, of text or of bytes.
            references: streams likewise, with `None` if a segment has no such reference; there may be none.
            numbers: that of each segment.
        """
        # (The words of one line are too few for a warning, and to find them takes as long as to score it.)
        is_alone = self._seen + len(numbers) == 1 and max([len(lines[0]) for lines in systems]) < 2 * _MANY_WORDS
        if is_alone and references and text_of(references[0][0] or "").isascii():
            return  # there is nothing to warn of
        if not self._seen:
            self._other_forms = [_Found() for _ in systems]
            self._words = [0 for _ in systems]
            self._shared_words = [0 for _ in systems]
            named = [*zip(self._systems, systems), *zip(self._references, references)]
            self._subtitles = [name for name, lines in named if are_subtitles(lines)]
        if references:
            self._see_blank(references, numbers)
            for index in _sample(self._seen, len(numbers)):
                lines_of_segment = [text_of(stream[index]) for stream in references if stream[index] is not None]
                outputs = [text_of(lines[index]) for lines in systems]
                if not is_alone:
                    self._count_shared_words(lines_of_segment, outputs)
                self._look_at(numbers[index], next(iter(lines_of_segment), ""), outputs)
        self._seen += len(numbers)

    def _see_blank(self, references: Sequence[Sequence[Any]], numbers: Sequence[int]) -> None:
        first, *others = references
        if first and isinstance(first[0], str) and not others:  # as nearly always: without a call for each line
            blank = [number for number, line in zip(numbers, first) if not line or line.isspace()]
        else:
            blank = [number for number, lines in zip(numbers, zip(*references)) if all(map(_is_blank, lines))]
        for number in blank:
            self._blank.add(number)

    def _count_shared_words(self, references: Sequence[str], outputs: Sequence[str]) -> None:
        sides = [frozenset(words_in(line)) for line in references]
        for index, line in enumerate(outputs):
            words = frozenset(words_in(line))
            self._shared_words[index] += max([len(words & side) for side in sides], default=0)
            self._words[index] += max([min(len(words), len(side)) for side in sides], default=0)

    def _look_at(self, number: int, reference: str, outputs: Sequence[str]) -> None:
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
            output = line[:_CHARACTERS_LOOKED_AT]
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
                                "time codes: --srt-unit block (or --resegment, or -m suber) reads their text")
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
                               f"use {'; '.join(advice)} (purebleu help choose)")
        if not self._metrics or not all(getattr(metric, "tokenizer_signature", "") in SENTENCEPIECE_TOKENIZERS
                                        for metric in self._metrics):
            for index, found in enumerate(self._other_forms):
                name = self._name(index)
                enough = max(_SHARE_OF_OTHER_FORMS * self._looked_at, min(_MANY_OTHER_FORMS, self._looked_at))
                if found.count and found.count >= enough:
                    yield "forms", (f"{name} and {self._references[0]} differ in Unicode's normal form "
                                    f"({self._told(found)}), so the same letters count as different: --normalize nfc, "
                                    "or normalize=\"nfc\" in Python, makes both alike")
        unrelated = [self._name(index) for index, words in enumerate(self._words)
                     if words >= _MANY_WORDS and self._shared_words[index] < _SHARE_OF_WORDS * words
                     and not self._other_forms[index].count]
        if unrelated and self._metrics:
            yield "unrelated", (f"lines of {', '.join(dict.fromkeys(unrelated))} and of {self._references[0]} have "
                                "hardly a word in common: is one of them the wrong file, such as the source, or in "
                                "another order?")

    def _name(self, system: int) -> str:
        # (The last name may be that of standard input, with several systems.)
        return self._systems[min(system, len(self._systems) - 1)]

    def _told(self, found: _Found) -> str:
        share = f"{100 * found.count / self._looked_at:.0f} %"
        return f"first: {self._counted_as} {found.first}; {share} of a sample"


def _sample(start: int, count: int) -> Iterator[int]:
    """The indices, in a block, of the segments that are looked at; the block starts at index `start` of the text."""
    at_start = max(0, min(count, _START - start))
    yield from range(at_start)
    yield from range(at_start + -(start + at_start) % _STEP, count, _STEP)


def text_of(line: Any) -> str:
    """The text of a line, without the line's end that those of bytes have."""
    return line.decode("utf-8", "replace").rstrip("\r\n") if isinstance(line, bytes) else line


def _is_blank(line: Any) -> bool:
    line = text_of(line)
    return line is None or not line or (isinstance(line, str) and line.isspace())


def are_subtitles(lines: Sequence[Any]) -> bool:
    """Whether lines begin as a file of subtitles does: WebVTT's heading, or a time code (of SubRip, too).

    >>> are_subtitles(["1", "00:00:01,000 --> 00:00:02,500", "Yes."]), are_subtitles(["WEBVTT"])
    (True, True)
    """
    start = [text_of(line) for line in lines[:_LINES_BEFORE_TIME] if line is not None]
    return bool(start) and (start[0].lstrip("\ufeff").split() == ["WEBVTT"] or any(map(_is_time_code, start)))


def _is_time_code(line: str) -> bool:
    begin, arrow, _ = line.partition(" --> ")
    return bool(arrow) and ":" in begin and begin.translate({ord(mark): "" for mark in ":,."}).strip().isdigit()


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
            length = max([len(text_of(line).rstrip("\n")) for line in lines if line is not None])
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
