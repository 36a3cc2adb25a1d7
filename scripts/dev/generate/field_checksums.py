"""Write SHA-256 sums of texts into the catalogue of test sets, for all sets whose archives are in a folder.

    python scripts/dev/generate field_checksums FOLDER [FOLDER ...]

Archives are found by their checksums, so their names have no effect. A test set is converted (in a temporary cache) if
all its archives are in the folders, or if it is part of the package. Of test sets that pair all their languages, the
pairs whose files are in the folders are converted. Sums of other test sets, and the rest of
`purebleu/datasets/data/test_sets.txt`, do not change. Nothing is fetched.

Exit codes: 0 fine, 1 an archive can't be converted, 2 wrong usage.
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Iterable, Mapping, Sequence

from purebleu.datasets import DATASETS, TestSet
from purebleu.files.download import checksum_of, fetching
from purebleu.runtime.errors import PurebleuError

#: For each language pair, the sum of each field by its name.
Sums = Mapping[str, Mapping[str, str]]

TARGET = Path(__file__).resolve().parents[3] / "purebleu" / "datasets" / "data" / "test_sets.txt"


def main(parser: ArgumentParser) -> int:
    parser.add_argument("folders", nargs="+", metavar="FOLDER", help="a folder with archives, also in subfolders")
    options = parser.parse_args()
    there = archives_below(map(Path, options.folders))
    head, *records = TARGET.read_text(encoding="utf-8").split("\n[")
    texts = dict([record.split("]\n", 1) for record in records])
    try:
        for name, test_set in DATASETS.items():
            pairs = pairs_of(test_set, there)
            if pairs:
                sums = sums_of(test_set, pairs, there)
                texts[name] = with_sums(texts[name], sums)
                print(f"{name}: {len(sums)} language pairs")
    except PurebleuError as error:
        print(error, file=sys.stderr)
        return 1
    TARGET.write_text("\n[".join([head, *[f"{name}]\n{text}" for name, text in texts.items()]]), encoding="utf-8")
    return 0


def archives_below(folders: Iterable[Path]) -> dict[str, Path]:
    """Return the files in the folders and their subfolders, by each checksum that the catalogue may have."""
    found: dict[str, Path] = {}
    for path in [path for folder in folders for path in folder.rglob("*") if path.is_file()]:
        content = path.read_bytes()
        for kind, start in (("md5", ""), ("sha256", "sha256:"), ("git", "git:")):
            found[start + checksum_of(io.BytesIO(content), kind)] = path
    return found


def pairs_of(test_set: TestSet, archives: Mapping[str, Path]) -> list[str]:
    """Return the language pairs of a test set that can be converted. `archives` has the archives by checksum."""
    def are_there(needed: Iterable[tuple[str, str]]) -> bool:
        return all(checksum in archives for _, checksum in needed)

    if test_set.languages and any(checksum in archives for _, checksum in test_set.archives):
        return [pair for pair in test_set.langpairs if are_there(test_set.archives_of(pair))]
    return list(test_set.langpairs) if are_there(test_set.archives) else []


def sums_of(test_set: TestSet, pairs: Sequence[str], archives: Mapping[str, Path]) -> Sums:
    """Convert some pairs of a test set; return the sums of their fields. `archives` has the archives by checksum."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PUREBLEU_CACHE"] = os.path.join(folder, "cache")
        mirror = Path(folder, "mirror")
        for url, checksum in {archive for pair in pairs for archive in test_set.archives_of(pair)}:
            path = mirror / url.split("://")[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archives[checksum].read_bytes())
        with fetching(str(mirror), True):
            return {langpair: {field: hashlib.sha256(Path(path).read_bytes()).hexdigest()
                               for field, path in test_set.files(langpair).items()} for langpair in pairs}


def with_sums(record: str, sums: Sums) -> str:
    """Return the text of a record with new sums. They replace its sums of the same language pairs.

    >>> with_sums("format: text\\nsums: en-fr\\n  src 56\\n", {"de-en": {"src": "12"}})
    'format: text\\nsums: de-en\\n  src 12\\nsums: en-fr\\n  src 56\\n'
    """
    others, *own = record.rstrip().split("\nsums: ")
    blocks = {block.partition("\n")[0]: block for block in own}
    for pair, fields in sums.items():
        blocks[pair] = "\n".join([pair, *[f"  {field} {checksum}" for field, checksum in fields.items()]])
    return "\nsums: ".join([others, *[blocks[pair] for pair in sorted(blocks)]]) + record[len(record.rstrip()):]
