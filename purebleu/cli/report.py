"""`--report`: from the corpus and its results to a page of HTML."""

from __future__ import annotations

import os

from ..analysis.summary import Summary, summary_of
from ..errors import PurebleuError
from ..files.forms import column_of
from ..report.names import short_names
from ..report.page.document import Page, page_text
from .corpus import SegmentList

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any, Sequence

    from ..analysis.summary import Tokens
    from ..metrics.base import Metric
    from ..metrics.score import Score
    from ..report.layouts import Section
    from ..report.page.document import InputFile
    from ..rows.stored import Naming
    from .corpus import Block, System

#: The largest number of systems in a report.
_MAX_SYSTEMS = 20

#: The number of bytes of a file that are read at once.
_READ_AT_ONCE = 1 << 20


class CorpusTexts:
    """The text of a corpus, as it is scored.

    Attributes:
        outputs: for each system, its lines.
        references: the streams of references, with `None` where a segment has no such reference.
        listed: which segments these are.
        warnings: what has been warned of meanwhile.
    """

    def __init__(self) -> None:
        import warnings

        show = warnings.showwarning

        def keep_and_show(message: Warning | str, *others: Any) -> None:
            self.warnings.append(str(message))
            show(message, *others)

        self.warnings: list[str] = []
        warnings.showwarning = keep_and_show  # type: ignore[assignment]  # fewer parameters are enough
        self.outputs: list[list[str]] = []
        self.references: list[list[str | None]] = []
        self.listed = SegmentList()

    def see(self, block: Block) -> None:
        """Take in the next block."""
        outputs, references = block
        self.outputs = self.outputs or [[] for _ in outputs]
        before = len(self.outputs[0])
        for _ in references[len(self.references):]:
            self.references.append([None] * before)
        for lines, further in zip(self.outputs, outputs):
            lines += further
        for stream, column in zip(self.references, references):
            stream += column
        for stream in self.references[len(references):]:
            stream += [None] * len(outputs[0])


def write_report(options: Namespace, metrics: Sequence[Metric[Score]], systems: Sequence[System], inputs: Sequence[str],
                 naming: Naming, texts: CorpusTexts | None) -> None:
    """Write the page to the file that the options name.

    Args:
        options: those of the command line.
        metrics: in the order of the results.
        systems: the evaluations and the rows of each.
        inputs: what each is called.
        naming: where these names come from.
        texts: `None` where there are only rows.

    Raises:
        PurebleuError: there are too many systems, or the file can't be written.
    """
    if len(systems) > _MAX_SYSTEMS:
        raise PurebleuError(f"a report has a place for {_MAX_SYSTEMS} systems, but there are {len(systems)}")
    names = list(inputs) if naming != "files" else short_names(inputs if options.paths else _without_folders(inputs))
    summary = _summary(options, metrics, systems, texts)
    page = Page(names, summary, _command(options), _input_files(options), options.width)
    if texts is not None:
        page.add_texts(texts.listed.numbers, texts.listed.columns, texts.references, _of_systems(texts, len(systems)),
                       options.report_segments)
        page.audit = _audit(options, texts, names)
        page.warnings = texts.warnings
    from ..files.cache import write_named

    content = page_text(page).encode("utf-8", "replace")
    write_named(options.report, lambda file: file.write(content))


def _without_folders(paths: Sequence[str]) -> Sequence[str]:
    """The last components of paths, if these differ."""
    last = list(map(_last_component, paths))
    return last if len({*last}) == len(last) else paths


def _of_systems(texts: CorpusTexts, systems: int) -> list[list[str] | None]:
    """The lines of each system; a baseline of which there are only rows comes first, and has none."""
    return [*[None] * (systems - len(texts.outputs)), *texts.outputs]


def _summary(options: Namespace, metrics: Sequence[Metric[Score]], systems: Sequence[System],
             texts: CorpusTexts | None) -> Summary:
    """The numbers of the page."""
    test = (options.test or "bs") if len(systems) > 1 else None
    samples = options.samples or {"bs": options.paired_bs_n, "ar": options.paired_ar_n}.get(test or "", 0)
    labels = {} if texts is None else {name: column for name, column in texts.listed.columns.items()
                                       if name in ("docid", "origlang", "domain")}
    tokenized = None if texts is None else _tokens(metrics, texts, len(systems))
    return summary_of([rows for _, rows in systems], metrics,
                      [evaluation.signature() for evaluation in systems[0][0]], labels, tokenized, test=test,
                      samples=samples, resamples=options.confidence_n, rng=options.rng, seed=options.seed)


def _tokens(metrics: Sequence[Metric[Score]], texts: CorpusTexts, systems: int) -> Tokens:
    """The tokens of each system's segments, and of each segment's references: BLEU's, or 13a where there is no BLEU."""
    from ..metrics import BLEU

    metric = next((metric for metric in metrics if isinstance(metric, BLEU)), None) or BLEU()

    def words(lines: Sequence[str]) -> list[list[str]]:
        return [[token.decode("utf-8", "replace") if isinstance(token, bytes) else str(token) for token in tokens]
                for tokens in metric.preprocess_lines(lines)]

    streams = [iter(words([line for line in stream if line is not None])) for stream in texts.references]
    references = [[next(stream) for stream, line in zip(streams, segment) if line is not None]
                  for segment in zip(*texts.references)]
    return [None if lines is None else words(lines) for lines in _of_systems(texts, systems)], references


def _audit(options: Namespace, texts: CorpusTexts, names: Sequence[str]) -> list[Section]:
    """The audit of the preprocessing, where BLEU is among the metrics and every segment has the same references."""
    if "bleu" not in options.metrics or any(None in stream for stream in texts.references):
        return []
    from ..errors import LeftOutError

    try:
        from ..report.audit import audit_sections
        from .audit import audit_of
    except LeftOutError:
        return []
    # (What was warned of is not said again.)
    options = type(options)(**{**vars(options), "bleu_force": True})
    audit = audit_of(options, [(texts.outputs, texts.references)])
    return audit_sections(names[len(names) - len(texts.outputs):], audit, options.width)


def _command(options: Namespace) -> str:
    """The command line without the report's own name, and with files by the last components of their paths."""
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
    """An argument without the folders of a path; a name before it stays.

    >>> _last_component("A=out/a.txt"), _last_component("wmt22/systems")
    ('A=a.txt', 'systems')
    """
    name, equals, path = argument.partition("=")
    if equals and "/" not in name:
        return f"{name}={_last_component(path)}"
    return argument.replace(os.sep, "/").rstrip("/").rpartition("/")[2]


def _input_files(options: Namespace) -> list[InputFile]:
    """What is read, as far as it is files: their names, their SHA-256 sums and numbers of lines."""
    import hashlib

    found: list[InputFile] = []
    names: list[str] = [*options.references, *(options.input or []), *([options.source] if options.source else []),
                        *(options.rows or [])]
    for path in dict.fromkeys([column_of(name).path for name in names]):
        if path is None or not os.path.isfile(path):
            continue
        digest, lines = hashlib.sha256(), 0
        with open(path, "rb") as file:
            while content := file.read(_READ_AT_ONCE):
                digest.update(content)
                lines += content.count(b"\n")
        found.append((path if options.paths else _last_component(path), digest.hexdigest(), lines))
    return found
