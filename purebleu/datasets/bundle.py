"""Bundles: single files with converted test sets and models, for machines without a network.

A bundle is a ZIP archive. A bundle's member `bundle.json` lists the models, and the fields of language pairs, each with
its SHA-256 sum. Each model and each field is a member. A bundle contains no paths: the catalogues of test sets and
models decide where files are put.

If a bundle also contains this package, Python can run the bundle as a program (`runtime.program`).
"""

from __future__ import annotations

import io
import os
from contextlib import contextmanager

from ..engines.sentencepiece.published import MAX_BYTES as MAX_BYTES_OF_MODELS
from ..engines.sentencepiece.published import check_model, model_is_at_hand, model_path, published_content, record_sum
from ..files.download import checksum_of, sha256_of
from ..files.opening import check_end, check_expansion
from ..files.writing import read_whole, store, write_named, writer_of
from ..runtime.errors import PurebleuError
from ..runtime.hints import Any, BinaryFile, Callable, Iterator, Sequence
from ..runtime.program import CONTENTS, SHEBANG, program_files
from .archives import Capped, errors_of_archives, folder_of
from .described import CACHED_DESCRIPTION, DescribedSet, described_by
from .registry import DATASETS
from .testset import TestSet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zipfile import ZipFile

_VERSION = 1

#: The largest number of bytes of all unpacked members, and of the description or the archive's list of members.
_MAX_UNPACKED = 4 << 30
_MAX_LISTED = 4 << 20

_CHUNK = 1 << 16


def write_bundle(path: str, chosen: Sequence[tuple[TestSet, str]], models: Sequence[str] = (),
                 with_program: bool = False) -> str:
    """Write a bundle. Contents that the cache lacks are fetched.

    Args:
        path: the path of the bundle.
        chosen: test sets, each with a language pair.
        models: names of models.
        with_program: whether the bundle also contains this program.

    Returns:
        The SHA-256 sum of the bundle.

    Raises:
        PurebleuError: a test set or a model can't be fetched, or the file can't be written.
    """
    errors_of_archives(path)  # (this call raises an error if this Python can't compress)
    contents: list[dict[str, Any]] = []
    files: list[tuple[str, bytes]] = list(program_files()) if with_program else []
    for test_set, langpair in dict.fromkeys(chosen):
        fields: dict[str, str] = {}
        for field, source in zip(test_set.fieldnames(langpair), test_set.get_files(langpair)):
            content = read_whole(source)
            fields[field] = sha256_of(content)
            files.append((f"{test_set.name}/{langpair}/{field}", content))
        contents.append({"test_set": test_set.name, "langpair": langpair, "fields": fields})
        if isinstance(test_set, DescribedSet):
            contents[-1]["description"] = test_set.text.decode("utf-8")
    for model in dict.fromkeys(models):
        content = published_content(model)
        contents.append({"model": model, "checksum": sha256_of(content)})
        files.append((f"models/{model}", content))
    checksums: list[str] = []
    start = SHEBANG if with_program else b""
    write_named(path, lambda file: checksums.append(_write(file, contents, files, start)))
    if with_program and os.path.isfile(path):
        mode = os.stat(path).st_mode
        os.chmod(path, mode | (mode & 0o444) >> 2)  # (everyone who may read the file may now run it)
    return checksums[-1]


def _write(file: BinaryFile, contents: list[dict[str, Any]], files: list[tuple[str, bytes]], start: bytes) -> str:
    """Write the bytes `start` and then the archive; return the SHA-256 sum of the whole file."""
    import json
    import zipfile

    file.write(start)
    archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
    try:
        described = json.dumps({"version": _VERSION, "contents": contents}, indent=1)
        # (All members have the same date, so bundles with the same contents have the same bytes.)
        for member, content in [(CONTENTS, described.encode()), *files]:
            info = zipfile.ZipInfo(member)
            info.create_system = 3  # (3 is Unix: the bytes are the same on all systems)
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
        archive.close()
    except BaseException:
        # (`fp` is replaced, because `zipfile` writes to `fp` when the archive is freed, even after Ctrl-C.)
        if archive.fp is not None:  # (`fp` is `None` if `close` has failed)
            archive.fp = io.BytesIO()
        raise
    file.seek(0)
    return checksum_of(file, "sha256")


def read_bundle(path: str, checksum: str | None = None, stores: bool = True) -> list[str]:
    """Verify all contents of a bundle, and then put them into the cache.

    Args:
        path: the path of the bundle.
        checksum: the expected SHA-256 sum of the bundle, in hexadecimal digits; `None`: any.
        stores: whether the contents are put into the cache.

    Returns:
        The names of the contents, models last.

    Raises:
        PurebleuError: the file has another checksum or is no bundle, or its contents differ from its description.
    """
    return list(map(_name, sorted(_read(path, checksum, stores=stores), key=lambda entry: "model" in entry)))


