"""The test sets, the language pair and the segments of a run: resolved once, from the options."""

from __future__ import annotations

from ...errors import LeftOutError, PurebleuError
from ...hints import Iterator, Mapping, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...datasets import TestSet
    from ...datasets.registry import Selection


def names_in_values(values: Sequence[str]) -> list[str]:
    """The names in values of options, each of which may have several with commas between."""
    return [name for value in values for name in value.split(",")]


def select(names: Sequence[str], langpair: str | None, origlang: str | None = None, subset: str | None = None,
           models_too: bool = False) -> Selection:
    """The selection of the test sets with these names, and (with `models_too`) of the models.

    Raises `OptionError` for a test set that does not exist, or that lacks the language pair.
    """
    from ...datasets import get_test_set
    from ...datasets.registry import Selection

    models: list[str] = []
    if models_too:
        from ...engines.sentencepiece.published import MODELS

        models = [name for name in names if name in MODELS]
    test_sets = [get_test_set(name) for name in names if name not in models]
    if langpair:
        for test_set in test_sets:
            test_set.own_name(langpair)
    return Selection(test_sets, models, langpair, origlang, subset)


def known_test_sets() -> Mapping[str, TestSet]:
    """The catalogue; empty in a copy that was made without test sets."""
    try:
        from ...datasets import DATASETS
    except LeftOutError:
        return {}
    return DATASETS


def is_at_hand(test_set: TestSet, pair: str) -> bool:
    """Whether the cache has all fields of a language pair (as published, if their checksums are known)."""
    try:
        return test_set.stored(pair).find() is not None
    except PurebleuError:
        return False


def pairs_at_hand() -> Iterator[tuple[TestSet, str]]:
    """The test sets, sorted by name, with each of their language pairs that need not be fetched."""
    from ...datasets import DATASETS

    for _, test_set in sorted(DATASETS.items()):
        for pair in test_set.pairs_at_hand():
            if test_set.is_embedded or is_at_hand(test_set, pair):
                yield test_set, pair
