"""Test sets: what the catalogue says of them, and their files in the cache, fetched and converted if need be."""

from __future__ import annotations

import os
from functools import partial

from ..errors import OptionError, PurebleuError
from ..files.cache import cache_folder, read_whole, sweep, write_whole
from ..files.text import read_lines
from . import formats
from .catalogue import CHECKSUMS, TEST_SETS
from .subsets import SUBSETS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Dict, Iterator, List, Mapping, Sequence

    from ..files.cache import Write
    from .archives import Capped

    #: Lines by the names of fields.
    Fields = Dict[str, List[str]]

    #: What of a member is needed: under its name, the fields to make of it, with a column each (-1 where it has none).
    Wanted = Dict[str, List["tuple[str, int]"]]

#: What no name of a file may contain, on any system.
_SEPARATORS = frozenset("/\\\0\t\n")

#: The file that lists the fields of a pair is called as a field of this name would be.
_LISTING = "fields.purebleu"


class TestSet:
    """A test set by its name: which language pairs it has, and their fields, as files of a line for each segment.

    Files are fetched when they are first asked for. `langpairs` has the members of archives that each pair consists
    of, source first. Raises `OptionError` for a pair that is not among these.
    """

    __test__ = False  # pytest takes classes with such names for tests

    def __init__(self, name: str, record: Mapping[str, Any]) -> None:
        self.name = name
        self.format: str = record["format"]
        self.description: str = record["description"]
        urls = [url for pattern, pairs in record["archives"] for url in _filled(pattern, pairs)]
        self.archives = [(url, CHECKSUMS[url]) for url in urls]
        self.langpairs: dict[str, list[str]] = {}
        for pattern, pairs in record["files"]:
            self.langpairs.update(zip(pairs.split(), map(str.split, _filled(pattern, pairs))))
        self._references = record.get("references", [])
        self._references_of = record.get("references_of", {})

    @property
    def citation(self) -> str | None:
        """How its makers want it to be cited, in BibTeX."""
        from .citations import CITATIONS

        return CITATIONS.get(self.name)

    # What sacreBLEU's test sets can do

    def fieldnames(self, langpair: str) -> list[str]:
        """The fields of a pair: `src`, `ref` or `ref:X`, and further ones."""
        self.check_pair(langpair)
        return self._known_fields(langpair) or list(self.files(langpair))

    def get_files(self, langpair: str) -> list[str]:
        """The paths of the files of all fields, in the order of `fieldnames`."""
        return list(self.files(langpair).values())

    def get_source_file(self, langpair: str) -> str:
        """The path of the source."""
        return self.files(langpair)["src"]

    def get_reference_files(self, langpair: str) -> list[str]:
        """The paths of the references that count by default."""
        files = self.files(langpair)
        allowed = self._references_of.get(langpair, self._references)
        chosen = [formats.reference_field(translator) for translator in allowed] if self.format == "xml" else files
        return [path for field, path in files.items() if field.startswith("ref") and field in chosen]

    def source(self, langpair: str) -> Iterator[str]:
        """The lines of the source."""
        for line in read_lines(self.get_source_file(langpair)):
            yield line.strip()

    def references(self, langpair: str) -> Iterator[tuple[str, ...]]:
        """The lines of the references that count by default, side by side, with the line feeds at their ends."""
        columns = [read_lines(path, ends="\n") for path in self.get_reference_files(langpair)]
        yield from zip(*[[line + "\n" for line in column] for column in columns])

    def read_fields(self, langpair: str, fields: Sequence[str]) -> list[list[str]]:
        """The lines of the fields, a list for each; `all` stands for all of them, `ref` also for the first reference.

        Raises `OptionError` where there is no such field.
        """
        paths = self.files(langpair)
        if "all" in fields and len(fields) > 1:
            raise OptionError("'all' stands for all fields, so there can't be another one beside it")
        first_reference = min([field for field in paths if field.startswith("ref")], default="")
        columns = []
        for field in paths if fields == ["all"] else fields:
            path = paths.get(first_reference if field == "ref" and field not in paths else field)
            if path is None:
                raise OptionError(f"{self.name}/{langpair} has no field {field!r}; there are {', '.join(paths)}")
            columns.append(read_lines(path))
        return columns

    def select(self, langpair: str, origlang: str | None, subset: str | None) -> list[bool]:
        """For each segment, whether it is of an original language, and of a subset.

        `origlang` is a language, or `non-` before one for all others. `subset` is a regular expression to be found in
        what the document is about: its domain, or its entry in `SUBSETS`, optionally with `country:` before it.
        """
        import re

        files = self.files(langpair)
        if "origlang" not in files:
            raise OptionError(f"{self.name}/{langpair} does not say where its segments come from")
        languages, = self.read_fields(langpair, ["origlang"])
        keep = [True] * len(languages)
        if origlang is not None:
            negated = origlang.startswith("non-")
            language = origlang[len("non-"):] if negated else origlang
            keep = [(one == language) != negated for one in languages]
        if subset is not None:
            try:
                pattern = re.compile(subset[len("country:"):] if subset.startswith("country:") else subset)
            except re.error as error:
                raise OptionError(f"{subset!r} is not a regular expression: {error}") from error
            keep = [kept and pattern.search(tag) is not None for kept, tag in zip(keep, self._tags(langpair))]
        return keep

    def origlangs(self, langpair: str) -> list[str]:
        """The original languages that segments come from."""
        return sorted(set(*self.read_fields(langpair, ["origlang"]))) if "origlang" in self.files(langpair) else []

    def subsets(self, langpair: str) -> list[str]:
        """What `select` takes as a subset."""
        if "domain" in self.files(langpair):
            return sorted(set(*self.read_fields(langpair, ["domain"])))
        tags = SUBSETS.get(self.name, {}).values()
        return sorted({f"country:{tag.split('-')[0]}" for tag in tags} | {tag.split("-")[1] for tag in tags})

    def _tags(self, langpair: str) -> list[str]:
        """What each segment's document is about."""
        if self.format == "xml":
            if "domain" not in self.files(langpair):
                raise OptionError(f"{self.name}/{langpair} has no domains")
            return self.read_fields(langpair, ["domain"])[0]
        if self.name not in SUBSETS:
            raise OptionError(f"the catalogue has no subsets of {self.name}, only of {', '.join(SUBSETS)}")
        return [SUBSETS[self.name].get(document, "") for document in self.read_fields(langpair, ["docid"])[0]]

    # The cache

    @property
    def _file_name(self) -> str:
        return self.name.replace("/", "_")

    def _path(self, langpair: str, field: str) -> str:
        # Windows has no colons in names of files.
        return os.path.join(cache_folder(), *self.name.split("/"), f"{self._file_name}.{langpair}."
                            + field.replace(":", "-"))

    def _archive_name(self, url: str) -> str:
        return f"{self._file_name}.{url.rpartition('/')[2]}"

    def _archive_path(self, url: str) -> str:
        # sacreBLEU takes an archive for one that it has extracted, and doesn't do so again; with XML, it would then
        # miss what it needs beside the text. So it must not find this one.
        suffix = ".verified" if self.format == "xml" else ""
        return os.path.join(cache_folder(), *self.name.split("/"), "raw", self._archive_name(url) + suffix)

    def check_pair(self, langpair: str) -> None:
        """Raise `OptionError` for a language pair that the test set does not have."""
        if langpair not in self.langpairs:
            raise OptionError(f"{self.name} has no language pair {langpair!r}; there are {', '.join(self.langpairs)}")

    def _known_fields(self, langpair: str) -> list[str]:
        """The fields where they can be told without looking at the data, in order; else none."""
        if self.format == "xml":
            return []
        if self.format == "embedded":
            return [member.replace("ref-", "ref:") for member in self.langpairs[langpair]]
        references = self.langpairs[langpair][1:]
        names = ["ref"] if len(references) == 1 else [f"ref:{number}" for number, _ in enumerate(references)]
        # sacreBLEU-compat: IWSLT's files, too, have the fields of documents, if empty ones. (fixtures: catalogue)
        has_documents = self.format == "sgml" and not self.name.startswith("wmt08")
        return ["src", *names, *(formats.DOCUMENT_FIELDS if has_documents else ())]

    def files(self, langpair: str) -> dict[str, str]:
        """The paths of all fields, which are there."""
        self.check_pair(langpair)
        if self.format == "embedded":
            return self._embedded(langpair) or self._cached(langpair) or self._unpacked(langpair)
        return self._cached(langpair) or self.store(langpair, self._read(langpair))

    def _embedded(self, langpair: str) -> dict[str, str] | None:
        """The paths of all fields in this package, unless it is in an archive itself."""
        folder = os.path.join(os.path.dirname(__file__), self.name)
        paths = {name: os.path.join(folder, f"{self.name}.{langpair}.{member}")
                 for name, member in zip(self._known_fields(langpair), self.langpairs[langpair])}
        return paths if all(map(os.path.exists, paths.values())) else None

    def _unpacked(self, langpair: str) -> dict[str, str]:
        """Write the fields of this package, which is in an archive, to the cache; returns the paths of their files."""
        from pkgutil import get_data

        fields = {}
        for name, member in zip(self._known_fields(langpair), self.langpairs[langpair]):
            path = f"{self.name}/{self.name}.{langpair}.{member}"
            try:
                content = get_data(__package__, path)
            except OSError:
                content = None
            if content is None:
                raise PurebleuError(f"this copy of purebleu lacks its file datasets/{path}")
            fields[name] = content.decode("utf-8").split("\n")[:-1]
        return self.store(langpair, fields)

    def _cached(self, langpair: str) -> dict[str, str] | None:
        """The paths of all fields, if they are in the cache and whole."""
        listing = self._path(langpair, _LISTING)
        try:
            with open(listing, encoding="utf-8", newline="\n") as file:
                sizes = dict([line.rstrip("\n").rsplit("\t", 1) for line in file])
            count = sizes.pop("", None)
            paths = {field: self._path(langpair, field) for field in sizes}
            is_whole = [str(os.path.getsize(path)) for path in paths.values()] == list(sizes.values())
            return paths if is_whole and self._are_all_fields(langpair, list(paths), count) else None
        except (OSError, ValueError):
            return None if os.path.exists(listing) else self._cached_by_sacrebleu(langpair)

    def _are_all_fields(self, langpair: str, listed: list[str], count: str | None) -> bool:
        """Whether a list of fields, which ends with how many they are, has not lost any."""
        known = self._known_fields(langpair) or list(self._known_checksums(langpair))
        if known or count is not None:
            return listed == known if known else count == str(len(listed))
        # Earlier versions did not write the number. But they wrote the files first; so here are those of all fields.
        folder, start = os.path.split(self._path(langpair, ""))
        there = {name for name in os.listdir(folder) if name.startswith(start)}
        return there <= {os.path.basename(self._path(langpair, field)) for field in [*listed, _LISTING]}

    def _cached_by_sacrebleu(self, langpair: str) -> dict[str, str] | None:
        """The paths of all fields, if there are files of each, all of the same length, and right as far as known."""
        paths = {field: self._path(langpair, field) for field in self._known_fields(langpair)}
        if not paths or not all(map(os.path.exists, paths.values())):
            return None
        contents = {field: read_whole(path) for field, path in paths.items()}
        try:
            self.check_fields(langpair, {field: content.count(b"\n") for field, content in contents.items()},
                              _checksums(contents))
        except PurebleuError:
            return None
        return paths

    def store(self, langpair: str, fields: Fields) -> dict[str, str]:
        """Check the lines of all fields of a pair, and write them into the cache; returns the paths of their files."""
        contents = {name: "".join([f"{line}\n" for line in lines]).encode() for name, lines in fields.items()}
        self.check_fields(langpair, {name: len(lines) for name, lines in fields.items()}, _checksums(contents))
        return self.write_fields(langpair, {name: partial(_write, content) for name, content in contents.items()})

    def _known_checksums(self, langpair: str) -> Mapping[str, str]:
        """The SHA-256 sums of the files of all fields, where they are known; else none."""
        from .field_checksums import FIELD_CHECKSUMS

        return FIELD_CHECKSUMS.get(self.name, {}).get(langpair, {})

    def check_fields(self, langpair: str, lengths: Mapping[str, int], checksums: Mapping[str, str]) -> None:
        """Raise `PurebleuError` unless these can be the fields of a pair: the right ones, all of the same length.

        `lengths` are numbers of lines, `checksums` the SHA-256 sums, which have to be the known ones where there are.
        """
        self.check_pair(langpair)
        name = f"{self.name}/{langpair}"
        if list(lengths) != (self._known_fields(langpair) or list(lengths)) or "src" not in lengths:
            raise PurebleuError(f"{name}: its fields can't be {', '.join(lengths)}")
        if any(set(field) & _SEPARATORS for field in lengths):
            raise PurebleuError(f"{name}: a field is called {', '.join(lengths)!r}, which can't be the name of a file")
        if len({self._path(langpair, field) for field in [*lengths, _LISTING]}) <= len(lengths):
            raise PurebleuError(f"{name}: two of its fields would be in the same file: {', '.join(lengths)}")
        if len(set(lengths.values())) > 1 or not lengths["src"]:
            raise PurebleuError(f"{name}: its fields differ in length, or are empty: " + ", ".join(
                [f"{length} lines of {field}" for field, length in lengths.items()]))
        known = self._known_checksums(langpair)
        if known and checksums != known:
            different = [field for field in {**known, **checksums} if checksums.get(field) != known.get(field)]
            raise PurebleuError(f"{name}: not the text that was published: {', '.join(different)}")

    def write_fields(self, langpair: str, fields: Mapping[str, Write]) -> dict[str, str]:
        """Write all fields of a pair, which have been checked, into the cache; returns the paths of their files."""
        paths = {name: self._path(langpair, name) for name in fields}
        listing = self._path(langpair, _LISTING)
        sweep(os.path.dirname(listing))
        for name, write in fields.items():
            write_whole(paths[name], write)
        # Last of all: only with this list, which has the sizes, are the others known to be whole. With the number of
        # fields at its end, it is known to be whole, too.
        sizes = "".join([f"{name}\t{os.path.getsize(path)}\n" for name, path in paths.items()])
        write_whole(listing, partial(_write, f"{sizes}\t{len(paths)}\n".encode()))
        return paths

    def _read(self, langpair: str) -> Fields:
        """The fields of a pair, from its archives, which are fetched if need be."""
        from .archives import read_members

        wanted = self._wanted(langpair)
        fields: Fields = {}
        missing = set(wanted)

        def use(member: str, stream: Capped) -> None:
            fields.update(self._fields_of(member, stream, wanted[member]))
            missing.discard(member)

        for url, checksum in self.archives:
            if not missing:
                break
            read_members(self._archive(url, checksum), self._archive_name(url), missing.copy(), use)
        if missing:
            raise PurebleuError(f"{self.name}: its archives have no {', '.join(sorted(missing))}")
        known = self._known_fields(langpair)
        return {name: fields[name] for name in known} if known else fields

    def _wanted(self, langpair: str) -> Wanted:
        members = self.langpairs[langpair]
        names = self._known_fields(langpair)[:len(members)] or [""]
        wanted: Wanted = {}
        for place, (member, field) in enumerate(zip(members, names)):
            column = -1
            if self.format == "tsv":
                number, colon, rest = member.partition(":")
                column, member = (int(number), rest) if colon else (min(place, 1), member)
            wanted.setdefault(member, []).append((field, column))
        return wanted

    def _fields_of(self, member: str, stream: Capped, uses: Sequence[tuple[str, int]]) -> Fields:
        """The fields that a member holds."""
        if self.format == "xml":
            return formats.xml_fields(stream)  # type: ignore[arg-type]  # expat needs nothing but `read`
        lines = stream.lines()
        if self.format == "tsv":
            return {field: formats.tsv_column(lines, column) for field, column in uses}
        if self.format == "text" or not member.endswith((".sgm", ".xml")):
            return {field: formats.text_lines(lines) for field, _ in uses}
        found = formats.sgml_fields(lines)
        text = found.pop("text")
        of_documents = found if "src" in dict(uses) else {}
        return {**{field: text for field, _ in uses}, **of_documents}

    def _archive(self, url: str, checksum: str) -> str:
        """The path of an archive in the cache, verified; it is fetched where need be."""
        from ..files.download import checksum_of, fetch

        def check(file: IO[bytes]) -> None:
            found = checksum_of(file)
            if found != checksum:
                raise PurebleuError(f"its MD5 sum is {found}, but {checksum} is registered")

        path = self._archive_path(url)
        by_sacrebleu = os.path.join(os.path.dirname(path), self._archive_name(url))
        for there in (path, by_sacrebleu):
            try:
                with open(there, "rb") as file:
                    check(file)
                return there
            except FileNotFoundError:
                continue
            except OSError as error:
                raise PurebleuError(f"{there}: {error.strerror or error}") from error
            except PurebleuError:
                continue  # it is not what it should be, so it is fetched again
        try:
            fetch(url, path, check)
        except PurebleuError as error:
            raise PurebleuError(f"{self.name}: {error}") from error
        return path


