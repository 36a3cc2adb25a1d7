"""Agreement of metrics with people under several measures, as in the tables of papers."""

from __future__ import annotations

from ..errors import OptionError, PurebleuError
from .comparison import TRIALS
from .judged import GROUPINGS, mean_scores
from .measures import judged_for, measure_named
from .metric_ranks import rank_metrics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, NamedTuple, Sequence

    from ..engines.resampling.streams import Seed
    from .comparison import Stopping
    from .judged import Grouping, HumanScore, Scores
    from .metric_ranks import MetricRanking

    class Question(NamedTuple):
        """A measure, and the scores that it compares.

        Attributes:
            level: `segments` for scores of segments, or `systems` for a single score of each system.
            measure: one of `MEASURES`.
            by: the groups of the measure, as for `Judged`.
        """

        level: str
        measure: str
        by: str

    class Answer(NamedTuple):
        """The agreement of all metrics under a measure.

        Attributes:
            question: the measure.
            ranking: the ranking of the metrics.
            systems: the number of systems with human scores that the measure uses.
            judged: the number of these scores.
        """

        question: Question
        ranking: MetricRanking
        systems: int
        judged: int

    class MetricScores(NamedTuple):
        """The scores of a metric; higher scores are better.

        Attributes:
            segments: the score of each system and segment.
            systems: the score of each system.
        """

        segments: Scores
        systems: Sequence[float]
else:
    from collections import namedtuple

    Question = namedtuple("Question", "level measure by")
    Answer = namedtuple("Answer", "question ranking systems judged")
    MetricScores = namedtuple("MetricScores", "segments systems")

#: The levels of `Question`, by the prefix of a measure's name.
LEVELS = {"": "segments", "sys": "systems"}

#: The default measures: of scores of segments, and of scores of systems.
USUAL_OF_SEGMENTS = ("spa", "acc-eq")
USUAL_OF_SYSTEMS = ("sys:accuracy", "sys:pearson")

#: The measure whose tests swap pairs, as WMT's do.
_PAIRS_MEASURE = "acc-eq"


def question_of(text: str) -> Question:
    """The measure that a text names: `MEASURE`, `MEASURE:GROUPS`, or for scores of systems, `sys:MEASURE`.

    Raises:
        OptionError: there is no such measure or grouping, or the measure allows only its usual groups.

    Example:
        >>> question_of("tau-b:item"), question_of("sys:pearson").level
        (Question(level='segments', measure='tau-b', by='item'), 'systems')
    """
    parts = text.split(":")
    prefix = parts.pop(0) if parts[0] == "sys" and len(parts) > 1 else ""
    name, by = [*parts, ""][:2] if len(parts) < 3 else (text, "")
    measure = measure_named(name)
    if by and by not in GROUPINGS:
        raise OptionError(f"scores can't be grouped by {by!r}: there are {', '.join(GROUPINGS)}", option="measures")
    if prefix and by:
        raise OptionError(f"{text}: scores of systems are one group", option="measures")
    if prefix and (measure.complete or name == _PAIRS_MEASURE):
        raise OptionError(f"{name} is of scores of segments: leave out sys:", option="measures")
    if measure.complete and by not in ("", measure.by):
        raise OptionError(f"{name} is of systems, and can't be grouped by {by!r}", option="measures")
    return Question(LEVELS[prefix], name, "none" if prefix else by or measure.by)


def name_of_question(question: Question) -> str:
    """The text from which `question_of` makes this question.

    >>> name_of_question(question_of("tau-b:none")), name_of_question(question_of("spa"))
    ('tau-b', 'spa')
    """
    prefix = "sys:" if question.level == "systems" else ""
    usual = prefix or question.by == measure_named(question.measure).by
    return f"{prefix}{question.measure}" + ("" if usual else f":{question.by}")


def answers(questions: Sequence[Question], human: Scores | None, human_of_systems: Sequence[HumanScore] | None,
            metrics: Mapping[str, MetricScores], trials: int = TRIALS, stopping: Stopping | None = None,
            seed: Seed = "environment", rng: str = "environment") -> list[Answer]:
    """The agreement of metrics with people under each of several measures.

    Args:
        questions: the measures.
        human: the human score of each system and segment, or `None` where nobody judged it; higher scores are better.
        human_of_systems: the human score of each system, likewise; `None`: the means over segments.
        metrics: the scores of the metrics, by their names.
        trials, stopping, seed, rng: those of `rank_metrics`.

    Raises:
        PurebleuError: there are no human scores of the kind that a measure takes.
        And as `rank_metrics` does.

    Example:
        >>> human = [[1, 2, 3], [2, 3, 4]]
        >>> metric = MetricScores([[2, 2, 4], [1, 3, 5]], [2.7, 3.0])
        >>> [spa, pearson] = answers([question_of("spa"), question_of("sys:pearson")], human, None, {"M": metric})
        >>> [round(value, 3) for value in (*spa.ranking.agreements, *pearson.ranking.agreements)]
        [0.872, 1.0]
    """
    results: list[Answer] = []
    for question in questions:
        if question.level == "systems":
            human_scores: Scores = [[score] for score in _system_scores(human, human_of_systems)]
            metric_scores: dict[str, Scores] = {name: [[score] for score in metric.systems]
                                             for name, metric in metrics.items()}
            by: Grouping | None = "none"
        elif human is None:
            raise PurebleuError(f"{name_of_question(question)} takes human scores of segments, and there are none")
        else:
            human_scores, by = human, question.by
            metric_scores = {name: metric.segments for name, metric in metrics.items()}
        if measure_named(question.measure).complete:
            by = None
        ranking = rank_metrics(question.measure, human_scores, metric_scores, by,
                               "pairs" if question.measure == _PAIRS_MEASURE else "scores", trials, stopping, seed, rng)
        counts = judged_for(question.measure, human_scores, by).used_outputs()
        results.append(Answer(question, ranking, sum(map(bool, counts)), sum(counts)))
    return results


def _system_scores(human: Scores | None, human_of_systems: Sequence[HumanScore] | None) -> Sequence[HumanScore]:
    """The human score of each system: the given one, or the mean over its segments that people judged."""
    if human_of_systems is not None:
        return human_of_systems
    if human is None:
        raise PurebleuError("there are no human scores")
    return mean_scores(human)
