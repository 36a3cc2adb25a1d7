"""How commands that test do it, what they show of differences, and the line that says what was tested."""

from __future__ import annotations

from ...errors import OptionError, warn
from ...report.formats import PAPER, Style
from ...report.worth import USUAL_DIFFERENCE, Wanted, family_text, samples_text, test_text
from ...significance.results import Results
from ..arguments.command import FOR_PROGRAMS
from ..arguments.groups import TestValues
from ..corpus.scored import Scored
from .testing import Testing

#: Options that are for tests alone, by their destinations.
_OF_TESTS = {"test": "--paired-bs", "samples": "--samples", "exact": "--exact", "correction": "--correction"}


def testing_of(values: TestValues, systems: int, with_differences: bool = True) -> Testing:
    """How a command tests this many systems: all pairs, unless each system is tested against one of them.

    Ranks take three systems and a correction for the number of tests.
    """
    if systems < 2:
        given = values.given()
        for destination, option in _OF_TESTS.items():
            if destination in given:
                warn(f"{option} is for tests between systems, but there is only one: it has no effect")
    has_several = systems > 1
    is_resampled = with_differences and (has_several or not values.no_power)
    testing = Testing(values, values.test if has_several else None, values.samples,
                      corrects=has_several and values.correction == "holm", exact=has_several and values.exact,
                      differences=values.confidence_n if is_resampled else 0)
    testing.ranks = testing.corrects and systems > 2 and not values.against
    return testing


def shows_differences(style: Style, wanted: Wanted) -> bool:
    """Whether results have differences between systems with their intervals; signatures say how these are sampled."""
    return bool(wanted) or style.form in FOR_PROGRAMS


def wanted_figures(values: TestValues, scored: Scored) -> Wanted:
    """The figures on differences to show: power, and the agreement with people (or why there is none)."""
    return Wanted(not values.no_worth and len(scored.systems) > 1,
                  None if values.no_power else values.power or USUAL_DIFFERENCE)


def check_room(values: TestValues, style: Style) -> None:
    """Raise `OptionError` if a figure is asked for that has no room in a table for a paper."""
    for name in ("power", "autorank"):
        if style.form == PAPER and name in values.given():
            raise OptionError(f"-f {PAPER} has no room for --{name}: choose another format", option="format")


def ran_text(results: Results) -> str:
    """What was tested and how, in one line."""
    units = results.units.plural if results.units else "segments"
    if results.test is None:
        return ("not tested" if len(results.systems) > 1 else
                f"not tested: there is one system (of {results.segments:,} segments)")
    parts = [f"tested: {test_text(results.test, samples_text(results))} of {units}"]
    if results.rankings and results.rank_samples != results.samples:
        parts.append(f"{results.rank_samples:,} for ranks")
    tests = len(results.scores[0]) * (len(results.systems) - 1)
    parts.append(f"Holm's correction for {family_text(results)}" if results.corrected and results.family > 1
                 else "one test" if tests == 1 else f"{tests} tests without a correction")
    return ", ".join(parts)
