"""sacreBLEU's options, whose abbreviations mean here what they mean there."""

from __future__ import annotations

from ...errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from .command import Command

#: The names of the options of sacreBLEU 2.6.0.
SACREBLEU_NAMES = (
    "--citation", "--cite", "--list", "--test-set", "-t", "--language-pair", "-l", "--origlang", "-ol", "--subset",
    "--download", "--echo", "--input", "-i", "--num-refs", "-nr", "--encoding", "-e", "--metrics", "-m",
    "--sentence-level", "-sl", "--smooth-method", "-s", "--smooth-value", "-sv", "--tokenize", "-tok", "--lowercase",
    "-lc", "--force", "--chrf-char-order", "-cc", "--chrf-word-order", "-cw", "--chrf-beta", "--chrf-whitespace",
    "--chrf-lowercase", "--chrf-eps-smoothing", "--ter-case-sensitive", "--ter-asian-support", "--ter-no-punct",
    "--ter-normalized", "--confidence", "-ci", "--confidence-n", "-cin", "--paired-ar", "-par", "--paired-bs", "-pbs",
    "--paired-ar-n", "-parn", "--paired-bs-n", "-pbsn", "--paired-jobs", "-j", "--quiet", "-q", "--short", "-sh",
    "--score-only", "-b", "--width", "-w", "--detail", "-d", "--no-color", "-nc", "--format", "-f", "--version", "-V",
    "--help", "-h",
)


def expanded(arguments: Sequence[str], command: Command) -> list[str]:
    """The arguments with abbreviations of sacreBLEU's options written out, as its parser reads them.

    An abbreviation is the beginning of the name of one option. Names that a command has of its own are left as they
    are.

    Raises:
        OptionError: an argument is the beginning of several names.
    """
    known = command.names
    written: list[str] = []
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not argument.startswith("-") or argument == "-" or name in known or argument in known:
            written.append(argument)
            continue
        found = [other for other in SACREBLEU_NAMES if other.startswith(name)]
        if not name.startswith("--") and argument[:2] in SACREBLEU_NAMES:
            found.append(argument[:2])  # a short option, with its value behind it
        meant = {known[other].destination + str(known[other].constant) for other in found if other in known}
        if len(meant) > 1:
            raise OptionError(f"ambiguous option: {argument} could match {', '.join(found)}")
        written.append(f"{found[0]}{equals}{value}" if found and found[0] != argument[:2] else argument)
    return written
