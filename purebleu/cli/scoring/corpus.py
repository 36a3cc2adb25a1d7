"""The corpus that the options name: read block by block, and scored by `--jobs` processes."""

from __future__ import annotations

import sys
from functools import partial
from itertools import compress

from ...errors import OptionError, warn
from ...files.text import HeldText, LineStream, aligned_blocks, may_have_columns
from ...metrics.contract import References
from ...metrics.evaluation import Evaluation, Part
from ...report import FORMATS
from ...runtime.progress import observer
from ...tokenizers import language_of_code
from ..process.terminal import is_terminal
from .checks import InputChecks, advised_blocks
from .types import SegmentList, System

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence

    from ...metrics.base import Metric
    from ...metrics.contract import Row
    from ...metrics.score import Score
    from ..arguments.options import Options
    from .types import Block, ScoreKey


def target_language(options: Options) -> str:
    """The code of the target language (of two letters, if it has a tokenizer of its own); empty without a pair."""
    return language_of_code(options.langpair.split("-")[1]) if options.langpair else ""


def evaluate_systems(options: Options, metrics: Sequence[Metric[Score]],
                     see: Callable[[Block], None] | None = None, listed: SegmentList | None = None,
                     warned: set[str] | None = None) -> list[System]:
    """The evaluations of each system under each metric, with rows where they are needed.

    The corpus is read once. Each block of it is passed to `see`, and then dropped. (Where weights come from all
    references, these are read first.) Scores from outside are read in parallel. `warned` is for `InputChecks`.
    """
    if options.scores and listed is None:
        listed = SegmentList()
    checks = InputChecks(metrics, warned, samples=bool(options.test or options.check or options.report))
    metrics, blocks = weighted_metrics(options, metrics, listed, checks)
    computed = [metric for metric in metrics if metric.COUNTS_TEXT]
    keep_rows = bool(options.test or options.confidence or options.detail or options.save_rows or options.report
                     or options.views or options.runs or options.worth or options.power is not None
                     or options.agreement or options.agreement_systems)
    fields = input_fields(options)
    systems: list[System] = []
    for block in score_blocks(options, partial(score_block, computed, keep_rows), checks, see, listed, blocks):
        systems = systems or [System([Evaluation(metric, fields) for metric in computed],
                                     [[] for _ in computed]) for _ in block]
        for system, parts in zip(systems, block):
            for evaluation, rows_of_metric, part in zip(system.evaluations, system.rows, parts):
                evaluation.add(part)
                if keep_rows:
                    rows_of_metric += part.rows
    for system in systems:
        for metric, evaluation in zip(computed, system.evaluations):
            evaluation.suits_text = checks.suits(metric)
    if listed is not None and len(computed) < len(metrics):
        from .outside import with_outside_scores

        return with_outside_scores(options, metrics, systems, listed, keep_rows)
    return systems


def warn_of_doubts(systems: Iterable[System], names: Sequence[str] = ("",)) -> None:
    """Warn of each system whose scores are doubtful, by its name where there are several systems."""
    for name, system in zip(names, systems):
        for evaluation in system.evaluations:
            evaluation.warn_of_doubts(name)


def weighted_metrics(options: Options, metrics: Sequence[Metric[Score]],
                     listed: SegmentList | None,
                     checks: InputChecks) -> tuple[Sequence[Metric[Score]], Iterable[Block] | None]:
    """The metrics with their weights, if any need some; and the blocks of the corpus, if it had to be read for that."""
    if not any(metric.lacks_weights() for metric in metrics):
        return metrics, None
    from .weights import with_weights

    return with_weights(options, metrics, partial(read_blocks, options, listed, checks),
                        partial(read_references, options))


def score_blocks(options: Options, score: Callable[[Block], list[list[Part]]], checks: InputChecks,
                 see: Callable[[Block], None] | None = None, listed: SegmentList | None = None,
                 blocks: Iterable[Block] | None = None) -> Iterator[list[list[Part]]]:
    """The results of `score` for the blocks of the corpus, or pieces of them, in order, by `options.jobs` processes.

    `blocks` are the blocks of a corpus that has been read already; `None`: it is read here.
    """
    def read() -> Iterator[Block]:
        for block in read_blocks(options, listed, checks) if blocks is None else blocks:
            if see is not None:
                see(block)
            yield block

    if options.jobs == 1:
        return map(score, read())
    from .processes import consists_of_plain_files, score_in_processes, score_plain_files

    if see is None and listed is None and blocks is None and consists_of_plain_files(options):
        return score_plain_files(options, score, checks)
    return score_in_processes(options, score, read())


