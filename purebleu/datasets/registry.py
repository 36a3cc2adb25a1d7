"""All test sets by name, selections of test sets and segments, and functions that clients of sacreBLEU call."""

from __future__ import annotations

import os
from contextlib import suppress

from ..files.download import cache_folder
from ..files.lines import HeldLines, read_lines
from ..runtime.errors import OptionError, PurebleuError, UnknownNameError, check_text, nearest, warn
from ..runtime.hints import Any, Callable, Iterable, Iterator, Sequence
from ..runtime.program import CONTENTS, own_archive, own_member
from .archives import DOCUMENT_FIELDS
from .catalogue import catalogue
from .testset import TestSet

#: The environment variable that lists folders with descriptions of test sets.
FOLDERS_VARIABLE = "PUREBLEU_TESTSETS"


def described_sets() -> Iterator[Any]:
    """Yield the described test sets in the folders of `PUREBLEU_TESTSETS`, in the cache, and in a running bundle.

    Warns of wrong descriptions.
    """
    from glob import escape, glob

    from .described import CACHED_DESCRIPTION, described_by, read_description

    patterns = [os.path.join(escape(folder), "*.json")
                for folder in os.environ.get(FOLDERS_VARIABLE, "").split(os.pathsep) if folder]
    with suppress(PurebleuError):  # (`cache_folder` raises an error if there is no cache)
        patterns.append(os.path.join(escape(cache_folder()), "*@*", CACHED_DESCRIPTION))
    for path in [path for pattern in patterns for path in sorted(glob(pattern))]:
        try:
            yield read_description(path)
        except PurebleuError as error:
            warn(str(error))
    if contents := own_member(CONTENTS):
        import json

        path = os.path.join(own_archive() or "", CACHED_DESCRIPTION)
        for text in dict.fromkeys([entry.get("description") for entry in json.loads(contents)["contents"]]):
            if text:
                yield described_by(text.encode("utf-8"), path)


class _TestSets(dict):  # type: ignore[type-arg]
    """The test sets of the catalogue by name. Other keys are looked up among described test sets.

    A key may be the name of a described test set, with or without `@` and the digits, or the path of a description
    (`*.json`).
    """

    def __missing__(self, name: str) -> TestSet:
        if name.endswith(".json"):
            from .described import read_description

            return read_description(name)
        matching: dict[str, TestSet] = {}
        for known in described_sets():
            if name in (known.name, known.name.partition("@")[0]):
                matching.setdefault(known.name, known)
        if not matching:
            message = f"there is no test set {name!r:.40}{nearest(name, self)} (see purebleu --list)"
            raise UnknownNameError(message, "test_set")
        if len(matching) > 1:
            raise OptionError(f"several test sets are called {name}: choose one of {', '.join(matching)}", "test_set")
        return next(iter(matching.values()))


#: All test sets by name.
DATASETS: dict[str, TestSet] = _TestSets({name: TestSet(name, record) for name, record in catalogue().items()})


def get_test_set(name: str) -> TestSet:
    """Return the test set with this name; raises `OptionError` if the name is unknown."""
    check_text("the name of a test set", name)
    return DATASETS[name]


# Functions for clients of sacreBLEU

def get_source_file(test_set: str, langpair: str) -> str:
    """Return the path of the source of a language pair. A source that the cache lacks is fetched.

    Example:
        >>> import os
        >>> os.path.basename(get_source_file("sample", "en-de"))
        'sample.en-de.src'
    """
    return get_test_set(test_set).get_source_file(langpair)


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """Return the paths of the default references."""
    return get_test_set(test_set).get_reference_files(langpair)


def get_files(test_set: str, langpair: str) -> list[str]:
    """Return the paths of all fields: the source, the references, and further fields."""
    return get_test_set(test_set).get_files(langpair)


def download_test_set(test_set: str, langpair: str | None = None) -> list[str]:
    """Fetch a test set, unless the cache has it.

    Args:
        test_set: the name of the test set.
        langpair: such as `en-de`; `None`: all pairs of the test set.

    Returns:
        The paths of the files of all fields.
    """
    chosen = get_test_set(test_set)
    pairs = [langpair] if langpair else chosen.all_pairs()
    return [path for pair in pairs for path in chosen.get_files(pair)]


