"""`purebleu mbr`: choose the sample with the highest expected utility for each segment."""

from __future__ import annotations

import math

from ...decoding import best_samples
from ...files.lines import LineStream, aligned_blocks
from ...files.opening import REFERENCES, SAMPLES
from ...report.formats import DELIMITED_FORMATS, delimited
from ...runtime.errors import PurebleuError, warn
from ...runtime.hints import Iterator, Sequence
from ...runtime.json_writer import to_json
from ...runtime.progress import observer
from ...unicode.properties import WHITESPACE
from ..arguments.command import Answer, Command, CorpusValues, style_of
from ..arguments.groups import INPUTS, NETWORK, OF_SCORES, OUTPUT, Option
from ..arguments.values import check_takes
from ..corpus.inputs import Examined, Inputs, inputs_of
from ..corpus.read import open_files, stop_before_reading
from ..corpus.score import single_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...decoding import Candidates


class MbrValues(CorpusValues):
    """The values of the options of `purebleu mbr`."""

    utilities: bool = False


def run_mbr(values: MbrValues) -> Answer:
    """Choose a sample for each segment."""
    style = style_of(values)
    check_takes(len(values.input) < 2 and len(values.references) < 2, "mbr",
                "one file of samples (-i) and one file of references (paste joins files line by line)", "input")
    is_text = style.form == "text"
    values.check_uses(width=(values.utilities or not is_text, "utilities: add --utilities, or -f json, csv or tsv"),
                      utilities=(is_text, f"-f text: {style.form} has utilities anyway"))
    inputs = inputs_of(values, needs_references=False)
    metric = single_metric(values, inputs, "bleu", "mbr")
    waiting: list[Sequence[str]] = []
    # (A row has the number of a segment, from 1, and the index, the expected utility and the text of its best sample.)
    rows: list[tuple[int, int, float, str]] = []
    has_choice = False
    observer().begin("choosing", 0)
    for index, utility in best_samples(metric, read_segments(inputs, waiting), values.jobs, own_process=True):
        samples = waiting[len(rows)]
        has_choice = has_choice or len(samples) > 1
        rows.append((len(rows) + 1, index, utility, samples[index]))
        waiting[len(rows) - 1] = ()  # (frees the texts)
    if len(rows) > 1 and not has_choice:
        warn("every segment has only one sample, so there is no choice: write all samples of a segment into one line, "
             "separated by tabs, or into a list (-i FILE.jsonl:COLUMN)")
    if is_text:
        for line, _, _, text in rows:
            if "\n" in text:
                raise PurebleuError(f"the sample chosen for segment {line} has a line feed in it: use another format "
                                    "(-f)")
        return Answer("\n".join([f"{utility:.{style.width}f}\t{index}\t{text}" if values.utilities else text
                                 for _, index, utility, text in rows]))
    if style.form == "json":
        return Answer(to_json([{"line": line, "index": index, "utility": round(utility, style.width), "text": text}
                               for line, index, utility, text in rows], indent=1, ascii_only=False))
    return Answer(delimited(style.form, ("line", "index", "utility", "text"),
                            [(line, index, f"{utility:.{style.width}f}", text) for line, index, utility, text in rows]))


def read_segments(inputs: Inputs, waiting: list[Sequence[str]]) -> Iterator[Candidates]:
    """Yield the candidates for each segment. Before that, append its samples to `waiting`."""
    stop_before_reading(inputs)
    samples_files: Sequence[str | None] = inputs.files or (None,)
    streams = open_files(inputs, [*samples_files, *inputs.references],
                         [SAMPLES] * len(samples_files) + [REFERENCES] * len(inputs.references))
    first = 1
    for columns in aligned_blocks(streams, "" if inputs.files else " (is -i missing?)"):
        texts: list[list[list[str]]] = []
        for stream, column in zip(streams, columns):
            is_lines = isinstance(stream, LineStream)
            texts.append([_texts_of(value, is_lines, f"{stream.name}: line {number}")
                          for number, value in enumerate(column, first)])
        first += len(columns[0])
        if fraction := streams[0].fraction_read():
            observer().expect(math.ceil((first - 1) / fraction))
        if not inputs.examines:
            for samples, *references in zip(*texts):
                waiting.append(samples)
                yield samples, references[0] if references else None, None
    if inputs.examines:
        raise Examined


def _texts_of(value: str | list[str | None] | None, is_line: bool, where: str) -> list[str]:
    """Return the samples in a line (separated by tabs) or in the value of a column.

    Raises:
        PurebleuError: there are no samples, or a sample is `null`.
    """
    if isinstance(value, str):
        texts_of_line = value.split("\t") if is_line else [value]
        value = [text.rstrip(WHITESPACE) for text in texts_of_line] if value else []
    if not value:
        raise PurebleuError(f"{where} has no samples")
    texts = [text for text in value if text is not None]
    if len(texts) < len(value):
        raise PurebleuError(f"{where} has null among its samples")
    return texts


MBR = Command(
    "mbr", "mbr [options] [REFERENCE] [-i FILE]",
    "Choose among samples by minimum Bayes risk decoding. Each line of -i has the samples of a segment, separated by "
    "tabs. With FILE.jsonl:COLUMN, the column has a list of samples. Print the sample with the highest mean score "
    "(of BLEU, or of -m) against all samples, or against the samples of a REFERENCE file.",
    run_mbr, MbrValues, (
        Option("--utilities", "-sl", form="switch",
               help="before each chosen sample, print its mean score (the utility) and its index (from 0)"),
    ), (INPUTS.only("references", "input", "encoding", "reference_encoding", "langpair"), NETWORK,
        *OF_SCORES, OUTPUT.without("short")),
    ("text", "json", *DELIMITED_FORMATS), (
        ("-i samples.txt -m chrf", "the best of the samples in each line"),
        ("-i samples.jsonl:outputs --utilities", "with their utilities"),
    ))
