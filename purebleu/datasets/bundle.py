"""Bundles: converted test sets in one file, for machines without a network.

A bundle is a ZIP archive. Its member `bundle.json` says which fields of which language pairs it has, with the SHA-256
sum of each; each field is a member of its own. Nothing in it names a path: where files go, the catalogue says.
"""

from __future__ import annotations

import os

from ..errors import PurebleuError
from .archives import Capped
from .cache import write_whole
from .testsets import get_test_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Sequence
    from zipfile import ZipFile

    from .testsets import TestSet

_CONTENTS = "bundle.json"
_VERSION = 1


def write_bundle(path: str, chosen: Sequence[tuple[TestSet, str]]) -> None:
    """Write a bundle of these language pairs of test sets, which are fetched if need be."""
    contents = []
    files = []
    for test_set, langpair in chosen:
        fields = {}
        for field, source in test_set.files(langpair).items():
            with open(source, "rb") as stream:
                content = stream.read()
            fields[field] = _checksum(content)
            files.append((_member(test_set.name, langpair, field), content))
        contents.append({"test_set": test_set.name, "langpair": langpair, "fields": fields})
    write_whole(os.path.abspath(path), lambda file: _write(file, contents, files))


def _write(file: IO[bytes], contents: list[dict[str, Any]], files: list[tuple[str, bytes]]) -> None:
    import json
    import zipfile

    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        described = json.dumps({"version": _VERSION, "contents": contents}, indent=1)
        # (Without a date, the same test sets make the same bundle.)
        for member, content in [(_CONTENTS, described.encode()), *files]:
            archive.writestr(zipfile.ZipInfo(member), content, zipfile.ZIP_DEFLATED)


def read_bundle(path: str) -> list[tuple[str, str]]:
    """Put what a bundle has into the cache, once all of it is verified; returns the test sets and language pairs."""
    import zipfile
    import zlib

    try:
        with zipfile.ZipFile(path) as archive:
            verified = _verified(archive)
    except (EOFError, OSError, NotImplementedError, zipfile.BadZipFile, zlib.error,
            AttributeError, LookupError, TypeError, ValueError) as error:  # the latter where its description is odd
        if isinstance(error, PurebleuError):
            raise PurebleuError(f"{path}: {error}") from error
        reason = getattr(error, "strerror", None) or f"not a bundle, or damaged ({error})"
        raise PurebleuError(f"{path}: {reason}") from error
    for test_set, langpair, fields in verified:
        test_set.store(langpair, fields)
    return [(test_set.name, langpair) for test_set, langpair, _ in verified]


def _verified(archive: ZipFile) -> list[tuple[TestSet, str, dict[str, list[str]]]]:
    """The fields that a bundle has, as lines."""
    import json

    described = json.loads(_read(archive, _CONTENTS))
    if not isinstance(described, dict) or described.get("version") != _VERSION:
        raise PurebleuError("it is not a bundle of a kind that this version of purebleu knows")
    verified = []
    for entry in described["contents"]:
        test_set = get_test_set(entry["test_set"])
        test_set.check_pair(entry["langpair"])
        fields = {}
        for field, checksum in entry["fields"].items():
            content = _read(archive, _member(test_set.name, entry["langpair"], field))
            if _checksum(content) != checksum:
                raise PurebleuError(f"{test_set.name}/{entry['langpair']}: {field} is damaged")
            fields[field] = content.decode("utf-8").split("\n")[:-1]
        test_set.check_fields(entry["langpair"], fields)
        verified.append((test_set, entry["langpair"], fields))
    return verified


def _read(archive: ZipFile, member: str) -> bytes:
    with archive.open(member) as stream:
        return Capped(stream).read()


def _member(name: str, langpair: str, field: str) -> str:
    return f"{name}/{langpair}/{field}"


def _checksum(content: bytes) -> str:
    import hashlib

    return hashlib.sha256(content).hexdigest()
