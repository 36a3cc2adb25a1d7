"""Help on the options of the command line."""

from __future__ import annotations

import sys

from ..errors import OptionError
from .terminal import width_of_help

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Action, ArgumentParser, HelpFormatter
    from typing import Sequence

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

#: What `--help` takes beside the names of groups.
ALL = "all"

#: The options that most people need, by their destinations.
COMMON = frozenset(("references", "input", "langpair", "test_set", "list", "metrics", "sentence_level", "bleu_tokenize",
                    "bleu_lowercase", "audit", "confidence", "test", "rank", "format", "score_only", "width", "help"))


def help_on(parser: ArgumentParser, groups: Sequence[str], name: str | None) -> str:
    """The help on a group of options, on `ALL`, or (`None`) on those in `COMMON`, of which it says the main thing.

    The main thing is what stands before the first semicolon.

    Raises:
        OptionError: there is no such group.
    """
    if name not in (None, ALL, *groups):
        raise OptionError(f"there is no help on {name!r}, but on {', '.join([*groups, ALL])}")
    formatter = _formatter(parser.prog)
    if name in (None, ALL):
        formatter.add_usage(parser.usage, [], [])
        formatter.add_text(DESCRIPTION)
    for key, group in zip(groups, parser._action_groups[-len(groups):]):  # (argparse's own groups come first)
        actions = group._group_actions
        if name is None:
            actions = [_shortened(action) for action in actions if action.dest in COMMON]
        if actions and name in (None, ALL, key):
            formatter.start_section(group.title)
            formatter.add_arguments(actions)
            formatter.end_section()
    if name is None:
        from textwrap import fill

        more = f"more options: --help {ALL}, or --help and one of {', '.join(groups)}"
        formatter.add_text(fill(more, _HELP_COLUMNS, subsequent_indent="  ", break_on_hyphens=False))
    if name in (None, ALL):
        formatter.add_text(EXAMPLES)
    if name == ALL:
        formatter.add_text(EXIT_CODES)
    return formatter.format_help().rstrip("\n")


def _formatter(program: str) -> HelpFormatter:
    """Writes the names of an option, the short one first, and then its argument, once."""
    from argparse import RawDescriptionHelpFormatter

    class Formatter(RawDescriptionHelpFormatter):
        def _format_action_invocation(self, action: Action) -> str:
            if not action.option_strings:
                return str(action.metavar)
            names = ", ".join(sorted(action.option_strings, key=len))
            if action.nargs == 0:
                return names
            argument = " ".join(action.metavar) if isinstance(action.metavar, tuple) else action.metavar
            if argument is None:
                argument = f"{{{','.join(map(str, action.choices))}}}" if action.choices else action.dest.upper()
            if action.nargs == "?":
                argument = f"[{argument}]"
            return f"{names} {argument}" + " ..." * (action.nargs == "+")

    return Formatter(program, max_help_position=28, width=width_of_help(sys.stdout))


def _shortened(action: Action) -> Action:
    from copy import copy

    short = copy(action)
    short.help = (action.help or "").partition(";")[0]
    return short
