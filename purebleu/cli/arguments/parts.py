"""Options that a few commands share: of gates, of checks, of audits, of people's scores, of files to write."""

from __future__ import annotations

from ...checks.table import CHECKS
from .option import EACH, SEVERAL, SWITCH, Group, Option, Values
from .values import check_and_threshold, check_names, measure_name, not_negative, unmarked

_USUAL_THRESHOLDS = ", ".join([f"{name}={check.threshold:g}" for name, check in CHECKS.items()])

SAVE_ROWS = Option("--save-rows", metavar="FILE",
                   help="also write the rows of sufficient statistics to a file (compressed, if its name ends in .gz): "
                        "numbers and checksums, but no text")

FAIL_ON = Option("--fail-on", form=EACH, convert=check_names, metavar="CHECKS",
                 help="fail (exit code 3) if one of these checks, with commas between, finds a line",
                 more=f"{', '.join(CHECKS)}")

CHECK_THRESHOLD = Option("--check-threshold", form=EACH, convert=check_and_threshold, metavar="NAME=X",
                         help="another threshold of a check",
                         more=f"usually, {_USUAL_THRESHOLDS}")

JUNIT = Option("--junit", metavar="FILE",
               help="also write the verdicts of the gates as JUnit's XML")


class AuditValues(Values):
    """The values of the options of an audit."""

    nonbreaking_prefixes: str | None = None
    counts: str | None = None


AUDIT_FILES = (
    Option("--nonbreaking-prefixes", metavar="FILE", needs=("audit",),
           help="Moses' file of abbreviations for the target language (default: a built-in list for English and "
                "German, none for others)"),
    Option("--counts", metavar="FILE", needs=("audit",),
           help="how often words are seen, as lines of a word, a tab and a number",
           more="those seen less than twice are unknown (default: counts of the references)"),
)


class HumanValues(Values):
    """The values of the options about people's scores."""

    human: list[str] = []
    human_systems: str = ""
    human_lower: bool = False
    measures: list[str] = []
    trials: int = 1000


HUMAN = Group("human", "people's scores", (
    Option("--human", form=SEVERAL, convert=unmarked, metavar="FILE",
           help="scores that people gave to segments",
           more="a file for each system, in the order of -i, or one with all: in the forms of --scores (None where "
                "nobody judged), tables with columns system and seg_id (FILE:COLUMN), or MQM's errors"),
    Option("--human-systems", metavar="FILE",
           help="human scores of systems, as lines SYSTEM SCORE (default: means of those of segments)"),
    Option("--human-lower", form=SWITCH, needs=("human", "human_systems"),
           help="lower human scores are better, as of counts of errors"),
    Option("--measures", form=SEVERAL, convert=measure_name, metavar="NAME", needs=("human", "human_systems"),
           help="spa, acc-eq, accuracy, pearson, tau-b, tau-c; sys:NAME is of systems' scores (default: spa acc-eq "
                "sys:accuracy sys:pearson)",
           more="NAME:item, NAME:system and NAME:none are over the outputs for a segment, of a system, or all"),
    Option("--trials", convert=not_negative, metavar="N", needs=("human", "human_systems"),
           help="permutations in each test between two metrics (default: 1000; 0: no tests, no ranks)"),
), ("--human FILE ...",))


def joined_names(values: list[list[str]]) -> list[str]:
    """The names in repeated options, each once."""
    return list(dict.fromkeys([name for names in values for name in names]))
