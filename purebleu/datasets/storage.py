"""Store the fields of test sets in the cache, in files with sacreBLEU's names, and find and verify these files."""

from __future__ import annotations

import os
from functools import cached_property

from ..errors import PurebleuError
from ..files.download import cache_folder, read_cached
from ..files.writing import store, writer_of
from ..hints import Callable, Iterable, Mapping, Sequence
from ..runtime.program import own_file
from .catalogue import Record

#: Characters that the name of a field can't contain, because the name becomes part of a file name and of a line in the
#: list of fields.
_SEPARATORS = frozenset("/\\\0\t\n")

#: The end of the name of the file that lists the fields of a pair. (Files of fields end with the field's name instead.)
_LISTING = "fields.purebleu"


def file_name(name: str) -> str:
    """Return the text with which the names of a test set's files begin."""
    return name.replace("/", "_")


def folder_of(name: str) -> str:
    """Return the folder of a test set in the cache."""
    return os.path.join(cache_folder(), *name.split("/"))


def stored_pairs(name: str) -> list[str]:
    """Return the sorted language pairs of a test set for which the cache has a list of fields. Lists are not read."""
    start, end = f"{file_name(name)}.", f".{_LISTING}"
    try:
        files = os.listdir(folder_of(name))
    except (OSError, PurebleuError):
        return []
    return sorted(file[len(start):-len(end)] for file in files if file.startswith(start) and file.endswith(end))

#: The largest number of fields of a pair, and of characters in a field's name. (Published test sets
#: have up to 20 fields, with names of up to 16 characters.)
_MAX_FIELDS = 100
_MAX_NAME = 100

#: The largest number of bytes of the list of fields, and of the text of a field.
_MAX_LISTING = 1 << 20
_MAX_TEXT = 256 << 20


