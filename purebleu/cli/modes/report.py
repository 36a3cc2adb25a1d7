"""`--report`: from the corpus and its results to a page of HTML."""

from __future__ import annotations

import os
from io import BytesIO

from ...analysis.summary import Summary, summary_of
from ...errors import PurebleuError
from ...files.forms import column_of
from ...report.names import short_names
from ...report.page.conclusions import listed
from ...report.page.content import Page
from ...report.page.words import MAX_WORD_PAIRS
from ..scoring.metrics import bleu_of
from ..scoring.naming import corpus_text
from ..scoring.texts import labels_of, tokens_of_corpus

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Mapping, Sequence

    from ...checks.findings import CheckedSystems
    from ...metrics.base import Metric
    from ...metrics.score import Score, Signature
    from ...report.layouts import Section
    from ...report.page.content import InputFile
    from ...report.page.shift_marks import StoredShifts
    from ...significance.runs import RunsResults
    from ..arguments.options import Options
    from ..scoring.types import CorpusTexts, Scored, System

#: The largest number of systems in a report.
_MAX_SYSTEMS = 20

#: The number of bytes of a file that are read at once.
_READ_AT_ONCE = 1 << 20


def write_report(options: Options, scored: Scored) -> None:
    """Write the page to the file that the options name."""
    from ...report.page.html_file import page_text

    write_page(options, page_text(page_of(options, scored)))


def write_report_of_runs(options: Options, names: Sequence[str], results: RunsResults,
                         signatures: Mapping[str, Signature], lower_is_better: Sequence[bool]) -> None:
    """Write the page of systems with several runs to the file that the options name."""
    from ...report.page.content import Origin
    from ...report.page.runs import RunsPage, runs_text

    origin = Origin(_command(options), _input_files(options), corpus_text(options))
    page = RunsPage(names, results, signatures, lower_is_better, options.width)
    write_page(options, runs_text(page, origin, _title(options, [*signatures])))


def write_page(options: Options, text: str) -> None:
    """Write a page to the file that the options name; raises `PurebleuError` where it can't be written."""
    from ...files.writing import write_named

    content = text.encode("utf-8", "replace")
    write_named(options.report, lambda file: file.write(content))


def page_of(options: Options, scored: Scored, prefix: str = "") -> Page:
    """The page of a corpus.

    Args:
        options: the options of the command line.
        scored: the systems of the corpus.
        prefix: a prefix for the ids in the page, where it is one of several pages in a file.

    Raises:
        PurebleuError: there are too many systems.
    """
    metrics, systems, texts = scored.metrics, scored.systems, scored.texts
    summary = summarized(options, scored)
    names = list(scored.inputs if options.paths else _without_folders(options, scored))
    if scored.naming == "files":
        names = short_names(names)
    page = Page(names, summary, _command(options), _input_files(options), options.width, prefix, _languages(options),
                _title(options, [score.name for score in summary.results.scores[0]]), corpus_text(options))
    if texts is not None:
        page.add_texts(texts.listed.numbers, texts.listed.columns, texts.references, texts.outputs_of(len(systems)),
                       options.report_segments, _shifts(options, metrics, systems, texts))
        page.audit = _audit(options, texts, names)
        page.agreement = _agreement(options, scored, texts, names)
        page.checks = _checks(options, texts, names)
        page.line_breaks = _line_breaks(options, texts, names)
        page.warnings = texts.warnings if options.paths else _without_paths(options, texts.warnings)
    return page


def _languages(options: Options) -> tuple[str | None, str | None]:
    """The languages of the source and of the outputs as HTML has them (BCP 47); `None` for an unknown one.

    Codes of test sets such as `zh_CN` and `eng_Latn` become `zh-CN` and `eng-Latn`.
    """
    source, _, target = (options.langpair or "").partition("-")
    return _language(source), _language(target)


def _language(code: str) -> str | None:
    language, *parts = code.split("_")
    is_known = language.isalpha() and 2 <= len(language) <= 3 and {*map(len, parts)} <= {*range(2, 9)}
    return code.replace("_", "-") if is_known and code.isascii() and "".join([language, *parts]).isalnum() else None


def _title(options: Options, metrics: Sequence[str]) -> str:
    """The title of a page: the given one, or else metrics, test set and language pair; empty where there are none."""
    corpus = [] if options.manifest else [*options.test_set, *([options.langpair] if options.langpair else [])]
    if options.report_title or not corpus:
        return options.report_title
    return f"{listed(metrics)} on {' '.join(corpus)}"


def _without_folders(options: Options, scored: Scored) -> Sequence[str]:
    """The names of systems, with the last components of those that are paths, if all differ then."""
    paths = scored.inputs if scored.naming == "files" else [*options.input, options.baseline]
    names = [_last_component(name) if name in paths else name for name in scored.inputs]
    return names if len({*names}) == len(names) else scored.inputs


def _without_paths(options: Options, texts: Sequence[str]) -> Sequence[str]:
    """Texts in which the files of the run stand without their folders."""
    for path in [*options.input, *options.references, *options.files_beside, *options.score_files]:
        texts = [text.replace(path, _last_component(path)) for text in texts]
    return texts


