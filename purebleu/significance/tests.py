"""The tests between systems: a record for each, with its field in signatures and its texts for users."""

from __future__ import annotations

from ..errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    class SignificanceTest(NamedTuple):
        """A test.

        Attributes:
            name: the field of the test in signatures.
            title: the name of the test in headings.
            samples: the default number of samples.
            sampled: the name of the samples: resamples or trials.
            explanation: an explanation of the figures that the test adds to a table.
        """

        name: str
        title: str
        samples: int
        sampled: str
        explanation: str
else:
    from collections import namedtuple

    SignificanceTest = namedtuple("SignificanceTest", "name title samples sampled explanation")

BOOTSTRAP = SignificanceTest(
    "bs", "Paired bootstrap resampling", 1000, "resamples",
    "For each system: its score; in parentheses, the mean of its scores in {samples} bootstrap resamples (each of as "
    "many {units}, sampled with replacement) and half the width of their 95 % confidence interval; then p.")

RANDOMIZATION = SignificanceTest(
    "ar", "Paired approximate randomization", 10_000, "trials",
    "For each system: its score; then p, from {samples} trials. In each trial, the outputs of the system and of the "
    "baseline for each {unit} are swapped with probability 1/2.")

STRATIFIED = SignificanceTest(
    "sar", "Stratified approximate randomization", 10_000, "trials",
    "p comes from {samples} trials. In each trial, the outputs for each {unit}, those of all runs of the system and of "
    "the baseline, are dealt to the two at random. What is compared is the score of all runs of a system as one "
    "corpus.")

#: The tests by their names.
TESTS = {test.name: test for test in (BOOTSTRAP, RANDOMIZATION, STRATIFIED)}

#: The names of the tests that compare pairs of systems with one output each.
PAIRED_TESTS = (BOOTSTRAP.name, RANDOMIZATION.name)


def check_paired_test(name: str) -> None:
    """Raise `OptionError` unless a paired test has this name."""
    if name not in PAIRED_TESTS:
        raise OptionError(f"unknown test {name!r}; there are {', '.join(PAIRED_TESTS)}")
