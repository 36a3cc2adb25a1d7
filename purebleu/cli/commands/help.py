"""`purebleu help` and `--help`: a page of the manual, a command, a group of options, or any word."""

from __future__ import annotations

import sys

from ...metrics import METRIC_FAMILIES, metric_class
from ...runtime.errors import LeftOutError, OptionError, counted, nearest
from ...runtime.hints import Iterator, Mapping, Sequence
from ...tokenizers import TOKENIZERS
from ..arguments.command import Answer, Command, LineValues
from ..arguments.groups import SACREBLEU_NAMES, Group, Option
from ..arguments.values import METRIC_NAMES, metric_settings
from ..corpus.selection import known_test_sets
from ..process import takes_colors, width_of_help
from . import COMMANDS, command_named, commands_here, names_here

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

#: The column in which the help on an option begins, and the minimum width of this help.
_HELP_START = 28
_MIN_HELP_WIDTH = 11

#: If a command has more own options than this, their help is short.
_MANY = 18

#: The destinations of the options of `score` that most people need.
_COMMON = ("references", "input", "langpair", "test_set", "listing", "metrics", "bleu_tokenize", "bleu_lowercase",
           "sentence_level", "confidence", "test", "format", "score_only", "width")


_MORE = ("COMMAND --help: the options of a command; purebleu help WORD: a page of the manual, an option, a metric, a "
         "tokenizer, a test set, a format, any word")

#: The largest number of options or paragraphs about a word that are shown in full.
_MAX_TEXTS = 4

#: The word after `help` that lists the pages of the manual.
TOPICS = "topics"

#: The words after `help` that list all options of all commands.
ALL = ("all", "options")

#: The page of the manual that helps to choose a metric.
_CHOOSE = "choose"

#: Words that newcomers search for, by command. (The purposes of commands lack these words.)
_NEWCOMERS = {
    "test": ("one point", "point", "points", "bleu point", "one bleu point", "worth", "better", "significantly better",
             "significance", "significant", "statistical significance", "real", "rank", "seeds", "table for a paper",
             "paper table"),
    "gate": ("regression", "regressions", "pipeline", "threshold", "last week"),
    "report": ("send", "share", "colleague", "send a report"),
    "agree": ("annotator", "annotators", "rater", "raters", "correlation", "judgements", "judgments"),
    "mbr": ("n-best", "nbest", "n-best list", "rerank", "reranking", "candidates"),
    "select": ("annotate", "annotation", "active learning"),
    "compare": ("diff", "worst", "worst segments", "error analysis"),
    "align": ("wrong", "words", "confusions"),
}

#: After this hidden word, `help` completes the rest of the line for a shell.
COMPLETED = "--words"

#: The marks around the synopsis of a command on a page of the manual.
_SYNOPSIS, _END_OF_SYNOPSIS = "<!-- synopsis {} -->", "<!-- end -->"


def run_help(values: LineValues) -> Answer:
    """Show the help on the words of the line, or complete the words after `--words` for a shell."""
    if values.line[:1] == [COMPLETED]:
        from ..completion import next_words

        return Answer("\n".join(next_words(values.line[1:], words_of_help)))
    return Answer(help_text(values.line))


def help_text(words: Sequence[str]) -> str:
    """Return the help on a command, a group of options, a page of the manual, or any word; without words, the overview.

    Raises:
        LeftOutError: this copy lacks the command.
        OptionError: there is no help on the words.
    """
    word = " ".join(words)
    if not word:
        return help_overview({name: COMMANDS[name] for name in names_here()}, command_named("score"))
    commands = commands_here()
    pages, groups = _pages_of_manual(), _groups_of_options(commands)
    if word in ALL:
        return "\n\n".join([help_on_options(group.title, group.options) for group in groups.values()])
    page = word.lower().replace(" ", "-")
    if pages and page not in pages:
        from ...manual import MERGED

        page = MERGED.get(page, page)
    parts: list[str] = []
    if word in COMMANDS:
        parts.append(help_on_command(command_named(word)))
        if pages and word not in pages:
            from ...manual import page_text

            parts += [f"page of the manual: purebleu help {name}" for name in pages
                      if _SYNOPSIS.format(word) in page_text(name)]
    elif word in groups:
        parts.append(help_on_options(groups[word].title, groups[word].options))
        if word in METRIC_NAMES and _CHOOSE in pages:
            parts.append(f"how to choose a metric and a tokenizer; which score is good: purebleu help {_CHOOSE}")
    if page in pages or (page == TOPICS and pages):
        parts.append(shown_page(page))
    return "\n\n".join(parts) if parts else _help_on_word(word, commands)


