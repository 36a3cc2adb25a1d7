"""What the command line does with its options: reading, scoring, and the text to print."""

from __future__ import annotations

from ..errors import FieldCountError
from ..metrics import metric_class
from ..metrics.evaluation import Evaluation, References
from ..report import system_results
from ..textio import LineStream, aligned_blocks, split_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any, Iterator, List, Tuple

    from ..metrics.base import Metric

    #: Hypotheses, and a list of references for each stream of them.
    Block = Tuple[List[str], List[List[str]]]


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
    """One score for each metric; the corpus is read once, block by block, and not held."""
    evaluations = [Evaluation(metric) for metric in metrics]
    for hypotheses, references in read_blocks(options):
        for metric, evaluation in zip(metrics, evaluations):
            evaluation.add(hypotheses, References(metric, references))
    scores = [evaluation.score() for evaluation in evaluations]
    return system_results(scores, options.format, options.width, options.score_only, options.short)


def score_sentences(options: Namespace, metric: Metric) -> str:
    """A line of text for each segment, all of them held back until the last has been scored without an error."""
    evaluation = Evaluation(metric)
    results: list[str] = []
    for hypotheses, references in read_blocks(options):
        rows = evaluation.add(hypotheses, References(metric, references))
        signature = evaluation.signature().format(options.short)
        results += [metric.score(row).format(options.width, options.score_only, signature) for row in rows]
    return "\n".join(results)


def read_blocks(options: Namespace) -> Iterator[Block]:
    """The corpus, block by block."""
    system = LineStream(options.input[0] if options.input else None, options.encoding)
    references = [LineStream(path, options.encoding) for path in options.references]
    first = 1
    for hypotheses, *columns in aligned_blocks([system, *references]):
        if system.path is None:
            _refuse_several_systems(hypotheses, system.name, first)
        if options.num_refs > 1:
            columns = split_fields(columns[0], options.num_refs, references[0].name, first)
        yield hypotheses, columns
        first += len(hypotheses)


def _refuse_several_systems(lines: list[str], name: str, first: int) -> None:
    """Tabs in standard input separate systems: to score them as one text would be wrong without a word."""
    for number, line in enumerate(lines, first):
        if "\t" in line:
            raise FieldCountError(f"{name}: line {number}: {line.count(chr(9)) + 1} tab-separated fields stand for as "
                                  "many systems, but this version scores one at a time")
