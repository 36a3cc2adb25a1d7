"""A language pair of a test set, as lists of lines: for programs."""

from __future__ import annotations

from ..files.lines import read_lines
from .formats import DOCUMENT_FIELDS
from .testset import TestSet


class TestPair:
    """A language pair of a test set; its files are fetched when they are first needed, and then come from the cache.

    Attributes:
        name: the name of the test set, such as `wmt22`.
        langpair: the language pair, such as `en-de`.
    """

    __test__ = False  # pytest takes classes with such names for tests

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
        """The streams of the references that count by default, as `corpus_score` takes them."""
        return list(map(read_lines, self._test_set.get_reference_files(self.langpair)))

    @property
    def documents(self) -> list[str] | None:
        """The document of each segment; `None` if the test set does not say it."""
        return self._field("docid") if "docid" in self._test_set.fieldnames(self.langpair) else None

    @property
    def outputs(self) -> dict[str, list[str]]:
        """The lines of each system whose output was published with the test set, by its name."""
        of_segments = ("src", "ref", "domain", *DOCUMENT_FIELDS)
        names = [name for name in self._test_set.fieldnames(self.langpair)
                 if name.partition(":")[0] not in of_segments]
        return dict(zip(names, self._test_set.read_fields(self.langpair, names)))

    @property
    def citation(self) -> str | None:
        """The citation that the makers of the test set want, in BibTeX."""
        return self._test_set.citation

    def __repr__(self) -> str:
        return f"<TestPair {self.name}, {self.langpair}>"


def test_set(name: str, langpair: str) -> TestPair:
    """A language pair of a test set, such as `wmt22` and `en-de`; it is fetched when its text is first asked for.

    Raises:
        OptionError: there is no such test set, or it has no such language pair.

    Example:
        >>> sample = test_set("sample", "en-de")
        >>> sample.source[0], len(sample.references), sample.documents[0]
        ('The town library opened its new reading room on Monday.', 2, 'library')
    """
    from .registry import get_test_set

    return TestPair(get_test_set(name), langpair)


test_set.__test__ = False  # type: ignore[attr-defined]
