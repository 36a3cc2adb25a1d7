"""`purebleu agree`: how well metrics agree with people."""

from __future__ import annotations

from ...analysis.segments import segment_scores, sentence_metric
from ...files.numbers import finite_decimal
from ...files.opening import column_of
from ...files.scores import HumanScores, in_order_of_systems, is_missing, matched_names, read_human_scores, read_scores
from ...meta_evaluation.measures import CORRELATIONS, question_of
from ...meta_evaluation.metric_ranks import USUAL_OF_SEGMENTS, USUAL_OF_SYSTEMS, MetricScores, PeopleScores, answers
from ...meta_evaluation.system_ranks import rank_systems_by_people
from ...metrics.base import Metric
from ...metrics.evaluation import System, warn_of_doubts
from ...metrics.score import Score
from ...report.agreement import AgreementTable, agreement_report
from ...report.formats import FORMATS, GITHUB, PAPER, SIGNED_JSON
from ...runtime.errors import LengthError, PurebleuError, counted, warn
from ...runtime.hints import Any, HumanScore, Mapping, Sequence
from ..arguments.command import Answer, Command, CorpusValues, style_of
from ..arguments.groups import OF_SCORES, OUTPUT, OUTSIDE, Group, Option, SamplingValues, input_groups, resampling
from ..arguments.values import check_needs, measure_name, not_negative
from ..corpus.inputs import Inputs, check_number, check_several, inputs_of
from ..corpus.read import SegmentList
from ..corpus.score import MetricChoice, Scored, Scoring, scored_from


class HumanValues(SamplingValues):
    """The values of the options about people's scores, and about tests between metrics."""

    human: list[str] = []
    human_systems: str = ""
    human_lower: bool = False
    measures: list[str] = []
    trials: int = 1000


HUMAN = Group("human", "people's scores", (
    Option("--human", form="several", metavar="FILE", help="scores that people gave to segments",
           more="give a file for each system, in the order of -i, or one file for all systems; each file is as for "
                "--scores (None: not judged), a table with columns system and seg_id (FILE:COLUMN), or a list of MQM "
                "errors"),
    Option("--human-systems", metavar="FILE",
           help="human scores of systems, as lines SYSTEM SCORE (default: means of the scores of segments)"),
    Option("--human-lower", form="switch", needs=("human", "human_systems"),
           help="lower human scores are better, such as counts of errors"),
    Option("--measures", form="several", convert=measure_name, metavar="NAME", needs=("human", "human_systems"),
           help="measures of agreement: spa, acc-eq, accuracy, pearson, tau-b; sys:NAME compares the scores of systems "
                "(default: spa acc-eq sys:accuracy sys:pearson)",
           more="NAME:item compares outputs of the same segment; NAME:system compares outputs of the same system; "
                "NAME:none compares all outputs"),
    Option("--trials", convert=not_negative, metavar="N", needs=("human", "human_systems"),
           help="number of permutations in each test between two metrics (default: 1000; 0: no tests, no ranks)"),
), ("--human FILE ...",))


class HumanFiles:
    """The files of human scores, and the scores in them.

    Attributes:
        values: the options about human scores.
        paths: all files of human scores.
        systems: the name and the file of each system.
        segment_scores: for each system, the file and the scores of its segments. Empty: none, or not read yet.
        system_scores: the score of each system (`None` if it has none). Empty: none, or not read yet.
    """

    def __init__(self, values: HumanValues, inputs: Inputs) -> None:
        self.values = values
        self.paths = list(filter(None, [*values.human, values.human_systems]))
        self.systems = list(zip(inputs.names or inputs.files, inputs.files))
        self.segment_scores: Sequence[tuple[str, HumanScores]] = ()
        self.system_scores: Sequence[HumanScore] = ()
        self._inputs = inputs
        inputs.check_standard_input(*self.paths)

    def read(self) -> None:
        """Read the human scores, before anything is scored.

        Raises:
            OptionError: there is only one system, or the number of files is wrong.
            PurebleuError: a file can't be read, or lacks the scores of a system.
        """
        if not self.paths:
            return
        check_several(len(self.systems), "agree")
        encoding = self._inputs.encoding
        if self._inputs.examines and not all(column_of(path).path for path in self.paths):
            return
        files, path = self.values.human, self.values.human_systems
        if len(files) == 1:
            self.segment_scores = [(files[0], scores) for scores in _chosen(
                read_human_scores(files[0], encoding), self.systems, files[0])]
        elif files:
            check_number("human", files, len(self.systems), more=", or one file with the scores of all systems")
            self.segment_scores = in_order_of_systems([(file, read_human_scores(file, encoding))
                                                       for file in files], self.systems)
        if path:
            by_system = read_scores(path, encoding, may_lack=True)
            if any(len(scores) != 1 for scores in by_system.values()):
                raise PurebleuError(f"{path} has several scores of a system: for scores of segments, use --human")
            self.system_scores = self.with_higher_better([
                None if is_missing(score) else float(finite_decimal(score))
                for [score] in _chosen(by_system, self.systems, path)])

    def with_higher_better(self, scores: Sequence[HumanScore]) -> list[HumanScore]:
        """Return human scores, negated if lower human scores are better."""
        sign = -1 if self.values.human_lower else 1
        return [None if score is None else sign * score for score in scores]


def check_tests_of_metrics(values: HumanValues, metrics: Sequence[str], *destinations: str) -> None:
    """Raise `OptionError` if there is only one metric, but one of these options for tests between metrics is given."""
    for destination in destinations:
        check_needs(len(metrics) > 1 or not values.given().get(destination), f"--{destination}",
                    "several metrics in -m, for tests between metrics", destination)


