"""Warnings of text that probably has to be changed before it is scored, and of lines that are slow to score."""

from __future__ import annotations

from collections import Counter, defaultdict

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

#: There is a warning if the references of at least this number of segments are blank. (Many test sets have one or two.)
_MANY_BLANK_REFERENCES = 10

#: To save time, only a sample of the segments is checked: the first `_START` segments, then one in `_STEP` segments.
_START, _STEP = 20, 256

#: Only this number of characters at the start of a line is checked for the script and the normal form.
_CHECKED_CHARACTERS = 60

#: The language of text without spaces is guessed from this number of lines.
_LINES_OF_LANGUAGE = 10

#: There is a warning if the normal forms differ in at least this share and this number of sampled segments. (If the
#: sample is smaller than this number, they have to differ in all segments.)
_SHARE_OF_OTHER_FORMS, _MANY_OTHER_FORMS = 0.05, 2

#: There is a warning if a system shares less than `_SHARE_OF_WORDS` of its words with its references, and has at least
#: `_MANY_WORDS` words. (Systems of WMT22 share 0.45 or more. An English source and German references share less than
#: 0.08. Lines in another order share less than 0.08, too.)
_SHARE_OF_WORDS, _MANY_WORDS = 0.1, 100

#: The first time code of a subtitle file is in one of its first lines, up to this number.
_LINES_BEFORE_TIME = 3


class TextWarnings:
    """Warns of problems in the texts of a run, once for each kind of problem.

    First, `see` checks the segments, block by block. Then `warn` issues the warnings.

    Args:
        metrics: the metrics of the run.
        systems: the names of the systems in warnings.
        references: the names of the streams of references in warnings.
        counted_as: the word before the number of a segment in warnings, such as `line`.
        warned: the kinds of warnings that were issued already. `warn` adds further kinds.
    """

    def __init__(self, metrics: Sequence[Metric[Score]], systems: Sequence[str] = ("hypotheses",),
                 references: Sequence[str] = ("references",), counted_as: str = "segment",
                 warned: set[str] | None = None) -> None:
        self._metrics = metrics
        self._systems = systems
        self._references = references
        self._counted_as = counted_as
        self._warned: set[str] = set() if warned is None else warned
        self._subtitles: list[str] = []  # (the names of systems and references that are subtitle files)
        self._seen = 0
        # The number of segments whose references are all blank, and the number of the first such segment:
        self._blank = 0
        self._first_blank = 0
        # The size of the sample. For each problem, the numbers of the sampled segments that have it:
        self._sampled = 0
        self._unspaced: list[int] = []
        self._not_ascii: list[int] = []
        self._other_forms: dict[int, list[int]] = defaultdict(list)  # (by system)
        # The beginnings of references without spaces:
        self._unspaced_lines: list[str] = []
        # For each system, the number of its words in the sample, and how many of them its references have, too:
        self._words: Counter[int] = Counter()
        self._shared_words: Counter[int] = Counter()

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
            named = [*zip(self._systems, systems), *zip(self._references, references)]
            self._subtitles = [name for name, lines in named if are_subtitles(lines)]
        if references:
            self._see_blank(references, numbers)
            for index in _sample(self._seen, len(numbers)):
                present = [stream[index] for stream in references if stream[index] is not None]
                outputs = [lines[index] for lines in systems]
                if not is_alone:
                    self._count_shared_words(outputs, present)
                self._see_characters(numbers[index], outputs, present[0] if present else "")
        self._seen += len(numbers)

    def _see_blank(self, references: Sequence[Sequence[Any]], numbers: Sequence[int]) -> None:
        """Count the segments whose references are all blank."""
        first, *others = references
        if first and isinstance(first[0], str) and not others:  # (The usual case needs no call per line.)
            blank = [number for number, line in zip(numbers, first) if not line or line.isspace()]
        else:
            blank = [number for number, lines in zip(numbers, zip(*references)) if all(map(_is_blank, lines))]
        if blank and not self._blank:
            self._first_blank = blank[0]
        self._blank += len(blank)

    def _count_shared_words(self, outputs: Sequence[str], references: Sequence[str]) -> None:
        """Count the words of a sampled segment that systems could share with a reference, and that they share."""
        words_of_references = [frozenset(words_in(line)) for line in references]
        for system, line in enumerate(outputs):
            words = frozenset(words_in(line))
            self._shared_words[system] += max([len(words & others) for others in words_of_references], default=0)
            self._words[system] += max([min(len(words), len(others)) for others in words_of_references], default=0)

    def _see_characters(self, number: int, outputs: Sequence[str], reference: str) -> None:
        """Check the script and the normal form of a sampled segment."""
        self._sampled += 1
        start = reference[:_CHECKED_CHARACTERS]
        if start.isascii():
            return
        if is_unspaced(start):
            self._unspaced.append(number)
            if len(self._unspaced_lines) < _LINES_OF_LANGUAGE:
                self._unspaced_lines.append(start)
        elif 2 * len(start.encode("ascii", "ignore")) < len(start):
            self._not_ascii.append(number)
        is_composed = normal_form(start, "nfc") == start
        for system, line in enumerate(outputs):
            output = line[:_CHECKED_CHARACTERS]
            if not output.isascii() and (normal_form(output, "nfc") == output) != is_composed:
                self._other_forms[system].append(number)

    def suits(self, metric: Metric[Score]) -> bool:
        """Return whether a metric can find the words of the texts."""
        return 2 * len(self._unspaced) <= self._sampled or not self._advice(metric)

    def _advice(self, metric: Metric[Score]) -> str:
        return metric.advice_without_spaces(usual_language(self._unspaced_lines))

    def warn(self) -> None:
        """Issue the warnings, after the last segment."""
        self._warn_of_subtitles()
        self._warn_of_blank_references()
        self._warn_of_unspaced_text()
        self._warn_of_other_letters()
        self._warn_of_other_forms()
        self._warn_of_unrelated_texts()

    def _warn_once(self, kind: str, message: str) -> None:
        if kind not in self._warned:
            self._warned.add(kind)
            warn(message)

    def _warn_of_subtitles(self) -> None:
        if self._subtitles:
            self._warn_once(
                "subtitles", f"the subtitles in {', '.join(self._subtitles)} are scored as lines, with numbers and "
                "time codes: --srt-unit block (or --resegment, or -m suber) reads only the text")

    def _warn_of_blank_references(self) -> None:
        if self._blank >= _MANY_BLANK_REFERENCES:
            self._warn_once(
                "blank", f"the references of {self._blank:,} segments are blank (first: {self._counted_as} "
                f"{self._first_blank}), so all words of the hypotheses for these segments count as wrong")

    def _warn_of_unspaced_text(self) -> None:
        unsuited = [metric for metric in self._metrics if not self.suits(metric) and not _has_warned_itself(metric)]
        if unsuited:
            names = ", ".join([metric.registered_name for metric in unsuited])
            verb = "compare" if len(unsuited) > 1 else "compares"
            advice = dict.fromkeys(map(self._advice, unsuited))
            self._warn_once(
                "unspaced", f"most lines of {self._references[0]} have hardly any spaces "
                f"({self._examples(self._unspaced)}), but {names} {verb} words separated by spaces: use "
                f"{'; '.join(advice)} (purebleu help choose)")

    def _warn_of_other_letters(self) -> None:
        names = ", ".join([metric.registered_name for metric in self._metrics
                           if getattr(metric, "tokenizer_signature", "") == "rouge"])
        if names and 2 * len(self._not_ascii) > self._sampled:
            self._warn_once(
                "letters", f"most lines of {self._references[0]} have few of the letters A to Z "
                f"({self._examples(self._not_ascii)}), but words of {names} have only these letters: use "
                "--rouge-tokenize unicode (tokenize= in Python)")

    def _warn_of_other_forms(self) -> None:
        tokenizers = [getattr(metric, "tokenizer_signature", "") for metric in self._metrics]
        if tokenizers and all(tokenizer in SENTENCEPIECE_TOKENIZERS for tokenizer in tokenizers):
            return  # (Models of SentencePiece normalize text.)
        enough = max(_SHARE_OF_OTHER_FORMS * self._sampled, min(_MANY_OTHER_FORMS, self._sampled))
        for system, numbers in sorted(self._other_forms.items()):
            if len(numbers) >= enough:
                self._warn_once(
                    "forms", f"{self.name_of(system)} and {self._references[0]} differ in Unicode's normal form "
                    f"({self._examples(numbers)}), so the same letters count as different: "
                    "--normalize nfc, or normalize=\"nfc\" in Python, makes the forms equal")

    def _warn_of_unrelated_texts(self) -> None:
        names: list[str] = []
        for system, words in self._words.items():
            are_shared = self._shared_words[system] >= _SHARE_OF_WORDS * words
            # (Words in another normal form differ, too.)
            if words >= _MANY_WORDS and not are_shared and system not in self._other_forms:
                names.append(self.name_of(system))
        if names and self._metrics:
            self._warn_once(
                "unrelated", f"the lines of {', '.join(dict.fromkeys(names))} and of {self._references[0]} have hardly "
                "a word in common: is one of the files wrong, such as the source, or are its lines in another order?")

    def name_of(self, system: int) -> str:
        """Return the name of a system. (The last name may stand for standard input, which may have several systems.)"""
        return self._systems[min(system, len(self._systems) - 1)]

    def _examples(self, numbers: Sequence[int]) -> str:
        """Return the first of some sampled segments, and their share of the sample, as text."""
        share = f"{100 * len(numbers) / self._sampled:.0f} %"
        return f"first: {self._counted_as} {numbers[0]}; {share} of a sample"