def words_of_help() -> list[str]:
    """Return the words (other than commands) that `help` takes: groups of options, and pages of the manual."""
    names = [*_groups_of_options(commands_here()), *_pages_of_manual()]
    return [*ALL, TOPICS, *[name for name in names if name not in COMMANDS]]


def _groups_of_options(commands: Mapping[str, Command]) -> dict[str, Group]:
    """Return the groups of options of all commands by name. If groups share a name, return the largest group."""
    found: dict[str, Group] = {}
    for command in commands.values():
        for group in command.all_groups:
            if group.name not in found or len(group.options) > len(found[group.name].options):
                found[group.name] = group
    return found


def _options(commands: Mapping[str, Command]) -> list[tuple[Option, list[str]]]:
    """Return all options, each with the commands that have it. Options with equal names and help count as one."""
    found: dict[tuple[Sequence[str], str], tuple[Option, list[str]]] = {}
    for command in commands.values():
        for option in command.all_options:
            _, words = found.setdefault((option.names, option.help), (option, []))
            words.append(command.word)
    return list(found.values())


def _help_on_word(word: str, commands: Mapping[str, Command]) -> str:
    """Return what commands, options, metrics, tokenizers, test sets and the manual say about a word."""
    pages = _pages_of_manual()
    parts = [*_command_lines(word, commands), *_option_lines(word, commands),
             *_registry_lines(word, commands["score"]), *(_manual_lines(word) if pages else ())]
    if not parts and " " in word:  # (the purposes of commands may have longer words of a question)
        longer = [one for one in word.split() if len(one) > 3]
        lines = [line for one in longer for line in _command_lines(one, commands)]
        parts = sorted(dict.fromkeys(lines), key=lines.count, reverse=True)[:_MAX_TEXTS]
    if not parts:
        names = [name.lstrip("-") for option, _ in _options(commands) for name in option.names]
        names += [*METRIC_NAMES, *METRIC_FAMILIES, *TOKENIZERS, *known_test_sets()]
        near = nearest(word.lstrip("-"), [*commands, *_groups_of_options(commands), *pages, *names])
        manual = (f"and on the pages of the manual (help {TOPICS})" if pages else
                  "but not on the manual's pages, which this copy lacks (vendor.py --with manual adds them)")
        raise OptionError(f"there is no help on {word!r}{near}; there is help on {', '.join(commands)}, on options, "
                          f"{manual}")
    width = width_of_help(sys.stdout)
    return "\n\n".join([_wrapped(part, width) for part in parts])


def _wrapped(text: str, width: int) -> str:
    """Break lines that are wider than `width`. The rest of a broken line is indented by two more columns."""
    lines: list[str] = []
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        lines.append(filled(line, indent, width=width))
    return "\n".join(lines)


def _pages_of_manual() -> list[str]:
    """Return the names of the manual's pages; empty if this copy has no manual."""
    try:
        from ...manual import known_pages
    except LeftOutError:
        return []
    return list(known_pages())


def shown_page(name: str) -> str:
    """Return a page of the manual (without the synopsis of a command), or the list of pages, for the terminal."""
    from ...manual import known_pages, page_text
    from ...manual.markdown import page_in_terminal

    text = page_text(name) if name != TOPICS else "\n".join([
        "# The manual", "", "`purebleu help PAGE` shows a page; `purebleu help WORD` finds a word.", "",
        "| page | for |", "| --- | --- |", *[f"| {page} | {purpose} |" for page, purpose in known_pages().items()]])
    before, mark, after = text.partition(_SYNOPSIS.format(name))
    text = before + after.partition(_END_OF_SYNOPSIS)[2] if mark else text
    return page_in_terminal(text, width_of_help(sys.stdout), takes_colors(sys.stdout))


def _command_lines(word: str, commands: Mapping[str, Command]) -> Iterator[str]:
    """Yield the commands that have `word` in their purpose or among their words for newcomers."""
    for command in commands.values():
        if word.lower() in (*_words_for_search(command.purpose), *_NEWCOMERS.get(command.word, ())):
            yield f"purebleu {command.word}: {command.purpose}"


def _words_for_search(text: str) -> list[str]:
    return [word.strip(".,:;()'") for word in text.lower().replace(",", " ").split()]


def _option_lines(word: str, commands: Mapping[str, Command]) -> Iterator[str]:
    """Yield the options with the name `word`, or else options with `word` in their help, each with its commands."""
    name, options = word.lstrip("-"), _options(commands)
    spelled = {name, f"-{name}", f"--{name}"}
    named = [pair for pair in options if spelled.intersection(pair[0].names)]
    found = named or [pair for pair in options if name.lower() in _words_for_search(f"{pair[0].help} {pair[0].more}")]
    if len(found) > _MAX_TEXTS and not named:
        yield f"options with {word!r} in their help (help OPTION): {', '.join([option.name for option, _ in found])}"
        return
    for option, words in found:
        yield help_on_options(f"purebleu {', '.join(words)}", [option])


