"""Help on the command line: an overview, a command, a group of options, single options."""

from __future__ import annotations

import sys

from ...errors import counted
from ...hints import Mapping, Sequence
from ..process import width_of_help
from .command import Command
from .groups import SACREBLEU_NAMES, Group, Option

DESCRIPTION = """\
Score translations with BLEU, chrF and TER. The scores are the same as in
sacreBLEU. Input is plain, detokenized text, with one segment on each line. The
signature of a score lists the options that the score depends on."""

EXIT_CODES = """\
exit codes:
  0 fine, 1 bad input, 2 wrong usage, 3 a gate failed, 17 a line with a wrong
  number of fields, 70 a bug, 130 interrupted, 141 broken pipe"""

#: The width of paragraphs, for the narrowest terminals.
_HELP_COLUMNS = 79

#: The column where the help on an option begins, and the minimum width of that help.
_HELP_START = 28
_MIN_HELP_WIDTH = 11

#: If a command has more options of its own than this, their help is short.
_MANY = 18

#: The destinations of the options of `score` that most people need.
_COMMON = ("references", "input", "langpair", "test_set", "listing", "metrics", "bleu_tokenize", "bleu_lowercase",
           "sentence_level", "confidence", "test", "format", "score_only", "width")


_MORE = ("COMMAND --help: the options of a command; purebleu help WORD: a page of the manual, an option, a metric, a "
         "tokenizer, a test set, a format, any word")


def help_overview(commands: Mapping[str, str], score: Command) -> str:
    """The help without a word: the commands with their lines of help, and the commonest options of `score`."""
    table = "\n".join([f"  {word:<9} {purpose}" for word, purpose in commands.items()])
    options = [score.options[destination] for destination in _COMMON]
    section = help_on_options("commonest options of score", options, True)
    return "\n\n".join([f"{_usage(score)}\n       purebleu COMMAND [options] ...", DESCRIPTION,
                        f"commands:\n{table}", section, filled(_MORE)])


def filled(text: str, indent: str = "  ", first: str = "", width: int = _HELP_COLUMNS) -> str:
    """A paragraph in lines: `first` is the indentation of the first line, and `indent` that of all others."""
    from textwrap import fill

    return fill(text, width, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False,
                break_long_words=False)


def help_on_command(command: Command) -> str:
    """The help on a command: its own options; and a line or two on each group of options that it shares."""
    parts = [_usage(command), filled(command.purpose, "")]
    is_score = command.word == "score"
    own = list(command.own.options)
    if is_score:
        own = [option for option in command.all_options if not _is_ours(option)]
    if own:
        in_short = is_score or len(own) > _MANY
        parts.append(help_on_options("sacreBLEU's options" if is_score else "its options", own, in_short))
    shared = [_group_line(group, is_score) for group in command.groups]
    if is_score:
        further = [option for option in command.own.options if _is_ours(option)]
        shared.insert(0, _group_line(Group("score", "further options of score", further,
                                           [option.names[0] for option in further]), False))
    if any(shared):
        parts.append("\n".join(["further options:", *filter(None, shared)]))
    if command.formats:
        parts.append(filled(f"formats (-f): {', '.join(command.formats)}"))
    if command.examples:
        lines = [f"  purebleu {'' if is_score else command.word + ' '}{line}" for line, _ in command.examples]
        widest = max(map(len, lines))
        shown = [f"{line:<{widest}}   {purpose}" if widest + len(purpose) < 77 else f"{line}\n      {purpose}"
                 for line, (_, purpose) in zip(lines, command.examples)]
        parts.append("\n".join(["examples:", *shown]))
    if is_score:
        parts.append(EXIT_CODES)
    return "\n\n".join(parts)


def _usage(command: Command) -> str:
    return filled(f"usage: purebleu {command.usage}", " " * 9)


def _is_ours(option: Option) -> bool:
    """Whether sacreBLEU lacks an option."""
    return option.form != "positional" and option.names[0] not in SACREBLEU_NAMES


def _group_line(group: Group, ours_alone: bool) -> str:
    """A group of options in a line or two: the commonest ones, and where to read on."""
    options = [option for option in group.options if not ours_alone or _is_ours(option)]
    if not options or group.name == "everywhere":
        return ""
    known = {word for option in options for word in (*option.names, option.metavar)}
    common = [text for text in group.common if text.split(" ")[0] in known]
    if ours_alone:
        common = [option.names[0] for option in options][:4]
    more = f"; more: help {group.name}" if len(options) > len(common) else ""
    listed = ", ".join(common) or counted(len(options), "option")
    return filled(f"  {group.title}: {listed}{more}", "    ")


def help_on_options(title: str, options: Sequence[Option], in_short: bool = False) -> str:
    """A title, and below it the options, each with its help (short or full) beside or below it."""
    from textwrap import wrap

    widest = max([len(invocation(option)) for option in options])
    start = min(widest + 4, _HELP_START)
    width = max(width_of_help(sys.stdout), start + _MIN_HELP_WIDTH)
    lines = [f"{title}:"]
    for option in options:
        first = f"  {invocation(option)}"
        if len(first) > start - 2:
            lines.append(first)
            first = ""
        text = f"{option.help}; {option.more}" if option.more and not in_short else option.help
        lines += wrap(text, width, initial_indent=first.ljust(start), subsequent_indent=" " * start)
    return "\n".join(lines)


def invocation(option: Option) -> str:
    """The names of an option, the short one first, and its argument."""
    if option.form == "positional":
        return str(option.metavar)
    names = ", ".join(sorted(option.names, key=len))
    if option.form in ("switch", "answer"):
        return names
    argument = option.metavar or option.destination.upper()
    if option.choices and not option.metavar:
        argument = f"{{{','.join(option.choices)}}}"
    if option.form == "optional":
        argument = f"[{argument}]"
    further = " ..." if option.form == "several" else ""
    return f"{names} {argument}{further}"
