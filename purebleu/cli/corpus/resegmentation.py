"""`--resegment`: outputs are given the line breaks of the references."""

from __future__ import annotations

import sys

from ...errors import LengthError, OptionError
from ...files.lines import HeldLines, aligned_blocks, warn_of_records
from ...files.writing import write_named
from ...metrics.segments import normalized
from ...resegmentation import CHARACTERS, LANGUAGES_OF_CHARACTERS, TIME, UNPUNCTUATED, WORDS, resegment
from ...runtime.progress import observer
from ...tokenizers import MODEL_PREFIX, make_tokenizer, tokenizer_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Callable, Mapping, Sequence

    from .inputs import Inputs

    #: Makes streams of references of the columns of a block at the first line, and of the number of its lines.
    Split = Callable[[Sequence[Sequence[str]], int], Sequence[Sequence[Any]]]

#: The value of the option if it is given without one.
USUAL = "usual"


def resegmentation_tokens(asked: str, language: str, subtitles: bool) -> str:
    """The name of the tokens by which lines are aligned: the one asked for, or the usual one of a target language.

    `subtitles` says whether outputs are subtitles, whose words usually are compared without punctuation.

    Raises:
        OptionError: there are no tokens of this name.
    """
    if asked == USUAL:
        words = UNPUNCTUATED if subtitles else WORDS
        return CHARACTERS if language in LANGUAGES_OF_CHARACTERS else words
    if asked == TIME and not subtitles:
        raise OptionError("--resegment time takes files of subtitles (.srt, .vtt)", option="resegment")
    if asked not in (WORDS, CHARACTERS, UNPUNCTUATED, TIME):
        try:
            tokenizer_class(asked)
        except OptionError as error:
            raise OptionError(f"--resegment is by {WORDS}, {UNPUNCTUATED}, {CHARACTERS}, {TIME} or the tokens of a "
                              f"tokenizer: {error}", option="resegment") from None
    return asked


def resegmentation_signature(tokens: str) -> str:
    """The field of signatures with the tokens by which lines were aligned."""
    return make_tokenizer(tokens).signature() if tokens.startswith(MODEL_PREFIX) else tokens


def resegmented(inputs: Inputs, output_streams: Sequence[Any], references: Sequence[Any], further: Mapping[str, Any],
                split: Split) -> tuple[list[Any], list[Any], dict[str, Any], list[list[str]]]:
    """New streams of a corpus, in which the hypotheses have the line breaks of the references.

    Args:
        inputs: the inputs of the run.
        output_streams: the streams of hypotheses, which are read to their ends.
        references: the streams of references, likewise.
        further: further streams by the names of their columns; the one of documents is read, too.
        split: makes streams of references of the columns of `references`.

    Returns:
        The streams of hypotheses, of references, and further ones; and the lines of each file as they were read.

    Raises:
        LengthError: with documents, an output has more lines or fewer than there are documents.
    """
    if inputs.resegment == TIME:
        from .subtitles import resegmented_by_time

        streams = resegmented_by_time(inputs, output_streams, references)
        _save(inputs.save_resegmented, streams[0])
        return streams
    parallel = [*references, *([further["document"]] if inputs.docs else [])]
    columns: list[list[str]] = [[] for _ in parallel]
    for block in aligned_blocks(parallel):
        for column, lines_of_block in zip(columns, block):
            column += lines_of_block
    held = [HeldLines(stream.name, column) for stream, column in zip(parallel, columns)]
    reference_streams = split(columns[:len(references)], len(columns[0]))
    documents = columns[-1] if inputs.docs else None
    observer().begin("breaking lines", len(output_streams))
    lines_of_files: list[list[str]] = []
    outputs: list[HeldLines] = []
    for stream in output_streams:
        lines: list[str] = stream.read(sys.maxsize)
        warn_of_records([stream], [lines])
        if inputs.normalize:
            [lines] = normalized([lines], inputs.normalize)
        lines_of_files.append(lines)
        stream.close()
        try:
            outputs.append(HeldLines(stream.name, resegment(lines, reference_streams, inputs.resegment, documents)))
        except LengthError as error:
            raise LengthError(f"{stream.name}: {error}") from None
        observer().advance()
    if inputs.subtitles not in ("", "text"):
        from .subtitles import in_form

        lines_of_files = [in_form(lines, inputs.subtitles) for lines in lines_of_files]
        for stream in [*outputs, *held[:len(references)]]:
            stream.lines = in_form(stream.lines, inputs.subtitles)
    _save(inputs.save_resegmented, outputs)
    new_further = {**further, **({"document": held[-1]} if inputs.docs else {})}
    return outputs, held[:len(references)], new_further, lines_of_files


def _save(paths: Sequence[str], outputs: Sequence[HeldLines]) -> None:
    for path, output in zip(paths, outputs):
        content = "".join([f"{line}\n" for line in output.lines]).encode("utf-8", "surrogateescape")

        def write(file: IO[bytes], content: bytes = content) -> None:
            file.write(content)

        write_named(path, write)
