"""`--resegment`: give outputs the line breaks of the references. `-m suber`: split subtitles into parts."""

from __future__ import annotations

import sys
from bisect import bisect_left

from ...files.lines import HeldLines, aligned_blocks, warn_of_other_formats
from ...files.opening import has_subtitles
from ...files.subtitles import SubtitleBlock, form_of_words, independent_parts, words_of_text
from ...files.writing import write_named, writer_of
from ...metrics.segments import normalized
from ...resegmentation import CHARACTERS, LANGUAGES_OF_CHARACTERS, TIME, UNPUNCTUATED, WORDS, resegment
from ...runtime.errors import LengthError, OptionError, PurebleuError, counted, warn
from ...runtime.hints import Any, Callable, Mapping, Sequence
from ...runtime.progress import observer
from ...tokenizers import DEFAULT_BY_LANGUAGE, make_tokenizer, tokenizer_class
from ...tokenizers.tokenizer_base import BaseTokenizer
from ..arguments.values import check_apart, check_takes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .inputs import Inputs

#: The time between a block's start and its first word, and between its last word and its end, in microseconds (as in
#: SubER).
_MARGIN = 0.01


def take_subtitles(inputs: Inputs, metrics: Sequence[str]) -> None:
    """Set the form in which each file of subtitles is read.

    Raises:
        OptionError: files or options conflict with the metrics, or with `--resegment time`.
    """
    suber = [name for name in metrics if name.startswith("suber")]
    what = f"-m {suber[0]}" if suber else "--resegment time"
    texts = [*inputs.references, *inputs.files]
    columns = {name: inputs.columns[name] for name in texts if has_subtitles(inputs.columns[name])}
    if suber or inputs.resegment == TIME:
        _check_alone(inputs, what, [name for name in texts if name not in columns])
    check_apart(suber and len(suber) < len(metrics), what, "other metrics", "metrics",
                "score the other metrics in another run, with --resegment or --srt-unit block")
    check_apart(suber and (inputs.resegment or inputs.srt_unit), what, "--resegment or --srt-unit", "metrics",
                f"{what} aligns words by their times")
    asked = {column.selector or "text" for column in columns.values()}
    check_takes(not suber or asked == {"text"}, what, f"FILE or FILE:text, not :{min(asked - {'text'}, default='')}",
                "input")
    check_takes(not inputs.resegment or (len(asked) < 2 and asked.isdisjoint(("line", "time"))), "--resegment",
                "subtitles of the same form (text, seg or br), but the files have the forms "
                f"{', '.join(sorted(asked))}", "input")
    forms = {columns[name].selector or "text" for name in inputs.files if name in columns}
    inputs.subtitles = "parts" if suber else min(forms, default="")
    has_breaks = inputs.subtitles in ("seg", "br")
    for name, column in columns.items():
        form = column.selector or ("line" if inputs.srt_unit == "line" else "text")
        if suber or inputs.resegment == TIME:
            form = "blocks"
        elif inputs.resegment:
            form = "whole" if has_breaks else "text"
        inputs.columns[name] = column._replace(kind="srt", selector=form)
    first = columns.get(inputs.references[0]) if inputs.references else None
    if first and first.path and not (inputs.ids or suber or inputs.resegment == TIME):
        inputs.ids = f"{first.path}:time"
        inputs.columns[inputs.ids] = first._replace(kind="srt", selector="time")


def _check_alone(inputs: Inputs, what: str, others: Sequence[str]) -> None:
    """Raise `OptionError` if a file does not have subtitles, or if an option needs parallel files."""
    check_takes(not others and inputs.files and not inputs.selection, what,
                "subtitles (.srt, .vtt)" + (f", not {others[0]}" if others else ""))
    for option in ("docs", "ids", "source", "strata", "paragraphs"):
        check_apart(getattr(inputs, option), f"--{option}", what, option, f"--{option} needs parallel files")


