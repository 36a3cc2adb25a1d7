"""Bundles: converted test sets, and models, in one file, for machines without a network.

A bundle is a ZIP archive. Its member `bundle.json` says which fields of which language pairs it has, and which models,
with the SHA-256 sum of each; each field and each model is a member of its own. Nothing in it names a path: where files
go, the catalogues say.
"""

from __future__ import annotations

import io
import os

from ..cache import read_whole, write_whole
from ..errors import PurebleuError
from ..models import check_model, get_model, model_path, store_model
from .archives import Capped, errors_of_archives
from .testsets import get_test_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Sequence
    from zipfile import ZipFile

    from .testsets import TestSet

_CONTENTS = "bundle.json"
_VERSION = 1


def write_bundle(path: str, chosen: Sequence[tuple[TestSet, str]], models: Sequence[str] = ()) -> None:
    """Write a bundle of these language pairs of test sets, and of these models; they are fetched if need be."""
    errors_of_archives(path)  # it may not be possible to write one
    contents: list[dict[str, Any]] = []
    files = []
    for test_set, langpair in chosen:
        fields = {}
        for field, source in test_set.files(langpair).items():
            content = read_whole(source)
            fields[field] = _checksum(content)
            files.append((_member(test_set.name, langpair, field), content))
        contents.append({"test_set": test_set.name, "langpair": langpair, "fields": fields})
    for model in models:
        get_model(model)
        content = read_whole(model_path(model))
        contents.append({"model": model, "checksum": _checksum(content)})
        files.append((_model_member(model), content))
    write_whole(os.path.abspath(path), lambda file: _write(file, contents, files))


def _write(file: IO[bytes], contents: list[dict[str, Any]], files: list[tuple[str, bytes]]) -> None:
    import json
    import zipfile

    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        described = json.dumps({"version": _VERSION, "contents": contents}, indent=1)
        # (Without a date, the same test sets make the same bundle.)
        for member, content in [(_CONTENTS, described.encode()), *files]:
            archive.writestr(zipfile.ZipInfo(member), content, zipfile.ZIP_DEFLATED)


def read_bundle(path: str) -> list[str]:
    """Put what a bundle has into the cache, once all of it is verified; returns what that is."""
    import zipfile

    # The first ones are raised where its description is odd.
    damage: tuple[type[Exception], ...] = (
        AttributeError, LookupError, TypeError, ValueError, *errors_of_archives(path))
    try:
        with zipfile.ZipFile(path) as archive:
            described = _described(archive)
            models = [(entry["model"], _verified_model(archive, entry)) for entry in described if "model" in entry]
            pairs = [_verified_pair(archive, entry) for entry in described if "model" not in entry]
    except PurebleuError as error:
        raise PurebleuError(f"{path}: {error}") from error
    except damage as error:
        reason = getattr(error, "strerror", None) or f"not a bundle, or damaged ({error})"
        raise PurebleuError(f"{path}: {reason}") from error
    for name, content in models:
        store_model(name, content)
    for test_set, langpair, fields in pairs:
        test_set.store(langpair, fields)
    return [*[f"{test_set.name} {langpair}" for test_set, langpair, _ in pairs], *[name for name, _ in models]]


def _described(archive: ZipFile) -> list[dict[str, Any]]:
    """What a bundle says that it has."""
    import json

    with archive.open(_CONTENTS) as stream:
        described = json.loads(Capped(stream).read())
    if not isinstance(described, dict) or described.get("version") != _VERSION:
        raise PurebleuError("it is not a bundle of a kind that this version of purebleu knows")
    contents: list[dict[str, Any]] = described["contents"]
    return contents


def _verified_pair(archive: ZipFile, entry: dict[str, Any]) -> tuple[TestSet, str, dict[str, list[str]]]:
    """The fields of a language pair of a test set, as lines."""
    test_set, langpair = get_test_set(entry["test_set"]), entry["langpair"]
    test_set.check_pair(langpair)
    fields = {}
    for field, checksum in entry["fields"].items():
        content = _verified(archive, _member(test_set.name, langpair, field), checksum)
        *fields[field], rest = content.decode("utf-8").split("\n")
        if rest:
            raise PurebleuError(f"{test_set.name}/{langpair}: the last line of {field} has no end")
    test_set.check_fields(langpair, fields)
    return test_set, langpair, fields


def _verified_model(archive: ZipFile, entry: dict[str, Any]) -> bytes:
    """The content of a model's file."""
    name = entry["model"]
    content = _verified(archive, _model_member(name), entry["checksum"])
    model_path(name)
    check_model(io.BytesIO(content))
    return content


def _verified(archive: ZipFile, member: str, checksum: str) -> bytes:
    """The content of a member that has this SHA-256 sum."""
    with archive.open(member) as stream:
        content = Capped(stream).read()
    if _checksum(content) != checksum:
        raise PurebleuError(f"{member} is damaged")
    return content


def _member(name: str, langpair: str, field: str) -> str:
    return f"{name}/{langpair}/{field}"


def _model_member(name: str) -> str:
    return f"models/{name}"


def _checksum(content: bytes) -> str:
    import hashlib

    return hashlib.sha256(content).hexdigest()
