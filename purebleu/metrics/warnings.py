"""Warnings about text that probably has to be changed before it is scored, and about lines that are slow to score."""

from __future__ import annotations

from ..runtime.errors import counted, warn
from ..tokenizers import SENTENCEPIECE_TOKENIZERS
from ..unicode.properties import normal_form
from ..unicode.scripts import is_unspaced, usual_language, words_in
from .tokens import doubt_of_language

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Sequence

    from .base import Metric
    from .score import Score

#: The lowest number of blank references for a warning. (Many test sets have one or two.)
_MANY_BLANK_REFERENCES = 10

#: To save time, only a sample of the text is checked: the first `_START` segments, and then one in `_STEP` segments.
_START, _STEP = 20, 256

#: The number of characters at the start of a line that are checked for their script and normal form.
_CHARACTERS_LOOKED_AT = 60

#: The number of lines from which the language of text without spaces is guessed.
_LINES_OF_LANGUAGE = 10

#: The lowest share and the lowest number of segments with a different normal form for a warning. (If a sample has fewer
#: segments than this number, all segments have to differ.)
_SHARE_OF_OTHER_FORMS, _MANY_OTHER_FORMS = 0.05, 2

#: There is a warning if a system shares less than `_SHARE_OF_WORDS` of its words with its references, and has at least
#: `_MANY_WORDS` words. (Systems of WMT22 share 0.45 or more. An English source and German references share less than
#: 0.08. Lines in another order share less than 0.08, too.)
_SHARE_OF_WORDS, _MANY_WORDS = 0.1, 100

#: The number of lines that are searched for the first time code of a subtitle file.
_LINES_BEFORE_TIME = 3