class StoredPair:
    """The fields of a language pair of a test set, in the cache.

    `known` has the names of the fields in order, or is empty if only the data has the names. `record` is the test set's
    record in the catalogue, which may have the number of lines and checksums.
    """

    def __init__(self, name: str, langpair: str, known: Sequence[str], record: Record) -> None:
        self.name = name
        self.langpair = langpair
        self.known = list(known)
        self._lines = record.value("lines")
        self._checksums = record.checksums(langpair)

    @cached_property
    def _start(self) -> str:
        return os.path.join(folder_of(self.name), f"{file_name(self.name)}.{self.langpair}.")

    def path(self, field: str) -> str:
        """Return the path of a field in the cache."""
        return self._start + field.replace(":", "-")  # (On Windows, file names can't contain colons.)

    def find(self) -> dict[str, str] | None:
        """Return the paths of all fields; `None` if a file is missing from the cache or has the wrong size."""
        try:
            listed = self._listed()
            paths = {field: self.path(field) for field in listed}
            sizes = [str(os.path.getsize(path)) for path in paths.values()]
            is_whole = sizes == [size for size, _ in listed.values()]
            return paths if is_whole and list(paths) == (self.known or list(self._checksums or paths)) else None
        except (OSError, ValueError):  # (a `PurebleuError` is a `ValueError`)
            return None if os.path.exists(self.path(_LISTING)) else self._find_sacrebleus()

    def _listed(self) -> dict[str, list[str]]:
        """Return the size and the SHA-256 sum of each field in the list; raises `ValueError` if the list is cut off."""
        *lines, end, _ = read_cached(self.path(_LISTING), _MAX_LISTING).decode("utf-8").split("\n")
        if end != f"\t{len(lines)}":
            raise ValueError("the list does not end with the number of fields")
        listed: dict[str, list[str]] = {}
        for line in lines:
            name, *size_and_checksum = line.split("\t")
            listed[name] = size_and_checksum
        return listed

    def verify(self, fields: Iterable[str]) -> None:
        """Raise `PurebleuError` if one of these fields was changed after it was published or stored.

        A field without a known checksum is not checked.
        """
        from ..files.download import sha256_of

        known = self._checksums
        try:
            stored = {field: checksum for field, (_, checksum) in self._listed().items()}
        except ValueError:
            stored = {}
        for field in fields:
            expected = known.get(field) or stored.get(field)
            path = self.path(field)
            if expected and sha256_of(read_cached(path, _MAX_TEXT)) != expected:
                origin = "published" if known else "stored"
                raise PurebleuError(f"{path} was changed: its text differs from the {origin} text")

    def _find_sacrebleus(self) -> dict[str, str] | None:
        """Return the paths of all fields that sacreBLEU has stored; `None` if a file is missing or `check` fails."""
        paths = {field: self.path(field) for field in self.known}
        if not paths or not all(map(os.path.exists, paths.values())):
            return None
        contents = {field: read_cached(path, _MAX_TEXT) for field, path in paths.items()}
        try:
            self.check({field: content.count(b"\n") for field, content in contents.items()}, _checksums(contents))
        except PurebleuError:
            return None
        return paths

    def store(self, fields: Mapping[str, Sequence[str]]) -> dict[str, str]:
        """Check the lines of all fields, write them into the cache, and return the paths of their files."""
        contents = {name: ("\n".join(lines) + "\n").encode() for name, lines in fields.items()}
        checksums = _checksums(contents)
        self.check({name: len(lines) for name, lines in fields.items()}, checksums)
        return self.write({name: writer_of(content) for name, content in contents.items()}, checksums)

    def check(self, lengths: Mapping[str, int], checksums: Mapping[str, str]) -> None:
        """Check that fields have the right names, the same length, and the known checksums.

        Args:
            lengths: the number of lines of each field.
            checksums: the SHA-256 sum of each field.

        Raises:
            PurebleuError: the fields can't be those of this pair.
        """
        name = f"{self.name}/{self.langpair}"
        if list(lengths) != (self.known or list(lengths)) or "src" not in lengths:
            raise PurebleuError(f"{name}: the names of the fields are wrong: {', '.join(lengths)}")
        if len(lengths) > _MAX_FIELDS:
            raise PurebleuError(f"{name}: there are {len(lengths):,} fields, but at most {_MAX_FIELDS} are possible")
        wrong = [field for field in lengths if not field or not field.isprintable() or len(field) > _MAX_NAME
                 or set(field) & _SEPARATORS]
        if wrong:
            raise PurebleuError(f"{name}: a field is called {wrong[0]!r:.99}, which can't be the name of a file")
        if len({self.path(field).lower() for field in [*lengths, _LISTING]}) <= len(lengths):
            raise PurebleuError(f"{name}: two of these fields would have the same file name: {', '.join(lengths)}")
        if len(set(lengths.values())) > 1 or not lengths["src"]:
            found = ", ".join([f"{length} lines of {field}" for field, length in lengths.items()])
            raise PurebleuError(f"{name}: the fields differ in length, or are empty: {found}")
        if self._lines and lengths["src"] != int(self._lines):
            raise PurebleuError(f"{name}: there are {lengths['src']:,} lines, but {int(self._lines):,} were published")
        known = self._checksums
        if known and checksums != known:
            different = [field for field in {**known, **checksums} if checksums.get(field) != known.get(field)]
            raise PurebleuError(f"{name}: these fields differ from the published text: {', '.join(different)}")

    def write(self, fields: Mapping[str, Callable[..., object]], checksums: Mapping[str, str]) -> dict[str, str]:
        """Write checked fields into the cache; return the paths of their files.

        `fields` has a function for each field, which writes the field's text to a file. `checksums` has the SHA-256 sum
        of each field.
        """
        paths = {name: self.path(name) for name in fields}
        listing = self.path(_LISTING)
        if not self._checksums and any(map(os.path.exists, paths.values())):
            # The files may have another text. The list is made invalid first, so that old and new fields do not count
            # as one text if writing fails halfway.
            store(listing, writer_of(b"\t-1\n"))
        for name, write in fields.items():
            store(paths[name], write)
        # The list is written last. The sizes in the list show that the other files are complete. The number of fields
        # at the end of the list shows that the list itself is complete.
        lines = [f"{name}\t{os.path.getsize(path)}\t{checksums[name]}\n" for name, path in paths.items()]
        store(listing, writer_of(f"{''.join(lines)}\t{len(paths)}\n".encode()))
        return paths


def embedded_paths(files: Mapping[str, str]) -> dict[str, str] | None:
    """Return the paths of files with fields in this package, or `None` if the package is in an archive."""
    paths = {field: os.path.join(os.path.dirname(__file__), file) for field, file in files.items()}
    return paths if all(map(os.path.exists, paths.values())) else None


def embedded_fields(files: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the lines of files with fields in this package, which may be in an archive."""
    texts = {field: own_file(f"datasets/{file}").decode("utf-8") for field, file in files.items()}
    return {field: text.split("\n")[:-1] for field, text in texts.items()}


def _checksums(contents: Mapping[str, bytes]) -> dict[str, str]:
    from ..files.download import sha256_of

    return {name: sha256_of(content) for name, content in contents.items()}
