"""Read the outputs, the references and further columns (such as ids) of a corpus, block by block."""

from __future__ import annotations

import os
import sys
from itertools import chain, compress, count

from ...files.lines import LineStream, aligned_blocks, split_fields, split_systems
from ...files.opening import HYPOTHESES, REFERENCES, SAMPLES, SCORES, Column, check_readable, column_of
from ...metrics.input_checks import InputChecks
from ...runtime.errors import LengthError, OptionError, warn
from ...runtime.progress import observer
from ..arguments.values import check_needs
from ..process import is_terminal
from .inputs import Examined, Inputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Mapping, Sequence

    from ...files.records import RecordReader
    from ...metrics.evaluation import Block

#: The advice if files of subtitles have different numbers of blocks.
_OF_SUBTITLES = ("; give outputs the blocks of the references, by times (--resegment time) or by words (--resegment), "
                 "or use -m suber, which takes files with different blocks")


class SegmentList:
    """The scored segments: their line numbers, columns and scores of other programs, but not their text.

    Attributes:
        numbers: the line number (or the number of the row) of each segment in its file, from 1.
        lines: the number of lines that have been read, whether they are scored or not.
        columns: the value of each segment in a column of a file or a field of the test set, by name (such as `src`).
        scores: the scores of other programs for each segment, by the name of the scores and the index of the system.
        equal: pairs of a segment's index and a list of systems (by index) that have the same output for the segment.
        lines_of_files: with `--resegment`, the lines of each system as they were read; else empty.
    """

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.lines = 0
        self.columns: dict[str, list[str]] = {}
        self.scores: dict[tuple[str, int], list[str]] = {}
        self.equal: list[tuple[int, list[int]]] = []
        self.lines_of_files: list[list[str]] = []
        self._segments = 0

    def see_outputs(self, systems: Sequence[Sequence[str]]) -> None:
        """Add to `equal` the systems that have the same output. `systems` has the next outputs of each system."""
        for index, outputs in enumerate(zip(*systems), self._segments):
            if len(set(outputs)) < len(outputs):
                by_output: dict[str, list[int]] = {}
                for system, output in enumerate(outputs):
                    by_output.setdefault(output, []).append(system)
                self.equal += [(index, equal) for equal in by_output.values() if len(equal) > 1]
        self._segments += len(systems[0])

    def add(self, lines: Sequence[int], kept: Sequence[bool], columns: Mapping[str, Sequence[str]]) -> None:
        """Add the scored lines of a block. `lines` has the numbers of all lines, and `kept` says which are scored."""
        self.lines += len(kept)
        self.numbers += compress(lines, kept)
        for name, column in columns.items():
            self.columns.setdefault(name, []).extend(compress(column, kept))


class CorpusTexts:
    """The text of a corpus, as it is scored.

    Attributes:
        outputs: the lines of each system.
        references: lists of references that are parallel to the outputs; `None` if a segment lacks a reference.
        listed: the segments without their text.
        warnings: the warnings that have been issued so far.
    """

    def __init__(self, warnings: list[str]) -> None:
        self.warnings = warnings
        self.outputs: list[list[str]] = []
        self.references: list[list[str | None]] = []
        self.listed = SegmentList()

    def see(self, block: Block) -> None:
        """Add the next block."""
        outputs, references = block
        self.outputs = self.outputs or [[] for _ in outputs]
        before = len(self.outputs[0])
        for _ in references[len(self.references):]:
            self.references.append([None] * before)
        for lines, further in zip(self.outputs, outputs):
            lines += further
        for stream, column in zip(self.references, references):
            stream += column
        for stream in self.references[len(references):]:
            stream += [None] * len(outputs[0])

    def put_first(self, index: int) -> None:
        """Move the outputs of the system with this index before the outputs of all other systems."""
        for lists in (self.outputs, self.listed.lines_of_files):
            if lists:
                lists.insert(0, lists.pop(index))

    @property
    def labels(self) -> dict[str, Sequence[str]]:
        """The known labels of each segment: document, original language and domain."""
        labels: dict[str, Sequence[str]] = {name: column for name, column in self.listed.columns.items()
                                            if name in ("docid", "origlang", "domain")}
        if "document" in self.listed.columns:
            labels["docid"] = self.listed.columns["document"]
        return labels

    def outputs_of(self, systems: int) -> list[list[str] | None]:
        """Return the lines of each system. If the first system is a baseline from stored rows, it has `None`."""
        return [*[None] * (systems - len(self.outputs)), *self.outputs]


