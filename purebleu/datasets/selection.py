"""A selection from test sets: their segments for one language pair, or those of one origin."""

from __future__ import annotations

from ..errors import OptionError
from ..hints import Callable, Iterable, Iterator, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..files.conditions import Condition
    from ..files.lines import HeldLines
    from .testset import TestSet


class Selection:
    """A selection from the catalogue.

    Attributes:
        test_sets: the test sets, in the order given; empty if references come from files.
        models: the names of models to fetch.
        langpair: such as `en-de`; `None` stands for all pairs, if a command takes several.
        origlang: the original language of the selected segments; `None`: any.
        subset: a regular expression for the domain or tag of the selected documents; `None`: any.
        conditions: conditions on fields that the selected segments meet.
    """

    def __init__(self, test_sets: Sequence[TestSet], models: Sequence[str], langpair: str | None,
                 origlang: str | None, subset: str | None) -> None:
        self.test_sets = test_sets
        self.models = models
        self.langpair = langpair
        self.origlang = origlang or None
        self.subset = subset or None
        self.conditions: Sequence[Condition] = ()
        self.name = ",".join([test_set.name for test_set in test_sets])

    @property
    def takes_all(self) -> bool:
        """Whether all segments are chosen."""
        return not (self.origlang or self.subset or self.conditions)

    def pair(self) -> str:
        """Return the language pair; raises `OptionError`, which lists the pairs, if none was chosen."""
        if self.langpair:
            return self.langpair
        pairs = dict.fromkeys(pair for test_set in self.test_sets for pair in test_set.all_pairs())
        raise OptionError(f"choose a language pair of {self.name} with -l: {', '.join(pairs)}", option="langpair")

    def pairs(self) -> Iterator[tuple[TestSet, str]]:
        """Yield each test set with the language pair; if none was chosen, with each of its own pairs."""
        for test_set in self.test_sets:
            for pair in [self.langpair] if self.langpair else test_set.all_pairs():
                yield test_set, test_set.own_name(pair)

    def references(self) -> list[HeldLines]:
        """Return the streams of references. In each of them, one test set follows another."""
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
        """Return the streams of the fields `src`, `docid`, `origlang` and `domain`, if all test sets have them."""
        fields = [test_set.fieldnames(self.pair()) for test_set in self.test_sets]
        return {field: self.joined(field) for field in ("src", "docid", "origlang", "domain")
                if all(field in names for names in fields)}

    def joined(self, field: str) -> HeldLines:
        """Return the stream of a field of all test sets, one after another; raises `OptionError` if one lacks it."""
        pair = self.pair()
        for test_set in self.test_sets:
            test_set.check_field(pair, field)
        paths = [path for test_set in self.test_sets for path in test_set.verified(pair, [field])]
        return _joined(f"the {field} of {self.name} {pair}", paths)

    def kept_segments(self) -> list[bool] | None:
        """Return, for each segment of the test sets, whether it is chosen; `None` if all are."""
        if self.takes_all:
            return None
        return [keep for test_set in self.test_sets for keep in self.kept_of(test_set)]

    def kept_of(self, test_set: TestSet) -> list[bool]:
        """Return, for each segment of a test set, whether it is chosen."""
        masks: list[list[bool]] = []
        if self.origlang or self.subset:
            masks.append(test_set.select(self.pair(), self.origlang, self.subset))
        for condition in self.conditions:
            [values] = test_set.read_fields(self.pair(), [condition.column])
            masks.append(list(map(condition.is_met, values)))
        return list(map(all, zip(*masks)))

    def subsets(self) -> Iterator[tuple[str, list[bool]]]:
        """Yield the name of each subset that has segments, and for each segment whether the subset has it."""
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
    from ..files.lines import HeldLines, read_lines

    return HeldLines(name, [line for path in paths for line in read_lines(path)])


def _label(tag: str | None) -> str:
    """Return the second part of a subset's name.

    >>> _label(None), _label("news"), _label("country:EU")
    ('domain=ALL', 'domain=news', 'country=EU')
    """
    if tag is not None and tag.startswith("country:"):
        return "country=" + tag[len("country:"):]
    return f"domain={tag or 'ALL'}"
