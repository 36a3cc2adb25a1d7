"""Time in proportion to the length of a line, whatever is in it: for everything that looks for something in text.

There is hardly a regular expression in the package; what stands in their place is held to what a good one would do.
"""

from __future__ import annotations

import gc
import io
import os
import sys
import time
from contextlib import suppress
from html import escape
from typing import Any, Callable

import pytest

from purebleu.audit.moses import MosesWords
from purebleu.checks.findings import checked_systems
from purebleu.checks.table import CHECKS
from purebleu.checks.texts import Against
from purebleu.datasets import archives, wmt_xml
from purebleu.engines.sentencepiece.model_file import Model
from purebleu.engines.sentencepiece.words import Segmenter, pieces
from purebleu.files import lines as line_files
from purebleu.metrics.score import Score
from purebleu.report import tables
from purebleu.report.page.words import split_tokens
from purebleu.runtime.errors import PurebleuError
from purebleu.tokenizers import make_tokenizer
from purebleu.tokenizers.tokenizer_ter import TercomTokenizer
from purebleu.unicode.casing import lower_case
from purebleu.unicode.properties import clean

from ..helpers import plain_tokenizers, read_fixture, unpacked
from ..test_layers import all_imports

#: A line is one of these over and over: what opens and never ends, what nearly matches, what is replaced, what glues.
UNITS = ["<", "<seg ", "<doc ", "</seg>", "<skipped>", "<skipped", ">", "&", "&amp;", "&amp", "&quot;", ";", " ", "\t",
         "-", "-\n", "\n", ".", "1", "1.", ".1", "1-", ".,", "1,", ",", "1,a.", "'s", "'s ", "a", "A ", "\"",
         "docid=\"", "|", "\\", "_", ":", "\u3000", "。", "1。", "中", "か", "€", "½", "Σ", "ΑΣ", "İ", "e\u0301",
         "\ufeff", "\x1c", "'", "' ", "'a", "a'", "a.", "..a", ":a", "\xc2\xb7"]
if sys.implementation.name != "pypy":  # whose codec takes quadratic time; they can come in through the API only
    UNITS.append("\ud800")

#: Characters in the shorter one of the two lines whose times are compared; and the factor of the longer one.
LENGTH = 5_000
FACTOR = 4

#: A line of four times the length may take four times as long, and as much again for what happens beside it (such as
#: that it does not fit into a cache any more). With time that grows with the square, it takes sixteen times as long.
MAX_RATIO = 8.0

#: Measurements of each line, at most.
ATTEMPTS = 60

#: Seconds below which nothing grows with the square of such lengths.
TOO_SHORT = 0.001


def table_of(layout: str) -> Callable[[str], object]:
    # (A cell of many lines has as many rows in a box, each as wide as the widest.)
    return lambda text: getattr(tables, layout)([("System", [text.replace("\n", " ")]), ("BLEU", ["1.0"])])


def tokenized_by(make: Callable[..., Any], *arguments: object) -> Callable[[str], object]:
    return lambda text: make(*arguments).tokenize_lines([text])


def or_refused(call: Callable[[str], object]) -> Callable[[str], object]:
    """The call of what may also refuse such a line."""
    def call_with(text: str) -> None:
        with suppress(PurebleuError):
            call(text)

    return call_with


def xml(text: str) -> bytes:
    """A test set whose only segment has this text, as far as XML can have it."""
    allowed = escape("".join([character for character in text if " " <= character < "\ud800"]))
    segment = f'<seg id="1">{allowed}</seg>'
    return (f'<dataset><doc id="1" origlang="en"><src lang="en">{segment}</src><ref lang="de">{segment}</ref></doc>'
            "</dataset>").encode()


def check_of(name: str) -> Callable[[str], object]:
    """A check of an output beside a short source and reference, and beside ones that are as long."""
    def call_with(text: str) -> None:
        against = Against(["a", text, text], [["b", "c", text]], [[text] * 3])
        checked_systems(["A"], against, checks=[name])

    return call_with


def pieces_of(name: str) -> Callable[[str], object]:
    contents = {case["name"]: case["content"] for case in read_fixture("sentencepiece.models.json.gz")["cases"]}
    model = Model(unpacked(contents[name]))
    # (Words of shorter lines may be segmented one by one, which takes less time than the lines do as a whole.)
    return lambda text: Segmenter(model).tokens_of_lines([text * 8])