def in_parts(outputs: Sequence[Any], references: Sequence[Any]) -> tuple[list[Any], list[Any], dict[str, Any]]:
    """Split subtitles into independent parts, which become segments.

    Returns:
        The new streams of outputs, the new streams of references, and a further stream with the times of the segments.
    """
    streams = [*outputs, *references]
    sides = list(map(_all_blocks, streams))
    parts = independent_parts(sides)
    held: list[HeldLines] = []
    for index, stream in enumerate(streams):
        held.append(HeldLines(stream.name, ["\n\n".join(map(SubtitleBlock.text, part[index])) for part in parts]))
    times: list[str] = []
    for part in parts:
        blocks = [block for side in part for block in side]
        first, last = min(blocks, key=lambda block: block.start), max(blocks, key=lambda block: block.end)
        times.append(first.times().split()[0] + " --> " + last.times().split()[-1])
    return held[:len(outputs)], held[len(outputs):], {"id": HeldLines("times", times)}


def _all_blocks(stream: Any) -> list[SubtitleBlock]:
    """Read all blocks of a stream. Raise `PurebleuError` if there are none."""
    blocks: list[SubtitleBlock] = stream.read(sys.maxsize)
    stream.close()
    if not blocks:
        raise PurebleuError(f"{stream.name} has no subtitles").at(stream.name)
    return blocks


def in_form(lines: Sequence[str], form: str) -> list[str]:
    """Convert lines of subtitles from the form `whole` to another form."""
    return [form_of_words(words_of_text(line), form, keeps_last=True) for line in lines]


def resegmented_by_time(inputs: Inputs, outputs: Sequence[Any], references: Sequence[Any],
                        ) -> tuple[list[Any], list[Any], dict[str, Any], list[list[str]]]:
    """Put the words of outputs into the references' blocks, by the times of words and blocks.

    Returns:
        New streams of outputs and of references, with a line for each block of the references that has words; a further
        stream with the times of these blocks; and for each output, a line for each of its own blocks. The lines of
        outputs lack words that are in no block of the references.

    Raises:
        LengthError: the blocks of the references have different times.
    """
    reference_blocks = list(map(_all_blocks, references))
    if len({tuple(map(SubtitleBlock.times, blocks)) for blocks in reference_blocks}) > 1:
        raise LengthError("--resegment time needs references with the same times, but the references differ in times")
    kept = [index for index, texts in enumerate(zip(*reference_blocks)) if any(map(SubtitleBlock.words, texts))]
    targets = [reference_blocks[0][index] for index in kept]
    starts = [target.start for target in targets]
    form, language = inputs.subtitles, inputs.target_language
    tokenizer = make_tokenizer(DEFAULT_BY_LANGUAGE[language]) if language in DEFAULT_BY_LANGUAGE else None
    held: list[HeldLines] = []
    lines_of_files: list[list[str]] = []
    for stream in outputs:
        words_of_targets: list[list[tuple[str, str]]] = [[] for _ in targets]
        own: list[str] = []
        left_out = 0
        for block in _all_blocks(stream):
            words = _in_pieces(block.words(), tokenizer) if tokenizer else block.words()
            placed: list[tuple[str, str]] = []
            for word, target in zip(words, _targets_of_words(block, len(words), targets, starts)):
                if target is None:
                    left_out += 1
                else:
                    words_of_targets[target].append(word)
                    placed.append(word)
            own.append(form_of_words(_joined_pieces(placed) if tokenizer else placed, form, keeps_last=True))
        if tokenizer:
            words_of_targets = list(map(_joined_pieces, words_of_targets))
        if left_out:
            warn(f"{stream.name}: left out {counted(left_out, 'word')} outside the times of the references' blocks")
        held.append(HeldLines(stream.name, [form_of_words(words, form, keeps_last=True) for words in words_of_targets]))
        lines_of_files.append(own)
    texts: list[HeldLines] = []
    for stream, blocks in zip(references, reference_blocks):
        lines = [form_of_words(blocks[index].words(), form, keeps_last=True) for index in kept]
        texts.append(HeldLines(stream.name, lines))
    labels = [f"{block.number}, {block.times()}" for block in targets]
    return held, texts, {"id": HeldLines("times", labels)}, lines_of_files