def measured_agreement(scored: Scored, human_files: HumanFiles, short: bool) -> AgreementTable:
    """Measure how well metrics agree with people.

    Args:
        scored: the systems with their scores and texts.
        human_files: the files of human scores, which have been read.
        short: whether signatures are short.

    Raises:
        LengthError: the numbers of human scores and of segments differ.
    """
    assert scored.texts is not None, "agreement needs texts"
    values = human_files.values
    human = _segment_judgements(human_files, scored.texts.listed) if human_files.segment_scores else None
    usual = [*(USUAL_OF_SEGMENTS if human is not None else ()), *USUAL_OF_SYSTEMS]
    asked = list(dict.fromkeys(values.measures or usual))
    score_names = [score.name for score in scored.systems[0].scores()]
    systems = scored.as_given(scored.systems)
    metric_scores = {name: _scores_of(index, metric, systems)
                     for index, (name, metric) in enumerate(zip(score_names, scored.metrics))}
    people = PeopleScores(human, list(human_files.system_scores) or None)
    agreements = answers([question_of(text) for text in asked], people, metric_scores, values.trials, values.seed,
                         values.rng)
    highest = [max(answer.ranking.agreements) for answer in agreements if answer.question.measure in CORRELATIONS]
    if highest and max(highest) < 0 and not values.human_lower:
        warn("all metrics rank the outputs in the opposite order to people: if lower human scores are better, add "
             "--human-lower")
    signatures = {name: signature.format(short) for name, signature in zip(score_names, scored.signatures)}
    ranks = None
    if human is not None and not any(scores.count(None) == len(scores) for scores in human):
        ranks = rank_systems_by_people(human)
    return AgreementTable(agreements, values.trials, signatures, human_files.paths, ranks,
                          scored.as_given(scored.names))


def _scores_of(index: int, metric: Metric[Score], systems: Sequence[System]) -> MetricScores:
    """Return the scores of a metric for segments and systems, negated if lower scores are better."""
    sign = -1 if metric.LOWER_IS_BETTER else 1
    segment_metric = sentence_metric(metric)
    of_segments: list[list[float]] = []
    for system in systems:
        of_segments.append([sign * score for score in segment_scores(segment_metric, system.rows[index])])
    return MetricScores(of_segments, [sign * system.evaluations[index].score().score for system in systems])


def _segment_judgements(human_files: HumanFiles, listed: SegmentList) -> list[list[HumanScore]]:
    """Return the human score of each segment for each system (`None` if the segment has none)."""
    judged: list[list[HumanScore]] = []
    highest: dict[str, int] = {}  # (the last number in each file that numbers segments, but has no segment 0)
    for (name, _), (file, scores) in zip(human_files.systems, human_files.segment_scores):
        last = max(scores.by_line, default=0) if scores.lines is None else scores.lines
        if last > listed.lines or (scores.lines is not None and scores.lines < listed.lines):
            found = f"a score of segment {last}" if scores.lines is None else counted(last, "human score")
            raise LengthError(f"{file} has {found} for {name}, but each output has {listed.lines} lines")
        judged.append(human_files.with_higher_better([scores.by_line.get(number) for number in listed.numbers]))
        if scores.lines is None and not scores.from_zero:
            highest[file] = max(last, highest.get(file, 0))
    for file, last in highest.items():
        if 0 < last == listed.lines - 1:
            warn(f"{file} has no score of segment 0, and none of the last segment, {listed.lines}: its numbers are "
                 "read as numbers from 1 (if they count from 0, add 1 to each)")
    return judged


def _chosen(by_system: Mapping[str, Any], systems: Sequence[tuple[str, str]], file: str) -> list[Any]:
    """Return the scores of `systems`, in their order. Warn if the file also has scores of other systems."""
    keys, others = matched_names(list(by_system), systems, file)
    if others:
        warn(f"{file} also has human scores of {', '.join(others)}, which are not among the outputs")
    return [by_system[key] for key in keys]


class AgreeValues(CorpusValues, HumanValues):
    """The values of the options of `purebleu agree`."""


def run_agree(values: AgreeValues) -> Answer:
    """Measure how well metrics agree with people."""
    check_needs(values.human or values.human_systems, "agree", "human scores: --human FILE ... (of segments) or "
                "--human-systems FILE", "human")
    style = style_of(values)
    inputs = inputs_of(values, needs_files=True)
    human = HumanFiles(values, inputs)
    choice = MetricChoice(values, inputs)
    choice.check_unused()
    check_tests_of_metrics(values, choice.names, "trials", "seed", "rng")
    inputs.check_targets({}, human.paths)
    human.read()
    scored = scored_from(inputs, choice, Scoring(values.jobs, keeps_rows=True), [])
    warn_of_doubts(scored.systems, scored.names)
    return Answer(agreement_report(measured_agreement(scored, human, values.short), style))


AGREE = Command(
    "agree", "agree [options] {REFERENCE ... | -t NAME -l SRC-TRG} -i FILE FILE ... --human FILE ...",
    "Show how well metrics agree with the scores that people gave to outputs.",
    run_agree, AgreeValues, HUMAN.options,
    (resampling().only("seed", "rng"), *input_groups("manifest"), *OF_SCORES, OUTSIDE, OUTPUT),
    ("text", *[form for form in FORMATS if form not in ("text", GITHUB, PAPER, SIGNED_JSON)]), (
        ("ref.txt -i a.txt b.txt --human people.tsv:score -m bleu chrf", "which metric agrees better with people?"),
        ("ref.txt -i a.txt b.txt --human-systems ranks.txt --trials 0", "how well do scores of systems agree?"),
    ), ignored=(("width", ("json",)),))
