"""Write what the manual has from the program itself: the page `options`, names of `python`, formats, synopses.

    python3 scripts/dev/generate manual_pages
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import re
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Iterator, Sequence

if TYPE_CHECKING:
    from purebleu.cli.arguments.groups import Option

ROOT = Path(__file__).resolve().parents[3]

MANUAL = ROOT / "purebleu" / "manual"

#: Where a generated part begins in a page that is written by hand (its name, and of what it is), and where it ends.
PART, END = re.compile(r"<!-- (formats|synopsis)(?: (\w+))? -->\n(?s:.*?)<!-- end -->"), "<!-- end -->"

#: The public names, in the order of use: a heading, the module, and its names (`None`: all of its `__all__`).
SECTIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Metrics", "purebleu", ("BLEU", "CHRF", "TER", "WER", "CER", "MER", "WIL", "GLEU", "NIST", "ROUGE", "RIBES",
                             "CharacTER", "EED", "SubER", "SubERCased", "SegmentScores")),
    ("Metrics by name and of one's own", "purebleu", ("metric", "metric_from", "Metric")),
    ("Corpora", "purebleu", ("compare", "compare_rows", "check", "Accumulator", "score_files", "test_set", "mbr",
                             "resegment")),
    ("Scores", "purebleu", ("Score", "Signature", "BLEUScore", "CHRFScore", "TERScore", "sum_statistics")),
    ("Functions in the manner of sacreBLEU", "purebleu", (
        "corpus_bleu", "corpus_chrf", "corpus_ter", "sentence_bleu", "sentence_chrf", "sentence_ter", "raw_corpus_bleu",
        "extract_char_ngrams", "extract_word_ngrams", "install_as_sacrebleu")),
    ("Test sets", "purebleu", ("DATASETS", "download_test_set", "get_available_testsets",
                               "get_available_testsets_for_langpair", "get_langpairs_for_testset",
                               "get_reference_files", "get_source_file", "smart_open", "SACREBLEU_DIR")),
    ("Errors and warnings", "purebleu", ("PurebleuError", "PurebleuWarning")),
    ("Significance", "purebleu.significance", ()),
    ("Agreement with human scores", "purebleu.meta_evaluation", ()),
    ("Rows in files", "purebleu.rows", ()),
    ("Evaluation harnesses", "purebleu.harness", ()),
    ("Token ids", "purebleu.compat.r_sacrebleu", ()),
)

#: The methods of all metrics, which are told once.
OF_EVERY_METRIC = ("corpus_score", "sentence_score", "sentence_scores", "corpus_statistics", "pairwise",
                   "from_signature", "get_signature")


def lines_of(text: str, indent: str = "", first: str = "") -> str:
    return fill(" ".join(text.split()), 118, initial_indent=first or indent, subsequent_indent=indent,
                break_long_words=False, break_on_hyphens=False)


# The options


def options_page() -> str:
    from purebleu.cli.commands import COMMANDS, command_named

    parts = ["# Options", "Every option of every command: its own ones first, then those that commands share. "
             "`purebleu COMMAND --help`\nprints those of a command, `purebleu help OPTION` a single one."]
    for word in COMMANDS:
        command = command_named(word)
        parts += [f"## {word}", synopsis(word, with_options=False)]
        if command.own.options:
            parts.append(items(command.own.options))
        shared = [group.title for group in command.groups if group.options and group.name != "everywhere"]
        if shared:
            parts.append(lines_of(f"Shared: {', '.join(shared)}."))
    parts.append("## Shared options")
    for title, words, options in shared_options():
        parts += [f"### {title[0].upper()}{title[1:]}", lines_of(f"Of {', '.join(map('`{}`'.format, words))}."),
                  items(options)]
    parts.append("Next: [what stays](compatibility.md), [formats](formats.md)")
    return "\n\n".join(parts) + "\n"


def items(options: Sequence[Option]) -> str:
    """A list of options with their help."""
    from purebleu.cli.arguments.help import invocation

    return "\n".join([lines_of(f"`{invocation(option)}`: {option.help}{'; ' if option.more else ''}{option.more}", "  ",
                               "- ") for option in options])


def shared_options() -> list[tuple[str, list[str], list[Option]]]:
    """For each group of options that commands share: its title, the commands that have some of it, and the options."""
    from purebleu.cli.commands import COMMANDS, command_named

    found: dict[str, tuple[str, list[str], dict[Sequence[str], Option]]] = {}
    for word in COMMANDS:
        for group in command_named(word).groups:
            if group.options:
                _, words, options = found.setdefault(group.name, (group.title, [], {}))
                words.append(word)
                for option in group.options:
                    options.setdefault(option.names, option)
    return [(title, words, list(options.values())) for title, words, options in found.values()]


def synopsis(word: str, with_options: bool = True) -> str:
    """The usage of a command, its purpose, and the names of its own options, but for those of `score`."""
    from purebleu.cli.arguments.help import invocation
    from purebleu.cli.commands import command_named

    command = command_named(word)
    parts = [lines_of(f"`purebleu {command.usage}`"), lines_of(command.purpose)]
    if not with_options:
        return "\n\n".join(parts)
    of_score = {option.names for option in command_named("score").own.options}
    own = [f"`{invocation(option)}`" for option in command.own.options
           if option.names[0].startswith("-") and option.names not in of_score]
    if own:
        parts.append(lines_of(f"Options: {', '.join(own)}; `purebleu help {word}` explains all."))
    return "\n\n".join(parts)


# The formats


def formats_table() -> str:
    from purebleu.cli.commands import COMMANDS, command_named
    from purebleu.report.formats import FORMATS

    commands = [command for command in map(command_named, COMMANDS) if command.formats]
    rows = ["| format | printed by |", "| --- | --- |"]
    for form in sorted(FORMATS):
        words = [f"`{command.word}`" for command in commands if form in command.formats]
        rows.append(f"| `{form}` | {', '.join(words)} |")
    return "\n".join(rows)


def page_with_parts(name: str) -> str:
    """A page that is written by hand, with its generated parts made anew."""
    def made_anew(match: re.Match[str]) -> str:
        text = formats_table() if match[1] == "formats" else synopsis(match[2])
        return f"{match[0].partition(chr(10))[0]}\n\n{text}\n\n{END}"

    return PART.sub(made_anew, (MANUAL / f"{name}.md").read_text(encoding="utf-8"))


# The Python API


def python_page() -> str:
    by_hand = (MANUAL / "python.md").read_text(encoding="utf-8").partition(f"\n## {SECTIONS[0][0]}\n")[0]
    parts = [by_hand.rstrip("\n")]
    for title, module, names in SECTIONS:
        found = importlib.import_module(module)
        parts.append(f"## {title}")
        if module != "purebleu":
            parts.append(f"In `{module}`.")
        for name in names or _public_names(found):
            parts += _described(module, name, getattr(found, name))
        if title == "Metrics":
            parts.append("### Methods of every metric")
            base = importlib.import_module("purebleu.metrics.base").Metric
            for name in OF_EVERY_METRIC:
                parts += _function(f"metric.{name}", getattr(base, name))
            aligned = importlib.import_module("purebleu.metrics.alignment").AlignedMetric
            parts.append("### Methods of TER, WER, CER, MER and WIL")
            for name in ("alignment", "corpus_alignments"):
                parts += _function(f"metric.{name}", getattr(aligned, name))
    parts.append("Next: [signatures](signatures.md), [statistics](statistics.md)")
    return "\n\n".join(parts) + "\n"


def _public_names(module: Any) -> list[str]:
    """The public names of a module: those in `__all__`, or else those that it defines."""
    listed = getattr(module, "__all__", None)
    return sorted([name for name in listed if not name.startswith("_")]) if listed else [
        name for name, value in vars(module).items()
        if not name.startswith("_") and callable(value) and value.__module__ == module.__name__]


def _described(module: str, name: str, value: Any) -> Iterator[str]:
    called = f"{module}.{name}"
    if inspect.isclass(value):
        # (A heading must differ from that of the function `metric` in more than its case.)
        yield f"### {called}, the base" if name == "Metric" else f"### {called}"
        if not issubclass(value, Exception):
            yield _signature(called, value)
        yield from _documented(inspect.getdoc(value) or "")
    elif callable(value):
        yield from _function(called, value)
    else:
        yield f"### {called}"
        yield f"A value of type `{type(value).__name__}`."


def _function(called: str, function: Any) -> Iterator[str]:
    yield f"### {called}"
    yield _signature(called, function)
    yield from _documented(inspect.getdoc(function) or "")


def _signature(called: str, value: Any) -> str:
    """The call with its parameters, their types and defaults: on one line, or one below the other."""
    parameters: list[str] = []
    latest: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
    for parameter in inspect.signature(value).parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind == parameter.KEYWORD_ONLY != latest:
            parameters.append("*")
        latest = parameter.kind
        stars = "*" * (parameter.kind == parameter.VAR_POSITIONAL) + "**" * (parameter.kind == parameter.VAR_KEYWORD)
        annotation = "" if parameter.annotation is parameter.empty else f": {parameter.annotation}"
        value_told = getattr(parameter.default, "__name__", repr(parameter.default))
        default = "" if parameter.default is parameter.empty else f" = {value_told}"
        parameters.append(f"{stars}{parameter.name}{annotation}{default}")
    returned = inspect.signature(value).return_annotation
    end = ")" if inspect.isclass(value) or returned is inspect.Signature.empty else f") -> {returned}"
    text = f"{called}({', '.join(parameters)}{end}"
    if len(text) > 90:
        text = "\n".join([f"{called}(", *[f"    {parameter}," for parameter in parameters], end])
    return f"```python\n{text}\n```"


def _documented(text: str) -> Iterator[str]:
    """The parts of a docstring in the form of this project as Markdown."""
    heads = {"Args:": "Parameters:", "Attributes:": "Attributes:", "Returns:": "Returns:", "Raises:": "Raises:",
             "Example:": ""}
    part, held = "", []  # type: ignore[var-annotated]
    for line in [*text.split("\n"), "Example:"]:
        if line in heads:
            yield from _part(part, held)
            part, held = line, []
        else:
            held.append(line)


def _part(part: str, lines: list[str]) -> Iterator[str]:
    body = inspect.cleandoc("\n".join(["", *lines]))
    if not body:
        return
    if part == "Example:":
        shown = "\n".join([line.partition("  # doctest:")[0].rstrip() for line in body.split("\n")
                           if not line.startswith("... # doctest:")])
        yield f"```pycon\n{shown}\n```"
    elif part in ("Args:", "Attributes:", "Raises:"):
        yield {"Args:": "Parameters:", "Attributes:": "Attributes:", "Raises:": "Errors:"}[part]
        items: list[str] = []
        for line in body.split("\n"):
            if line[:1].isspace() and items:
                items[-1] += " " + line.strip()
            elif line:
                name, _, meaning = line.partition(":")
                items.append(f"`{name}`: {meaning.strip()}" if meaning else line)
        yield "\n".join([lines_of(item, "  ", "- ") for item in items])
    elif part == "Returns:":
        yield "Returns:"
        yield lines_of(body, "  ", "- ")
    else:
        for paragraph in body.split("\n\n"):
            yield paragraph if paragraph.startswith(("- ", "|")) else lines_of(paragraph)


PAGES = {"options": options_page, "python": python_page}


def pages() -> dict[str, str]:
    """The text of every page, with what is made anew."""
    return {path.stem: PAGES[path.stem]() if path.stem in PAGES else page_with_parts(path.stem)
            for path in sorted(MANUAL.glob("*.md"))}


def main(argv: list[str] | None = None) -> int:
    """Write the pages; returns the exit code."""
    argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0]).parse_args(argv)
    for name, text in pages().items():
        (MANUAL / f"{name}.md").write_bytes(text.encode("utf-8"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
