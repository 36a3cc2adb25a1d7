"""`--help` on options, on a page of the manual, or on any word."""

from __future__ import annotations

import sys

from ...errors import LeftOutError, OptionError, nearest
from ..process.terminal import takes_colors, width_of_help
from .help import ALL, help_on_groups, help_on_options
from .table import GROUPS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator

#: Limit of the number of paragraphs with a word that are shown in full.
_MAX_TEXTS = 4

#: The value of `--help` for the list of pages.
TOPICS = "topics"


def help_on(name: str | None) -> str:
    """The short help (`None`), or the help on a group of options, on a page of the manual, or on any word.

    Raises:
        OptionError: nothing has this name or this word.
    """
    if name is not None and name not in (ALL, *[group.name for group in GROUPS]):
        return _help_on_word(name)
    # (A page may have the same name as a group.)
    pages = [shown_page(name)] if name in _pages() else []
    return "\n\n".join([help_on_groups(name), *pages])


def _help_on_word(word: str) -> str:
    """A page of the manual, the list of pages, or the entries of options, registries and pages on a word."""
    pages = _pages()
    page = word.lower().replace(" ", "-")
    if page in pages or (page == TOPICS and pages):
        return shown_page(page)
    parts = [*_option_lines(word), *_registry_lines(word), *_manual_lines(word)]
    if not parts:
        groups = [group.name for group in GROUPS]
        names = [name.lstrip("-") for group in GROUPS for option in group.options for name in option.names]
        near = nearest(word.lstrip("-"), [*groups, *pages, *names, *_registered()])
        manual = (f"and on the pages of the manual (--help {TOPICS})" if pages else
                  "and not on the manual's pages, without which this copy was made (vendor.py --with manual)")
        raise OptionError(f"there is no help on {word!r}{near}, but on {', '.join(groups)}, on options, {manual}")
    width = width_of_help(sys.stdout)
    return "\n".join([line for part in parts for line in [*_wrapped(part, width), ""]]).rstrip()


def _wrapped(text: str, width: int) -> Iterator[str]:
    """Lines no wider than the terminal; their continuations are indented."""
    from textwrap import wrap

    for line in text.split("\n"):
        if len(line) <= width:
            yield line
        else:
            indent = " " * (len(line) - len(line.lstrip()) + 2)
            yield from wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _pages() -> list[str]:
    """The names of the manual's pages; none where this copy was made without them."""
    try:
        from ...manual import PAGES
    except LeftOutError:
        return []
    return list(PAGES)


def shown_page(name: str) -> str:
    """A page of the manual, or the list of them, for standard output."""
    from ...manual import PAGES, page_text
    from ...manual.terminal import page_in_terminal

    text = page_text(name) if name != TOPICS else "\n".join([
        "# The manual", "", "`purebleu --help PAGE` shows a page; `--help WORD` finds a word.", "", "| page | for |",
        "| --- | --- |", *[f"| {page} | {purpose} |" for page, purpose in PAGES.items()]])
    return page_in_terminal(text, width_of_help(sys.stdout), takes_colors(sys.stdout))


def _option_lines(word: str) -> Iterator[str]:
    name = word.lstrip("-")
    shown = {group: [option for option in group.options
                     if name in [option_name.lstrip("-") for option_name in option.names]] for group in GROUPS}
    if any(shown.values()):
        yield help_on_options({group: options for group, options in shown.items() if options})


def _registered() -> list[str]:
    """The names of metrics, of tokenizers and of test sets."""
    from ...metrics import FURTHER_MODULES, METRIC_FAMILIES, MODULES
    from ...tokenizers import TOKENIZERS

    names = [*map(str.lower, [*MODULES, *FURTHER_MODULES]), *METRIC_FAMILIES, *TOKENIZERS]
    try:
        from ...datasets import DATASETS
    except LeftOutError:
        return names
    return [*names, *DATASETS]


def _registry_lines(word: str) -> Iterator[str]:
    """A line each for the metric, the tokenizer and the test set of this name."""
    from ...metrics import FURTHER_MODULES, METRIC_FAMILIES, MODULES, metric_class
    from ...tokenizers import TOKENIZERS
    from .table import OPTIONS, name_of
    from .values import metric_settings

    name = word.lower()
    if name in METRIC_FAMILIES:
        yield f"metrics: -m {name} stands for {', '.join(METRIC_FAMILIES[name])}"
    [metric], implied = metric_settings([name])
    if metric.upper() in {*MODULES, *FURTHER_MODULES}:
        options = [name_of(destination) for destination in OPTIONS if destination.startswith(f"{metric}_")]
        meant = [f"{name_of(destination)} {value}" for destination, value in implied.items()]
        yield (f"metric -m {name}: {_first_sentence(metric_class(metric.upper()))}"
               + f"\n  stands for: -m {metric} {' '.join(meant)}" * bool(meant)
               + f"\n  options: {', '.join(options)}" * bool(options))
    if word in TOKENIZERS:
        from importlib import import_module

        module, class_name, *_ = TOKENIZERS[word]
        tokenizer_type = getattr(import_module(f"...tokenizers.{module}", __package__), class_name)
        yield f"tokenizer -tok {word}: {_first_sentence(tokenizer_type)}"
    try:
        from ...datasets import DATASETS
    except LeftOutError:
        return
    if word in DATASETS:
        yield f"test set -t {word}: {DATASETS[word].description}\n  its language pairs: --list -t {word}"


def _first_sentence(documented: object) -> str:
    return " ".join((documented.__doc__ or "").split("\n\n")[0].split())


def _manual_lines(word: str) -> Iterator[str]:
    """Sections and table rows about a word, and the pages that contain it."""
    try:
        from ...manual.markdown import plain_text
        from ...manual.search import passages_with
    except LeftOutError:
        return
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
        yield "\n".join([f"pages of the manual (--help PAGE) that have {word!r}, and their sections:", *pages])
