"""Write an archive of the form of FLORES-200, with made-up text, for tests without the real archive.

    python scripts/dev/generate flores_archive FILE [LANGUAGE ...]

Its members are those of the real one: for each language and each of dev and devtest a file of a sentence a line, and
what is told of the sentences. The same languages make the same file. Prints its SHA-256 sum, which is not the one that
the catalogue has: so `purebleu` refuses it, unless the two are made equal, as the tests do.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import random
import tarfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Sequence

from purebleu.datasets import DATASETS

#: The numbers of sentences.
LENGTHS = {"dev": 997, "devtest": 1012}

DOMAINS = ("wikinews", "wikibooks", "wikivoyage")


def main(parser: ArgumentParser) -> int:
    parser.add_argument("file", metavar="FILE", help="such as flores200_dataset.tar.gz")
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help="such as eng_Latn (default: all 204)")
    options = parser.parse_args()
    pairs = DATASETS["flores200/dev"].languages
    content = archive_of(members_of(options.languages or (pairs.languages if pairs else [])))
    Path(options.file).write_bytes(content)
    print(hashlib.sha256(content).hexdigest())
    return 0


def members_of(languages: Sequence[str]) -> dict[str, bytes]:
    """The contents of the members by their names, with text that names its language, and differs a bit between them."""
    members: dict[str, bytes] = {}
    for split, length in LENGTHS.items():
        table = ["URL\tdomain\ttopic\thas_image\thas_hyperlink"]
        for number in range(length):
            document = number // 3
            domain = DOMAINS[document % len(DOMAINS)]
            table.append(f"https://en.{domain}.org/wiki/{document}\t{domain}\ttopic {document % 7}\tno\tyes")
        members[f"flores200_dataset/metadata_{split}.tsv"] = lines(table)
        for language in languages:
            source = random.Random(f"{split} {language}")
            members[f"flores200_dataset/{split}/{language}.{split}"] = lines(
                [f"{language} {number} " + " ".join(f"w{source.randrange(50)}" for _ in range(8)) + "."
                 for number in range(length)])
    return members


def lines(texts: Sequence[str]) -> bytes:
    """The texts, a line each."""
    return "".join([f"{text}\n" for text in texts]).encode()


def archive_of(members: dict[str, bytes]) -> bytes:
    """The archive with these members."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in members.items():
            described = tarfile.TarInfo(f"./{name}")
            described.size = len(content)
            archive.addfile(described, io.BytesIO(content))
    return gzip.compress(packed.getvalue(), 6, mtime=0)
