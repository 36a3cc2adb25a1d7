"""What the command line does with its options: reading, scoring, and the text to print."""

from __future__ import annotations

from ..errors import OptionError, warn
from ..metrics import metric_class
from ..metrics.evaluation import Evaluation, References
from ..report import system_results
from ..textio import LineStream, aligned_blocks, split_fields, split_systems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any, Iterator, List, Tuple

    from ..metrics.base import Metric, Row
    from ..resampling.streams import Stream

    #: A list of hypotheses for each system, and a list of references for each stream of them.
    Block = Tuple[List[List[str]], List[List[str]]]

    #: A system's evaluation under each metric, and its rows under each metric.
    System = Tuple[List[Evaluation], List[List[Row]]]


def score(options: Namespace) -> str:
    """The results for the options, as the text to print."""
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
    if len(systems) > 1:
        return compare_systems(options, metrics, systems)
    if options.test:
        raise OptionError("a paired test compares systems, but there is only one")
    evaluations, rows = systems[0]
    scores = [evaluation.score() for evaluation in evaluations]
    if options.confidence:
        from ..resampling.intervals import bootstrap_scores, estimate_ci

        stream = make_stream(options)
        resampled = bootstrap_scores(rows, [metric.value for metric in metrics], stream, options.confidence_n)
        for score, values in zip(scores, resampled):
            score.mean, score.ci = estimate_ci(values)
            score.signature.add_resampling(options.seed, stream.SIGNATURE, bs=options.confidence_n)
    return system_results(scores, options.format, options.width, options.score_only, options.short)


def evaluate_systems(options: Namespace, metrics: list[Metric]) -> list[System]:
    """For each system, under each metric, its evaluation, and its rows if they are needed for resampling.

    The corpus is read once, block by block; nothing else of it is held.
    """
    systems: list[System] = []
    for streams, references in read_blocks(options):
        systems = systems or [([Evaluation(metric) for metric in metrics], [[] for _ in metrics]) for _ in streams]
        for place, metric in enumerate(metrics):
            shared = References(metric, references)
            if len(streams) > 1:
                shared = shared.prepared()
            for (evaluations, rows), hypotheses in zip(systems, streams):
                added = evaluations[place].add(hypotheses, shared)
                if options.test or options.confidence:
                    rows[place] += added
    return systems


def compare_systems(options: Namespace, metrics: list[Metric], systems: list[System]) -> str:
    """A table of several systems, with intervals or a test of each against the first one if asked for."""
    from ..report.comparison import comparison, system_names
    from ..significance.paired import TESTS, Result, add_intervals

    scores = [[evaluation.score() for evaluation in evaluations] for evaluations, _ in systems]
    results = [[Result(score.score) for score in of_system] for of_system in scores]
    rows = [of_system for _, of_system in systems]
    samples = {"bs": options.paired_bs_n, "ar": options.paired_ar_n}
    signed = {}
    if options.test:
        signed[options.test] = samples[options.test]
        results = TESTS[options.test](rows, metrics, make_stream(options), samples[options.test])
    if options.confidence and options.test != "bs":
        signed["bs"] = options.confidence_n
        add_intervals(results, rows, metrics, make_stream(options), options.confidence_n)
    if signed:
        for score in scores[0]:
            score.signature.add_resampling(options.seed, make_stream(options).SIGNATURE, **signed)
    names = options.input or [f"System {number}" for number in range(1, len(systems) + 1)]
    return comparison(
        names=system_names(names, bool(options.test), bool(options.input)),
        results={score.name: column for score, column in zip(scores[0], zip(*results))},
        signatures={score.name: score.signature for score in scores[0]},
        test=options.test, samples=samples.get(options.test, 0),
        form=options.format, width=options.width, short=options.short, color=options.color)


def make_stream(options: Namespace) -> Stream:
    """The random stream that is asked for, at its beginning."""
    from ..resampling.streams import STREAMS

    return STREAMS[options.rng](options.seed)


def score_sentences(options: Namespace, metric: Metric) -> str:
    """A line of text for each segment, all of them held back until the last has been scored without an error."""
    evaluation = Evaluation(metric)
    results: list[str] = []
    for systems, references in read_blocks(options):
        if len(systems) > 1:
            raise OptionError(f"--sentence-level takes one system, but there are {len(systems)}")
        rows = evaluation.add(systems[0], References(metric, references))
        signature = evaluation.signature().format(options.short)
        results += [metric.score(row).format(options.width, options.score_only, signature) for row in rows]
    return "\n".join(results)


def read_blocks(options: Namespace) -> Iterator[Block]:
    """The corpus, block by block."""
    inputs = [LineStream(path, options.encoding) for path in options.input or [None]]
    references = [LineStream(path, options.encoding) for path in options.references]
    count = None  # of systems in standard input
    first = 1
    for columns in aligned_blocks([*inputs, *references]):
        systems, columns = columns[:len(inputs)], columns[len(inputs):]
        lines = len(systems[0])
        if not options.input:
            systems = split_systems(systems[0], count, inputs[0].name, first)
            if count is None and len(systems) > 1:
                warn(f"found {len(systems)} systems in standard input, separated by tabs")
            count = len(systems)
        if options.num_refs > 1:
            columns = split_fields(columns[0], options.num_refs, references[0].name, first)
        yield systems, columns
        first += lines
