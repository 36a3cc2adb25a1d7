"""Alignments of words as JSON files, as text for terminals, and as tables of the most frequent confusions."""

from __future__ import annotations

from collections import Counter
from itertools import zip_longest

from ..metrics.alignment import DELETED, INSERTED, MATCHED, SUBSTITUTED, Alignment, TERShift
from ..runtime.errors import counted, printable
from ..runtime.hints import Any, Iterable, Iterator, Mapping, NamedTuple, Sequence
from ..runtime.json_writer import to_json
from ..unicode.columns import columns_taken, isolated, pieces_of_width, without_direction_controls
from ..unicode.properties import WHITESPACE
from .formats import Style, colored, names_in, wrapped_lines
from .page.words import score_text, visible
from .tables import Section, TableColumn, fence_around, fitted
from .views import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..metrics.alignment import Operation

#: The mark below the words of an alignment, by the kind of operation.
OPERATION_LETTERS = {MATCHED: " ", SUBSTITUTED: "S", INSERTED: "I", DELETED: "D"}


class AlignedSegment(NamedTuple):
    """A segment with its alignment.

    Attributes:
        number: the number of the line, from 1.
        identifier: the id of the segment; `None` if it has none.
        alignment: the alignment with the best reference.
        score: the score of the segment.
    """

    number: int
    identifier: str | None
    alignment: Alignment
    score: float


class AlignedSystem(NamedTuple):
    """The alignments of a system under a metric, for a JSON file.

    Attributes:
        name: the name of the system.
        metric: the name of the metric.
        signature: the signature of the scores.
        segments: the segments, which are read only once.
    """

    name: str
    metric: str
    signature: str
    segments: Iterable[AlignedSegment]


def alignment_lines(systems: Sequence[AlignedSystem]) -> Iterator[str]:
    """Yield the lines of a JSON file with the alignments of systems."""
    yield '{"alignments": ['
    for index, system in enumerate(systems):
        head = {"system": system.name, "metric": system.metric, "signature": system.signature}
        yield f'{_alignment_json(head)[:-1]}, "segments": ['
        waiting = ""
        for segment in system.segments:
            if waiting:
                yield waiting + ","
            waiting = _alignment_json(segment_object(segment))
        yield waiting + ("]}," if index < len(systems) - 1 else "]}")
    yield "]}"


