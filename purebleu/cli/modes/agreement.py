"""`--agreement`: the agreement of metrics with the scores that people gave."""

from __future__ import annotations

from ...analysis.segments import segment_scores, sentence_metric
from ...errors import LengthError, OptionError, PurebleuError, warn
from ...files.human_scores import read_human_scores
from ...files.numbers import finite_decimal
from ...files.scores import in_order_of_systems, is_missing, matched_names, read_scores
from ...meta_evaluation.signed_ranks import rank_systems_by_people
from ...meta_evaluation.table import USUAL_OF_SEGMENTS, USUAL_OF_SYSTEMS, MetricScores, answers, question_of
from ...report.agreement import AgreementTable, agreement_report
from ..scoring.corpus import evaluate_systems, warn_of_doubts
from ..scoring.metrics import make_metrics
from ..scoring.naming import naming_of, system_inputs
from ..scoring.types import Scored, SegmentList
from .results import NOTHING_LEFT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence, TypeVar

    from ...files.human_scores import HumanScores
    from ...meta_evaluation.judged import HumanScore
    from ...metrics.base import Metric
    from ...metrics.score import Score
    from ..arguments.options import Options
    from ..scoring.types import System

    ScoresOfSystem = TypeVar("ScoresOfSystem")


def agreement(options: Options) -> str:
    """The agreement of all metrics with people, as text."""
    metrics = make_metrics(options)
    listed = SegmentList()
    systems = evaluate_systems(options, metrics, listed=listed)
    if not systems:
        raise OptionError(NOTHING_LEFT)
    names = system_inputs(options, len(systems))
    warn_of_doubts(systems, names)
    table = measured_agreement(options, Scored(metrics, systems, names, naming_of(options)), listed)
    return agreement_report(table, options.style)


def measured_agreement(options: Options, scored: Scored, listed: SegmentList) -> AgreementTable:
    """The agreement of metrics with people on systems.

    Raises:
        OptionError: there is only one system.
        PurebleuError: the files of human scores can't be read, or are of other systems or segments.
    """
    names = scored.inputs
    if len(names) < 2:
        raise OptionError("--agreement needs two systems or more", option="agreement")
    human = _segment_judgements(options, names, listed)
    human_of_systems = _system_judgements(options, names)
    usual = [*(USUAL_OF_SEGMENTS if human is not None else ()), *USUAL_OF_SYSTEMS]
    asked = list(dict.fromkeys(options.measures or usual))
    score_names = [score.name for score in scored.systems[0].scores()]
    scores = {name: _scores_of(index, metric, scored.systems)
              for index, (name, metric) in enumerate(zip(score_names, scored.metrics))}
    agreements = answers([question_of(text) for text in asked], human, human_of_systems, scores, options.trials,
                         seed=options.seed, rng=options.rng)
    signatures = {name: signature.format(options.short) for name, signature in zip(score_names, scored.signatures)}
    ranks = None
    if human is not None and all(any(score is not None for score in system_scores) for system_scores in human):
        ranks = rank_systems_by_people(human)
    return AgreementTable(agreements, options.trials, signatures, options.human_files, ranks, names)


def _scores_of(index: int, metric: Metric[Score], systems: Sequence[System]) -> MetricScores:
    """The scores of a metric, negated where lower ones are better."""
    sign = -1 if metric.LOWER_IS_BETTER else 1
    segment_metric = sentence_metric(metric)
    return MetricScores([[sign * score for score in segment_scores(segment_metric, system.rows[index])]
                         for system in systems],
                        [sign * system.evaluations[index].score().score for system in systems])


def _with_higher_better(options: Options, scores: Sequence[HumanScore]) -> list[HumanScore]:
    """Human scores, negated if lower ones are better."""
    sign = -1 if options.agreement_lower else 1
    return [None if score is None else sign * score for score in scores]


def _segment_judgements(options: Options, names: Sequence[str],
                        listed: SegmentList) -> list[list[HumanScore]] | None:
    """For each system, the human score of each segment (`None` where it has none); `None` where no file is given."""
    if not options.agreement:
        return None
    files = [options.agreement[0]] * len(names) if len(options.agreement) == 1 else options.agreement
    if len(files) != len(names):
        raise OptionError(f"--agreement has {len(files)} files, but the systems are {len(names)}: give one file for "
                          "each, in their order, or one with the scores of all", option="agreement")
    if len(options.agreement) == 1:
        all_scores: list[HumanScores] = _chosen(read_human_scores(files[0], options.encoding), options, names, files[0])
    else:
        in_order = in_order_of_systems([(file, read_human_scores(file, options.encoding)) for file in files],
                                       list(zip(names, options.input)))
        files, all_scores = [list(column) for column in zip(*in_order)]
    for file, name, scores in zip(files, names, all_scores):
        last = max(scores.by_line, default=0) if scores.lines is None else scores.lines
        if last > listed.lines or (scores.lines is not None and scores.lines < listed.lines):
            raise LengthError(f"{file} has human scores of {last} segments of {name}, but the outputs have "
                              f"{listed.lines} lines")
    return [_with_higher_better(options, [scores.by_line.get(number) for number in listed.numbers])
            for scores in all_scores]


def _system_judgements(options: Options, names: Sequence[str]) -> list[HumanScore] | None:
    """The human score of each system (`None` where it has none); `None` where no file is given."""
    path = options.agreement_systems
    if not path:
        return None
    by_system = read_scores(path, options.encoding, may_lack=True)
    if any(len(scores) != 1 for scores in by_system.values()):
        raise PurebleuError(f"{path} has several scores of a system: scores of segments are for --agreement")
    chosen = _chosen(by_system, options, names, path)
    scores = [None if is_missing(score) else float(finite_decimal(score)) for [score] in chosen]
    return _with_higher_better(options, scores)


def _chosen(by_system: Mapping[str, ScoresOfSystem], options: Options, names: Sequence[str],
            file: str) -> list[ScoresOfSystem]:
    """The scores of these systems, in their order; scores of other systems are left out, with a warning."""
    keys, others = matched_names(list(by_system), list(zip(names, options.input)), file)
    if others:
        warn(f"{file} has human scores of {', '.join(others)}, too, which are left out")
    return [by_system[key] for key in keys]