def score_block(metrics: Sequence[Metric[Score]], keep_rows: bool, block: Block) -> list[list[Part]]:
    """The parts of evaluations that a block adds: for each system, one under each metric."""
    streams, references = block
    shared = [References(metric, references) for metric in metrics]
    if len(streams) > 1:
        shared = [references_of_metric.prepared() for references_of_metric in shared]
    return [_parts_of_system(metrics, keep_rows, hypotheses, shared) for hypotheses in streams]


def _parts_of_system(metrics: Sequence[Metric[Score]], keep_rows: bool, hypotheses: Sequence[str],
                     references: Sequence[References]) -> list[Part]:
    """The parts that a block adds to a system, under each metric."""
    keys = [metric.alignment_key() for metric in metrics]
    parts: list[Part] = []
    waiting: dict[object, list[list[Row]]] = {}
    for metric, key, references_of_metric in zip(metrics, keys, references):
        rows: list[Row] | None = None
        if key is not None:
            if key not in waiting:
                together = [other for other, other_key in zip(metrics, keys) if other_key == key]
                waiting[key] = metric.rows_together(together, hypotheses, references_of_metric)
            rows = waiting[key].pop(0)
        parts.append(Part(metric, hypotheses, references_of_metric, keep_rows, rows))
    return parts


def input_fields(options: Options) -> dict[str, str]:
    """The fields of signatures that say what is done to the text before it is scored."""
    fields: dict[str, str] = {}
    if options.resegment:
        from .resegmentation import resegmentation_signature

        fields["reseg"] = resegmentation_signature(options.resegment)
    if options.normalize:
        fields["unicode"] = options.normalize
    return fields


def scores_subsets(options: Options, systems: int) -> bool:
    """Whether subset scores are reported, too, as `--detail` does for a single system, as text."""
    return options.detail and systems == 1 and not options.sentence_level and not FORMATS[options.format].is_table


def list_of_units(options: Options) -> SegmentList | None:
    """A list that takes in the documents and strata of segments; `None` where the options ask for none."""
    return SegmentList() if options.has_units else None


def read_blocks(options: Options, listed: SegmentList | None = None,
                checks: InputChecks | None = None) -> Iterator[Block]:
    """The corpus, block by block; `listed` takes in its segments, and `checks` look at them."""
    if not options.input and is_terminal(sys.stdin):
        warn("hypotheses are read from the terminal, as there is no -i; the end of input (Ctrl-D) ends them")
    inputs, references, further = open_streams(options)
    splitter = _Splitter(options, inputs[0].name, references)
    if options.resegment:
        from .resegmentation import resegmented

        split = _Splitter(options, "", references).split_references
        inputs, references, further, lines_of_files = resegmented(options, inputs, references, further, split)
        if listed is not None:
            listed.lines_of_files = lines_of_files
    outside: dict[ScoreKey, Any] = {}
    if options.scores:
        from .outside import score_streams

        outside = {**score_streams(options)}
    checks = checks or InputChecks()
    checks.open([stream.name for stream in inputs], [stream.name for stream in references],
                options.num_refs > 1 or not splitter.is_text)
    observer().begin("reading" if options.check else "scoring", 0)
    after_inputs, after_references = len(inputs), len(inputs) + len(references)
    after_further = after_references + len(further)
    streams = [*inputs, *references, *further.values(), *outside.values()]

    def text_streams() -> list[Any]:
        system_streams, reference_streams, _ = open_streams(options)
        return [*system_streams, *reference_streams]

    for columns in advised_blocks(options, streams, text_streams, "" if options.input else " (is -i missing?)"):
        checks.see(columns[:after_inputs], columns[after_inputs:after_references])
        first = splitter.lines + 1
        systems, split_references = splitter.split(columns[:after_inputs], columns[after_inputs:after_references])
        lines = range(first, first + len(columns[0]))
        kept = splitter.kept_of(first, len(lines))
        checks.see_segments(systems, split_references,
                            lines if len(systems[0]) == len(lines) else list(compress(lines, kept)))
        if listed is not None:
            listed.add(first, kept, dict(zip(further, columns[after_references:after_further])))
            if outside:
                listed.see_outputs(systems)
            is_whole = len(systems[0]) == len(lines)  # (where subset scores are reported, all segments are scored)
            for key, column in zip(outside, columns[after_further:]):
                listed.scores.setdefault(key, []).extend(column if is_whole else compress(column, kept))
        if fraction := inputs[0].fraction_read():
            observer().expect(splitter.lines / fraction * len(systems) * len(options.metrics))
        if systems[0]:
            yield systems, split_references
    checks.warn()