def _in_pieces(words: Sequence[tuple[str, str]], tokenizer: BaseTokenizer) -> list[tuple[str, str]]:
    """Split words of a language without spaces into tokens. The first token of each word begins with a space."""
    pieces: list[tuple[str, str]] = []
    for word, end in words:
        tokens = tokenizer(word).split()
        pieces += [(token, "") for token in [f" {tokens[0]}", *tokens[1:]]]
        pieces[-1] = pieces[-1][0], end
    return pieces


def _joined_pieces(pieces: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Join the tokens of each word that `_in_pieces` has split."""
    words: list[tuple[str, str]] = []
    for piece, end in pieces:
        if piece.startswith(" ") or not words:
            words.append((piece.strip(), end))
        else:
            words[-1] = words[-1][0] + piece, end
    return words


def _targets_of_words(block: SubtitleBlock, count: int, targets: Sequence[SubtitleBlock],
                      starts: Sequence[int]) -> list[int | None]:
    """Return the index of the target block at the time of each word of a block, as Cherry et al. (2021) do.

    The index is `None` if there is no target at this time. The `count` words are spread evenly from the start of their
    block to its end. `starts` has the start times of the targets.
    """
    start, end = block.start + _MARGIN, block.end - _MARGIN
    step = (end - start) / max(1, count - 1)
    found: list[int | None] = []
    for index in range(count):
        time = start + index * step
        target = bisect_left(starts, time) - 1
        found.append(target if target >= 0 and time < targets[target].end else None)
    return found


#: The value of `--resegment` if the option is given without TOKENS.
USUAL = "usual"


def resegmentation_tokens(asked: str, language: str, subtitles: bool) -> str:
    """Return the kind of tokens that are aligned: `asked`, or the default for a target language.

    The default for `subtitles` is words without punctuation.

    Raises:
        OptionError: there is no such kind of tokens, or `time` is asked for without subtitles.
    """
    if asked == USUAL:
        words = UNPUNCTUATED if subtitles else WORDS
        return CHARACTERS if language in LANGUAGES_OF_CHARACTERS else words
    check_takes(asked != TIME or subtitles, "--resegment time", "subtitles (.srt, .vtt)", "resegment")
    if asked not in (WORDS, CHARACTERS, UNPUNCTUATED, TIME):
        try:
            tokenizer_class(asked)
        except OptionError as error:
            raise OptionError(f"--resegment takes {WORDS}, {UNPUNCTUATED}, {CHARACTERS}, {TIME} or the name of a "
                              f"tokenizer: {error}", option="resegment") from None
    return asked


def resegmented(inputs: Inputs, output_streams: Sequence[Any], references: Sequence[Any], further: Mapping[str, Any],
                split: Callable[[Sequence[Sequence[str]], int], Sequence[Sequence[Any]]],
                ) -> tuple[list[Any], list[Any], dict[str, Any], list[list[str]]]:
    """Give outputs the line breaks of the references.

    Args:
        inputs: the inputs of the run.
        output_streams: the streams of outputs, which are read to their ends.
        references: the streams of references, which are read to their ends.
        further: further streams by the names of their columns. The stream of documents is read to its end.
        split: a function that makes streams of references from the columns of `references` and the number of lines.

    Returns:
        New streams of outputs, of references, and further streams; and the lines of each output as they were read.

    Raises:
        LengthError: with `--docs`, the number of lines of an output is not the number of documents.
    """
    if inputs.resegment == TIME:
        return resegmented_by_time(inputs, output_streams, references)
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
        warn_of_other_formats([stream], [lines])
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
        lines_of_files = [in_form(lines, inputs.subtitles) for lines in lines_of_files]
        for stream in [*outputs, *held[:len(references)]]:
            stream.lines = in_form(stream.lines, inputs.subtitles)
    further = {**further, "document": held[-1]} if inputs.docs else {**further}
    return outputs, held[:len(references)], further, lines_of_files


def save_resegmented(paths: Sequence[str], outputs: Sequence[HeldLines]) -> None:
    """Write the lines of each output to the file of the output in `paths`."""
    for path, output in zip(paths, outputs):
        content = "".join([f"{line}\n" for line in output.lines])
        write_named(path, writer_of(content.encode("utf-8", "surrogateescape")))
