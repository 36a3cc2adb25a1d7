"""Score a corpus in several processes. If possible, each process reads its own pieces of the files."""

from __future__ import annotations

from functools import partial

from ...blocks import divided, divided_blocks
from ...files.lines import FileSection, LineStream
from ...files.opening import REFERENCES, is_plain_file, is_utf_8, may_have_columns
from ...metrics.input_checks import InputChecks
from ...runtime.progress import observer
from ...runtime.workers import number_of_workers, spread
from .read import advised_blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterator, Sequence

    from ...metrics.evaluation import Block, Part
    from .inputs import Inputs


def score_in_processes(inputs: Inputs, score: Callable[[Block], list[list[Part]]], checks: InputChecks, jobs: int,
                       blocks: Iterator[Block] | None) -> Iterator[list[list[Part]]]:
    """Return the results of `score` for pieces of a corpus, in order, computed by `jobs` processes.

    If the corpus `consists_of_plain_files`, `blocks` is `None`, and each process reads its own pieces. (If this process
    read the whole text for the other processes, reading would take a fifth of the time of scoring.)
    """
    workers = number_of_workers(jobs)
    if blocks is not None:
        return spread(score, divided_blocks(blocks, workers), workers, own_process=True)
    sections = read_sections(inputs, workers, checks)
    return spread(partial(score_sections, score, len(inputs.files)), sections, workers, own_process=True)


def consists_of_plain_files(inputs: Inputs) -> bool:
    """Return whether all texts are lines of UTF-8 files, which any process can read from any position."""
    if (inputs.selection or inputs.num_refs > 1 or not inputs.files or inputs.texts is not None
            or inputs.resegment or inputs.subtitles or inputs.normalize or inputs.where or inputs.group):
        return False
    paths: list[str] = [*inputs.files, *inputs.references]
    if not (is_utf_8(inputs.encoding) and is_utf_8(inputs.reference_encoding)):
        return False
    return all(is_plain_file(path) and not may_have_columns(path) for path in paths)


def read_sections(inputs: Inputs, workers: int, checks: InputChecks) -> Iterator[list[FileSection]]:
    """Yield pieces of a corpus for the workers. A piece is a section of each file of the corpus."""
    paths = [*inputs.files, *inputs.references]
    sections = list(map(FileSection, paths))
    lines_before = 0
    streams = [LineStream(path, encoding=None, ends=None) for path in paths]
    for stream in streams[len(inputs.files):]:
        stream.role = REFERENCES
    checks.open(inputs.files, inputs.references, False)
    observer().begin("scoring", 0)
    for number, block in enumerate(advised_blocks(inputs, streams), 1):
        checks.see(block[:len(inputs.files)], block[len(inputs.files):])
        checks.see_segments(block[:len(inputs.files)], block[len(inputs.files):],
                            range(lines_before + 1, lines_before + 1 + len(block[0])))
        # Whole blocks are scored faster than pieces of blocks. Only the last blocks are divided, so that all workers
        # end at about the same time.
        fraction = streams[0].fraction_read() or 1.0
        blocks_left = number / fraction - number
        for piece in [block] if blocks_left > 2 * workers else divided(block, workers):
            sections = [section.following(lines, lines_before) for section, lines in zip(sections, piece)]
            lines_before += len(piece[0])
            yield sections
        observer().expect(lines_before / fraction * len(inputs.files) * max(1, len(checks.metrics)))
    checks.warn()


def score_sections(score: Callable[[Block], list[list[Part]]], systems: int,
                   sections: Sequence[FileSection]) -> list[list[Part]]:
    """Return the result of `score` for the lines of sections: of `systems` outputs, and of references."""
    columns = [section.lines() for section in sections]
    return score((columns[:systems], columns[systems:]))
