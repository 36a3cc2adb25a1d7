"""An archive in the format of FLORES-200 with made-up text, for tests that do not have the real archive.

It has the members of the real archive: for dev and devtest, a file of sentences in each language, and a table about the
sentences. The same languages give the same archive. Its checksum differs from the checksum in the catalogue.
"""

from __future__ import annotations

import gzip
import io
import random
import tarfile
from typing import Sequence

#: The numbers of sentences.
LENGTHS = {"dev": 997, "devtest": 1012}

DOMAINS = ("wikinews", "wikibooks", "wikivoyage")


def members_of(languages: Sequence[str]) -> dict[str, bytes]:
    """Return the contents of the members by name. Each sentence begins with its language and its number."""
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
    """Return the texts as lines."""
    return "".join([f"{text}\n" for text in texts]).encode()


def archive_of(members: dict[str, bytes]) -> bytes:
    """Return an archive with these members."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in members.items():
            described = tarfile.TarInfo(f"./{name}")
            described.size = len(content)
            archive.addfile(described, io.BytesIO(content))
    return gzip.compress(packed.getvalue(), 6, mtime=0)
