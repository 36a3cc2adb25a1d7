"""The page of a report, made from a corpus and its results."""

from __future__ import annotations

import os
from io import BytesIO

from ...analysis.summary import Summary, SummaryInput, summary_of
from ...files.opening import column_of
from ...metrics.base import Metric
from ...metrics.evaluation import System
from ...metrics.score import Score
from ...report.formats import without_folders
from ...report.page.content import Origin, Page, line_break_sections, stored_shifts
from ...report.page.scores import listed
from ...report.page.words import MAX_WORD_PAIRS
from ...report.tables import Section
from ...runtime.errors import PurebleuError
from ...runtime.hints import Any, NamedTuple, Sequence
from ..arguments.values import MAX_NUMBER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...report.page.content import InputFile, StoredShifts
    from ..corpus.inputs import Inputs
    from ..corpus.read import CorpusTexts
    from ..corpus.score import Scored
    from .results import Testing

#: The largest number of systems in a report.
_MAX_SYSTEMS = 20

#: The number of bytes of a file that are read at once.
_READ_AT_ONCE = 1 << 20


class PageSettings(NamedTuple):
    """The settings of a page.

    Attributes:
        arguments: the command line, without the name of the program.
        width: the number of decimal places.
        files: the files of human scores and of rows, and the manifest.
        title: the title; empty: the default, which names metrics, test set, language pair and systems.
        segments: the largest number of segments whose texts are shown.
        paths: whether whole paths of files are shown.
    """

    arguments: Sequence[str]
    width: int
    files: Sequence[str] = ()
    title: str = ""
    segments: int = MAX_NUMBER
    paths: bool = False


def page_of(scored: Scored, summary: Summary, settings: PageSettings, prefix: str = "") -> Page:
    """Make the page of a corpus.

    Args:
        scored: the systems of the corpus.
        summary: the results of the systems.
        settings: the settings.
        prefix: the beginning of the ids in the page, if the file has several pages.
    """
    inputs, texts = scored.inputs, scored.texts
    source, _, target = (inputs.langpair or "").partition("-")
    origin = Origin(_command(settings), input_files(inputs, settings), inputs.corpus,
                    (_language(source), _language(target)))
    page = Page(list(scored.names), summary, origin, settings.width, prefix,
                settings.title or ("" if scored.pair else _title(scored, summary)))
    if texts is not None:
        page.add_texts(texts.listed.numbers, texts.listed.columns, texts.references,
                       texts.outputs_of(len(scored.systems)), settings.segments,
                       _shifts(settings.segments, scored.metrics, scored.systems, texts))
        page.line_breaks = _line_breaks(inputs, texts, scored.names)
        warnings: list[str] = texts.warnings
        if not settings.paths:
            for path in inputs.all_files:
                warnings = [warning.replace(path, last_component(path)) for warning in warnings]
        page.warnings = warnings
    return page


def _language(code: str) -> str | None:
    """Return a language code for HTML (BCP 47), such as `zh-CN` for `zh_CN`; `None` if it is unknown."""
    import re

    return code.replace("_", "-") if re.fullmatch("[A-Za-z]{2,3}(_[A-Za-z0-9]{2,8})*", code) else None


def _title(scored: Scored, summary: Summary) -> str:
    """Return the default title of a page: metrics, test set, language pair and systems."""
    inputs = scored.inputs
    corpus = [test_set.name for test_set in inputs.selection.test_sets] if inputs.selection else []
    corpus += [inputs.langpair] if inputs.langpair else []
    on = f" on {' '.join(corpus)}" if corpus else ""
    return f"{listed([score.name for score in summary.results.scores[0]])}{on}: {listed(scored.names)}"


