"""What the command line does with its options: reading, scoring, and the text to print."""

from __future__ import annotations

import codecs
import sys
from functools import partial
from itertools import compress

from ..errors import OptionError, warn
from ..metrics import metric_class
from ..metrics.evaluation import Evaluation, Part, References, slices, sum_statistics
from ..progress import observer
from ..report import TABLE_FORMATS, system_results
from ..textio import (
    ByteStream,
    JoinedStream,
    LineStream,
    Section,
    aligned_blocks,
    is_plain_file,
    split_fields,
    split_systems,
)
from .checks import InputChecks
from .terminal import is_terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any, Callable, Iterator, List, Sequence, Tuple

    from ..metrics.base import Metric, Row
    from ..metrics.score import Score

    #: A list of hypotheses for each system, and a list of references for each stream of them.
    Block = Tuple[List[List[str]], List[List[str]]]

    #: A system's evaluation under each metric, and its rows under each metric.
    System = Tuple[List[Evaluation], List[List[Row]]]

#: With fewer segments, a piece of work is not worth to be sent to another process.
_SMALLEST_PIECE = 500

NOTHING_LEFT = "no segment of the test set is left by --origlang and --subset"


def run_command(options: Namespace) -> str | None:
    """What the options ask for, as the text to print."""
    if options.mirror or options.offline:
        from ..download import fetching

        with fetching(options.mirror, options.offline):
            return _run(options)
    return _run(options)


def _run(options: Namespace) -> str | None:
    if options.command:
        from .testsets import COMMANDS

        return COMMANDS[options.command](options)
    return results_of(options)


def results_of(options: Namespace) -> str:
    """The results for the options."""
    metrics = make_metrics(options)
    if options.sentence_level:
        return score_sentences(options, metrics[0])
    return score_corpus(options, metrics)


def make_metrics(options: Namespace) -> list[Metric]:
    """The metrics that are asked for; their options are those with the metric's name as prefix."""
    metrics: list[Metric] = []
    for name in options.metrics:
        prefix = name + "_"
        arguments: dict[str, Any] = {
            key[len(prefix):]: value for key, value in vars(options).items() if key.startswith(prefix)
        }
        if name == "bleu":
            arguments["effective_order"] = options.sentence_level
            arguments["trg_lang"] = options.langpair.split("-")[1] if options.langpair else ""
        metrics.append(metric_class(name.upper())(**arguments))
    return metrics


def score_corpus(options: Namespace, metrics: list[Metric]) -> str:
    """The results of one system, or a table of several."""
    systems = evaluate_systems(options, metrics)
    if not systems:
        raise OptionError(NOTHING_LEFT)
    if options.test and len(systems) == 1:
        raise OptionError("a paired test compares systems, but there is only one")
    if options.rank and len(systems) < 3:
        raise OptionError(f"--rank orders three systems or more, but there are {len(systems)}")
    if len(systems) > 1 or options.format in TABLE_FORMATS:
        return compare_systems(options, metrics, systems)
    evaluations, rows = systems[0]
    scores = [evaluation.score() for evaluation in evaluations]
    parts = ""
    if tells_parts(options, len(systems)):
        from . import testsets

        parts = "\n" + testsets.parts(options, metrics, rows)
        if kept := testsets.kept_segments(testsets.chosen_test_sets(options), options):
            rows = [list(compress(of_metric, kept)) for of_metric in rows]
            scores = [rescored(metric, of_metric, score) for metric, of_metric, score in zip(metrics, rows, scores)]
    if options.confidence:
        from ..resampling.intervals import add_intervals
        from ..resampling.streams import make_stream

        stream = make_stream(options.rng, options.seed)
        add_intervals(scores, rows, [metric.value for metric in metrics], stream, options.confidence_n)
        for score in scores:
            score.signature = score.signature.with_resampling(options.seed, stream.SIGNATURE, bs=options.confidence_n)
    return system_results(scores, options.format, options.width, options.score_only, options.short,
                          options.color) + parts


def tells_parts(options: Namespace, systems: int) -> bool:
    """Whether the scores of the test set's parts are told, too: `--detail` does so of a single system, as text."""
    return options.detail and systems == 1 and not options.sentence_level and options.format not in TABLE_FORMATS


def rescored(metric: Metric, rows: Sequence[Row], score: Score) -> Score:
    """The score of some of the segments that a score is of."""
    if not rows:
        raise OptionError(NOTHING_LEFT)
    of_rows = metric.score(sum_statistics(rows))
    of_rows.signature = score.signature
    return of_rows


