"""The options of output and of processes, and those that every command has."""

from __future__ import annotations

from .option import ANSWER, SWITCH, Group, Option, Values
from .values import decimal_places, not_negative


class OutputValues(Values):
    """The values of these options."""

    format: str = ""
    width: int = 1
    short: bool = False
    no_color: bool = False
    jobs: int = 1
    quiet: bool = False


FORMAT = Option("--format", "-f", metavar="NAME",
                help="the format of the output")
WIDTH = Option("--width", "-w", convert=decimal_places, metavar="N",
               help="decimal places (default: 1)")
NO_COLOR = Option("--no-color", "-nc", form=SWITCH,
                  help="no colours in a terminal",
                  more="as NO_COLOR in the environment")
SHORT = Option("--short", "-sh", form=SWITCH,
               help="a short signature (in text)")
JOBS = Option("--jobs", "-j", "--paired-jobs", convert=not_negative, metavar="N",
              help="score in N processes (default: 1)",
              more="0: one for each processor; never more than the processors, but always up to 2")


def output(*further: Option) -> Group:
    """The group of the options of output, with further ones."""
    return Group("output", "output", (FORMAT, *further, NO_COLOR), ("-f NAME", "-w N"))


#: The options that every command has.
EVERYWHERE = Group("everywhere", "everywhere", (
    Option("--quiet", "-q", form=SWITCH,
           help="no warnings and no progress on standard error, only errors"),
    Option("--version", "-V", form=ANSWER,
           help="print the version"),
    Option("--help", "-h", form=ANSWER,
           help="print this help"),
), ("-q", "-V", "-h"))