def _sample(start: int, count: int) -> Iterator[int]:
    """Yield the indices of the sampled segments in a block of `count` segments that begins at segment `start`."""
    at_start = max(0, min(count, _START - start))
    yield from range(at_start)
    yield from range(at_start + -(start + at_start) % _STEP, count, _STEP)


def _has_warned_itself(metric: Metric[Any]) -> bool:
    """Return whether the constructor of a metric has warned of the tokenizer for its target language."""
    tokenizer, language = getattr(metric, "tokenizer_signature", ""), getattr(metric, "trg_lang", "")
    return bool(doubt_of_language(tokenizer, language))


def _is_blank(line: Any) -> bool:
    return not line or (isinstance(line, str) and line.isspace())


def are_subtitles(lines: Sequence[Any]) -> bool:
    """Return whether lines begin like a subtitle file: with the heading of WebVTT, or a time code.

    >>> are_subtitles(["1", "00:00:01,000 --> 00:00:02,500", "Yes."]), are_subtitles(["WEBVTT"])
    (True, True)
    """
    start = [line for line in lines[:_LINES_BEFORE_TIME] if line is not None]
    return bool(start) and (start[0].lstrip("\ufeff").split() == ["WEBVTT"] or any(map(_is_time_code, start)))


def _is_time_code(line: str) -> bool:
    begin, arrow, _ = line.partition(" --> ")
    return bool(arrow) and ":" in begin and begin.translate({ord(mark): "" for mark in ":,."}).strip().isdigit()


class SlowLines:
    """Warns of lines that may be slow to score. (Often, a whole file is on one line by mistake.)

    The first such segment gets a warning at once. At the end, a second warning has the number of all others.
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
