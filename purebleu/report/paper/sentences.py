"""The sentences of a table's caption: its content, the tests, and the meaning of bold and of marks."""

from __future__ import annotations

from ...errors import counted
from ...significance.paired import SIGNIFICANT
from ...significance.tests import BOOTSTRAP
from ..worth import test_text
from .cells import DAGGER
from .environment import paper_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping

    from ...significance.results import Results
    from ...significance.units import Units

#: (The braces keep it on one line.)
_P_VALUE = rf"${{p \le {SIGNIFICANT}}}$"


def counted_systems(count: int) -> str:
    """The number of systems in words."""
    return "one system" if count == 1 else f"{count} systems"


def on_corpus(corpus: str, segments: int) -> str:
    """The end of a phrase that says what was scored, as far as it is known.

    Args:
        corpus: the test set and the language pair; empty where they are not known.
        segments: the number of segments; 0 where it is not known.

    >>> on_corpus("wmt18, en-de", 2998), on_corpus("", 1), on_corpus("", 0)
    (' on wmt18, en-de (2,998 segments)', ' on 1 segment', '')
    """
    size = counted(segments, "segment") if segments else ""
    if corpus:
        return f" on {paper_text(corpus)}" + (f" ({size})" if size else "")
    return f" on {size}" if size else ""


def resampled_units(units: Units | None) -> str:
    """The units of resampling at the end of a phrase; empty for segments without strata."""
    if units is None:
        return ""
    return f" of {units.plural}" + ("" if units.strata is None else " within strata")


def interval_sentence(results: Results) -> str:
    """The meaning of intervals."""
    assert results.sampling is not None, "there were resamples"
    return (rf"$\pm$: half the width of the 95\,\% confidence interval, from {results.sampling.drawn:,} bootstrap "
            f"resamples{resampled_units(results.units)}.")


def test_in_words(test: str, samples: str, units: Units | None) -> str:
    """A test in words, with the number of its samples and its units of resampling."""
    if test == BOOTSTRAP.name:
        return test_text(test, samples) + resampled_units(units)
    return test_text(test, samples) + (" with whole documents" if units and units.documents else "")


def correction_in_words(tests: int, is_corrected: bool) -> str:
    """The correction of p-values for a number of tests, in words."""
    if tests == 1:
        return "the only test"
    return f"Holm's correction for all {tests} tests" if is_corrected else f"{tests} tests, without a correction"


def mark_sentence(baseline: str, test: str, correction: str, is_marked: bool) -> str:
    """The meaning of marks.

    Args:
        baseline: the name of the system that the others are compared with.
        test: the test, in words.
        correction: the correction, in words.
        is_marked: whether there are marks.
    """
    how = f"({_P_VALUE}; {test}; {correction})"
    if is_marked:
        return f"{DAGGER}: significantly different from {paper_text(baseline)} {how}."
    return f"No system differs significantly from {paper_text(baseline)} {how}."


def rank_sentence(results: Results, has_several_pairs: bool) -> str:
    """The meaning of ranks; `has_several_pairs`: the table has several language pairs."""
    assert results.sampling is not None and results.test is not None, "there was a test"
    samples = f"{'all ' if results.sampling.exact else ''}{results.rank_samples:,}"
    families = ["metric"] * (len(results.rankings) > 1) + ["language pair"] * has_several_pairs
    tests, each_family = len(results.rankings[0].p_values), " and ".join(families)
    is_each = results.family == tests and each_family
    correction = f"for the {tests} tests of each {each_family}" if is_each else f"for all {results.family} tests"
    return ("Ranks begin after the systems that are significantly better and end before those that are significantly "
            f"worse (tests of all pairs; {_P_VALUE}; {test_in_words(results.test, samples, results.units)}; "
            f"Holm's correction {correction}).")


def bold_sentence(is_ranked: bool, is_tested: bool, columns: int) -> str:
    """The meaning of bold, in a table with `columns` columns of scores."""
    best = ("in each column, " if columns > 1 else "") + "the best score"
    if is_ranked:
        return f"Bold: {best} and those of systems that are not significantly worse."
    return f"Bold: {best}{', significantly better or not' if is_tested else '; no significance test was made'}."


def sentences_by_pair(sentences: Mapping[str, str], count: int) -> list[str]:
    """Sentences on language pairs, each after the names of its pairs; a sentence on all `count` pairs stands alone.

    >>> sentences_by_pair({"en-de": "A.", "en-zh": "B.", "en-ru": "A."}, 3)
    ['en-de, en-ru: A.', 'en-zh: B.']
    >>> sentences_by_pair({"en-de": "A.", "en-ru": "A."}, 2)
    ['A.']
    """
    alike: dict[str, list[str]] = {}
    for pair, sentence in sentences.items():
        alike.setdefault(sentence, []).append(pair)
    if len(alike) == 1 and len(sentences) == count:
        return list(alike)
    return [f"{paper_text(', '.join(pairs))}: {sentence}" for sentence, pairs in alike.items()]