def advised_blocks(inputs: Inputs, streams: Sequence[Any]) -> Iterator[list[list[Any]]]:
    """Read streams as `aligned_blocks` does. If their lengths differ, the error says where lines may be missing."""
    try:
        yield from aligned_blocks(streams, "" if inputs.files else " (is -i missing?)")
    except LengthError as error:
        from ...metrics.mismatch import advice_on_lengths

        if inputs.resegment or not inputs.files or not inputs.can_be_read_again([*inputs.files, *inputs.references]):
            raise
        if inputs.subtitles:
            raise LengthError(f"{error}{_OF_SUBTITLES}") from None
        texts = list(chain(*open_streams(inputs)[:2]))
        advice = advice_on_lengths(texts, len(inputs.files), inputs.num_refs)
        raise LengthError(f"{error}{advice}") from None


def read_blocks(inputs: Inputs, listed: SegmentList | None = None,
                checks: InputChecks | None = None) -> Iterator[Block]:
    """Read a corpus, block by block. Each block is also passed to `listed` and `checks`.

    Raises:
        Examined: `purebleu doctor` examines the inputs, and has found no error.
        OptionError: no segment is selected.
        PurebleuError: a file can't be read, or files differ in length.
    """
    stop_before_reading(inputs)
    if not inputs.files and is_terminal(sys.stdin):
        warn("hypotheses are read from the terminal, because -i is missing: press Ctrl-D after the last line")
    outputs, references, further, outside = open_streams(inputs, listed is not None)
    splitter = _Splitter(inputs, outputs[0].name, references)
    # (If --where selects rows, their numbers in the file are known, unless they are split into paragraphs or parts.)
    mask: Sequence[bool] = getattr([*references, *outputs][0], "mask", ()) if inputs.subtitles != "parts" else ()
    rows = list(compress(count(1), mask))
    if inputs.subtitles == "parts":
        from .resegmentation import in_parts

        outputs, references, further = in_parts(outputs, references)
    elif inputs.resegment:
        from .resegmentation import resegmented, save_resegmented

        split = _Splitter(inputs, "", references).split_references
        outputs, references, further, lines_of_files = resegmented(inputs, outputs, references, further, split)
        save_resegmented(inputs.save_resegmented, outputs)
        if listed is not None:
            listed.lines_of_files = lines_of_files
    checks = checks or InputChecks()
    checks.open([stream.name for stream in outputs], [stream.name for stream in references],
                inputs.num_refs > 1 or not splitter.is_text)
    observer().begin("scoring" if checks.metrics else "reading", 0)
    after_outputs, after_references = len(outputs), len(outputs) + len(references)
    after_further = after_references + len(further)
    streams = [*outputs, *references, *further.values(), *outside.values()]
    segments = 0
    for columns in advised_blocks(inputs, streams):
        checks.see(columns[:after_outputs], columns[after_outputs:after_references])
        first = splitter.lines + 1
        systems, split_references = splitter.split(columns[:after_outputs], columns[after_outputs:after_references])
        lines: Sequence[int] = range(first, first + len(columns[0]))
        if rows:
            lines = rows[first - 1:first - 1 + len(lines)]
        kept = splitter.kept_of(first, len(lines))
        is_whole = len(systems[0]) == len(lines)  # (for subset scores, all segments are scored)
        checks.see_segments(systems, split_references, lines if is_whole else list(compress(lines, kept)))
        if listed is not None:
            listed.add(lines, kept, dict(zip(further, columns[after_references:after_further])))
            if outside:
                listed.see_outputs(systems)
            for key, column in zip(outside, columns[after_further:]):
                listed.scores.setdefault(key, []).extend(column if is_whole else compress(column, kept))
        if fraction := outputs[0].fraction_read():
            observer().expect(splitter.lines / fraction * len(systems) * max(1, len(checks.metrics)))
        if systems[0]:
            segments += len(systems[0])
            if not inputs.examines:
                yield systems, split_references
    if listed is not None and mask:
        listed.lines = len(mask)
    checks.warn()
    if not segments:
        raise OptionError(NOTHING_LEFT)
    if inputs.examines:
        raise Examined(segments)


def read_texts(inputs: Inputs, checks: InputChecks | None = None) -> CorpusTexts:
    """Read the whole corpus, and pass each block to `checks`."""
    texts = CorpusTexts([])
    for block in read_blocks(inputs, texts.listed, checks):
        texts.see(block)
    return texts


