"""Test sets: their list, their citations, their fields."""

from __future__ import annotations

from itertools import compress

from ...runtime.errors import OptionError, PurebleuError, warn
from ..corpus.selection import carried_contents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Sequence

    from ...datasets import TestSet
    from ...datasets.bundle import Contents
    from ...datasets.registry import Selection


def listing(selection: Selection) -> str:
    """Return the list of test sets (only those with the pair of `-l`), or the fields of the chosen sets (`-t`).

    If the program runs from a bundle, list only what the bundle has.
    """
    from ...datasets import DATASETS, get_available_testsets, get_available_testsets_for_langpair
    from ...datasets.registry import described_sets

    if carried := carried_contents():
        return "\n".join(_lines_of_bundle(carried, selection))
    if selection.test_sets:
        return "\n".join([line for test_set in selection.test_sets for line in _pairs_of(test_set, selection.langpair)])
    names = get_available_testsets_for_langpair(selection.langpair) if selection.langpair else get_available_testsets()
    for_pair = f" for {selection.langpair}" if selection.langpair else ""
    described = [test_set for test_set in described_sets() if selection.langpair in (None, *test_set.langpairs)]
    return "\n".join([f"The available test sets{for_pair} are:",
                      *[f"{name:<30}: {DATASETS[name].description}" for name in sorted(names)],
                      *[f"{one.name:<30}: {one.description} ({one.path})" for one in described]])


def _lines_of_bundle(carried: Contents, selection: Selection) -> Iterator[str]:
    """Yield the lines of `listing` for a bundle. Raise `OptionError` if it has no selected test set."""
    from ...datasets import get_test_set

    chosen = [test_set.name for test_set in selection.test_sets]
    pairs = [("sample", pair) for pair in get_test_set("sample").all_pairs()]
    pairs += [pair for pair in carried.pairs if pair not in pairs]
    selected = [(name, pair) for name, pair in pairs
                if (not chosen or name in chosen) and selection.langpair in (None, pair)]
    if not selected:
        raise OptionError(f"this bundle holds {carried}, not "
                          f"{' '.join([selection.name, selection.langpair or '']).strip()}")
    if chosen:
        for name, pair in selected:
            yield from _pairs_of(get_test_set(name), pair)
        return
    yield "This bundle holds:"
    for name, pair in selected:
        yield f"{name + ' ' + pair:<30}: {get_test_set(name).description}"
    for model in carried.models:
        yield f"{model:<30}: SentencePiece model of -tok {model}"


def _pairs_of(test_set: TestSet, langpair: str | None) -> Iterator[str]:
    """Yield a line with the fields of each language pair. If all languages form pairs, list the languages instead."""
    if langpair is None and test_set.languages is not None:
        import textwrap

        short = test_set.languages.short_codes()
        codes = [f"{code} ({short[code]})" if code in short else code for code in test_set.languages.languages]
        fields = test_set.fieldnames(next(iter(test_set.langpairs)))
        yield f"{test_set.name}: {', '.join(fields)}, for {len(test_set.langpairs):,} pairs of {len(codes)} languages:"
        yield from textwrap.wrap(", ".join(codes), 79, initial_indent="  ", subsequent_indent="  ")
        return
    if langpair is not None:
        pair = test_set.own_name(langpair)
        yield f"{pair}: {', '.join(test_set.fieldnames(pair))}"
        return
    is_known = True
    for pair in test_set.all_pairs():
        try:
            yield f"{pair}: {', '.join(test_set.fieldnames(pair))}" if is_known else pair
        except PurebleuError as error:
            is_known = False
            warn(f"the fields of {test_set.name} are only known after the test set is fetched: {error}")
            yield pair


def citations(selection: Selection) -> str:
    """Return the citations of the chosen test sets. Raise `OptionError` if there is none for a test set."""
    entries: list[str] = []
    for test_set in selection.test_sets:
        if test_set.citation is None:
            raise OptionError(f"the catalogue has no citation for {test_set.name}")
        entries.append(test_set.citation)
    return "\n".join(entries)


def fetch(selection: Selection) -> None:
    """Fetch test sets (all language pairs, or only the chosen pair) and models."""
    from ...engines.sentencepiece.published import get_model

    for model in selection.models:
        get_model(model)
    for test_set, pair in selection.pairs():
        test_set.get_files(pair)


def echo(selection: Selection, fields: Sequence[str]) -> str | None:
    """Return a line for each segment, with tabs between its fields. Return `None` if no segment is selected."""
    lines: list[str] = []
    for test_set in selection.test_sets:
        columns = test_set.read_fields(selection.pair(), fields)
        rows = map("\t".join, zip(*columns))
        lines += rows if selection.takes_all else compress(rows, selection.kept_of(test_set))
    return "\n".join(lines) if lines else None