def _checksums(contents: Mapping[str, bytes]) -> dict[str, str]:
    from ..files.download import sha256_of

    return {name: sha256_of(content) for name, content in contents.items()}


def _write(content: bytes, file: IO[bytes]) -> None:
    file.write(content)


def _filled(pattern: str, pairs: str) -> list[str]:
    """The pattern for each of the language pairs; or as it is, where there are none."""
    filled = []
    for pair in pairs.split():
        source, _, target = pair.partition("-")
        filled.append(pattern.format(s=source, t=target, e=source + target if target == "en" else target + source))
    return filled or [pattern]


#: All test sets by name.
DATASETS = {name: TestSet(name, record) for name, record in TEST_SETS.items()}


def get_test_set(name: str) -> TestSet:
    """The test set of this name; raises `OptionError` where there is none."""
    if name not in DATASETS:
        raise OptionError(f"there is no test set {name!r} (see --list)")
    return DATASETS[name]


# What clients of sacreBLEU call

def get_source_file(test_set: str, langpair: str) -> str:
    """The path of the source of a test set's language pair, which is fetched if need be."""
    return get_test_set(test_set).get_source_file(langpair)


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """The paths of the references that count by default."""
    return get_test_set(test_set).get_reference_files(langpair)


def get_files(test_set: str, langpair: str) -> list[str]:
    """The paths of all fields: the source, the references, and further ones."""
    return get_test_set(test_set).get_files(langpair)


def download_test_set(test_set: str, langpair: str | None = None) -> list[str]:
    """Fetch a pair of a test set, or all of its pairs; returns the paths of all fields."""
    chosen = get_test_set(test_set)
    pairs: Sequence[str] = [langpair] if langpair else list(chosen.langpairs)
    return [path for pair in pairs for path in chosen.get_files(pair)]


def get_langpairs_for_testset(testset: str) -> list[str]:
    """The language pairs of a test set; none where it is unknown."""
    return list(DATASETS[testset].langpairs) if testset in DATASETS else []


def get_available_testsets() -> list[str]:
    """The names of all test sets."""
    return sorted(DATASETS, reverse=True)


def get_available_testsets_for_langpair(langpair: str) -> list[str]:
    """The names of the test sets that have this pair, in one direction or the other."""
    source, _, target = langpair.partition("-")
    return [name for name, one in DATASETS.items()
            if f"{source}-{target}" in one.langpairs or f"{target}-{source}" in one.langpairs]
