"""Warnings of input files that probably have a mistake, and of references that favour a system."""

from __future__ import annotations

from itertools import zip_longest

from ..files.lines import is_blank
from ..runtime.errors import warn
from ..runtime.hints import Any, Mapping, Sequence
from . import metric_class
from .base import Metric
from .evaluation import sum_statistics
from .score import Score
from .warnings import SlowLines, TextWarnings


class InputChecks:
    """Warns of files with a fault in every line, of problems in texts (`TextWarnings`), and of slow lines.

    Args:
        metrics: the metrics that score the lines, if any.
        warned: as for `TextWarnings`.
        samples: whether to warn of systems that are equal to a reference, or far nearer to a reference than to other
            systems.

    Attributes:
        metrics: the metrics that score text.
        texts: the warnings about the texts of the opened files.
    """

    def __init__(self, metrics: Sequence[Metric[Score]] = (), warned: set[str] | None = None,
                 samples: bool = False) -> None:
        self.metrics = [metric for metric in metrics if metric.COUNTS_TEXT]
        self._slow = [SlowLines(metric) for metric in self.metrics]
        self._warned: set[str] = set() if warned is None else warned
        self._samples = samples
        self._sample: TextSample | None = None
        self._systems = 0

    def open(self, hypotheses: Sequence[str], references: Sequence[str], splits_references: bool) -> None:
        """Start with new files. The arguments have their names, in the order in which `see` gets their lines.

        `splits_references`: whether tabs separate references.
        """
        self._references = references
        self._blank: Mapping[int, str] = dict(enumerate(hypotheses))
        self._tabbed: Mapping[int, str] = {} if splits_references else dict(enumerate(references))
        self.texts = TextWarnings(self.metrics, hypotheses, references, "line", self._warned)
        if self._samples and "near" not in self._warned:
            self._sample = TextSample()

    def see(self, hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> None:
        """Check the next lines of each file."""
        self._tabbed = {index: name for index, name in self._tabbed.items()
                        if all("\t" in line for line in references[index])}
        self._blank = {index: name for index, name in self._blank.items() if all(map(is_blank, hypotheses[index]))}

    def see_segments(self, systems: Sequence[Sequence[str]], references: Sequence[Sequence[Any]],
                     lines: Sequence[int]) -> None:
        """Check the next segments before they are scored. `lines` has the line numbers of the segments."""
        self.texts.see(systems, references, lines)
        if self._sample is not None and len(systems) > 1:
            self._systems = len(systems)
            self._sample.see(systems, references)
        for slow_lines in self._slow:
            for index, hypotheses in enumerate(systems):
                slow_lines.see(hypotheses, references, f"{self.texts.name_of(index)}: line", lines)

    def warn(self) -> None:
        """Issue the warnings after the last line. (The warning of the first slow line was issued earlier.)"""
        for slow_lines in self._slow:
            slow_lines.warn_of_more()
        for name in self._blank.values():
            warn(f"{name}: all hypotheses are blank")
        self.texts.warn()
        if self._sample is not None and self._sample.warn(
                [self.texts.name_of(system) for system in range(self._systems)], self._references, bool(self.metrics)):
            self._warned.add("near")
        for name in self._tabbed.values():
            warn(f"{name} has a tab on every line, but tabs count as whitespace (with --num-refs, tabs separate the "
                 "references of a segment)")


#: The highest number of segments in a sample, and the lowest number of segments for a comparison.
_KEPT_SEGMENTS, _COMPARED_SEGMENTS = 500, 100

#: A system is far nearer to a reference than to other systems if its chrF2 against the reference is at least
#: `_NEAR_REFERENCE`, and its chrF2 against every other system is lower by at least `_FAR_NEARER`.
_NEAR_REFERENCE, _FAR_NEARER = 75, 5

#: The lowest number of segments for a warning that a system is equal to a reference.
_MANY_SAME_SEGMENTS = 20


class TextSample:
    """A sample of a corpus: evenly spaced segments."""

    def __init__(self) -> None:
        self._segments: list[tuple[list[Any], list[Any]]] = []
        self._step = 1
        self._seen = 0

    def see(self, systems: Sequence[Sequence[Any]], references: Sequence[Sequence[Any]]) -> None:
        """Add some of the next segments to the sample."""
        for index in range(-self._seen % self._step, len(systems[0]), self._step):
            self._segments.append(([lines[index] for lines in systems], [stream[index] for stream in references]))
        self._seen += len(systems[0])
        while len(self._segments) > _KEPT_SEGMENTS:
            del self._segments[1::2]
            self._step *= 2

    def same_as_references(self) -> dict[int, int]:
        """Return, for each system that is equal to a reference, the index of the reference.

        The result is empty for a small sample, because a good system may translate a few segments like the reference.
        """
        same: dict[int, int] = {}
        if len(self._segments) < _MANY_SAME_SEGMENTS:
            return same
        for system in range(len(self._segments[0][0])):
            for stream in range(len(self._segments[0][1])):
                if all(lines[system] == references[stream] for lines, references in self._segments
                       if len(references) > stream):
                    same.setdefault(system, stream)
        return same

    def warn(self, names: Sequence[str], references: Sequence[str], is_scored: bool = True) -> bool:
        """Warn of systems that are equal to a reference, and of a system whose output probably became a reference.

        Args:
            names: the names of the systems.
            references: the names of the streams of references.
            is_scored: whether the systems are scored against these references.

        Returns:
            Whether a warning was issued.
        """
        same = self.same_as_references() if is_scored else {}
        if same:
            named = [f"{names[system]} (as {references[min(stream, len(references) - 1)]})"
                     for system, stream in same.items()]
            warn(f"hypotheses are scored against a reference with the same text: {', '.join(named)}")
        near = [found for found in self.near_references() if found[0] not in same]
        for system, with_references, with_systems in near[:1]:
            warn(f"{names[system]} is far nearer to the references (chrF2 {with_references:.1f}) than to any other "
                 f"system (chrF2 {with_systems:.1f}). References that were post-edited from the output of "
                 f"{names[system]} favour {names[system]}")
        return bool(same or near)

    def near_references(self) -> list[tuple[int, float, float]]:
        """Return the systems of the sample that are far nearer to a reference (see the function of this name)."""
        outputs = [lines for lines, _ in self._segments]
        references = [streams for _, streams in self._segments]
        # (Segments may have different numbers of references.)
        return near_references([*zip(*outputs)], [*zip_longest(*references)])


def near_references(outputs: Sequence[Sequence[str]],
                    references: Sequence[Sequence[str | None]]) -> list[tuple[int, float, float]]:
    """Return the systems that are far nearer to a reference than to all other systems.

    Such a reference was probably post-edited from the system's output. Usually, systems are nearer to each other than
    to a human translation. For 12 systems of WMT22, chrF2 against a reference is 9 to 24 points lower than the highest
    chrF2 against another system.

    Args:
        outputs: the lines of each system.
        references: streams of references, with `None` for a missing reference.

    Returns:
        For each such system, its index, its chrF2 against the reference, and its highest chrF2 against another system.
        The list is empty if there is only one system, or if there are few segments.
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
            with_systems = 0.0
            for other in columns[:system] + columns[system + 1:]:
                with_systems = max(with_systems, _similarity(lines, other))
                if with_reference < with_systems + _FAR_NEARER:
                    break  # (One similar system is enough, and comparing all pairs of systems would take long.)
            else:
                found.setdefault(system, (system, with_reference, with_systems))
    return list(found.values())


def _similarity(lines: Sequence[str], reference: Sequence[str]) -> float:
    """Return the chrF2 of lines against a reference; 0 in a vendored copy without chrF."""
    try:
        metric = metric_class("CHRF")()
    except ImportError:
        return 0.0
    return metric.score(sum_statistics(metric.corpus_statistics(lines, [reference]))).score
