"""Write the pages of the manual that are made from the program itself: `options`, `python`, the table in `formats`.

    python3 scripts/dev/generate manual_pages
"""

from __future__ import annotations

import argparse
import importlib
import inspect
from pathlib import Path
from textwrap import fill
from typing import Any, Iterator

ROOT = Path(__file__).resolve().parents[3]

MANUAL = ROOT / "purebleu" / "manual"

#: Where a generated table begins in a page that is written by hand, and where it ends.
BEGIN, END = "<!-- formats -->", "<!-- end -->"

#: The public names, in the order of use: a heading, the module, and its names (`None`: all of its `__all__`).
SECTIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Metrics", "purebleu", ("BLEU", "CHRF", "TER", "WER", "CER", "MER", "WIL", "GLEU", "NIST", "ROUGE1", "ROUGE2",
                             "ROUGEL", "ROUGELSUM", "RIBES", "CHARACTER", "EED", "SegmentScores")),
    ("Scores", "purebleu", ("BLEUScore", "CHRFScore", "TERScore", "WERScore", "CERScore", "MERScore", "WILScore",
                            "GLEUScore", "NISTScore", "ROUGE1Score", "ROUGE2Score", "ROUGELScore", "ROUGELSUMScore",
                            "RIBESScore", "CHARACTERScore", "EEDScore")),
    ("Functions in the manner of sacreBLEU", "purebleu", (
        "corpus_bleu", "corpus_chrf", "corpus_ter", "sentence_bleu", "sentence_chrf", "sentence_ter", "raw_corpus_bleu",
        "extract_char_ngrams", "extract_word_ngrams", "install_as_sacrebleu", "uninstall_as_sacrebleu")),
    ("Rows, sums and choices", "purebleu", ("sum_statistics", "transpose_references", "resegment", "mbr", "results_of",
                                            "PairedTest")),
    ("Test sets", "purebleu", ("DATASETS", "download_test_set", "get_available_testsets",
                               "get_available_testsets_for_langpair", "get_langpairs_for_testset",
                               "get_reference_files", "get_source_file", "smart_open", "SACREBLEU_DIR")),
    ("Errors and warnings", "purebleu", ("PurebleuError", "PurebleuWarning")),
    ("Significance", "purebleu.significance", ()),
    ("Agreement with human scores", "purebleu.meta_evaluation", ()),
    ("Rows in files", "purebleu.rows", ()),
    ("Token ids", "purebleu.ids", ()),
)

#: The methods of all metrics, which are told once.
OF_EVERY_METRIC = ("corpus_score", "sentence_score", "sentence_scores", "corpus_statistics", "pairwise",
                   "from_signature", "get_signature")


def lines_of(text: str, indent: str = "", first: str = "") -> str:
    return fill(" ".join(text.split()), 118, initial_indent=first or indent, subsequent_indent=indent,
                break_long_words=False, break_on_hyphens=False)


# The options


def options_page() -> str:
    from purebleu.cli.arguments.help import invocation
    from purebleu.cli.arguments.table import GROUPS

    parts = ["# Options", "Every option of the command line, in groups. `purebleu --help GROUP` prints a group,\nand "
             "`purebleu --help OPTION` a single option.", "```text\npurebleu [options] {REFERENCE ... | -t NAME -l "
             "SRC-TRG} [-i FILE ...]\n```"]
    for group in GROUPS:
        parts.append(f"## {group.title[0].upper()}{group.title[1:]}\n\nGroup `{group.name}`.")
        parts.append("\n".join([
            lines_of(f"`{invocation(option)}`: {option.help}{'; ' * bool(option.more)}{option.more}", "  ", "- ")
            for option in group.options]))
    parts.append("Next: [exit codes](exit-codes.md), [formats](formats.md)")
    return "\n\n".join(parts) + "\n"


# The formats


def formats_table() -> str:
    from purebleu.cli.arguments.table import name_of
    from purebleu.cli.modes.table import MODES
    from purebleu.report import FORMATS
    from purebleu.report.views import MATRIX_FORMATS, VIEW_FORMATS

    formats = {f"`{name_of(mode.asked_by[0])}`" if mode.asked_by else "scores": mode.formats
               for mode in MODES if mode.formats and mode.name != "views"}
    formats.update({"views of segments": VIEW_FORMATS, "views of systems": MATRIX_FORMATS})
    rows = ["| format | printed by |", "| --- | --- |"]
    for form in sorted(FORMATS):
        rows.append(f"| `{form}` | {', '.join([name for name, taken in formats.items() if form in taken])} |")
    return "\n".join(rows)


def formats_page() -> str:
    page = (MANUAL / "formats.md").read_text(encoding="utf-8")
    before, _, after = page.partition(BEGIN)
    after = after.partition(END)[2] if END in after else after
    return f"{before}{BEGIN}\n\n{formats_table()}\n\n{END}{after}"


# The Python API


def python_page() -> str:
    parts = ["# Python", "Every public name, in the order of use. Segments are strings; a stream is a list of them, "
             "parallel to the hypotheses. Examples are run by the tests.",
             "```pycon\n>>> import purebleu\n>>> purebleu.BLEU().corpus_score([\"The cat sat.\"], "
             "[[\"The cat sat down.\"]]).score\n49.76...\n```".replace("49.76...", _score())]
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
            aligned = importlib.import_module("purebleu.metrics.aligned").AlignedMetric
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


def _score() -> str:
    from purebleu import BLEU

    return repr(BLEU().corpus_score(["The cat sat."], [["The cat sat down."]]).score)


def _described(module: str, name: str, value: Any) -> Iterator[str]:
    called = f"{module}.{name}"
    if inspect.isclass(value):
        yield f"### {called}"
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


PAGES = {"options": options_page, "formats": formats_page, "python": python_page}


def main(argv: list[str] | None = None) -> int:
    """Write the pages; returns the exit code."""
    argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0]).parse_args(argv)
    for name, make in PAGES.items():
        (MANUAL / f"{name}.md").write_bytes(make().encode("utf-8"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