def _alignment_json(value: object) -> str:
    text = to_json(value, indent=None, ascii_only=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # (UTF-8 cannot encode halves of surrogate pairs)
        return to_json(value, indent=None)
    return text


def segment_object(segment: AlignedSegment) -> dict[str, object]:
    """Return a segment as an object for JSON.

    An operation is a list: its kind, the word of the hypothesis, and the word of the reference.
    """
    alignment = segment.alignment
    return {
        "line": segment.number, **({} if segment.identifier is None else {"id": segment.identifier}),
        "score": segment.score, "edits": alignment.num_edits, "reference_length": alignment.ref_length,
        "reference": alignment.reference_index, "hypothesis": alignment.hypothesis,
        "shifts": [{"start": shift.start, "target": shift.target, "words": shift.words} for shift in alignment.shifts],
        "operations": [list(operation) for operation in alignment.operations()],
    }


#: The colours of words in alignments, by the kind of operation.
_OPERATION_COLORS = {SUBSTITUTED: "yellow", INSERTED: "green", DELETED: "red"}
_SHIFT_COLOR = "cyan"

_REFERENCE_LINE, _HYPOTHESIS_LINE, _MARKS_LINE = "  REF: ", "  HYP: ", "       "

#: The minimum number of terminal columns for the words of a line, even in very narrow terminals.
_MIN_ROOM = 8

#: The sign that replaces whitespace in a word, and the sign before a word that has only combining marks.
_OPEN_BOX = "\N{OPEN BOX}"
_SHOWN_WHITESPACE = dict.fromkeys(map(ord, WHITESPACE), _OPEN_BOX)
_DOTTED_CIRCLE = "\N{DOTTED CIRCLE}"

#: For each kind of confusion, the heads of the columns with words of the reference and words of the hypothesis.
_CONFUSION_HEADS = {SUBSTITUTED: ("Substituted", "By"), DELETED: ("Deleted",), INSERTED: ("Inserted",)}


class AlignmentView(View):
    """A view of the alignments of the segments in which a system has errors.

    Attributes:
        system: the name of the system.
        metric: the name of the metric.
        characters: whether characters are compared instead of words.
        segments: the segments to show.

    Args:
        with_errors: the number of all segments with errors.
        total: the number of all segments.
    """

    def __init__(self, system: str, metric: str, characters: bool, segments: Sequence[AlignedSegment],
                 with_errors: int, total: int) -> None:
        self.system = system
        self.metric = metric
        self.characters = characters
        self.segments = segments
        shown = len(segments)
        part = "" if shown == with_errors else f"{shown} of "
        self.heading = f"{system}: {part}{counted(with_errors, 'segment')} with errors ({metric}), of {total:,} in all"

    def as_object(self) -> dict[str, object]:
        return {"view": self.heading, "system": self.system, "metric": self.metric,
                "segments": list(map(segment_object, self.segments))}

    def texts(self, style: Style) -> list[str]:
        texts = ["\n".join(self._lines(segment, style)) for segment in self.segments]
        return list(map(_block, texts)) if style.form == "markdown" else texts

    def _lines(self, segment: AlignedSegment, style: Style) -> Iterator[str]:
        columns, alignment = style.columns, segment.alignment
        identifier = "" if segment.identifier is None else f" ({isolated(printable(segment.identifier))})"
        length = f"{alignment.ref_length:.6g}"  # (with several references, their mean length)
        unit = ("character" if self.characters else "word") + ("" if length == "1" else "s")
        yield (f"line {segment.number}{identifier}: {self.metric} {score_text(segment.score)}, "
               f"{counted(alignment.num_edits, 'edit')} for {length} {unit}")
        room = None if columns is None else max(_MIN_ROOM, columns - len(_MARKS_LINE))
        gap = "" if self.characters else " "
        for cells in _wrapped(_cells(alignment, self.characters), room, len(gap)):
            yield from _lines_of_cells(cells, gap, style.color)
        for number, shift in enumerate(alignment.shifts, 1):
            sentence = _shift_sentence(number, shift)
            lines = [sentence] if columns is None else wrapped_lines(sentence, columns - 4)
            yield "  " + lines[0]
            for line in lines[1:]:
                yield "    " + line


def _shift_sentence(number: int, shift: TERShift) -> str:
    """Return a description of a shift."""
    distance = shift.start_after - shift.start
    side = "right" if distance > 0 else "left"
    words = " ".join([isolated(_shown(word)) for word in shift.words])
    return (f"shift {number}: \N{LEFT DOUBLE QUOTATION MARK}{words}\N{RIGHT DOUBLE QUOTATION MARK} moves "
            f"{counted(abs(distance), 'word')} to the {side}")


def _block(text: str) -> str:
    """Return the text as a fenced code block of Markdown."""
    fence = fence_around(text, "```")
    return f"{fence}text\n{text}\n{fence}"


def _shown(word: str) -> str:
    """Return a word as a terminal shows it, at least one column wide."""
    shown = without_direction_controls(visible(word.translate(_SHOWN_WHITESPACE)))
    return shown if columns_taken(shown) else _DOTTED_CIRCLE + shown


class _Cell(NamedTuple):
    """A column of an alignment: a word of the reference, a word of the hypothesis, the mark below, and the colour."""

    reference: str
    hypothesis: str
    mark: str
    color: str | None


def _cells(alignment: Alignment, characters: bool) -> Iterator[_Cell]:
    """Yield a cell for each operation. Asterisks stand for a missing word."""
    moved = alignment.moved()
    passed = 0
    for kind, word, reference_word in alignment.operations():
        numbers = moved[passed] if word is not None else ()
        passed += word is not None
        mark = OPERATION_LETTERS[kind].strip() + ",".join([f"{number + 1}" for number in numbers])
        color = _OPERATION_COLORS.get(kind, _SHIFT_COLOR if numbers else None)
        if characters and kind == MATCHED:
            character = word or ""
            text = " " if character in WHITESPACE else without_direction_controls(visible(character))
            yield _Cell(text, text, mark, color)
            continue
        reference = "*" * columns_taken(_shown(word or "")) if reference_word is None else _shown(reference_word)
        hypothesis = "*" * columns_taken(reference) if word is None else _shown(word)
        yield _Cell(reference, hypothesis, mark, color)


def _wrapped(cells: Iterator[_Cell], room: int | None, gap: int) -> Iterator[list[_Cell]]:
    """Yield the cells of each line. A cell that is wider than `room` is divided into several lines."""
    line: list[_Cell] = []
    taken = 0
    for cell in cells:
        width = _width_of_cell(cell)
        if room is not None and line and taken + width > room:
            yield line
            line, taken = [], 0
        if room is not None and width > room:
            *before, cell = _parts_of_cell(cell, room)
            for part in before:
                yield [part]
            width = _width_of_cell(cell)
        line.append(cell)
        taken += width + gap
    yield line


def _width_of_cell(cell: _Cell) -> int:
    return max(columns_taken(cell.reference), columns_taken(cell.hypothesis), len(cell.mark))


def _parts_of_cell(cell: _Cell, room: int) -> list[_Cell]:
    pieces = zip_longest(pieces_of_width(cell.reference, room), pieces_of_width(cell.hypothesis, room), fillvalue="")
    return [_Cell(reference, hypothesis, "" if index else cell.mark, cell.color)
            for index, (reference, hypothesis) in enumerate(pieces)]


def _lines_of_cells(cells: Sequence[_Cell], gap: str, color: bool) -> Iterator[str]:
    """Yield the lines of text for some cells: the reference, the hypothesis, and the marks if there are any."""
    widths = list(map(_width_of_cell, cells))
    for head, texts in ((_REFERENCE_LINE, [cell.reference for cell in cells]),
                        (_HYPOTHESIS_LINE, [cell.hypothesis for cell in cells]),
                        (_MARKS_LINE, [cell.mark for cell in cells])):
        if head != _MARKS_LINE or any(texts):
            yield (head + gap.join([
                (colored(isolated(text), cell.color) if color and cell.color and text else isolated(text))
                + " " * (width - columns_taken(text)) for text, cell, width in zip(texts, cells, widths)])).rstrip(" ")


# Confusions


def confusion_counts(alignments: Iterable[Alignment]) -> Counter[Operation]:
    """Count the substitutions, deletions and insertions of each word in alignments.

    Example:
        >>> from purebleu.metrics import WER
        >>> found = WER().corpus_alignments(["a b", "a c"], [["x b", "x d e"]])
        >>> confusion_counts(found)[("substitution", "a", "x")]
        2
    """
    counts: Counter[Operation] = Counter()
    for alignment in alignments:
        counts.update([operation for operation in alignment.operations() if operation[0] in _CONFUSION_HEADS])
    return counts


class FrequentConfusions(NamedTuple):
    """The confusions of a kind that are most frequent in all systems together.

    Attributes:
        kind: substitution, deletion or insertion.
        different: the number of distinct confusions of this kind.
        total: for each system, the number of its confusions of this kind, with repetitions.
        frequent: the most frequent confusions: the word of the reference, the word of the hypothesis, and the count in
            each system. Confusions with equal counts are sorted by their words.
    """

    kind: str
    different: int
    total: Sequence[int]
    frequent: Sequence[tuple[str | None, str | None, Sequence[int]]]


def frequent_confusions(systems: Sequence[Mapping[Operation, int]], kind: str, limit: int) -> FrequentConfusions:
    """Return at most `limit` of the most frequent confusions of a kind, from the counts of each system.

    Example:
        >>> frequent_confusions([{("deletion", None, "a"): 2, ("deletion", None, "b"): 3}], "deletion", 1)
        FrequentConfusions(kind='deletion', different=2, total=[5], frequent=[('b', None, [3])])
    """
    totals: Counter[Operation] = Counter()
    system_totals: list[int] = []
    for counts in systems:
        counts_of_kind = {confusion: count for confusion, count in counts.items() if confusion[0] == kind}
        totals.update(counts_of_kind)
        system_totals.append(sum(counts_of_kind.values()))
    chosen = sorted(totals, key=lambda confusion: (-totals[confusion], confusion[2] or "", confusion[1] or ""))[:limit]
    frequent: list[tuple[str | None, str | None, list[int]]] = []
    for confusion in chosen:
        frequent.append((confusion[2], confusion[1], [counts.get(confusion, 0) for counts in systems]))
    return FrequentConfusions(kind, len(totals), system_totals, frequent)


class ConfusionView(View):
    """A view of the most frequent confusions of systems, with a table for each kind.

    Attributes:
        names: the names of the systems.
        metric: the name of the metric.
        kinds: the confusions of each kind.

    Args:
        systems: the segments of each system.
        limit: the maximum number of confusions of each kind.
    """

    def __init__(self, names: Sequence[str], metric: str, systems: Iterable[Iterable[AlignedSegment]],
                 limit: int) -> None:
        counts = [confusion_counts(segment.alignment for segment in segments) for segments in systems]
        self.heading = f"Most frequent confusions ({metric})"
        self.names = names
        self.metric = metric
        self.kinds = [frequent_confusions(counts, kind, limit) for kind in _CONFUSION_HEADS]

    def as_object(self) -> dict[str, object]:
        kinds: list[dict[str, Any]] = []
        for kind in self.kinds:
            entries = [{"reference": reference, "hypothesis": hypothesis, "counts": dict(zip(self.names, counts))}
                       for reference, hypothesis, counts in kind.frequent]
            kinds.append({"kind": kind.kind, "different": kind.different, "total": dict(zip(self.names, kind.total)),
                          "confusions": entries})
        return {"view": self.heading, "metric": self.metric, "kinds": kinds}

    def section(self, style: Style) -> Section:
        tables = [fitted(self._table(kind, names_in(style, self.names)), style.columns)
                  for kind in self.kinds if kind.frequent]
        return Section(self.heading, () if tables else ["There are no confusions."], tables)

    def _table(self, kind: FrequentConfusions, names: Sequence[str]) -> list[TableColumn]:
        more = kind.different - len(kind.frequent)
        table: list[TableColumn] = []
        heads = iter(_CONFUSION_HEADS[kind.kind])
        for words in list(zip(*kind.frequent))[:2]:
            if words[0] is not None:
                shown = [isolated(_shown(word)) for word in words]
                if more:
                    shown.append("" if table else f"{more} others")
                table.append((next(heads), shown))
        for index, name in enumerate(names):
            counts = [counts[index] for _, _, counts in kind.frequent]
            if more:
                counts.append(kind.total[index] - sum(counts))
            table.append((name, list(map(str, counts))))
        return table
