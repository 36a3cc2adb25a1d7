"""A test set: its record in the catalogue, and its files in the cache, which are fetched if they are missing."""

from __future__ import annotations

import os
from functools import cached_property

from ..files.download import read_cached, sha256_of
from ..files.lines import read_lines
from ..files.writing import store, writer_of
from ..runtime.errors import OptionError, PurebleuError, check_text
from ..runtime.hints import Callable, Iterable, Iterator, Mapping, Sequence
from ..runtime.program import own_file
from .archives import DESCRIBES_ITSELF, Source, field_names, file_name, folder_of
from .catalogue import LanguagePairs, Record, catalogue


class TestSet:
    """A test set: its language pairs and their fields, which are files with a line for each segment.

    Files are fetched when they are first needed. Each method raises `OptionError` for a language pair that the test
    set does not have, and `PurebleuError` if a file can't be fetched, verified or converted.

    Attributes:
        name: the name of the test set, such as `wmt18`.

    Example:
        >>> import purebleu
        >>> sample = purebleu.DATASETS["sample"]
        >>> sample.fieldnames("en-de")
        ['src', 'ref:A', 'ref:B', 'docid', 'origlang', 'mixed']
        >>> next(sample.source("en-de"))
        'The town library opened its new reading room on Monday.'
    """

    __test__ = False  # (otherwise, pytest would collect this class as a test)

    def __init__(self, name: str, record: str) -> None:
        """`record` is the text of the test set's record in the catalogue."""
        self.name = name
        self._record = Record(name, record)
        self._verified: set[str] = set()  # paths

    @cached_property
    def format(self) -> str:
        """The format of the test set's files: one of the formats of `archives.field_names`."""
        return self._record.value("format")

    @cached_property
    def description(self) -> str:
        """A line that describes the test set."""
        return self._record.description

    @property
    def archives(self) -> list[tuple[str, str]]:
        """The addresses and checksums of archives. (Test sets that are part of this package have no archives.)"""
        return self._record.archives

    @property
    def is_embedded(self) -> bool:
        """Whether the test set is part of this package."""
        return self.format == "embedded"

    @property
    def langpairs(self) -> Mapping[str, list[str]]:
        """For each pair, such as `en-de`, the members of archives with its texts, the source first."""
        return self._record.pairs if self.languages is None else self.languages

    @cached_property
    def languages(self) -> LanguagePairs | None:
        """The language pairs, if any two languages of the test set are a pair; otherwise `None`."""
        if not self._record.texts:
            return None
        return LanguagePairs(self.name, self._record.texts, self._record.shared, len(self._record.references()))

    @property
    def citation(self) -> str | None:
        """The citation that the makers of the test set ask for, in BibTeX."""
        return self._record.value("citation").strip() or None

    # Methods of sacreBLEU's test sets

    def fieldnames(self, langpair: str) -> list[str]:
        """Return the names of the fields of a pair: `src`, `ref` or `ref:X`, and further fields."""
        langpair = self.own_name(langpair)
        return self._known_fields(langpair) or list(self.files(langpair))

    def get_files(self, langpair: str) -> list[str]:
        """Return the paths of the files of all fields, in the order of `fieldnames`."""
        return self.verified(langpair, list(self.files(langpair)))

    def get_source_file(self, langpair: str) -> str:
        """Return the path of the source."""
        return self.verified(langpair, ["src"])[0]

    def get_reference_files(self, langpair: str) -> list[str]:
        """Return the paths of the default references."""
        chosen = self._record.references(langpair)
        return self.verified(langpair, [field for field in self.files(langpair) if field.startswith("ref")
                                        and (not chosen or field in chosen)])

    def source(self, langpair: str) -> Iterator[str]:
        """Yield the lines of the source."""
        for line in read_lines(self.get_source_file(langpair)):
            yield line.strip()

    def references(self, langpair: str) -> Iterator[tuple[str, ...]]:
        """Yield the default references of each segment, as a tuple of lines with line feeds."""
        columns = [read_lines(path, ends="\n") for path in self.get_reference_files(langpair)]
        for lines in zip(*columns):
            yield tuple([line + "\n" for line in lines])

    def read_fields(self, langpair: str, fields: Sequence[str]) -> list[list[str]]:
        """Return the lines of some fields.

        Args:
            langpair: such as `en-de`.
            fields: the names of fields. `["all"]` means all fields; `ref` also means the first reference.

        Returns:
            A list of lines for each field.

        Raises:
            OptionError: the test set lacks one of the fields.
        """
        paths = self.files(langpair)
        if "all" in fields and len(fields) > 1:
            raise OptionError("'all' means all fields: leave out the other names")
        first_reference = min([field for field in paths if field.startswith("ref")], default="")
        chosen: list[str] = []
        for field in paths if fields == ["all"] else fields:
            chosen.append(first_reference if field == "ref" and field not in paths else field)
            self.check_field(langpair, chosen[-1])
        return list(map(read_lines, self.verified(langpair, chosen)))

    def check_field(self, langpair: str, field: str) -> None:
        """Raise `OptionError` if a pair lacks a field."""
        fields = self.fieldnames(langpair)
        if field not in fields:
            raise OptionError(f"{self.name}/{langpair} has no field {field!r}; its fields are {', '.join(fields)}")

    def select(self, langpair: str, origlang: str | None, subset: str | None) -> list[bool]:
        """Return, for each segment, whether it is selected by its original language and by its document's topic.

        Args:
            langpair: such as `en-de`.
            origlang: a language; `non-LANGUAGE` selects all other languages; `None`: any.
            subset: a regular expression, maybe with `country:` before it; `None`: any. The expression has to match
                somewhere in the document's domain, or in the document's topic in the catalogue.

        Raises:
            OptionError: the test set has no original languages or no topics, or the regular expression is wrong.
        """
        import re

        from ..files.records import check_regex

        files = self.files(langpair)
        if "origlang" not in files:
            raise OptionError(f"{self.name}/{langpair} has no original languages")
        languages, = self.read_fields(langpair, ["origlang"])
        keep = [True] * len(languages)
        if origlang is not None:
            negated = origlang.startswith("non-")
            language = origlang[len("non-"):] if negated else origlang
            keep = [(one == language) != negated for one in languages]
        if subset is not None:
            pattern = subset[len("country:"):] if subset.startswith("country:") else subset
            check_regex(pattern, "subset")
            keep = [kept and re.search(pattern, tag) is not None for kept, tag in zip(keep, self._tags(langpair))]
        return keep

    def origlangs(self, langpair: str) -> list[str]:
        """Return the original languages of the segments, or an empty list if the test set has none."""
        return sorted(set(*self.read_fields(langpair, ["origlang"]))) if "origlang" in self.files(langpair) else []

    def subsets(self, langpair: str) -> list[str]:
        """Return possible values of `subset` in `select`: domains, and `country:` with a country of origin."""
        if "domain" in self.files(langpair):
            return sorted(set(*self.read_fields(langpair, ["domain"])))
        tags = self._record.topics.values()
        return sorted({f"country:{tag.split('-')[0]}" for tag in tags} | {tag.split("-")[1] for tag in tags})

    def _tags(self, langpair: str) -> list[str]:
        """Return the domain of each segment's document, or else the document's topic in the catalogue."""
        if "domain" in self.files(langpair):
            return self.read_fields(langpair, ["domain"])[0]
        if self.format in DESCRIBES_ITSELF:
            raise OptionError(f"{self.name}/{langpair} has no domains")
        topics = self._record.topics
        if not topics:
            others = [name for name, text in catalogue().items() if Record(name, text).topics]
            raise OptionError(f"the catalogue has no subsets of {self.name}, only of {', '.join(others)}")
        return [topics.get(document, "") for document in self.read_fields(langpair, ["docid"])[0]]

    def own_name(self, langpair: str) -> str:
        """Return a language pair in the test set's own codes; raises `OptionError` if the test set lacks the pair."""
        check_text("a language pair", langpair)
        if self.languages is not None:
            return self.languages.own_name(langpair)
        if langpair not in self.langpairs:
            pairs = ", ".join(self.langpairs)
            raise OptionError(f"{self.name} has no language pair {langpair!r}; its pairs are {pairs}", "langpair")
        return langpair

    def all_pairs(self) -> list[str]:
        """Return all language pairs.

        Raises `OptionError` if any two languages are a pair, because there are too many pairs then.
        """
        if self.languages is not None:
            count = len(self.languages.languages)
            raise OptionError(f"choose a language pair of {self.name} with -l: any two of its {count} languages "
                              f"(see purebleu --list -t {self.name})", option="langpair")
        return list(self.langpairs)

    def pairs_at_hand(self) -> list[str]:
        """Return the language pairs that may be in the cache.

        If any two languages are a pair, only the pairs with a list of fields in the cache are returned.
        """
        if self.languages is None:
            return list(self.langpairs)
        return [pair for pair in stored_pairs(self.name) if pair in self.languages]

    def archives_of(self, langpair: str) -> list[tuple[str, str]]:
        """Return the archives that may have fields of a language pair."""
        return self._source.needed(self.langpairs[self.own_name(langpair)])

    def stored(self, langpair: str) -> StoredPair:
        """Return the fields of a pair in the cache; raises `OptionError` for a pair that the test set does not have."""
        langpair = self.own_name(langpair)
        return StoredPair(self.name, langpair, self._known_fields(langpair), self._record)

    def verified(self, langpair: str, fields: Sequence[str]) -> list[str]:
        """Verify some fields of a pair, once in each process, and return the paths of these fields.

        A field that is not valid is fetched again.
        """
        paths = self.files(langpair)
        if not self.is_embedded and any(paths[field] not in self._verified for field in fields):
            stored = self.stored(langpair)
            try:
                stored.verify(fields)
            except PurebleuError as damage:
                try:
                    stored.store(self._converted(self.langpairs[stored.langpair]))
                except PurebleuError as error:
                    raise PurebleuError(f"{damage}; {error}") from error
            self._verified.update([paths[field] for field in fields])
        return [paths[field] for field in fields]

    def files(self, langpair: str) -> dict[str, str]:
        """Return the paths of all fields of a pair by the names of fields. Missing fields are fetched."""
        stored = self.stored(langpair)
        members = self.langpairs[stored.langpair]
        if self.is_embedded:
            start = f"{self.name}/{self.name}.{stored.langpair}"
            files = {field: f"{start}.{member}" for field, member in zip(stored.known, members)}
            paths = {field: os.path.join(os.path.dirname(__file__), file) for field, file in files.items()}
            if all(map(os.path.exists, paths.values())):
                return paths
            # (This package is in an archive, so its texts are copied into the cache.)
            texts = {field: own_file(f"datasets/{file}").decode("utf-8") for field, file in files.items()}
            return stored.find() or stored.store({field: text.split("\n")[:-1] for field, text in texts.items()})
        return stored.find() or stored.store(self._converted(members))

    def _converted(self, members: Sequence[str]) -> dict[str, list[str]]:
        """Read the archives of a pair, which consists of `members`, and return the pair's fields."""
        fields = self._source.read(members, field_names(self.format, self.name, members))
        origlang = self._record.value("origlang")
        if origlang:
            fields["origlang"] = [origlang] * len(fields["src"])
        return fields

    @property
    def _source(self) -> Source:
        """The archives of the test set. (Test sets that share archives also share the archives' name in the cache.)"""
        return Source(self._record.value("kept as") or self.name, self.format, self.archives)

    def _known_fields(self, langpair: str) -> list[str]:
        """Return the names of a pair's fields in order, or an empty list if only the data has the names."""
        names = field_names(self.format, self.name, self.langpairs[langpair])
        return [*names, "origlang"] if self._record.value("origlang") else names

    def __repr__(self) -> str:
        return f"<TestSet {self.name}: {self.description}>"