def stop_before_reading(inputs: Inputs) -> None:
    """Raise `Examined` if `purebleu doctor` examines subtitles, pipes, or inputs to resegment."""
    if not inputs.examines:
        return
    names = [name for name in inputs.all_files if name not in inputs.outside.paths or not os.path.isdir(name)]
    if inputs.files and inputs.can_be_read_again(names) and not (inputs.resegment or inputs.subtitles):
        return
    check_readable([column_of(name).path for name in names])
    raise Examined


def open_streams(inputs: Inputs, described: bool = False
                 ) -> tuple[list[Any], list[Any], dict[str, Any], dict[tuple[str, int], Any]]:
    """Open the streams of a corpus.

    Returns:
        The streams of outputs; the streams of references, from files or test sets; the streams of further columns, by
        name (if `described`, also of the fields of a test set); and the streams of scores of other programs, by name
        and index of the system.
    """
    outputs: list[str | None] = [*inputs.files] or [None]
    references: Sequence[str] = () if inputs.selection else inputs.references
    beside = {"id": inputs.ids, "src": inputs.source, "document": inputs.docs, "stratum": inputs.strata_file}
    further = {column: name for column, name in beside.items() if name}
    names = [*outputs, *references, *further.values()]
    roles = [HYPOTHESES] * len(outputs) + [REFERENCES] * len(references) + [*further]
    streams = open_files(inputs, names, roles)
    outside: dict[tuple[str, int], Any] = {}
    if inputs.outside.files:
        from .outside import score_streams

        outside.update(score_streams(inputs))
        streams += outside.values()
    groups: Any = None
    if inputs.selects_rows:
        from .selected_rows import selected_rows

        streams, groups = selected_rows(inputs, streams, [*range(len(roles)), *[system for _, system in outside]])
    if inputs.paragraphs:
        streams, groups = _by_paragraphs(streams, roles, groups)
    outside = dict(zip(outside, streams[len(roles):]))
    reference_streams = streams[len(outputs):len(outputs) + len(references)]
    further_streams = dict(zip(further, streams[len(roles) - len(further):]))
    if groups is not None:
        further_streams["group"] = groups
    if inputs.selection:
        reference_streams = inputs.selection.references()
        if described:
            further_streams = {**inputs.selection.descriptions(), **further_streams}
        if inputs.group:
            further_streams["group"] = inputs.selection.joined(inputs.group_column)
    return streams[:len(outputs)], reference_streams, further_streams, outside


def _by_paragraphs(streams: Sequence[Any], roles: Sequence[str], groups: Any) -> tuple[list[Any], Any]:
    """Split streams into paragraphs. Return the new streams, and a new stream of groups (`None` without groups).

    The first streams are texts, whose roles are `roles`. Streams of scores follow.
    """
    from ...files.records import ParagraphReader

    texts, scores = streams[:len(roles)], streams[len(roles):]
    lists = [stream for stream in scores if stream.has_lists]
    split = ParagraphReader([*texts, *lists, *filter(None, [groups])],
                            [*roles, *[SCORES for _ in lists], "group"]).columns
    replaced = iter(split[len(roles):])
    # (Scores without lists already have a line for each paragraph.)
    scores = [next(replaced) if stream.has_lists else stream for stream in scores]
    return [*split[:len(roles)], *scores], next(replaced, None)


def open_files(inputs: Inputs, names: Sequence[str | None], roles: Sequence[str]) -> list[Any]:
    """Open a stream with a role for each of these files (or columns). `None` stands for the lines of standard input.

    All columns of a file are read together, in the encoding of the first column. (XML declares its own encoding.)

    Raises:
        OptionError: standard input would have to be read twice, or a name lacks a column.
    """
    if inputs.texts is not None:
        return [LineStream(name, text=inputs.texts[name]) for name in names if name is not None]
    columns = [Column("standard input", None) if name is None else inputs.columns[name] for name in names]
    kinds = [column.kind for column in columns if column.path is None]
    if len(kinds) > 1 and (not all(kinds) or len(set(kinds)) > 1):
        raise OptionError("standard input can be read only once: either as lines (-), or as columns of one format "
                          "(such as -:jsonl:COLUMN)")
    readers: dict[tuple[str | None, str], RecordReader] = {}
    streams: list[Any] = []
    for name, column, role in zip(names, columns, roles):
        encoding = inputs.encoding if role in (HYPOTHESES, SAMPLES) else inputs.reference_encoding
        if not column.kind:
            streams.append(LineStream(column.path, encoding))
            streams[-1].role = role
            continue
        key = (column.path, column.kind)
        if key not in readers:
            readers[key] = _reader_class(column.kind)(column.path, encoding)
        streams.append(readers[key].column(name or column.name, column.selector, role))
    return streams