CALLS: dict[str, Callable[[str], object]] = {
    **{f"tokenizer {name}": tokenized_by(make_tokenizer, name) for name in plain_tokenizers()},
    **{f"tokenizer {name}, plain": make_tokenizer(name).tokenize_line for name in plain_tokenizers()},
    "words of reports": lambda text: split_tokens(text),
    "words of reports, joined": lambda text: split_tokens("ä" + "".join(text.split())),
    "tokenizer of TER": tokenized_by(TercomTokenizer),
    "tokenizer of TER, all options": tokenized_by(TercomTokenizer, True, True, True),
    **{f"words of Moses, {language}": tokenized_by(MosesWords, language, True)
       for language in ("en", "fr", "fi", "ca", "tdt")},
    "pieces of a unigram model": pieces_of("trained 0"),
    "pieces of a BPE model": pieces_of("trained 1"),
    "unknown pieces": lambda text: pieces([one.encode("utf-8", "surrogatepass") for one in text] * 10, {}, False),
    "lower case": lower_case,
    "cleaning": clean,
    "text": lambda text: archives.text_lines([text]),
    "SGML, document": lambda text: archives.sgml_fields([f"<doc {text}"]),
    "SGML, segment": or_refused(lambda text: archives.sgml_fields([f'<seg id="1">{text}</seg>'])),
    "SGML, several lines": or_refused(lambda text: archives.sgml_fields([text] * 3)),
    "XML": lambda text: wmt_xml.xml_fields(io.BytesIO(xml(text))),
    "TSV": lambda text: archives.tsv_column([text], 0),
    "tabs, systems": or_refused(lambda text: line_files.split_systems([text], None, "name")),
    "tabs, references": or_refused(lambda text: line_files.split_fields([text], 2, "name")),
    "JSON of a score": lambda text: Score("BLEU", 1.0).format(signature=text, is_json=True),
    **{f"check {name}": check_of(name) for name in CHECKS if name != "identical"},
    **{layout: table_of(layout) for layout in ("text_table", "latex_table", "markdown_table", "html_table")},
}


#: Time that this process has, whatever else goes on; on Windows, it is too coarse.
process_clock = time.perf_counter if os.name == "nt" else time.process_time


def times_of(call: Callable[[str], object], unit: str) -> tuple[float, float]:
    """The times for a line and for a longer one: the least of many, until they look linear.

    (So a busy machine makes this take longer, but does not make what is linear look otherwise.)
    """
    def time_of(text: str) -> float:
        start = process_clock()
        call(text)
        return process_clock() - start

    line = unit * (LENGTH // len(unit))
    short = long = float("inf")
    gc.disable()
    try:
        for attempt in range(ATTEMPTS):
            short, long = min(short, time_of(line)), min(long, time_of(line * FACTOR))
            if attempt and long <= max(TOO_SHORT, MAX_RATIO * short):
                break  # (the first one has what is made only once, such as tables)
    finally:
        gc.enable()
    return short, long


#: What is tried in the full tier, rather than in the heavy one.
WORDS = ("tokenizer 13a", "tokenizer 13a, plain", "tokenizer intl", "tokenizer zh, plain",
         "tokenizer of TER, all options")


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.full if name in WORDS else pytest.mark.heavy) for name in CALLS])
def test_time_grows_with_the_length(name: str) -> None:
    for unit in UNITS:
        short, long = times_of(CALLS[name], unit)
        assert long <= max(TOO_SHORT, MAX_RATIO * short), (unit, short, long)


def test_no_other_module_has_patterns() -> None:
    # A user's own patterns, who looks for a subset in the names of domains, for rows, or for files in a folder (whose
    # names are short); the form of descriptions; and patterns of fixed texts: the titles that EED keeps together, what
    # checks look for (of limited lengths), the records of a model's file, names and messages of the local page, names
    # in a table for a paper, codes of languages, single characters in a page, the manual's own lines, the times and the
    # tags of subtitles, and the substitutions that define tokenizers.
    assert {one.importer for one in all_imports() if one.module.split(".")[0] in ("re", "fnmatch", "glob")} == {
        "checks.texts", "cli.corpus.selected_rows", "cli.output.page", "datasets.described", "datasets.registry",
        "datasets.testset", "engines.sentencepiece.model_file", "files.opening", "files.records", "files.subtitles",
        "manual.markdown", "metrics.eed", "report.formats", "report.page.markup", "report.paper", "serve.form",
        *[f"tokenizers.tokenizer_{name}" for name in ("13a", "intl", "ter", "zh")]}
