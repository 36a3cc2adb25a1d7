"""The content of a report's page: names, numbers, and the data on single segments."""

from __future__ import annotations

from itertools import accumulate

from ...analysis.segments import STORED_DIGITS
from ...runtime.hints import NamedTuple, Sequence
from ...unicode.casing import lower_case
from ..formats import PairResults
from ..tables import Section
from .words import SEGMENT_PLACES, split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Mapping, Tuple, Union

    from ...analysis.summary import Buckets, Summary
    from ...checks.findings import CheckedSystems
    from ...metrics.ter import TERAlignment

    #: The name of a file, its SHA-256 sum, and its number of lines.
    InputFile = Tuple[str, str, int]

    #: One of TER's shifts of a block of words, in the page's data. The first number is the index of the word before
    #: which the block is inserted; for the end of the output, the number of words. Then come the start and the length
    #: of each run of consecutive words in the block.
    StoredShift = List[int]

    #: All of TER's shifts of an output. If TER's words differ from the words that the page shows, TER's words come
    #: first, as one text, and the indices are theirs.
    StoredShifts = Sequence[Union[str, StoredShift]]


class Origin(NamedTuple):
    """The origin of the numbers of a page.

    Attributes:
        command: the command line that made the page.
        files: the files that were read.
        corpus: the test set and the language pair, for captions; empty if unknown.
        languages: the language codes (for HTML) of the source and of the references; `None` for an unknown language.
    """

    command: str
    files: Sequence[InputFile]
    corpus: str
    languages: tuple[str | None, str | None]


class Page:
    """The content of a page.

    Attributes:
        names: the names of the systems.
        summary: all numbers of the page.
        results: the results of the systems, which are also in `summary`.
        metrics: the names of the scores.
        pair: the results with the names of systems and scores.
        width: the number of decimal places of scores, at least 2.
        printed_width: the number of decimal places in tables for a paper.
        segments: the data on the segments that are shown; `page.js` describes its members.
        shown: the number of segments that are shown.
        groups: the sections of scores by group, if there are groups.
        gates: the section of gates, if there are any.
        audit: the sections of the audit, if one was made.
        agreement: the sections on the agreement of metrics with people, if it was requested.
        line_breaks: the section on moved line breaks, with `--resegment`.
        checks: the findings of checks; `None` if no checks were made.
        prefix: the prefix of all ids of the page, if the file has several pages.
        title: the title of the file; empty: a default title.
        origin: the origin of the numbers.
        warnings: the warnings of the run.
    """

    def __init__(self, names: Sequence[str], summary: Summary, origin: Origin, width: int, prefix: str = "",
                 title: str = "") -> None:
        self.origin = origin
        self.warnings: Sequence[str] = ()
        self.prefix = prefix
        self.title = title
        self.names = names
        self.summary = summary
        self.results = summary.results
        self.metrics = [score.name for score in self.results.scores[0]]
        self.pair = PairResults(origin.corpus, names, self.results, dict(zip(self.metrics, summary.signatures)))
        self.width = max(width, 2)
        self.printed_width = width
        self.groups: list[Section] = []
        self.gates: Sequence[Section] = ()
        self.audit: Sequence[Section] = ()
        self.agreement: Sequence[Section] = ()
        self.line_breaks: Sequence[Section] = ()
        self.checks: CheckedSystems | None = None
        count = len(summary.segments[0][0])
        self.shown = count
        self.segments = self._data(range(1, count + 1))

    def places(self, metric: int) -> int:
        """Return the decimal places of scores under a metric."""
        return self.results.places(metric, self.width)

    def add_texts(self, numbers: Sequence[int], columns: Mapping[str, Sequence[str]],
                  references: Sequence[Sequence[str | None]], outputs: Sequence[Sequence[str] | None],
                  limit: int, shifts: Sequence[Mapping[str, StoredShifts]] | None = None) -> None:
        """Add the texts of the first `limit` segments.

        Args:
            numbers: the line number of each segment.
            columns: the columns `id` (or else `docid`) and `src`, if the test set has them.
            references: the streams of references.
            outputs: the lines of each system; `None` for a system without text.
            limit: the maximum number of segments with texts; 0: no texts at all.
            shifts: for each system, TER's shifts by the indices of segments; `None` without TER.
        """
        identifiers = columns.get("id") or columns.get("docid")
        if not limit:
            self.segments = self._data(numbers, identifiers)
            return
        self.shown = min(limit, len(numbers))
        missing: Sequence[str | None] = [None] * len(numbers)
        texts = [missing if lines is None else lines for lines in outputs]
        self.segments = self._data(numbers, identifiers, columns.get("src"), references, texts)
        self.segments["shifts"] = shifts

    def add_checks(self, checked: CheckedSystems) -> None:
        """Add the findings of checks and, if segments have texts, the parts of texts that the findings name."""
        self.checks = checked
        if self.segments["outputs"] is None:
            return
        indices = {line: index for index, line in enumerate(self.segments["numbers"])}
        findings: list[dict[str, list[tuple[str, str, bool]]]] = [{} for _ in self.names]
        for finding in checked.findings:
            of_system = findings[self.names.index(finding.system)]
            for line, spans in zip(finding.lines, finding.spans or [[(0, 1, "")]] * len(finding.lines)):
                if line in indices:
                    of_system.setdefault(str(indices[line]), []).extend(
                        [(finding.check, text, start == end) for start, end, text in spans])
        if any(findings):
            self.segments["findings"] = findings

    def _data(self, numbers: Sequence[int], identifiers: Sequence[str] | None = None,
              source: Sequence[str] | None = None, references: Sequence[Sequence[str | None]] | None = None,
              outputs: Sequence[Sequence[str | None]] | None = None) -> Any:
        summary, shown = self.summary, slice(self.shown)

        def rounded(scores: Sequence[float]) -> list[float]:
            return [round(score, STORED_DIGITS) for score in scores]

        stored_scores: list[list[list[float]]] = []
        for metric_scores in summary.segments:
            stored_scores.append([rounded(scores[shown]) for scores in metric_scores])
        return {
            "prefix": self.prefix, "systems": list(self.names), "languages": list(self.origin.languages),
            "metrics": [{"name": score.name, "lower": score.lower_is_better, "limits": list(limits),
                         "places": score.places(SEGMENT_PLACES)}
                        for score, limits in zip(self.results.scores[0], summary.limits)],
            "numbers": list(numbers[shown]), "ids": None if identifiers is None else list(identifiers[shown]),
            "source": None if source is None else list(source[shown]),
            "references": None if references is None else [list(texts[shown]) for texts in references],
            # (If outputs are ordered by segment, the data compresses to half the size.)
            "outputs": None if outputs is None else list(zip(*[texts[shown] for texts in outputs])),
            "lengths": (summary.lengths or [0] * len(numbers))[shown],
            "groups": [_grouping(buckets, len(numbers), self.shown) for buckets in summary.buckets],
            "scores": stored_scores,
            "shifts": None, "findings": None,
        }