class TextWarnings:
    """Checks of the texts of a run before scoring, with one warning for each kind of problem.

    Args:
        metrics: the metrics of the run.
        systems: the names of the systems in warnings.
        references: the names of the streams of references in warnings.
        counted_as: the word before the number of a segment in warnings, such as `line`.
        warned: the set of the kinds of warnings that have been issued already, to which `warn` adds further kinds.
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
        # The number of segments whose references are all blank, and the number of the first such segment:
        self._blank = 0
        self._first_blank = 0
        # The positions of segments in the sample with other problems, and further results for the sample:
        self._unspaced: list[int] = []
        self._not_ascii: list[int] = []
        self._other_forms: list[list[int]] = []
        self._unspaced_lines: list[str] = []
        self._words: list[int] = []
        self._shared_words: list[int] = []
        self._subtitles: list[str] = []

    def see(self, systems: Sequence[Sequence[Any]], references: Sequence[Sequence[Any]],
            numbers: Sequence[int]) -> None:
        """Check the next segments.

        Args:
            systems: the lines of each system.
            references: the lines of each stream (if any), with `None` for a missing reference.
            numbers: the number of each segment.
        """
        # (A short line has too few words for a warning, and checking the words would take about as long as the score.)
        is_alone = self._seen + len(numbers) == 1 and max([len(lines[0]) for lines in systems]) < 2 * _MANY_WORDS
        if is_alone and references and (references[0][0] or "").isascii():
            return  # (no warning applies to a single ASCII line)
        if not self._seen:
            self._other_forms = [[] for _ in systems]
            self._words = [0 for _ in systems]
            self._shared_words = [0 for _ in systems]
            named = [*zip(self._systems, systems), *zip(self._references, references)]
            self._subtitles = [name for name, lines in named if are_subtitles(lines)]
        if references:
            self._see_blank(references, numbers)
            for index in _sample(self._seen, len(numbers)):
                lines_of_segment = [stream[index] for stream in references if stream[index] is not None]
                outputs = [lines[index] for lines in systems]
                if not is_alone:
                    self._count_shared_words(lines_of_segment, outputs)
                self._look_at(numbers[index], next(iter(lines_of_segment), ""), outputs)
        self._seen += len(numbers)

    def _see_blank(self, references: Sequence[Sequence[Any]], numbers: Sequence[int]) -> None:
        first, *others = references
        if first and isinstance(first[0], str) and not others:  # (The usual case needs no call per line.)
            blank = [number for number, line in zip(numbers, first) if not line or line.isspace()]
        else:
            blank = [number for number, lines in zip(numbers, zip(*references)) if all(map(_is_blank, lines))]
        if blank and not self._blank:
            self._first_blank = blank[0]
        self._blank += len(blank)

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
            self._unspaced.append(number)
            if len(self._unspaced_lines) < _LINES_OF_LANGUAGE:
                self._unspaced_lines.append(start)
        elif 2 * len(start.encode("ascii", "ignore")) < len(start):
            self._not_ascii.append(number)
        is_composed = normal_form(start, "nfc") == start
        for found, line in zip(self._other_forms, outputs):
            output = line[:_CHARACTERS_LOOKED_AT]
            if not output.isascii() and (normal_form(output, "nfc") == output) != is_composed:
                found.append(number)

    def suits(self, metric: Metric[Score]) -> bool:
        """Return whether a metric can find the words of the texts."""
        return 2 * len(self._unspaced) <= self._looked_at or not self._advice(metric)

    def _advice(self, metric: Metric[Score]) -> str:
        return metric.advice_without_spaces(usual_language(self._unspaced_lines))

    def warn(self) -> None:
        """Issue the warnings, after the last segment."""
        for kind, message in self._messages():
            if kind not in self._warned:
                self._warned.add(kind)
                warn(message)

    def _messages(self) -> Iterator[tuple[str, str]]:
        """Yield the kind and the text of each warning."""
        if self._subtitles:
            yield "subtitles", (f"the subtitles in {', '.join(self._subtitles)} are scored as lines, with numbers and "
                                "time codes: --srt-unit block (or --resegment, or -m suber) reads only the text")
        if self._blank >= _MANY_BLANK_REFERENCES:
            yield "blank", (f"the references of {self._blank:,} segments are blank (first: {self._counted_as} "
                            f"{self._first_blank}), so all words of the hypotheses for these segments count as wrong")
        # (The constructors of metrics warn of languages.)
        unsuited = [metric for metric in self._metrics
                    if not self.suits(metric) and not doubt_of_language(getattr(metric, "trg_lang", ""))]
        if unsuited:
            names = ", ".join([metric.registered_name for metric in unsuited])
            verb = "compare" if len(unsuited) > 1 else "compares"
            advice = dict.fromkeys(map(self._advice, unsuited))
            yield "unspaced", (f"most lines of {self._references[0]} have hardly any spaces "
                               f"({self._told(self._unspaced)}), but {names} {verb} words separated by spaces: "
                               f"use {'; '.join(advice)} (purebleu help choose)")
        names = ", ".join([metric.registered_name for metric in self._metrics
                           if getattr(metric, "tokenizer_signature", "") == "rouge"])
        if names and 2 * len(self._not_ascii) > self._looked_at:
            yield "letters", (f"most lines of {self._references[0]} have few of the letters A to Z "
                              f"({self._told(self._not_ascii)}), but words of {names} have only these letters: use "
                              "--rouge-tokenize unicode (tokenize= in Python)")
        # (The models of SentencePiece tokenizers normalize text.)
        if not self._metrics or not all(getattr(metric, "tokenizer_signature", "") in SENTENCEPIECE_TOKENIZERS
                                        for metric in self._metrics):
            for index, found in enumerate(self._other_forms):
                name = self.name_of(index)
                enough = max(_SHARE_OF_OTHER_FORMS * self._looked_at, min(_MANY_OTHER_FORMS, self._looked_at))
                if found and len(found) >= enough:
                    yield "forms", (f"{name} and {self._references[0]} differ in Unicode's normal form "
                                    f"({self._told(found)}), so the same letters count as different: "
                                    "--normalize nfc, or normalize=\"nfc\" in Python, makes the forms equal")
        unrelated = [self.name_of(index) for index, words in enumerate(self._words)
                     if words >= _MANY_WORDS and self._shared_words[index] < _SHARE_OF_WORDS * words
                     and not self._other_forms[index]]  # (words in another normal form differ, too)
        if unrelated and self._metrics:
            yield "unrelated", (f"the lines of {', '.join(dict.fromkeys(unrelated))} and of {self._references[0]} have "
                                "hardly a word in common: is one of the files wrong, such as the source, or are its "
                                "lines in another order?")

    def name_of(self, system: int) -> str:
        """Return the name of a system. (The last name may stand for standard input, which may have several systems.)"""
        return self._systems[min(system, len(self._systems) - 1)]

    def _told(self, found: Sequence[int]) -> str:
        share = f"{100 * len(found) / self._looked_at:.0f} %"
        return f"first: {self._counted_as} {found[0]}; {share} of a sample"


def _sample(start: int, count: int) -> Iterator[int]:
    """Yield the indices of segments to check in a block of `count` segments, which begins at segment `start`."""
    at_start = max(0, min(count, _START - start))
    yield from range(at_start)
    yield from range(at_start + -(start + at_start) % _STEP, count, _STEP)


def _is_blank(line: Any) -> bool:
    return line is None or not line or (isinstance(line, str) and line.isspace())


def are_subtitles(lines: Sequence[Any]) -> bool:
    """Return whether lines begin like a subtitle file: with the heading of WebVTT, or with a time code.

    >>> are_subtitles(["1", "00:00:01,000 --> 00:00:02,500", "Yes."]), are_subtitles(["WEBVTT"])
    (True, True)
    """
    start = [line for line in lines[:_LINES_BEFORE_TIME] if line is not None]
    return bool(start) and (start[0].lstrip("\ufeff").split() == ["WEBVTT"] or any(map(_is_time_code, start)))


def _is_time_code(line: str) -> bool:
    begin, arrow, _ = line.partition(" --> ")
    return bool(arrow) and ":" in begin and begin.translate({ord(mark): "" for mark in ":,."}).strip().isdigit()


class SlowLines:
    """Warnings of lines that may be slow to score. (Often, a whole file is on one line by mistake.)

    The first segment with a slow line gets a warning. A second warning has the number of further segments with slow
    lines.
    """

    def __init__(self, metric: Metric[Score]) -> None:
        self._metric = metric
        self._limit = metric.SLOW_LENGTH
        self._count = 0

    def see(self, hypotheses: Sequence[Any], references: Sequence[Sequence[Any]], place: str,
            numbers: Sequence[int]) -> None:
        """Check the next segments.

        Args:
            hypotheses: the line of each segment.
            references: the lines of each stream, with `None` for a missing reference.
            place: the text before the number of a segment in the warning.
            numbers: the number of each segment.
        """
        limit = self._limit
        streams = (hypotheses, *references)
        if limit is None or max(map(_longest, streams)) <= limit:
            return
        for number, lines in zip(numbers, zip(*streams)):
            length = _longest(lines)
            if length <= limit:
                continue
            self._count += 1
            if self._count == 1:
                warn(f"{place} {number}: {self._metric.registered_name} may take long to score a line of {length:,} "
                     "characters (is every segment on a line of its own?)")

    def warn_of_more(self) -> None:
        """Warn of the number of further slow segments, if there are any."""
        if self._count > 1:
            others = counted(self._count - 1, "other segment")
            warn(f"{self._metric.registered_name} may also take long to score {others} with long lines")


def _longest(lines: Sequence[Any]) -> int:
    return max([len(line) for line in lines if line is not None], default=0)
