"""Scoring of a corpus by several processes, which read pieces of its files themselves where that is possible."""

from __future__ import annotations

import codecs
from functools import partial

from ...files.sections import ByteStream, FileSection, divided, is_plain_file
from ...files.text import LineStream, may_have_columns
from ...runtime.progress import observer
from ...runtime.workers import number_of_workers, spread
from .checks import advised_blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterator, Sequence

    from ...metrics.evaluation import Part
    from ..arguments.options import Options
    from .checks import InputChecks
    from .types import Block


def score_in_processes(options: Options, score: Callable[[Block], list[list[Part]]],
                       blocks: Iterator[Block]) -> Iterator[list[list[Part]]]:
    """The results of `score` for pieces of these blocks, in order, by `options.jobs` processes."""
    workers = number_of_workers(options.jobs)
    pieces = ((piece[:len(systems)], piece[len(systems):]) for systems, references in blocks
              for piece in divided([*systems, *references], workers))
    return spread(score, pieces, workers, own_process=True)


def score_plain_files(options: Options, score: Callable[[Block], list[list[Part]]],
                      checks: InputChecks) -> Iterator[list[list[Part]]]:
    """As `score_in_processes`, for a corpus that `consists_of_plain_files`: each process reads its pieces of the files.

    To read the text here and send it to the processes would take a fifth of the time of scoring.
    """
    workers = number_of_workers(options.jobs)
    sections = read_sections(options, workers, checks)
    return spread(partial(score_sections, score, len(options.input)), sections, workers, own_process=True)


def consists_of_plain_files(options: Options) -> bool:
    """Whether hypotheses and references are lines of UTF-8 files, which any process can read from any position."""
    if (options.selection or options.num_refs > 1 or not options.input or options.texts is not None
            or options.resegment or options.normalize):
        return False
    paths: list[str] = [*options.input, *options.references]
    try:
        is_utf8 = all(codecs.lookup(encoding).name == "utf-8" for encoding in options.encodings_of(1, 1))
    except (LookupError, UnicodeError):
        return False  # no encoding has this name
    return is_utf8 and all(is_plain_file(path) and not may_have_columns(path) for path in paths)


def read_sections(options: Options, workers: int, checks: InputChecks) -> Iterator[list[FileSection]]:
    """The corpus, block by block, in pieces for the workers: a section of each of its files."""
    paths = [*options.input, *options.references]
    sections = list(map(FileSection, paths))
    lines_before = 0
    streams = list(map(ByteStream, paths))
    checks.open(options.input, options.references, False)
    observer().begin("scoring", 0)
    for number, block in enumerate(advised_blocks(options, streams, lambda: [*map(LineStream, paths)]), 1):
        checks.see(block[:len(options.input)], block[len(options.input):])
        checks.see_segments(block[:len(options.input)], block[len(options.input):],
                            range(lines_before + 1, lines_before + 1 + len(block[0])))
        # Whole blocks are scored faster than pieces of them; but the last blocks have to be spread evenly.
        fraction = streams[0].fraction_read() or 1.0
        blocks_left = number / fraction - number
        for piece in [block] if blocks_left > 2 * workers else divided(block, workers):
            sections = [section.following(lines, lines_before) for section, lines in zip(sections, piece)]
            lines_before += len(piece[0])
            yield sections
        observer().expect(lines_before / fraction * len(options.input) * len(options.metrics))
    checks.warn()


def score_sections(score: Callable[[Block], list[list[Part]]], systems: int,
                   sections: Sequence[FileSection]) -> list[list[Part]]:
    """The result of `score` for the lines of sections: those of `systems` systems, then those of the references."""
    columns = [section.lines() for section in sections]
    return score((columns[:systems], columns[systems:]))