def get_langpairs_for_testset(testset: str) -> list[str]:
    """Return the language pairs of a test set, or an empty list if the test set is unknown."""
    check_text("testset", testset)
    return list(DATASETS[testset].langpairs) if testset in DATASETS else []


def get_available_testsets() -> list[str]:
    """Return the names of all test sets."""
    return sorted(DATASETS, reverse=True)


def get_available_testsets_for_langpair(langpair: str) -> list[str]:
    """Return the names of the test sets that have this language pair or its reverse.

    Example:
        >>> "wmt18" in get_available_testsets_for_langpair("de-en")
        True
    """
    check_text("langpair", langpair)
    source, _, target = langpair.partition("-")
    return [name for name, one in DATASETS.items()
            if f"{source}-{target}" in one.langpairs or f"{target}-{source}" in one.langpairs]


class TestPair:
    """A language pair of a test set. The files are fetched when they are first needed, and then stay in the cache.

    Attributes:
        name: the name of the test set, such as `wmt22`.
        langpair: the language pair, such as `en-de`.
    """

    __test__ = False  # (otherwise, pytest would collect this class as a test)

    def __init__(self, test_set: TestSet, langpair: str) -> None:
        self._test_set = test_set
        self.name = test_set.name
        self.langpair = test_set.own_name(langpair)

    def _field(self, name: str) -> list[str]:
        [lines] = self._test_set.read_fields(self.langpair, [name])
        return lines

    @property
    def source(self) -> list[str]:
        """The lines of the source."""
        return self._field("src")

    @property
    def references(self) -> list[list[str]]:
        """The default references, as `corpus_score` takes them: one list of lines for each reference."""
        return list(map(read_lines, self._test_set.get_reference_files(self.langpair)))

    @property
    def documents(self) -> list[str] | None:
        """The document of each segment, or `None` if the test set has no documents."""
        return self._field("docid") if "docid" in self._test_set.fieldnames(self.langpair) else None

    @property
    def outputs(self) -> dict[str, list[str]]:
        """The outputs that were published with the test set: the lines of each system, by the system's name."""
        of_segments = ("src", "ref", "domain", *DOCUMENT_FIELDS)
        fields = self._test_set.fieldnames(self.langpair)
        return {name: self._field(name) for name in fields if name.partition(":")[0] not in of_segments}

    @property
    def citation(self) -> str | None:
        """The citation that the makers of the test set ask for, in BibTeX."""
        return self._test_set.citation

    def __repr__(self) -> str:
        return f"<TestPair {self.name}, {self.langpair}>"


def test_set(name: str, langpair: str) -> TestPair:
    """Return a language pair of a test set, such as `wmt22` and `en-de`. The text is fetched when it is first used.

    Raises:
        OptionError: the test set is unknown, or does not have the language pair.

    Example:
        >>> sample = test_set("sample", "en-de")
        >>> sample.source[0], len(sample.references), sample.documents[0]
        ('The town library opened its new reading room on Monday.', 2, 'library')
    """
    return TestPair(get_test_set(name), langpair)


test_set.__test__ = False  # type: ignore[attr-defined]