def _shifts(limit: int, metrics: Sequence[Metric[Score]], systems: Sequence[System],
            texts: CorpusTexts) -> list[dict[str, StoredShifts]] | None:
    """Return the shifts of TER or SubER in the first `limit` segments, for each system by the index of the segment.

    The result is `None` if neither metric is scored, or if `limit` is 0.
    """
    # (`isinstance` would need the class TER, which a copy of purebleu may lack.)
    of_ter: list[tuple[int, Any]] = [(index, metric) for index, metric in enumerate(metrics)
                                     if metric.registered_name in ("TER", "SubER", "SubERCased")]
    if not limit or not of_ter:
        return None
    index, metric = of_ter[0]
    by_system: list[dict[str, StoredShifts]] = []
    for lines, system in zip(texts.outputs_of(len(systems)), systems):
        shifts: dict[str, StoredShifts] = {}
        if lines is not None:
            shown = [segment for segment, row in enumerate(system.rows[index][:limit])
                     if row[0] and lines[segment].count(" ") * row[1] <= MAX_WORD_PAIRS]
            outputs = [lines[segment] for segment in shown]
            streams = [[stream[segment] for segment in shown] for stream in texts.references]
            alignments: list[Any] = metric.corpus_alignments(outputs, streams) if shown else []
            for segment, alignment, output in zip(shown, alignments, outputs):
                if alignment.shifts:
                    shifts[str(segment)] = stored_shifts(alignment, output)
        by_system.append(shifts)
    return by_system


def summarized(scored: Scored, testing: Testing) -> Summary:
    """Compute the numbers of a page.

    Raises:
        PurebleuError: there are too many systems.
    """
    count = len(scored.systems)
    if count > _MAX_SYSTEMS:
        raise PurebleuError(f"a report has at most {_MAX_SYSTEMS} systems, but there are {count}")
    testing.differences = testing.intervals
    systems = SummaryInput(scored.rows, scored.metrics, scored.signatures, scored.labels, scored.tokens)
    return summary_of(systems, testing.sampling(scored), rank=testing.ranks, holm=testing.corrects)


def _line_breaks(inputs: Inputs, texts: CorpusTexts, names: Sequence[str]) -> list[Section]:
    """Return sections about the line breaks that `--resegment` moved, for systems that have texts."""
    if not inputs.resegment:
        return []
    with_text = [index for index, lines in enumerate(texts.outputs_of(len(names))) if lines is not None]
    return line_break_sections([names[index] for index in with_text], texts.listed.lines_of_files, texts.outputs)


def _command(settings: PageSettings) -> str:
    """Return the command line, with the folders of files only if the page shows whole paths."""
    import shlex

    return " ".join(["purebleu", *[shlex.quote(_shown(argument, settings)) for argument in settings.arguments]])


def _shown(path: str, settings: PageSettings) -> str:
    """Return a path as the page shows it."""
    return path if settings.paths else last_component(path)


def last_component(argument: str) -> str:
    """Return an argument without the folders of its path. If the argument begins with `NAME=`, the name stays.

    >>> last_component("A=out/a.txt"), last_component("wmt22/systems")
    ('A=a.txt', 'systems')
    """
    name, equals, path = argument.partition("=")
    if equals and "/" not in name:
        return f"{name}={last_component(path)}"
    return without_folders(argument)


def input_files(inputs: Inputs, settings: PageSettings) -> list[InputFile]:
    """Return the name, the SHA-256 sum and the number of lines of each file that is read."""
    import hashlib

    files: list[InputFile] = []
    for path in dict.fromkeys([column_of(name).path for name in [*inputs.all_files, *settings.files]]):
        if path is None or (inputs.texts is None and not os.path.isfile(path)):
            continue
        digest, lines = hashlib.sha256(), 0
        with open(path, "rb") if inputs.texts is None else BytesIO(inputs.texts[path].encode("utf-8")) as file:
            while content := file.read(_READ_AT_ONCE):
                digest.update(content)
                lines += content.count(b"\n")
        files.append((_shown(path, settings), digest.hexdigest(), lines))
    return files
