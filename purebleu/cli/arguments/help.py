"""Help on the options of the command line."""

from __future__ import annotations

import sys

from ..process.terminal import width_of_help
from .table import ANSWER, GROUPS, OPTIONAL, POSITIONAL, SEVERAL, SWITCH, Group, Option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Mapping, Sequence

_USAGE = "usage: purebleu [options] {REFERENCE ... | -t NAME -l SRC-TRG} [-i FILE ...]"

DESCRIPTION = """\
BLEU, chrF and TER scores that are comparable and reproducible: the same as
sacreBLEU's, with nothing to install. Input is plain, detokenized text, one
segment a line; the signature says what a score depends on."""

EXAMPLES = """\
examples:
  purebleu ref.txt -i out.txt               score an output against a reference
  purebleu ref1.txt ref2.txt < out.txt      several references, standard input
  purebleu ref.gz -i out.gz -m chrf -cw 2   compressed files, chrF++
  purebleu ref.zh -i out.zh -l en-zh        the usual tokenizer for Chinese
  purebleu ref.txt -i a.txt b.txt -par      are two systems really different?
  purebleu -t wmt18 -l en-de -i out.txt     a test set, fetched if need be"""

EXIT_CODES = """\
exit codes:
  0 fine, 1 bad input, 2 wrong usage, 3 a gate failed, 17 a line with a wrong
  number of fields, 70 a bug, 130 interrupted, 141 broken pipe"""

#: The width of paragraphs, for the narrowest terminals.
_HELP_COLUMNS = 79

#: The column where the help on an option begins, and the minimum width of that help.
_HELP_START = 28
_MIN_HELP_WIDTH = 11

#: The value of `--help` for all options.
ALL = "all"

#: The options that most people need, by their destinations.
COMMON = frozenset(("references", "input", "langpair", "test_set", "listing", "metrics", "sentence_level",
                    "bleu_tokenize", "bleu_lowercase", "confidence", "test", "rank", "format", "score_only",
                    "width", "help"))


def help_on_groups(name: str | None) -> str:
    """The help on a group of options, on `ALL` options, or (`None`) the short help on those in `COMMON`."""
    width = width_of_help(sys.stdout)
    shown = {group: [option for option in group.options if name is not None or option.destination in COMMON]
             for group in GROUPS if name in (None, ALL, group.name)}
    parts = [_USAGE, DESCRIPTION] if name in (None, ALL) else []
    parts += _sections({group: options for group, options in shown.items() if options}, name is None, width)
    if name is None:
        from textwrap import fill

        more = f"more: --help topics, {ALL}, any word, or {', '.join([one.name for one in GROUPS])}"
        parts.append(fill(more, _HELP_COLUMNS, subsequent_indent="  ", break_on_hyphens=False))
    if name in (None, ALL):
        parts.append(EXAMPLES)
    if name == ALL:
        parts.append(EXIT_CODES)
    return "\n\n".join(parts)


def help_on_options(shown: Mapping[Group, Sequence[Option]]) -> str:
    """The full help on some options, below the titles of their groups."""
    return "\n\n".join(_sections(shown, False, width_of_help(sys.stdout)))


def _sections(shown: Mapping[Group, Sequence[Option]], in_short: bool, width: int) -> list[str]:
    """A section for each group: its title, and below that its options with their help, short or full."""
    widest = max([len(invocation(option)) for options in shown.values() for option in options])
    start = min(widest + 4, _HELP_START)
    sections: list[str] = []
    for group, options in shown.items():
        lines = [f"{group.title}:"]
        for option in options:
            text = f"{option.help}; {option.more}" if option.more and not in_short else option.help
            lines += _help_lines(invocation(option), text, start, max(width - start, _MIN_HELP_WIDTH))
        sections.append("\n".join(lines))
    return sections


def _help_lines(invocation: str, text: str, start: int, width: int) -> Iterator[str]:
    """An option, and its help beside or below it."""
    from textwrap import wrap

    first = f"  {invocation}"
    if len(first) > start - 2:
        yield first
        first = ""
    for line in wrap(text, width):
        yield first.ljust(start) + line
        first = ""


def invocation(option: Option) -> str:
    """The names of an option, the short one first, and then its argument, once."""
    if option.form == POSITIONAL:
        return str(option.metavar)
    names = ", ".join(sorted(option.names, key=len))
    if option.form == SWITCH or (option.form == ANSWER and option.metavar is None):
        return names
    argument = " ".join(option.metavar) if isinstance(option.metavar, tuple) else option.metavar
    if argument is None:
        argument = f"{{{','.join(option.choices)}}}" if option.choices else option.destination.upper()
    if option.form in (OPTIONAL, ANSWER):
        argument = f"[{argument}]"
    return f"{names} {argument}" + " ..." * (option.form == SEVERAL)