def _reader_class(kind: str) -> type[RecordReader]:
    from ...files.records import READERS

    if kind in READERS:
        return READERS[kind]
    if kind == "srt":
        from ...files.subtitles import SubtitleReader

        return SubtitleReader
    from ...datasets.wmt_xml import WMT_READERS

    return WMT_READERS[kind]


def read_references(inputs: Inputs) -> Iterator[Sequence[Sequence[Any]]]:
    """Yield the references of the selected segments, block by block."""
    if inputs.selection or inputs.selects_rows or inputs.paragraphs:
        streams = open_streams(inputs)[1]
    else:
        streams = open_files(inputs, inputs.references, [REFERENCES] * len(inputs.references))
    splitter = _Splitter(inputs, "", streams)
    for columns in aligned_blocks(streams):
        keep = splitter.kept_of(splitter.lines + 1, len(columns[0]))
        references = splitter.split_references(columns, len(columns[0]))
        if any(keep):
            yield [list(compress(column, keep)) for column in references]


#: The error if no segment is selected.
NOTHING_LEFT = "no segment of the test set meets --origlang, --subset and --where"


class _Splitter:
    """Splits the columns of blocks into texts of systems and references, and drops segments that are not selected.

    Attributes:
        is_text: whether references are lines of text files.
        lines: the number of lines that have been split so far.
    """

    def __init__(self, inputs: Inputs, hypotheses_name: str, references: Sequence[Any]) -> None:
        self._inputs = inputs
        self._hypotheses_name = hypotheses_name
        self._references_name: str = references[0].name if references else ""
        self._varying = [getattr(stream, "varies", False) for stream in references]
        self.is_text = not inputs.selection and all(isinstance(stream, LineStream) for stream in references)
        if inputs.num_refs > 1:
            check_needs(self.is_text, "--num-refs", "references in files of lines, not in columns (columns may have "
                        "lists of references)", "num_refs")
        self._kept: list[bool] | None = inputs.selection.kept_segments() if inputs.selection else None
        self._systems: int | None = None  # (the number of systems in standard input)
        self.lines = 0

    def split(self, systems: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> Block:
        """Return the next block: the hypotheses of each system, and the streams of references."""
        start = self.lines
        if not self._inputs.files or self._inputs.splits_last:
            in_last = split_systems(systems[-1], self._systems, self._hypotheses_name, start + 1)
            if self._systems is None and len(in_last) > 1:
                warn(f"standard input has {len(in_last)} systems, separated by tabs")
            self._systems = len(in_last)
            systems = [*systems[:-1], *in_last]
        systems = self._normalized(systems)
        references = self.split_references(references, len(systems[0]))
        # (For subset scores, all segments are scored first.)
        if self._kept is None or (self._inputs.scores_all and len(systems) == 1):
            return systems, references
        keep = self._kept[start:self.lines]
        return [list(compress(column, keep)) for column in systems], [list(compress(column, keep))
                                                                      for column in references]

    def split_references(self, references: Sequence[Sequence[str]], lines: int) -> Sequence[Sequence[Any]]:
        """Return the streams of references of the next block, which has `lines` lines. (There may be no streams.)"""
        first = self.lines + 1
        self.lines += lines
        if self._inputs.num_refs > 1:
            references = split_fields(references[0], self._inputs.num_refs, self._references_name, first)
        if any(self._varying):
            from ...files.records import reference_streams

            references = reference_streams(references, self._varying, self._references_name, first)
        return self._normalized(references)

    def _normalized(self, columns: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
        """Return columns of text, converted to the normal form of `--normalize` (if it is given)."""
        if not self._inputs.normalize:
            return columns
        from ...metrics.segments import normalized

        return normalized([list(column) for column in columns], self._inputs.normalize)

    def kept_of(self, first: int, count: int) -> list[bool]:
        """For each of `count` lines from line number `first`, return whether it is selected."""
        return [True] * count if self._kept is None else self._kept[first - 1:first - 1 + count]
