"""An archive of the form of FLORES-200, with made-up text, for tests where the real one is not at hand.

Its members are those of the real one: for each language and each of dev and devtest a file of a sentence a line, and
what is told of the sentences. The same languages make the same file. Its checksum is not the one in the catalogue.
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