def evaluate_systems(options: Namespace, metrics: list[Metric]) -> list[System]:
    """For each system, under each metric, its evaluation, and its rows if they are needed for resampling.

    The corpus is read once, block by block; nothing else of it is held.
    """
    keep_rows = bool(options.test or options.confidence or options.detail)
    systems: list[System] = []
    for block in score_blocks(options, partial(score_block, metrics, keep_rows)):
        systems = systems or [([Evaluation(metric) for metric in metrics], [[] for _ in metrics]) for _ in block]
        for (evaluations, rows), parts in zip(systems, block):
            for evaluation, rows_under_metric, part in zip(evaluations, rows, parts):
                evaluation.add(part)
                if keep_rows:
                    rows_under_metric += part.rows
    return systems


def score_blocks(options: Namespace, score: Callable[[Block], list[list[Part]]]) -> Iterator[list[list[Part]]]:
    """What `score` makes of each block of the corpus, in order, in as many processes as are asked for."""
    if options.jobs == 1:
        return map(score, read_blocks(options))
    from ..workers import number_of_workers, spread

    workers = number_of_workers(options.jobs)
    if consists_of_plain_files(options):
        # The workers read what they score. To read it here, and to send it to them, would take a fifth as long as
        # scoring takes.
        sections = read_sections(options, workers)
        return spread(partial(score_sections, score, len(options.input)), sections, workers, own_process=True)
    blocks = ((piece[:len(systems)], piece[len(systems):]) for systems, references in read_blocks(options)
              for piece in divided([*systems, *references], workers))
    return spread(score, blocks, workers, own_process=True)


def consists_of_plain_files(options: Namespace) -> bool:
    """Whether hypotheses and references are lines of files in UTF-8 that any process can read from any place on."""
    if options.test_set or options.num_refs > 1 or not options.input:
        return False
    try:
        is_utf8 = codecs.lookup(options.encoding).name == "utf-8"
    except (LookupError, UnicodeError):
        return False  # there is none of this name, or the name is no text
    return is_utf8 and all(map(is_plain_file, [*options.input, *options.references]))


def read_sections(options: Namespace, workers: int) -> Iterator[list[Section]]:
    """The corpus, block by block, in pieces for the workers: a section of each of its files."""
    paths = [*options.input, *options.references]
    sections = list(map(Section, paths))
    lines_before = 0
    streams = list(map(ByteStream, paths))
    checks = InputChecks(options.input, options.references)
    observer().begin("scoring", 0)
    for number, block in enumerate(aligned_blocks(streams), 1):
        checks.see(block[:len(options.input)], block[len(options.input):])
        # Whole blocks are scored faster than parts of them; but the last ones would not be spread evenly.
        fraction = streams[0].fraction_read() or 1.0
        blocks_left = number / fraction - number
        for piece in [block] if blocks_left > 2 * workers else divided(block, workers):
            sections = [section.following(lines, lines_before) for section, lines in zip(sections, piece)]
            lines_before += len(piece[0])
            yield sections
        observer().expect(lines_before / fraction * len(options.input) * len(options.metrics))
    checks.warn()


def score_sections(score: Callable[[Block], list[list[Part]]], systems: int,
                   sections: Sequence[Section]) -> list[list[Part]]:
    """What `score` makes of the lines of sections: those of so many systems, and those of the references."""
    columns = [section.lines() for section in sections]
    return score((columns[:systems], columns[systems:]))


def score_block(metrics: Sequence[Metric], keep_rows: bool, block: Block) -> list[list[Part]]:
    """The parts of a block, of each system under each metric."""
    streams, references = block
    shared = [References(metric, references) for metric in metrics]
    if len(streams) > 1:
        shared = [of_metric.prepared() for of_metric in shared]
    return [[Part(metric, hypotheses, of_metric, keep_rows) for metric, of_metric in zip(metrics, shared)]
            for hypotheses in streams]