class Selection:
    """A selection of test sets and of their segments, as options of the command line make it.

    Attributes:
        test_sets: the test sets, in the order of the command line; empty if references come from files.
        models: the names of models to fetch.
        langpair: such as `en-de`; `None`: all pairs, if the command takes several pairs.
        origlang: the original language of the selected segments; `None`: any.
        subset: a regular expression for the topic of the selected documents; `None`: any.
        conditions: `Condition`s on fields. Selected segments meet all conditions.
    """

    def __init__(self, test_sets: Sequence[TestSet], models: Sequence[str], langpair: str | None,
                 origlang: str | None, subset: str | None) -> None:
        self.test_sets = test_sets
        self.models = models
        self.langpair = langpair
        self.origlang = origlang or None
        self.subset = subset or None
        self.conditions: Sequence[Any] = ()
        self.name = ",".join([test_set.name for test_set in test_sets])

    @property
    def takes_all(self) -> bool:
        """Whether all segments are selected."""
        return not (self.origlang or self.subset or self.conditions)

    def pair(self) -> str:
        """Return the language pair; raises `OptionError`, which lists the possible pairs, if no pair was chosen."""
        if self.langpair:
            return self.langpair
        pairs = dict.fromkeys(pair for test_set in self.test_sets for pair in test_set.all_pairs())
        raise OptionError(f"choose a language pair of {self.name} with -l: {', '.join(pairs)}", option="langpair")

    def pairs(self) -> Iterator[tuple[TestSet, str]]:
        """Yield each test set with the chosen language pair, or with each of its pairs if no pair was chosen."""
        for test_set in self.test_sets:
            for pair in [self.langpair] if self.langpair else test_set.all_pairs():
                yield test_set, test_set.own_name(pair)

    def references(self) -> list[HeldLines]:
        """Return the streams of references. A stream has the segments of all test sets, one test set after another."""
        pair = self.pair()
        files = [test_set.get_reference_files(pair) for test_set in self.test_sets]
        counts = list(map(len, files))
        if len(set(counts)) > 1:
            raise OptionError(f"the test sets have different numbers of references: {', '.join(map(str, counts))}")
        if not counts[0]:
            raise OptionError(f"{self.name} has no references for {pair}")
        names = [f"the references of {self.name} {pair}"]
        if counts[0] > 1:
            names = [f"reference {number} of {self.name} {pair}" for number in range(1, 1 + counts[0])]
        return list(map(_joined, names, zip(*files)))

    def descriptions(self) -> dict[str, HeldLines]:
        """Return the streams of `src`, `docid`, `origlang` and `domain`, without fields that a test set lacks."""
        names_of_sets = [test_set.fieldnames(self.pair()) for test_set in self.test_sets]
        streams: dict[str, HeldLines] = {}
        for field in ("src", "docid", "origlang", "domain"):
            if all(field in names for names in names_of_sets):
                streams[field] = self.joined(field)
        return streams

    def joined(self, field: str) -> HeldLines:
        """Return the stream of a field in all test sets, one test set after another.

        Raises `OptionError` if a test set lacks the field.
        """
        pair = self.pair()
        for test_set in self.test_sets:
            test_set.check_field(pair, field)
        paths = [path for test_set in self.test_sets for path in test_set.verified(pair, [field])]
        return _joined(f"the {field} of {self.name} {pair}", paths)

    def kept_segments(self) -> list[bool] | None:
        """Return, for each segment of the test sets, whether it is selected, or `None` if all segments are selected."""
        if self.takes_all:
            return None
        return [keep for test_set in self.test_sets for keep in self.kept_of(test_set)]

    def kept_of(self, test_set: TestSet) -> list[bool]:
        """Return, for each segment of a test set, whether it is selected."""
        masks: list[list[bool]] = []
        if self.origlang or self.subset:
            masks.append(test_set.select(self.pair(), self.origlang, self.subset))
        for condition in self.conditions:
            [values] = test_set.read_fields(self.pair(), [condition.column])
            masks.append(list(map(condition.is_met, values)))
        return list(map(all, zip(*masks)))

    def subsets(self) -> Iterator[tuple[str, list[bool]]]:
        """Yield the name of each nonempty subset, and a list that says for each segment whether it is in the subset."""
        pair = self.pair()
        languages = [self.origlang] if self.origlang else self._all_of(lambda test_set: test_set.origlangs(pair))
        tags = [self.subset] if self.subset else self._all_of(lambda test_set: test_set.subsets(pair))
        for language in languages:
            for tag in [None, *tags]:
                kept = [keep for test_set in self.test_sets for keep in test_set.select(pair, language, tag)]
                if any(kept):
                    yield f"origlang={language} {_label(tag)}", kept

    def _all_of(self, names_of: Callable[[TestSet], Iterable[str]]) -> list[str]:
        return sorted({name for test_set in self.test_sets for name in names_of(test_set)})


def _joined(name: str, paths: Iterable[str]) -> HeldLines:
    """Return the lines of several files, one after another."""
    return HeldLines(name, [line for path in paths for line in read_lines(path)])


def _label(tag: str | None) -> str:
    """Return the part of a subset's name that has the domain or the country.

    >>> _label(None), _label("news"), _label("country:EU")
    ('domain=ALL', 'domain=news', 'country=EU')
    """
    if tag is not None and tag.startswith("country:"):
        return "country=" + tag[len("country:"):]
    return f"domain={tag or 'ALL'}"