class Contents:
    """The contents of a bundle, in the order of its description.

    Attributes:
        pairs: names of test sets, each with a language pair.
        models: names of models.
    """

    def __init__(self, described: Sequence[dict[str, Any]]) -> None:
        self.pairs: list[tuple[str, str]] = [(entry["test_set"], entry["langpair"]) for entry in described
                                             if "model" not in entry]
        self.models: list[str] = [entry["model"] for entry in described if "model" in entry]

    def __str__(self) -> str:
        return ", ".join([*[" ".join(pair) for pair in self.pairs], *self.models]) or "nothing"


def contents_of(path: str) -> Contents:
    """Return the contents that a bundle's description lists. Other members of the bundle are not read.

    Raises:
        PurebleuError: the file can't be read, or is no bundle.
    """
    with _archive_of(path) as archive:
        return Contents(_described(archive))


def examine_bundle(path: str) -> tuple[Contents, list[str]]:
    """Verify all members of a bundle, including the files of a program. Damaged members do not end the check.

    Returns:
        The valid contents, and an error for each invalid content and for each other damaged member.

    Raises:
        PurebleuError: the file can't be read, or is no bundle, or its description is damaged.
    """
    with _archive_of(path) as archive:
        described = _described(archive)
        members = _Members(archive)
        damage: tuple[type[Exception], ...] = (PurebleuError, *errors_of_archives(path))
        whole: list[dict[str, Any]] = []
        errors: list[str] = []
        for entry in described:
            try:
                _verify(members, entry)
                whole.append(entry)
            except damage as error:
                errors.append(f"{_name(entry)}: {error}")
        held = {CONTENTS}.union(*map(_members_of, described))
        for name in [name for name in archive.namelist() if name not in held]:
            try:
                members.read(name)
            except damage as error:
                errors.append(f"{name}: {error}")
    return Contents(whole), errors


def read_missing(path: str, names: Sequence[str]) -> None:
    """Put the contents with these names from a bundle into the cache, except contents that the cache already has."""
    _read(path, None, lambda entry: _name(entry) in names and not _is_at_hand(entry))


def _is_at_hand(entry: dict[str, Any]) -> bool:
    """Return whether the cache has the content of an entry: a model, or a language pair of a test set."""
    if "model" in entry:
        return model_is_at_hand(entry["model"])
    return _set_of(entry).stored(entry["langpair"]).find() is not None


def _read(path: str, checksum: str | None,
          is_wanted: Callable[[dict[str, Any]], bool] = lambda _: True, stores: bool = True) -> list[dict[str, Any]]:
    """Verify the wanted contents of a bundle, put them into the cache if `stores` is true, and return their entries."""
    with _archive_of(path, checksum) as archive:
        wanted = list(filter(is_wanted, _described(archive)))
        members = _Members(archive)
        for entry in wanted:
            _verify(members, entry)
        members = _Members(archive)
        for entry in wanted if stores else ():
            _store(members, entry)
    return wanted


@contextmanager
def _archive_of(path: str, checksum: str | None = None) -> Iterator[ZipFile]:
    """Context manager: opens the archive of a bundle, and checks the SHA-256 sum of the file if `checksum` is set."""
    import zipfile

    # (A description with an unexpected structure causes one of the first four errors of this tuple.)
    damage: tuple[type[Exception], ...] = (
        AttributeError, LookupError, TypeError, ValueError, *errors_of_archives(path))
    try:
        check_end(path)
        with _File(path) as file:
            actual = checksum and checksum_of(file, "sha256")
            if checksum and actual != checksum.lower():
                raise PurebleuError(f"the SHA-256 sum of the file is {actual}, but {checksum.lower()} is expected")
            with zipfile.ZipFile(file) as archive:
                yield archive
    except PurebleuError as error:
        raise PurebleuError(f"{path}: {error}") from error
    except damage as error:
        reason = getattr(error, "strerror", None) or f"the file is not a bundle, or is damaged ({error})"
        raise PurebleuError(f"{path}: {reason}") from error


class _File(io.FileIO):
    """A file that refuses very large reads. (`zipfile` reads the whole list of members at once.)"""

    def read(self, size: int | None = -1) -> bytes:
        if size is not None and size > _MAX_LISTED:
            raise PurebleuError("the file has more members than a bundle can have")
        return super().read(size)