def divided(columns: Sequence[Sequence[Any]], workers: int) -> list[list[Sequence[Any]]]:
    """Parallel columns in so many pieces of about the same length, or fewer, lest they become too small to be worth it.
    """
    size = max(_SMALLEST_PIECE, -(-len(columns[0]) // workers))
    return [[column[places] for column in columns] for places in slices(len(columns[0]), size)]


def compare_systems(options: Namespace, metrics: list[Metric], systems: list[System]) -> str:
    """A table of systems, with intervals, a test of each against the first one, and a ranking if asked for."""
    from ..report.comparison import comparison, system_names
    from ..resampling.streams import make_stream
    from ..significance.paired import TESTS, Result, intervals_beside_randomization, intervals_of_systems

    scores = [[evaluation.score() for evaluation in evaluations] for evaluations, _ in systems]
    names = [score.name for score in scores[0]]
    results = [[Result(score.score) for score in of_system] for of_system in scores]
    rows = [of_system for _, of_system in systems]
    new_stream = partial(make_stream, options.rng, options.seed)
    samples = {"bs": options.paired_bs_n, "ar": options.paired_ar_n}.get(options.test, 0)
    signed = {}
    rankings = {}
    if options.test:
        signed[options.test] = samples
        stream = new_stream()
        results = TESTS[options.test](rows, metrics, stream, samples)
    if options.rank:
        from ..significance import ranking

        rankings = dict(zip(names, ranking.rankings(results, rows, metrics, new_stream, options.test, samples)))
    if options.confidence and options.test != "bs":
        signed["bs"] = options.confidence_n
        if options.test:
            intervals_beside_randomization(results, rows, metrics, stream, new_stream, options.confidence_n)
        else:
            intervals_of_systems(results, rows, metrics, new_stream(), options.confidence_n)
    signatures = {score.name: score.signature for score in scores[0]}
    if signed:
        for name, signature in signatures.items():
            signatures[name] = signature.with_resampling(options.seed, new_stream().SIGNATURE, **signed)
    inputs = options.input or [f"System {number}" for number in range(1, len(systems) + 1)]
    return comparison(
        names=system_names(inputs, bool(options.test), bool(options.input)),
        results=dict(zip(names, zip(*results))),
        signatures=signatures,
        rankings=rankings, test=options.test, samples=samples,
        form=options.format, width=options.width, short=options.short, color=options.color)


def score_sentences(options: Namespace, metric: Metric) -> str:
    """A line of text for each segment, all of them held back until the last has been scored without an error."""
    evaluation = Evaluation(metric)
    results: list[str] = []
    for systems in score_blocks(options, partial(score_block, [metric], True)):
        if len(systems) > 1:
            raise OptionError(f"--sentence-level takes one system, but there are {len(systems)}")
        part = systems[0][0]
        evaluation.add(part)
        signature = evaluation.signature().format(options.short)
        results += [metric.score(row).format(options.width, options.score_only, signature) for row in part.rows]
    if not results:
        raise OptionError(NOTHING_LEFT)
    return "\n".join(results)


def read_blocks(options: Namespace) -> Iterator[Block]:
    """The corpus, block by block."""
    inputs = [LineStream(path, options.encoding) for path in options.input or [None]]
    references: list[LineStream] | list[JoinedStream] = [LineStream(path, options.encoding)
                                                         for path in options.references]
    kept = None
    if options.test_set:
        from .testsets import chosen_test_sets, kept_segments, reference_streams

        references = reference_streams(options)
        kept = kept_segments(chosen_test_sets(options), options)
    if not options.input and is_terminal(sys.stdin):
        warn("hypotheses are read from the terminal, as there is no -i; the end of input (Ctrl-D) ends them")
    checks = InputChecks([stream.name for stream in inputs],
                         options.references if options.num_refs == 1 and not options.test_set else [])
    count = None  # of systems in standard input
    first = 1
    observer().begin("scoring", 0)
    for columns in aligned_blocks([*inputs, *references], "" if options.input else " (is -i missing?)"):
        systems, columns = columns[:len(inputs)], columns[len(inputs):]
        checks.see(systems, columns)
        lines = len(systems[0])
        if not options.input:
            systems = split_systems(systems[0], count, inputs[0].name, first)
            if count is None and len(systems) > 1:
                warn(f"found {len(systems)} systems in standard input, separated by tabs")
            count = len(systems)
        if options.num_refs > 1:
            columns = split_fields(columns[0], options.num_refs, references[0].name, first)
        # (Where parts are told, all segments are scored first.)
        if kept is not None and not tells_parts(options, len(systems)):
            keep = kept[first - 1:first - 1 + lines]
            systems, columns = ([list(compress(column, keep)) for column in side] for side in (systems, columns))
        first += lines
        if fraction := inputs[0].fraction_read():
            observer().expect((first - 1) / fraction * len(systems) * len(options.metrics))
        if systems[0]:
            yield systems, columns
    checks.warn()
