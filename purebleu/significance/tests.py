"""The tests between systems: a record of each, with its name in signatures and the words for people."""

from __future__ import annotations

from ..errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    class SignificanceTest(NamedTuple):
        """A test.

        Attributes:
            name: its field in signatures.
            title: its name in headings.
            samples: the usual number of its samples.
            sampled: their name: resamples or trials.
            explanation: the figures that it adds to a table, where these come from `{samples}`.
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

#: The names of those that compare single outputs of systems in pairs.
PAIRED_TESTS = (BOOTSTRAP.name, RANDOMIZATION.name)


def check_paired_test(name: str) -> None:
    """Raise `OptionError` for a name that no paired test has."""
    if name not in PAIRED_TESTS:
        raise OptionError(f"unknown test {name!r}; there are {', '.join(PAIRED_TESTS)}")
