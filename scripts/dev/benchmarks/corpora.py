"""Provides the files of a corpus: files of real data, or files that a recipe makes from these."""

from __future__ import annotations

import random
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Callable, Iterable, Iterator, NamedTuple, Sequence, Tuple

from .tasks import Corpus

#: A segment: its line in each file of a corpus (systems first, then references).
Row = Tuple[str, ...]

#: A function that makes rows from rows and a size.
Recipe = Callable[[Sequence[Row], int], Iterable[Row]]

CHECKOUT = Path(__file__).resolve().parents[3]

SEED = 12345

#: The index of the segment that samples are made of. It has a usual length.
_SAMPLED = 100


class Skipped(Exception):
    """A task can't be measured, because data is missing. The message names the data."""


class Failed(Exception):
    """A program failed. The message is one line."""


class Files(NamedTuple):
    """The files of a corpus."""

    systems: tuple[Path, ...]
    references: tuple[Path, ...]


def distinct(rows: Sequence[Row], size: int) -> Iterator[Row]:
    """Yield `size` rows spliced from `rows`. In each column, all lines are different.

    A row has the front of one segment and the rest of another segment. All columns are cut at the same fraction, so
    hypothesis and references stay related. A number is appended to one word. The same rows and a smaller size give the
    beginning of the same sequence.
    """
    rng = random.Random(SEED)
    seen: list[set[str]] = [set() for _ in rows[0]]
    made = 0
    while made < size:
        front, rest = rows[rng.randrange(len(rows))], rows[rng.randrange(len(rows))]
        cut, position = rng.random(), rng.random()
        row = tuple(spliced(a.split(), b.split(), cut, position, made) for a, b in zip(front, rest))
        if any(line in lines for line, lines in zip(row, seen)):
            continue
        for line, lines in zip(row, seen):
            lines.add(line)
        made += 1
        yield row


def spliced(front: list[str], rest: list[str], cut: float, position: float, number: int) -> str:
    """Return the words of `front` before `cut` and the words of `rest` after `cut`, with `number` after one word.

    `cut` and `position` (of the word with the number) are fractions of the length, at least 0 and below 1.

    >>> spliced(["a", "b"], ["c", "d", "e", "f"], 0.5, 0.9, 7)
    'a e f7'
    """
    words = front[:int(cut * len(front))] + rest[int(cut * len(rest)):] or [""]
    words[int(position * len(words))] += str(number)
    return " ".join(words)


def joined(rows: Sequence[Row], size: int) -> Iterator[Row]:
    """Join neighbouring rows until every column has at least `size` words. Together, rows have about 6,000 words."""
    made, joining = 0, ("",) * len(rows[0])
    for row in rows:
        joining = tuple(f"{before} {line}" for before, line in zip(joining, row))
        if min(len(line.split()) for line in joining) >= size:
            yield joining
            made, joining = made + 1, ("",) * len(row)
        if made * size >= 6000:
            break


def wrong_pairs(rows: Sequence[Row], _: int) -> Iterator[Row]:
    """Yield each hypothesis (the first column) with the references of the next segment."""
    for (hypothesis, *_references), (_hypothesis, *references) in zip(rows, rows[1:]):
        yield (hypothesis, *references)


def samples(rows: Sequence[Row], size: int) -> Iterator[Row]:
    """Yield `size` different outputs for one segment, each with the segment's reference.

    Like samples of a model, they are similar: each has the beginning of one system's output, the end of another
    system's output, and one or two random words of outputs.
    """
    *outputs, reference = rows[_SAMPLED]
    rng = random.Random(SEED)
    words = [word for output in outputs for word in output.split()]
    made: set[str] = set()
    while len(made) < size:
        cut, position = rng.random(), rng.random()
        sample = spliced(rng.choice(outputs).split(), rng.choice(outputs).split(), cut, position, 0).split()
        sample[int(position * len(sample))] = rng.choice(words)
        if rng.random() < 0.5:
            sample[rng.randrange(len(sample))] = rng.choice(words)
        line = " ".join(sample)
        if line not in made:
            made.add(line)
            yield (line, reference)


def more_systems(rows: Sequence[Row], size: int) -> Iterator[Row]:
    """Yield rows with `size` systems and one reference. Each new system has the outputs of randomly chosen systems."""
    rng = random.Random(SEED)
    for *hypotheses, reference in rows:
        yield (*hypotheses, *rng.choices(hypotheses, k=size - len(hypotheses)), reference)


RECIPES: dict[str, Recipe] = {
    "distinct": distinct,
    "joined": joined,
    "more systems": more_systems,
    "samples": samples,
    "wrong pairs": wrong_pairs,
}


def original_files(corpus: Corpus, data: Path) -> Files:
    """Return the corpus's files in `data` or in its subfolders. Raise `Skipped` if one is missing."""
    language = corpus.pair.split("-")[1]
    stem = f"generaltest2022.{corpus.pair}"
    names = [f"{stem}.hyp.{system}.{language}" for system in corpus.systems]
    names += [f"{stem}.ref.{reference}.{language}" for reference in corpus.references]
    found = {name: path for name in names for path in [data / name, *sorted(data.glob("*/" + name))] if path.is_file()}
    missing = [name for name in names if name not in found]
    if missing:
        raise Skipped(f"no {' and no '.join(missing)} in {data}")
    return with_references([found[name] for name in names], len(corpus.references))


def with_references(paths: Sequence[Path], count: int) -> Files:
    """Return the paths as files of systems and (the last `count` paths) files of references."""
    return Files(tuple(paths[:-count]), tuple(paths[-count:]))


def prepare(corpus: Corpus, data: Path, folder: Path) -> Files:
    """Return the files of a corpus. If it has a recipe, make the files in `folder`, unless they exist.

    Raise `Skipped` if data is missing, and `Failed` if data can't be read or if files differ in length.
    """
    files = original_files(corpus, data)
    if corpus.recipe is None:
        return files
    made = folder / "-".join((corpus.pair, *corpus.systems, *corpus.references, corpus.recipe, str(corpus.size)))
    if not made.exists():
        write_columns(RECIPES[corpus.recipe](read_rows((*files.systems, *files.references)), corpus.size), made)
    return with_references(columns_in(made), len(corpus.references))


def read_rows(paths: Sequence[Path]) -> list[Row]:
    """Return the rows of files of equal length, without trailing white space. Raise `Failed`."""
    try:
        texts = [path.read_bytes().decode("utf-8") for path in paths]
    except (OSError, UnicodeDecodeError) as error:
        raise Failed(f"cannot read the data: {error}") from error
    columns = [[line.rstrip() for line in text.rstrip("\n").split("\n")] for text in texts]
    if len({len(column) for column in columns}) > 1:
        raise Failed(f"{', '.join(path.name for path in paths)} differ in length")
    return list(zip(*columns))


def write_columns(rows: Iterable[Row], folder: Path) -> None:
    """Write rows to a new folder, with a file for each column. (Rows are not kept in memory.)"""
    folder.mkdir()
    with ExitStack() as stack:
        files: list[IO[bytes]] = []
        for row in rows:
            files = files or [stack.enter_context((folder / str(index)).open("wb")) for index, _ in enumerate(row)]
            for file, line in zip(files, row):
                file.write(f"{line}\n".encode())


def columns_in(folder: Path) -> list[Path]:
    """Return the files that `write_columns` has written, in the order of the columns."""
    return sorted(folder.iterdir(), key=lambda path: int(path.name))
