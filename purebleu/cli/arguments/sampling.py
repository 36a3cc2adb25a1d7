"""The options of confidence intervals and paired tests."""

from __future__ import annotations

from .option import SWITCH, Group, Option, Values
from .values import positive, resamples, score_difference, seed_or_none, unmarked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ...engines.resampling.streams import Seed


class SamplingValues(Values):
    """The values of the options of resampling."""

    confidence: bool = False
    confidence_n: int = 1000
    seed: Seed = "environment"
    rng: str = "environment"
    unit: str | None = None
    strata: str = ""


class TestValues(SamplingValues):
    """The values of the options of the commands that test."""

    test: str = "ar"
    samples: int = 0
    exact: bool = False
    correction: str = "holm"
    against: str = ""
    power: float | None = None
    no_power: bool = False
    no_worth: bool = False
    autorank: bool = False


def sampling(needs: Sequence[str] = ()) -> Group:
    """The group of the options of resampling; `needs` are options of which one must be given, too."""
    return Group("sampling", "resampling", (
        Option("--seed", convert=seed_or_none, metavar="N", needs=needs,
               help="of the random stream, or 'none' (default: PUREBLEU_SEED or SACREBLEU_SEED in the environment, "
                    "else 12345)"),
        Option("--rng", choices=("mt19937", "numpy"), needs=needs,
               help="the random stream: Python's, or that of NumPy's default_rng, which sacreBLEU uses (default: "
                    "PUREBLEU_RNG in the environment, else mt19937)"),
        Option("--unit", choices=("segment", "doc"), needs=needs,
               help="resample and swap segments, or whole documents of a test set (default: segment)"),
        Option("--strata", convert=unmarked, metavar="FILE", needs=needs,
               help="resample within strata: the stratum of each segment, a line or a column, or 'domain' or "
                    "'origlang' of a test set"),
    ), ("--seed N", "--unit doc", "--strata FILE"))


CONFIDENCE = Option("--confidence", "-ci", form=SWITCH,
                    help="95% confidence intervals",
                    more="by bootstrap resampling")

RESAMPLES = Option("--confidence-n", "-cin", convert=resamples, metavar="N",
                   help="number of bootstrap resamples for intervals (default: 1000)")

AGAINST = Option("--against", metavar="NAME",
                 help="test each system against this one (default: test all pairs, which gives ranges of ranks)")

PAIRED = Group("paired", "the paired test", (
    Option("--paired-ar", "-par", destination="test", form=SWITCH, constant="ar",
           help="approximate randomization (default)"),
    Option("--paired-bs", "-pbs", destination="test", form=SWITCH, constant="bs",
           help="bootstrap resampling, which rejects 10 to 15 % of true null hypotheses"),
    Option("--samples", convert=positive, metavar="N",
           help="number of its trials or resamples (default: 10000 or 1000; more if the correction needs it)"),
    Option("--exact", form=SWITCH,
           help="make all trials of --paired-ar, in place of samples",
           more="for up to 20 segments or documents"),
    Option("--correction", choices=("holm", "none"),
           help="of p-values for the number of tests",
           more="holm (default): of all systems and metrics together"),
), ("--paired-bs", "--samples N", "--correction none"))

#: Options about the meaning of differences.
WORTH = (
    Option("--power", convert=score_difference, metavar="D",
           help="tell the power of the test for a true difference of D, and the segments that it takes (default: 1)"),
    Option("--no-power", form=SWITCH,
           help="leave out how small a difference this test set can show"),
    Option("--no-worth", form=SWITCH,
           help="leave out how often people agree with such differences"),
    Option("--autorank", form=SWITCH, needs=("manifest",),
           help="with --manifest: AutoRank of systems, from all metrics together, as WMT25 has it"),
)
