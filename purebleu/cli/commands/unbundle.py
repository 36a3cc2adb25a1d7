"""`purebleu unbundle`: put the contents of a bundle into the cache."""

from __future__ import annotations

from ..arguments.command import Answer, Command
from ..arguments.groups import Option, OutputValues
from ..arguments.values import check_takes, sha256_sum


class UnbundleValues(OutputValues):
    """The values of the options of `purebleu unbundle`."""

    files: list[str] = []
    sha256: str | None = None


def run_unbundle(values: UnbundleValues) -> Answer:
    """Put the contents of a bundle into the cache, and return a list of the contents."""
    from ...datasets.bundle import read_bundle

    check_takes(len(values.files) == 1, "unbundle", "one file that purebleu bundle wrote")
    return Answer("\n".join(read_bundle(values.files[0], values.sha256)))


UNBUNDLE = Command(
    "unbundle", "unbundle [options] FILE",
    "Unpack a file from purebleu bundle into the cache.",
    run_unbundle, UnbundleValues, (
        Option("files", form="positional", metavar="FILE", help="the file"),
        Option("--sha256", convert=sha256_sum, metavar="SUM", help="refuse the file if its SHA-256 sum is not SUM"),
    ), (), (), (
        ("eval.pb", "its test sets and models"),
        ("eval.pb -q", "the same, without progress on standard error"),
    ))
