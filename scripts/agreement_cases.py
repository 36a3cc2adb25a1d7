"""Scores of people and of metrics, made up from a seed alone: for the script that makes fixtures, and for tests.

Standard library only.
"""

from __future__ import annotations

import random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, List, NamedTuple, Optional, Sequence

    #: A score of each system and segment.
    Human = Sequence[Sequence[Optional[float]]]
    Matrix = List[List[float]]

    class Case(NamedTuple):
        """Human scores of systems, and those of two metrics."""

        human: Human
        metric: Matrix
        other: Matrix
else:
    from collections import namedtuple

    Case = namedtuple("Case", "human metric other")

#: Penalties of errors under MQM, most outputs having none; and the scores that people give, by kind.
_MQM = (0, 0, 0, 0, 0, -1, -1, -2, -5, -5, -6, -10, -0.1, -1.1, -25)
_KINDS: dict[str, Callable[[random.Random, float], float]] = {
    "mqm": lambda rng, quality: float(max(rng.choice(_MQM), rng.choice(_MQM)) if quality > 0 else rng.choice(_MQM)),
    "thirds": lambda rng, quality: -round(max(0.0, rng.gauss(3 - quality, 2))) / 3,
    "esa": lambda rng, quality: float(min(100, max(0, round(rng.gauss(70 + 10 * quality, 25))))),
    "few": lambda rng, quality: float(rng.randint(1, 3)),
    "float": lambda rng, quality: round(rng.gauss(quality, 1), 6),
}

#: How a metric's score comes from a human one: with noise, in steps, not at all, or all the same.
_METRICS: dict[str, Callable[[random.Random, float], float]] = {
    "noise": lambda rng, score: round(score + rng.gauss(0, 3), 6),
    "steps": lambda rng, score: round((score + rng.gauss(0, 3)) / 2) / 2,
    "tenths": lambda rng, score: round(score / 10 + rng.gauss(0, 0.3), 1),
    "random": lambda rng, score: float(rng.randint(0, 4)),
    "same": lambda rng, score: 1.5,
}


def random_case(seed: int, systems: int = 0, segments: int = 0, complete: bool = False) -> Case:
    """Scores of a few systems and segments, some of which may lack human ones.

    Args:
        seed: of everything.
        systems, segments: their numbers; 0: small ones, from 2 and 1 upwards.
        complete: whether a segment has the human scores of all systems or of none, and one has them.
    """
    rng = random.Random(f"agreement {seed}")
    systems = systems or rng.randint(2, 8)
    segments = segments or rng.choice((1, 2, 3, 5, 8, 13, 30))
    kind = _KINDS[rng.choice(list(_KINDS))]
    qualities = [rng.gauss(0, 1) for _ in range(systems)]
    scores = [[kind(rng, quality) for _ in range(segments)] for quality in qualities]
    metric, other = [_metric_of(rng, scores) for _ in range(2)]
    missing = rng.choice((0.0, 0.0, 0.1, 0.5))
    lacking = [complete and segment > 0 and rng.random() < missing for segment in range(segments)]
    human = [[None if lacks or (not complete and rng.random() < missing) else score
              for score, lacks in zip(of_system, lacking)] for of_system in scores]
    return Case(human, metric, other)


def _metric_of(rng: random.Random, scores: Matrix) -> Matrix:
    kinds = ("noise", "noise", "noise", "steps", "steps", "tenths", "random", "same")
    make = _METRICS[rng.choice(kinds)]
    return [[make(rng, score) for score in of_system] for of_system in scores]


#: The measures that are tested between metrics, with the groups that each is taken over.
TESTED = {"pearson": "none", "tau-b": "item", "tau-c": "system", "acc-eq": "item", "accuracy": "none", "spa": "system"}


def case_of_test(seed: int) -> tuple[str, Case]:
    """A measure, and scores for a test between two metrics.

    Under `acc-eq`, no human score is missing, and no differences between scores of a metric are the same; under `spa`,
    no sums of scores are.
    """
    measure = list(TESTED)[seed % len(TESTED)]
    rng = random.Random(f"test {seed}")

    def moved(side: Human) -> Matrix:
        return [[score + rng.random() if score is not None else 0.0 for score in scores] for scores in side]

    if measure == "spa":
        human, metric, other = random_case(seed, 3, 24)
        return measure, Case(moved(human), moved(metric), moved(other))
    human, metric, other = random_case(seed, 4 + seed % 3, 6)
    if measure == "acc-eq":
        human = [[score or 0.0 for score in scores] for scores in human]
        metric, other = moved(metric), moved(other)
    return measure, Case(human, metric, other)


def random_differences(seed: int) -> list[float]:
    """Differences between paired scores, with ties, with zeros, with both or with neither."""
    rng = random.Random(f"differences {seed}")
    count = rng.choice((1, 2, 3, 5, 8, 12, 13, 14, 20, 49, 50, 51, 80, 300))
    kind = rng.choice(("float", "float", "steps", "mqm", "zeros"))
    if kind == "float":
        return [round(rng.gauss(0.2, 1), 9) or 0.5 for _ in range(count)]
    if kind == "steps":
        return [float(rng.randint(-3, 4)) or 1.0 for _ in range(count)]
    if kind == "mqm":
        return [float(rng.choice(_MQM) - rng.choice(_MQM)) for _ in range(count)]
    return [0.0] * count


def random_outputs(seed: int) -> list[list[str]]:
    """Outputs of systems, by system and segment: some of them the same, some empty."""
    rng = random.Random(f"outputs {seed}")
    words = ("a", "the", "cat", "dog", "sat", "on", "mats", "über", "猫", "...")
    segments = [rng.choices(words, k=rng.randint(0, 9)) for _ in range(rng.randint(1, 8))]
    return [[" ".join([word if rng.random() < 0.7 else rng.choice(words) for word in segment]) for segment in segments]
            for _ in range(rng.randint(2, 6))]


def random_bits(seed: int, trials: int, count: int) -> Sequence[int]:
    """For each trial, the random bits that Python's generator has for it, with this seed, as one integer."""
    rng = random.Random(seed)
    return [rng.getrandbits(count) if count else 0 for _ in range(trials)]