def _registry_lines(word: str, score: Command) -> Iterator[str]:
    """Yield lines about the metric, the tokenizer and the test set that have the name `word`."""
    name = word.lower()
    if name in METRIC_FAMILIES:
        yield f"metrics: -m {name} stands for {', '.join(METRIC_FAMILIES[name])}"
    [metric], implied = metric_settings([name])
    if metric in METRIC_NAMES:
        known = score.options
        options = [option.name for destination, option in known.items() if destination.startswith(f"{metric}_")]
        meant = [f"{known[destination].name} {value}" for destination, value in implied.items()]
        yield (f"metric -m {name}: {_first_sentence(metric_class(metric))}"
               + (f"\n  stands for: -m {metric} {' '.join(meant)}" if meant else "")
               + (f"\n  options: {', '.join(options)}" if options else ""))
    if word in TOKENIZERS:
        from importlib import import_module

        module, class_name, *_ = TOKENIZERS[word]
        tokenizer_type = getattr(import_module(f"...tokenizers.{module}", __package__), class_name)
        yield f"tokenizer -tok {word}: {_first_sentence(tokenizer_type)}"
    test_set = known_test_sets().get(word)
    if test_set is not None:
        yield f"test set -t {word}: {test_set.description}\n  language pairs: --list -t {word}"


def _first_sentence(documented: object) -> str:
    return " ".join((documented.__doc__ or "").split("\n\n")[0].split())


def _manual_lines(word: str) -> Iterator[str]:
    """Yield sections and table rows about a word, and a list of the pages that contain the word."""
    from ...manual.markdown import passages_with, plain_text

    passages = passages_with(word)
    headed = passages.headed[:_MAX_TEXTS]
    for page, heading, text in headed:
        yield f"{page}, {heading}:\n  {text}"
    for page, heading, row in passages.rows:
        yield f"{page}, {heading}:\n  {': '.join([plain_text(cell) for cell in row if cell])}"
    if len(passages.texts) <= _MAX_TEXTS:
        for page, heading, text in passages.texts:
            if (page, heading, text) not in headed:
                yield f"{page}, {heading}:\n  {text}"
    if passages.sections:
        pages = [f"  {page}: {', '.join(headings)}" for page, headings in passages.sections.items()]
        yield "\n".join([f"pages of the manual (purebleu help PAGE) that have {word!r}, and their sections:", *pages])


# The help on commands and options


def help_overview(commands: Mapping[str, str], score: Command) -> str:
    """Return the help without a word: the commands with their lines of help, and the commonest options of `score`."""
    table = "\n".join([f"  {word:<9} {purpose}" for word, purpose in commands.items()])
    options = [score.options[destination] for destination in _COMMON]
    section = help_on_options("commonest options of score", options, True)
    return "\n\n".join([f"{_usage(score)}\n       purebleu COMMAND [options] ...", DESCRIPTION,
                        f"commands:\n{table}", section, filled(_MORE)])


def filled(text: str, indent: str = "  ", first: str = "", width: int = _HELP_COLUMNS) -> str:
    """Break a paragraph into lines. `first` indents the first line, and `indent` indents the other lines."""
    from textwrap import fill

    return fill(text, width, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False,
                break_long_words=False)


def help_on_command(command: Command) -> str:
    """Return the help on a command: all of its own options, and a line or two on each group of shared options."""
    parts = [_usage(command), filled(command.purpose, "")]
    is_score = command.word == "score"
    own = list(command.own.options)
    if is_score:
        own = [option for option in command.all_options if not _is_ours(option)]
    if own:
        in_short = is_score or len(own) > _MANY
        parts.append(help_on_options("sacreBLEU's options" if is_score else command.own.title, own, in_short))
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
    """Return a line or two on a group of options: its most used options, and where to read more.

    With `ours_alone`, leave out options of sacreBLEU. The text is empty if no option remains.
    """
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
    """Return a title, and below it the options, each with its help (short or full)."""
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
    """Return the names of an option, the short name first, and its argument."""
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


HELP = Command(
    "help", "help [WORD]",
    "Show the manual in the terminal: a page, a command, a group of options, an option, a metric, a tokenizer, a test "
    "set, a format, or any word. 'help topics' lists the pages.",
    run_help, LineValues, (), (), (), (
        ("topics", "the pages of the manual"),
        ("chrf++", "any word"),
    ))
