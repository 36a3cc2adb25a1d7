"""Write the generated parts of the manual: the API on the page `python`, the table of formats, synopses.

    python3 scripts/dev/generate manual_pages
"""

from __future__ import annotations

import importlib
import inspect
import re
from argparse import ArgumentParser
from pathlib import Path
from textwrap import fill
from typing import Any, Iterator, Sequence

from purebleu.cli.arguments.groups import Option
from purebleu.cli.commands import COMMANDS, command_named
from purebleu.report.formats import FORMATS

ROOT = Path(__file__).resolve().parents[3]

MANUAL = ROOT / "purebleu" / "manual"

#: The marks around a generated part of a page: its name and, for a synopsis, the command; its end.
PART, END = re.compile(r"<!-- (formats|synopsis)(?: (\w+))? -->\n(?s:.*?)<!-- end -->"), "<!-- end -->"

#: The public names, in the order of use: a heading, the module, and its names (empty for all public names).
SECTIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Metrics", "purebleu", ("BLEU", "CHRF", "TER")),
    ("Metrics that sacreBLEU lacks", "purebleu.metrics", (
        "WER", "CER", "MER", "WIL", "GLEU", "NIST", "ROUGE", "RIBES", "CharacTER", "EED", "SubER", "SubERCased",
        "SegmentScores")),
    ("Metrics by name, and your own metrics", "purebleu", ("metric", "metric_from", "Metric")),
    ("Corpora", "purebleu", ("compare", "compare_runs", "compare_rows", "check", "Accumulator", "score_files",
                             "test_set", "mbr", "resegment")),
    ("Scores", "purebleu", ("Score", "Signature", "sum_statistics")),
    ("Functions as in sacreBLEU", "purebleu", (
        "corpus_bleu", "corpus_chrf", "corpus_ter", "sentence_bleu", "sentence_chrf", "sentence_ter", "raw_corpus_bleu",
        "extract_char_ngrams", "extract_word_ngrams", "install_as_sacrebleu")),
    ("Test sets", "purebleu", ("DATASETS", "download_test_set", "get_available_testsets", "get_langpairs_for_testset",
                               "get_reference_files", "get_source_file", "smart_open", "SACREBLEU_DIR")),
    ("Errors and warnings", "purebleu", ("PurebleuError", "PurebleuWarning")),
    ("Significance", "purebleu.significance", ()),
    ("Agreement with human scores", "purebleu.meta_evaluation", ()),
    ("Rows in files", "purebleu.rows", ()),
)

#: Descriptions of the names that are neither classes nor functions.
VALUES = {
    "DATASETS": "A mapping from names to test sets, with their language pairs and fields.",
    "SACREBLEU_DIR": "The path of the folder of the cache, as a string.",
}

#: Names without an example on the page: the example is long, or a page has a similar call.
WITHOUT_EXAMPLE = (
    "TER", "sentence_score", "corpus_statistics", "from_signature", "corpus_alignments", "Signature",
    "compare_runs", "compare_rows", "check", "mbr",
    "extract_char_ngrams", "extract_word_ngrams",
    "corpus_bleu", "corpus_chrf", "corpus_ter", "sentence_bleu", "sentence_chrf", "sentence_ter", "raw_corpus_bleu",
    "get_source_file", "sum_statistics")

#: The methods of all metrics. The page describes them once.
OF_EVERY_METRIC = ("corpus_score", "sentence_score", "sentence_scores", "corpus_statistics", "pairwise",
                   "from_signature", "get_signature")


def lines_of(text: str) -> str:
    return fill(" ".join(text.split()), 118, break_long_words=False, break_on_hyphens=False)


# The synopses and options of commands


def shared_options() -> list[tuple[str, list[str], list[Option]]]:
    """Return the groups of shared options: for each, its title, the commands that have the group, and its options."""
    found: dict[str, tuple[str, list[str], dict[Sequence[str], Option]]] = {}
    for word in COMMANDS:
        for group in command_named(word).groups:
            if group.options:
                _, words, options = found.setdefault(group.name, (group.title, [], {}))
                words.append(word)
                for option in group.options:
                    options.setdefault(option.names, option)
    return [(title, words, list(options.values())) for title, words, options in found.values()]


def synopsis(word: str) -> str:
    """Return the usage and the purpose of a command."""
    command = command_named(word)
    return f"{lines_of(f'`purebleu {command.usage}`')}\n\n{lines_of(command.purpose)}"


# The formats


def formats_table() -> str:
    commands = [command for command in map(command_named, COMMANDS) if command.formats]
    forms_by_commands: dict[str, list[str]] = {}
    for form in sorted(FORMATS):
        words = [f"`{command.word}`" for command in commands if form in command.formats]
        lacking = [f"`{command.word}`" for command in commands if form not in command.formats]
        text = ", ".join(words) if len(words) < len(lacking) + 3 else f"all except {', '.join(lacking)}"
        forms_by_commands.setdefault(text if lacking else "all", []).append(f"`{form}`")
    rows = [f"| {', '.join(forms)} | {text} |" for text, forms in forms_by_commands.items()]
    return "\n".join(["| formats | printed by |", "| --- | --- |", *rows])