def _grouping(buckets: Buckets, count: int, shown: int) -> Any:
    """Return a grouping of segments for the page's data: the labels of the kinds, and the kind of each segment."""
    kinds = [0] * count
    for kind, members in enumerate(buckets.members):
        for index in members:
            kinds[index] = kind
    return {"title": buckets.title, "labels": [label for label, _ in buckets.groups], "kinds": kinds[:shown]}


def stored_shifts(alignment: TERAlignment, output: str) -> StoredShifts:
    """Return TER's shifts of an output for the page's data. Indices are those of words before the first shift.

    Args:
        alignment: an alignment with at least one shift.
        output: the text of the output.

    Example:
        >>> from purebleu import TER
        >>> stored_shifts(TER().alignment("Today the cat slept", ["The cat slept today"]), "Today the cat slept")
        [[4, 0, 1]]
    """
    words = alignment.hypothesis
    order = list(range(len(words)))
    stored: list[str | StoredShift] = []
    if words not in (split_words(output), split_words(lower_case(output))):
        stored.append(" ".join(words))
    for shift in alignment.shifts:
        end = shift.start + len(shift.words)
        target = [*order, len(order)][shift.target]
        stored.append([target, *_runs(order[shift.start:end])])
        order = shift.applied(order)
    return stored


def _runs(indices: Sequence[int]) -> list[int]:
    """Return the start and the length of each run of consecutive indices.

    >>> _runs([4, 5, 2])
    [4, 2, 2, 1]
    """
    runs: list[int] = []
    for index in indices:
        if runs and index == runs[-2] + runs[-1]:
            runs[-1] += 1
        else:
            runs += [index, 1]
    return runs


def line_break_sections(names: Sequence[str], files: Sequence[Sequence[str]],
                        outputs: Sequence[Sequence[str]]) -> list[Section]:
    """Return a list with a section on the line breaks that were kept or moved.

    Args:
        names: the names of the systems.
        files: the lines of each system's file.
        outputs: the lines that are scored, which have the same text as `files`.
    """
    breaks = [(_breaks(lines), _breaks(scored)) for lines, scored in zip(files, outputs)]
    kept = [len({*before} & {*after}) for before, after in breaks]
    return [Section("Lines", [
        "The systems' outputs were divided into lines like the references (--resegment). A line break of the "
        "file was kept if the references have a line break at the same place. All other line breaks were moved."], [[
            ("System", list(names)), ("Lines of the file", [f"{len(lines)}" for lines in files]),
            ("Lines scored", [f"{len(lines)}" for lines in outputs]),
            ("Line breaks kept", [f"{count}" for count in kept]),
            ("Line breaks moved", [f"{len({*before}) - count}" for (before, _), count in zip(breaks, kept)]),
            ("Empty lines scored", [f"{_empty_lines(lines)}" for lines in outputs])]])]


def _empty_lines(lines: Sequence[str]) -> int:
    return sum([not line.strip() for line in lines])


def _breaks(lines: Sequence[str]) -> list[int]:
    """Return the position of each line break: the number of characters before it, without white space."""
    return list(accumulate([len("".join(line.split())) for line in lines]))[:-1]