class _Members:
    """The members of a bundle, whose total size is limited."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        assert archive.fp is not None, "the archive is open"
        self._size = os.fstat(archive.fp.fileno()).st_size
        self._unpacked = 0

    def writer(self, name: str, checksum: str) -> Callable[[BinaryFile], object]:
        """Return a function that writes the content of a member to a file."""
        return lambda file: file.write(self.read(name, checksum))

    def read(self, name: str, checksum: str | None = None, *limit: Any) -> bytes:
        """Return the content of a member; raises `PurebleuError` if its SHA-256 sum is not `checksum` (`None`: any).

        `limit` has further arguments for `Capped`. (Without `checksum`, only the CRC-32 in the archive is checked.)
        """
        pieces: list[bytes] = []
        with _open_member(self._archive, name) as stream:
            capped = Capped(stream, *limit)
            while piece := capped.read(_CHUNK):
                self._unpacked += len(piece)
                check_expansion("it", self._unpacked, self._size)
                if self._unpacked > _MAX_UNPACKED:
                    raise PurebleuError(f"the unpacked members have more than {_MAX_UNPACKED >> 30} GB, too much for "
                                        "a bundle")
                pieces.append(piece)
        content = b"".join(pieces)
        if checksum is not None and sha256_of(content) != checksum:
            raise PurebleuError(f"{name} is damaged")
        return content


def _open_member(archive: ZipFile, name: str) -> BinaryFile:
    import zipfile

    # (If a member has another method of compression, `zipfile` decompresses the whole member at once.)
    if archive.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise PurebleuError(f"{name} is compressed in a way that bundles do not use")
    return archive.open(name)


# Entries of the description


def _described(archive: ZipFile) -> list[dict[str, Any]]:
    """Return the entries of a bundle's description."""
    import json

    with _open_member(archive, CONTENTS) as stream:
        content = json.loads(Capped(stream, _MAX_LISTED, "list of a bundle's contents").read())
    described: dict[str, Any] = content if isinstance(content, dict) else {}  # pyright: ignore  # JSON has keys of text
    if described.get("version") != _VERSION:
        raise PurebleuError(f"this version of purebleu reads only bundles of version {_VERSION}: make a new bundle")
    return list({_name(entry): entry for entry in described["contents"]}.values())


def _name(entry: dict[str, Any]) -> str:
    """Return the name of an entry's content: a test set and its language pair, or a model."""
    return str(entry["model"]) if "model" in entry else f"{entry['test_set']} {entry['langpair']}"


def _set_of(entry: dict[str, Any]) -> TestSet:
    """Return the test set of an entry: a test set of the catalogue, or the test set that the entry itself describes."""
    if "description" not in entry:
        # (A key that `DATASETS` looks up may be the path of a file, but a bundle must not choose which files are read.)
        if entry["test_set"] not in DATASETS:
            raise PurebleuError(f"there is no test set {entry['test_set']!r:.40} in the catalogue")
        return DATASETS[entry["test_set"]]
    described = described_by(entry["description"].encode("utf-8"), entry["test_set"])
    if described.name != entry["test_set"]:
        raise PurebleuError(f"the description in the bundle describes another test set, {described.name}")
    return described


def _members_of(entry: dict[str, Any]) -> dict[str, str]:
    """Return the names of an entry's members, each with its checksum. A model has one member, and a field has one."""
    if "model" in entry:
        return {f"models/{entry['model']}": entry["checksum"]}
    start = f"{entry['test_set']}/{entry['langpair']}"
    return {f"{start}/{field}": checksum for field, checksum in entry["fields"].items()}


def _verify(members: _Members, entry: dict[str, Any]) -> None:
    """Check that the model or the language pair of an entry exists, and that the entry's members are valid.

    Raises `PurebleuError`, or another error that `_archive_of` converts to `PurebleuError`.
    """
    if "model" in entry:
        model_path(entry["model"])  # (this call raises an error if the model is unknown)
        [(name, checksum)] = _members_of(entry).items()
        content = members.read(name, checksum, MAX_BYTES_OF_MODELS, "model")
        check_model(entry["model"], io.BytesIO(content))
        return
    stored = _set_of(entry).stored(entry["langpair"])
    lengths: dict[str, int] = {}
    for field, (name, checksum) in zip(entry["fields"], _members_of(entry).items()):
        content = members.read(name, checksum)
        content.decode("utf-8")
        if not content.endswith(b"\n"):
            raise PurebleuError(f"the last line of {field} has no line feed")
        lengths[field] = content.count(b"\n")
    stored.check(lengths, entry["fields"])


def _store(members: _Members, entry: dict[str, Any]) -> None:
    """Verify the contents that an entry describes, and store them in the cache."""
    if "model" in entry:
        [(name, checksum)] = _members_of(entry).items()
        store(model_path(entry["model"]), members.writer(name, checksum))
        record_sum(entry["model"], checksum)
        return
    test_set = _set_of(entry)
    if isinstance(test_set, DescribedSet):
        store(os.path.join(folder_of(test_set.name), CACHED_DESCRIPTION), writer_of(test_set.text))
    writers = {field: members.writer(name, checksum)
               for field, (name, checksum) in zip(entry["fields"], _members_of(entry).items())}
    test_set.stored(entry["langpair"]).write(writers, entry["fields"])