def page_with_parts(name: str) -> str:
    """Return a page with its generated parts made anew. The other parts are written by hand."""
    def made_anew(match: re.Match[str]) -> str:
        text = formats_table() if match[1] == "formats" else synopsis(match[2])
        return f"{match[0].partition(chr(10))[0]}\n\n{text}\n\n{END}"

    return PART.sub(made_anew, (MANUAL / f"{name}.md").read_text(encoding="utf-8"))


# The Python API


def python_page() -> str:
    """Return the page `python`: the guide (by hand), then each public name with call, description and example."""
    guide = (MANUAL / "python.md").read_text(encoding="utf-8").partition(f"\n## {SECTIONS[0][0]}\n")[0]
    parts = [guide.rstrip("\n")]
    for title, module, names in SECTIONS:
        found = importlib.import_module(module)
        parts.append(f"## {title}")
        if module != "purebleu":
            parts.append(f"In `{module}`.")
        for name in names or _public_names(found):
            parts += _described(module, name, getattr(found, name), guide)
        if title == "Metrics":
            parts.append("### Methods of every metric")
            base = importlib.import_module("purebleu.metrics.base").Metric
            for name in OF_EVERY_METRIC:
                parts += _function(f"metric.{name}", getattr(base, name), guide)
            aligned = importlib.import_module("purebleu.metrics.alignment").AlignedMetric
            parts.append("### Methods of TER, WER, CER, MER and WIL")
            for name in ("alignment", "corpus_alignments"):
                parts += _function(f"metric.{name}", getattr(aligned, name), guide)
    parts.append("Next: [metrics](metrics.md), [signatures](signatures.md), [statistics](statistics.md)")
    return "\n\n".join(parts) + "\n"


def _public_names(module: Any) -> list[str]:
    """Return the public names of a module: those in `__all__`, or, if there is no `__all__`, those that it defines."""
    listed = getattr(module, "__all__", None)
    return sorted([name for name in listed if not name.startswith("_")]) if listed else [
        name for name, value in vars(module).items()
        if not name.startswith("_") and callable(value) and value.__module__ == module.__name__]


def _described(module: str, name: str, value: Any, guide: str) -> Iterator[str]:
    called = f"{module}.{name}"
    if not callable(value):
        yield f"### {called}"
        yield VALUES[name]
    elif name == "Metric":
        # (The function `metric` has a heading that would differ only in case.)
        yield from _function(called, value, guide, heading=f"{called}, the base")
    else:
        yield from _function(called, value, guide)


def _function(called: str, value: Any, guide: str, *, heading: str = "") -> Iterator[str]:
    documented = inspect.getdoc(value) or ""
    yield f"### {heading or called}"
    if not (inspect.isclass(value) and issubclass(value, Exception)):
        yield _signature(called, value)
    yield lines_of(documented.partition("\n\n")[0])
    described = documented.partition("\nAttributes:\n")[2].partition("\n\n")[0]
    attributes = re.findall(r"^    (\w+(?:, \w+)*): ", described, re.MULTILINE)
    if attributes:
        yield lines_of(f"Attributes: {', '.join([f'`{name}`' for name in attributes])}.")
    module, _, name = called.rpartition(".")
    # (Examples of other modules are only in `help`.)
    shown = _example(documented) if module in ("purebleu", "metric") and name not in WITHOUT_EXAMPLE else ""
    if shown and not re.search(rf"\b{name}\(", guide):
        yield f"```pycon\n{shown}\n```"


def _signature(called: str, value: Any) -> str:
    """Return the call with its parameters and their defaults, in lines of the usual width."""
    parameters: list[str] = []
    latest: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
    for parameter in inspect.signature(value).parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind == parameter.KEYWORD_ONLY != latest:
            parameters.append("*")
        latest = parameter.kind
        stars = "*" * (parameter.kind == parameter.VAR_POSITIONAL) + "**" * (parameter.kind == parameter.VAR_KEYWORD)
        usual = getattr(parameter.default, "__name__", repr(parameter.default))
        default = "" if parameter.default is parameter.empty else f"={usual}"
        parameters.append(f"{stars}{parameter.name}{default}")
    call = f"{called}({', '.join(parameters)})"
    text = fill(call, 100, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return f"```python\n{text}\n```"


def _example(documented: str) -> str:
    """Return the example of a docstring, without marks for doctest."""
    _, _, text = documented.partition("\nExample:\n")
    lines = inspect.cleandoc(f"\n{text}").split("\n")
    first = next((number for number, line in enumerate(lines) if line.startswith(">>>")), len(lines))
    return "\n".join([line.partition("  # doctest:")[0].rstrip() for line in lines[first:]
                      if not line.startswith("... # doctest:")])


PAGES = {"python": python_page}


def pages() -> dict[str, str]:
    """Return the text of every page, with its generated parts made anew."""
    return {path.stem: PAGES[path.stem]() if path.stem in PAGES else page_with_parts(path.stem)
            for path in sorted(MANUAL.glob("*.md"))}


def main(parser: ArgumentParser) -> int:
    parser.parse_args()
    for name, text in pages().items():
        (MANUAL / f"{name}.md").write_bytes(text.encode("utf-8"))
    return 0