def open_streams(options: Options) -> tuple[list[Any], list[Any], dict[str, Any]]:
    """The streams of hypotheses, those of references (from files or test sets), and further ones by their columns."""
    inputs: list[str | None] = [*options.input] or [None]
    references: list[str] = [] if options.selection else options.references
    further: dict[str, str] = {key: name for key, name in (
        ("id", options.ids), ("src", options.source), ("document", options.docs),
        ("stratum", options.strata_file)) if name}
    streams = open_files(options, inputs, references, further)
    reference_streams = streams[len(inputs):len(inputs) + len(references)]
    further_streams = dict(zip(further, streams[len(streams) - len(further):]))
    if options.selection:
        reference_streams = options.selection.references()
        if options.report or options.views or options.has_units or options.check or options.fail_on:
            further_streams = {**options.selection.descriptions(), **further_streams}
    return streams[:len(inputs)], reference_streams, further_streams


def open_files(options: Options, inputs: Sequence[str | None], references: Sequence[str],
               further: Mapping[str, str]) -> list[Any]:
    """A stream for each of these files (or columns of them): hypotheses, references, and others by their roles."""
    names = [*inputs, *references, *further.values()]
    if options.texts is not None:
        return [HeldText(name, options.texts[name]) for name in names if name is not None]
    encodings = options.encodings_of(len(inputs), len(names) - len(inputs))
    if any(name is not None and may_have_columns(name) for name in names):
        from .streams import open_columns

        return open_columns(inputs, references, further, encodings, options.paragraphs)
    return list(map(LineStream, names, encodings))


def read_references(options: Options) -> Iterator[Sequence[Sequence[Any]]]:
    """The streams of references of the segments that are selected, block by block."""
    streams: list[Any] = options.selection.references() if options.selection else (
        open_files(options, [], options.references, {}))
    splitter = _Splitter(options, "", streams)
    for columns in aligned_blocks(streams):
        keep = splitter.kept_of(splitter.lines + 1, len(columns[0]))
        references = splitter.split_references(columns, len(columns[0]))
        if any(keep):
            yield [list(compress(column, keep)) for column in references]


class _Splitter:
    """Splits the columns of blocks into systems and references, and keeps the segments that are selected.

    Attributes:
        is_text: whether references are lines of text files.
        lines: the number of lines so far.
    """

    def __init__(self, options: Options, hypotheses_name: str, references: Sequence[Any]) -> None:
        self._options = options
        self._hypotheses_name = hypotheses_name
        self._references_name: str = references[0].name if references else ""
        self._varying = [getattr(stream, "varies", False) for stream in references]
        self.is_text = not options.selection and all(isinstance(stream, LineStream) for stream in references)
        if options.num_refs > 1 and not self.is_text:
            raise OptionError("--num-refs splits lines of text; a column of JSON Lines may have lists of references")
        self._kept: list[bool] | None = options.selection.kept_segments() if options.selection else None
        self._systems: int | None = None  # in standard input
        self.lines = 0

    def split(self, systems: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> Block:
        """The next block: the hypotheses of each system, and the streams of references."""
        start = self.lines
        if not self._options.input or self._options.splits_last_input:
            systems = [*systems[:-1], *self._split_systems(systems[-1], start + 1)]
        systems = self._normalized(systems)
        references = self.split_references(references, len(systems[0]))
        # (Where subset scores are reported, all segments are scored first.)
        if self._kept is None or scores_subsets(self._options, len(systems)):
            return systems, references
        keep = self._kept[start:self.lines]
        return [list(compress(column, keep)) for column in systems], [list(compress(column, keep))
                                                                      for column in references]

    def split_references(self, references: Sequence[Sequence[str]], lines: int) -> Sequence[Sequence[Any]]:
        """The streams of references of the next block, which has `lines` lines; under `--check`, there may be none."""
        first = self.lines + 1
        self.lines += lines
        if self._options.num_refs > 1:
            from ...files.columns import split_fields

            references = split_fields(references[0], self._options.num_refs, self._references_name, first)
        if any(self._varying):
            from ...files.records import reference_streams

            references = reference_streams(references, self._varying, self._references_name, first)
        return self._normalized(references)

    def _normalized(self, columns: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
        """Columns of text in the normal form that is asked for."""
        if not self._options.normalize:
            return columns
        from ...metrics.segments import normalized

        return normalized([list(column) for column in columns], self._options.normalize)

    def kept_of(self, first: int, count: int) -> list[bool]:
        """Whether each of `count` lines is selected; the first of them is line number `first`."""
        return [True] * count if self._kept is None else self._kept[first - 1:first - 1 + count]

    def _split_systems(self, lines: Sequence[str], first: int) -> list[list[str]]:
        from ...files.columns import split_systems

        systems = split_systems(lines, self._systems, self._hypotheses_name, first)
        if self._systems is None and len(systems) > 1:
            warn(f"found {len(systems)} systems in standard input, separated by tabs")
        self._systems = len(systems)
        return systems