# Fields in the cache, in files with sacreBLEU's names

#: Characters that the name of a field can't contain. (The name becomes part of a file name, and of a line in the list
#: of fields.)
_SEPARATORS = frozenset("/\\\0\t\n")

#: The file with the list of a pair's fields has a name with this ending. (The file of a field ends with its name.)
_LISTING = "fields.purebleu"

#: The largest number of fields of a pair, and of characters in a field's name. (Published test sets
#: have up to 20 fields, with names of up to 16 characters.)
_MAX_FIELDS = 100
_MAX_NAME = 100

#: The largest number of bytes of the list of fields, and of the text of a field.
_MAX_LISTING = 1 << 20
_MAX_TEXT = 256 << 20


def stored_pairs(name: str) -> list[str]:
    """Return the sorted language pairs of a test set for which the cache has a list of fields. Lists are not read."""
    start, end = f"{file_name(name)}.", f".{_LISTING}"
    try:
        files = os.listdir(folder_of(name))
    except (OSError, PurebleuError):
        return []
    return sorted(file[len(start):-len(end)] for file in files if file.startswith(start) and file.endswith(end))


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
            expected = self.known or list(self._checksums or paths)
            return paths if is_whole and list(paths) == expected else None
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
            counts = ", ".join([f"{length} lines of {field}" for field, length in lengths.items()])
            raise PurebleuError(f"{name}: the fields differ in length, or are empty: {counts}")
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
            # The cache may have files of another version of the test set. The list is made invalid first, so that old
            # and new files do not count as one version if writing fails halfway.
            store(listing, writer_of(b"\t-1\n"))
        for name, write in fields.items():
            store(paths[name], write)
        # The list is written last. The sizes in the list show that the other files are complete. The number of fields
        # at the end of the list shows that the list itself is complete.
        lines = [f"{name}\t{os.path.getsize(path)}\t{checksums[name]}\n" for name, path in paths.items()]
        store(listing, writer_of(f"{''.join(lines)}\t{len(paths)}\n".encode()))
        return paths


def _checksums(contents: Mapping[str, bytes]) -> dict[str, str]:
    return {name: sha256_of(content) for name, content in contents.items()}