def _shifts(options: Options, metrics: Sequence[Metric[Score]], systems: Sequence[System],
            texts: CorpusTexts) -> list[dict[str, StoredShifts]] | None:
    """TER's shifts in the segments that are shown, by their indices, for each system; `None` without TER."""
    if "ter" not in options.metrics or not options.report_segments:
        return None
    from ...metrics.ter import TER
    from ...report.page.shift_marks import stored_shifts

    index, metric = next((index, metric) for index, metric in enumerate(metrics) if isinstance(metric, TER))
    by_system: list[dict[str, StoredShifts]] = []
    for lines, system in zip(texts.outputs_of(len(systems)), systems):
        shown: list[int] = []
        if lines is not None:
            shown = [segment for segment, row in enumerate(system.rows[index][:options.report_segments])
                     if row[0] and lines[segment].count(" ") * row[1] <= MAX_WORD_PAIRS]
        outputs = [lines[segment] for segment in shown] if lines else []
        streams = [[stream[segment] for segment in shown] for stream in texts.references]
        alignments = metric.corpus_alignments(outputs, streams) if outputs else []
        by_system.append({str(segment): stored_shifts(alignment, output)
                          for segment, alignment, output in zip(shown, alignments, outputs) if alignment.shifts})
    return by_system


def summarized(options: Options, scored: Scored) -> Summary:
    """The numbers of the page, which are computed once and kept in `scored.summary`.

    Raises:
        PurebleuError: there are too many systems.
    """
    if scored.summary is None:
        metrics, texts, count = scored.metrics, scored.texts, len(scored.systems)
        if count > _MAX_SYSTEMS:
            raise PurebleuError(f"a report has at most {_MAX_SYSTEMS} systems, but there are {count}")
        test = (options.test or "bs") if count > 1 else None
        tokens = None if texts is None else tokens_of_corpus(bleu_of(options, metrics), texts, count)
        scored.summary = summary_of(scored.rows, metrics, scored.signatures, labels_of(texts), tokens, test=test,
                                    samples=options.samples_of(test), resamples=options.confidence_n,
                                    holm=options.holm and test is not None, exact=options.exact, units=scored.units,
                                    rng=options.rng, seed=options.seed)
    return scored.summary


def _audit(options: Options, texts: CorpusTexts, names: Sequence[str]) -> list[Section]:
    """The audit of the preprocessing, where it was asked for."""
    if not options.audit:
        return []
    from ...report.audit import audit_sections
    from .audit import audit_of

    options = options.replace(bleu_force=True)  # (so that no warning is repeated)
    audit = audit_of(options, [(texts.outputs, texts.references)])
    return audit_sections(names[len(names) - len(texts.outputs):], audit, options.width)


def _agreement(options: Options, scored: Scored, texts: CorpusTexts, names: Sequence[str]) -> list[Section]:
    """The agreement of metrics with people, where it was asked for; `names` are those of the systems on the page."""
    if not options.human_files:
        return []
    from ...report.agreement import agreement_sections
    from .agreement import measured_agreement

    table = measured_agreement(options, scored, texts.listed)
    table.systems = names
    style = options.style.in_format("html")
    first, *others, _ = agreement_sections(table, style)  # (The page has the signatures elsewhere.)
    first.heading = "Measures and ranks"
    return [first, *others]


def _line_breaks(options: Options, texts: CorpusTexts, names: Sequence[str]) -> list[Section]:
    """The moved line breaks of the systems with text, if their lines were broken anew."""
    if not options.resegment:
        return []
    from ...report.line_breaks import line_break_sections

    with_text = [index for index, lines in enumerate(texts.outputs_of(len(names))) if lines is not None]
    return line_break_sections([names[index] for index in with_text], texts.listed.lines_of_files, texts.outputs)


def _checks(options: Options, texts: CorpusTexts, names: Sequence[str]) -> CheckedSystems | None:
    """The findings of checks in the systems with text, where they were asked for."""
    if not options.check:
        return None
    from .findings import findings_in

    with_text = names[len(names) - len(texts.outputs):]
    return findings_in(options, with_text, texts)


def _command(options: Options) -> str:
    """The command line without `--report`, and (unless `--paths` is given) without the folders of files."""
    import shlex

    shown: list[str] = []
    arguments = iter(options.arguments)
    for argument in arguments:
        if argument == "--report":
            next(arguments, None)
        elif not argument.startswith("--report="):
            shown.append(argument if options.paths else _last_component(argument))
    return " ".join(["purebleu", *map(shlex.quote, shown)])


def _last_component(argument: str) -> str:
    """An argument without the folders of its path, but with a `NAME=` before it.

    >>> _last_component("A=out/a.txt"), _last_component("wmt22/systems")
    ('A=a.txt', 'systems')
    """
    name, equals, path = argument.partition("=")
    if equals and "/" not in name:
        return f"{name}={_last_component(path)}"
    return argument.replace(os.sep, "/").rstrip("/").rpartition("/")[2]


def _input_files(options: Options) -> list[InputFile]:
    """The name, the SHA-256 sum and the number of lines of each file that is read."""
    names: list[str] = [*options.references, *(options.input or []), *options.files_beside,
                        *options.score_files, *options.human_files, *(options.rows or []),
                        *([options.manifest] if options.manifest else [])]
    if options.texts is not None:
        return [_input_file(options, name, BytesIO(options.texts[name].encode("utf-8"))) for name in names]
    files: list[InputFile] = []
    for path in dict.fromkeys([column_of(name).path for name in names]):
        if path is not None and os.path.isfile(path):
            with open(path, "rb") as file:
                files.append(_input_file(options, path, file))
    return files


def _input_file(options: Options, path: str, file: IO[bytes]) -> InputFile:
    import hashlib

    digest, lines = hashlib.sha256(), 0
    while content := file.read(_READ_AT_ONCE):
        digest.update(content)
        lines += content.count(b"\n")
    return path if options.paths else _last_component(path), digest.hexdigest(), lines
