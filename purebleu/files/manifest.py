"""Manifests: tables of the outputs and references of several language pairs."""

from __future__ import annotations

import os

from ..errors import PurebleuError
from ..hints import Sequence
from .opening import HYPOTHESES, REFERENCES, kind_of
from .records import READERS, read_columns

#: The columns of a manifest: the name, the role, and whether the column may be missing.
_MANIFEST_COLUMNS = (("name", HYPOTHESES, False), ("pair", HYPOTHESES, False), ("references", REFERENCES, False),
                     ("hypothesis", HYPOTHESES, False), ("source", HYPOTHESES, True))

#: The separator between files of references in one field.
_BETWEEN_FILES = ";"


class ManifestPair:
    """The systems of a language pair.

    Attributes:
        pair: the name of the language pair, such as `en-de`.
        references: the files of references.
        names: the names of the systems, in the order of the table.
        hypotheses: the file of each system.
        scores: the files of external scores of each system, by the names of their columns.
        source: the file of the source; empty if there is none.
    """

    def __init__(self, pair: str, references: Sequence[str], source: str) -> None:
        self.pair = pair
        self.references = references
        self.source = source
        self.names: list[str] = []
        self.hypotheses: list[str] = []
        self.scores: list[dict[str, str]] = []


def read_manifest(path: str, encoding: str = "utf-8", scores: Sequence[str] = ()) -> list[ManifestPair]:
    """Return the language pairs in a manifest, in the order in which they first appear.

    Args:
        path: the path of a table (`.tsv`, `.csv` or `.jsonl`). The columns are `name` (of the system), `pair`,
            `references` (files, separated by semicolons; in JSON Lines also a list), `hypothesis` (a file), and maybe
            `source` (a file). Files are relative to the folder of the table.
        encoding: the encoding of the table.
        scores: the names of further columns, which have files of external scores.

    Raises:
        PurebleuError: the table can't be read, a field is empty, a system has two outputs for a pair, or a pair has two
            sets of references or two sources.
    """
    kind = kind_of(path)
    if kind not in READERS:
        raise PurebleuError(f"{path}: a manifest is a table whose name ends in .tsv, .csv or .jsonl")
    pairs: dict[str, ManifestPair] = {}
    folder = os.path.dirname(path)
    columns = [*_MANIFEST_COLUMNS, *[(name, HYPOTHESES, False) for name in scores]]
    records = zip(*read_columns(path, kind, encoding, columns))
    for number, (name, pair, references, hypothesis, source, *score_files) in enumerate(records, 1):
        where = f"{path}: system {number}"
        if isinstance(references, str):
            references = references.split(_BETWEEN_FILES)
        files = [(file or "").strip() for file in references or []]
        for column, value in (("name", name), ("pair", pair), ("references", all(files) and files),
                              ("hypothesis", hypothesis), *zip(scores, score_files)):
            if not value:
                raise PurebleuError(f"{where} has no {column}")
        files = [_path_of(folder, file, where) for file in files]
        hypothesis, source, *score_files = [_path_of(folder, file, where)
                                            for file in (hypothesis, source, *score_files)]
        listed = pairs.setdefault(pair, ManifestPair(pair, files, source))
        if listed.source != source:
            raise PurebleuError(f"{where}: the source of {pair} is not the same as in the rows above")
        if listed.references != files:
            raise PurebleuError(f"{where}: the references of {pair} are not the same as in the rows above")
        if name in listed.names:
            raise PurebleuError(f"{where}: {name} already has an output for {pair}")
        listed.names.append(name)
        listed.hypotheses.append(hypothesis)
        listed.scores.append(dict(zip(scores, score_files)))
    if not pairs:
        raise PurebleuError(f"{path}: the manifest has no systems")
    return list(pairs.values())


def _path_of(folder: str, file: str, where: str) -> str:
    """Return the path of a file in the folder of the table; empty if the name is empty."""
    if "\0" in file:
        raise PurebleuError(f"{where}: {file!r:.80} has a NUL character, which no file name can have")
    return file and os.path.join(folder, file)
