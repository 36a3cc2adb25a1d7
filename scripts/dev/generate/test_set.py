"""Print a record for the catalogue of test sets, made from archives.

    python scripts/dev/generate test_set [--checksum KIND] NAME URL [URL ...]

Fetches the archives (a URL may also be a path), computes their checksums, and searches their members for files of
language pairs. File extensions decide about the format: WMT's XML, SGML, tab-separated columns, or plain text. Check
the printed record, add a description, and put it into `purebleu/datasets/data/test_sets.txt`. A file that is not an
archive is a member of its own. With `--checksum git`, its checksum is the id that `git ls-tree` prints.

Exit codes: 0 fine, 1 an archive can't be read or has no files of a language pair, 2 wrong usage.
"""

from __future__ import annotations

import io
import re
import sys
import tarfile
import zipfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Sequence

from purebleu.datasets import DATASETS
from purebleu.datasets.archives import file_name
from purebleu.files.download import checksum_of, chunks_of
from purebleu.runtime.errors import PurebleuError

#: Formats by file extension. The first format with files is used.
FORMATS = ((".xml", "xml"), (".sgm", "sgml"), (".tsv", "tsv"), ("", "text"))

#: A language pair in the name of a member: "en-de" or "ende", without letters before or after.
_PAIR = re.compile(r"(?<![a-zA-Z])([a-z]{2,3})-([a-z]{2,3})(?![a-zA-Z])|(?<![a-zA-Z])([a-z]{2})([a-z]{2})(?![a-zA-Z])")


def main(parser: ArgumentParser) -> int:
    parser.add_argument("name", metavar="NAME", help="name of the test set")
    parser.add_argument("urls", nargs="+", metavar="URL", help="its archives (.tar.gz, .tgz, .zip) or single files")
    parser.add_argument("--checksum", choices=("md5", "sha256", "git"), default="md5", metavar="KIND",
                        help="md5 (default), sha256, or git (the id of a file in a git repository)")
    options = parser.parse_args()
    members: list[str] = []
    checksums = {}
    try:
        for url in options.urls:
            content = b"".join(chunks_of(url if "://" in url else Path(url).resolve().as_uri()))
            checksum = checksum_of(io.BytesIO(content), options.checksum)
            checksums[url] = checksum if options.checksum == "md5" else f"{options.checksum}:{checksum}"
            members += members_of(content, url) or [f"{file_name(options.name)}.{Path(url).name}"]
    except (PurebleuError, OSError, ValueError, tarfile.TarError, zipfile.BadZipFile) as error:
        print(f"{url}: {str(error).partition(chr(10))[0]}", file=sys.stderr)
        return 1
    form, patterns = find_patterns(members)
    if not patterns:
        print(f"none of {len(members)} members has a language pair in its name", file=sys.stderr)
        return 1
    print(record(options.name, form, checksums, patterns))
    return 0


def members_of(content: bytes, url: str) -> list[str]:
    """Return the names of the files in an archive. The list is empty if the URL is not that of an archive."""
    if not url.endswith((".zip", ".tgz", ".tar.gz")):
        return []
    file = io.BytesIO(content)
    if url.endswith(".zip"):
        names = [name for name in zipfile.ZipFile(file).namelist() if not name.endswith("/")]
    else:
        with tarfile.open(fileobj=file) as archive:
            names = [member.name for member in archive if member.isreg()]
    return [name[2:] if name.startswith("./") else name for name in names]


def find_patterns(members: Sequence[str]) -> tuple[str, dict[str, list[str]]]:
    """Return the format, and for each pattern of file names the language pairs that have such files.

    >>> find_patterns(["t/x-deen-src.de.sgm", "t/x-deen-ref.en.sgm", "t/readme.txt"])
    ('sgml', {'t/x-{s}{t}-src.{s}.sgm t/x-{s}{t}-ref.{t}.sgm': ['de-en']})
    """
    for ending, form in FORMATS:
        files: dict[str, list[str]] = {}
        for member in members:
            for source, target in pairs_in(member.rpartition("/")[2])[:1] if member.endswith(ending) else []:
                files.setdefault(f"{source}-{target}", []).append(generalized(member, source, target))
        patterns: dict[str, list[str]] = {}
        for name, found in files.items():
            if form in ("xml", "tsv") or len(found) > 1:
                patterns.setdefault(" ".join(source_first(found)), []).append(name)
        if patterns:
            return form, patterns
    return "", {}


def pairs_in(name: str) -> list[tuple[str, str]]:
    """Return the language pairs in the name of a file. Both languages have to be in the catalogue.

    >>> pairs_in("newstest-ende-src.en.sgm"), pairs_in("test.liv-en.all.xml")
    ([('en', 'de')], [('liv', 'en')])
    """
    known = {language for test_set in DATASETS.values() if not test_set.languages
             for pair in test_set.langpairs for language in pair.split("-")}
    found = [(pair.group(1) or pair.group(3), pair.group(2) or pair.group(4)) for pair in _PAIR.finditer(name)]
    return [(source, target) for source, target in found if source in known and target in known]


def generalized(member: str, source: str, target: str) -> str:
    """Return the member's name with placeholders for its languages.

    >>> generalized("test/news-ende-src.en.sgm", "en", "de")
    'test/news-{s}{t}-src.{s}.sgm'
    """
    pattern = re.sub(rf"(?<![a-zA-Z]){source}(-?){target}(?![a-zA-Z])", r"{s}\1{t}", member)
    pattern = re.sub(rf"(?<![a-zA-Z{{]){source}(?![a-zA-Z}}])", "{s}", pattern)
    return re.sub(rf"(?<![a-zA-Z{{]){target}(?![a-zA-Z}}])", "{t}", pattern)


def source_first(patterns: Sequence[str]) -> list[str]:
    """Return the patterns sorted, those of sources first."""
    return sorted(patterns, key=lambda pattern: (not re.search(r"src|\.\{s\}(\.|$)", pattern), pattern))


def record(name: str, form: str, checksums: dict[str, str], patterns: dict[str, list[str]]) -> str:
    """Return the text of the record."""
    lines = [f"[{name}]", "description:", f"format: {form}"]
    lines += [f"archive: {url} {checksum}" for url, checksum in checksums.items()]
    for pattern, pairs in patterns.items():
        lines += [f"files: {' '.join(pairs)}", *[f"  {member}" for member in pattern.split()]]
    return "\n".join(lines)
