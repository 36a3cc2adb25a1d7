"""TER: its fast search against the plain one, the parts of both, and what the metric makes of odd and extreme input."""

from __future__ import annotations

import functools
import math
import operator
import random
import warnings
from collections import Counter
from pathlib import Path
from typing import Any, Callable, List, Sequence, Tuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purebleu
from purebleu.engines.edits import myers, ter, ter_search
from purebleu.metrics import TER
from purebleu.runtime.blocks import EDIT_SEGMENTS
from purebleu.runtime.errors import LengthError

from ..helpers import read_fixture

Words = List[Any]
Pair = Tuple[Words, Words]


def test_own_preprocessing_of_references_scores_a_segment_like_a_corpus() -> None:
    class OtherReferences(TER):
        def preprocess_references(self, segments: Sequence[object]) -> list[Any]:
            return [[b"x"] for _ in segments]

    metric = OtherReferences()
    assert metric.sentence_score("x", ["y"]).score == metric.corpus_score(["x"], [["y"]]).score == 0


# Pairs of words

def with_block_moved(source: random.Random, words: Words, start: int, longest: int) -> Words:
    """The words with the block that begins at `start` in another place."""
    end = start + source.randint(1, longest)
    others = words[:start] + words[end:]
    target = source.randint(0, len(others))
    return others[:target] + words[start:end] + others[target:]


def rearranged(source: random.Random, words: Words, changes: int) -> Words:
    """The words after `changes` changes: each moves a block, and then replaces, adds or removes a word."""
    for _ in range(changes):
        words = with_block_moved(source, words, source.randint(0, len(words)), 12)
        place = source.randint(0, len(words))
        words[place:place + source.randint(0, 1)] = source.choice([[], ["new"], words[:1]])
    return words


def random_pairs(seed: int, count: int, alphabets: Sequence[int], shortest: int, longest: int) -> list[Pair]:
    """Pairs of references of these lengths and alphabets, and of rearranged or unrelated hypotheses."""
    source = random.Random(seed)
    pairs: list[Pair] = []
    for _ in range(count):
        alphabet = source.choice(alphabets)
        one, two = [[source.randrange(alphabet) for _ in range(source.randint(shortest, longest))] for _ in range(2)]
        related = source.random() < 0.85
        pairs.append((rearranged(source, one, source.randint(0, 5)) if related else list(two), list(one)))
    return pairs


@st.composite
def short_pairs(draw: st.DrawFn) -> Pair:
    """A pair of up to 14 words on either side, over a few different ones, which often are the same on both sides."""
    words = st.lists(st.sampled_from("abcd"[:draw(st.integers(1, 4))]), max_size=14)
    reference = draw(words)
    return draw(st.one_of(words, st.permutations(reference), words.map(lambda added: added + reference))), reference


def plain_distance(hypothesis: Sequence[Any], reference: Sequence[Any]) -> int:
    """The edit distance of Levenshtein (1966), from the rows of its matrix."""
    row = list(range(len(reference) + 1))
    for number, word in enumerate(hypothesis, 1):
        before, row = row, [number]
        for column, other in enumerate(reference, 1):
            row.append(min(row[-1] + 1, before[column] + 1, before[column - 1] + (word != other)))
    return row[-1]


# The plain search

@given(pair=st.tuples(*[st.lists(st.sampled_from("abc"), max_size=24)] * 2))
def test_the_edit_distance_is_levenshteins_if_the_beam_leaves_everything(pair: Pair) -> None:
    distance, steps = ter.edit_distance(*pair)
    assert distance == plain_distance(*pair)
    row = column = errors = 0
    for step in steps:
        row += step != ter._INSERTION
        column += step != ter._DELETION
        errors += step != ter._MATCH
        if step in (ter._MATCH, ter._SUBSTITUTION):
            assert (pair[0][row - 1] == pair[1][column - 1]) == (step == ter._MATCH)
    assert (row, column, errors) == (len(pair[0]), len(pair[1]), distance)


def long_pairs_beside_the_diagonal() -> list[Pair]:
    """Alignments that leave the diagonal: a little less far than a beam lets them, or farther."""
    source = random.Random(5)
    pairs: list[Pair] = []
    for number in range(60):
        words: Words = [source.randrange(400) for _ in range(source.randint(26, 70))]
        added: Words = ["x"] * source.randint(10, 50)
        place = source.choice((0, len(words), source.randint(0, len(words))))
        longer = words[:place] + added + words[place:]
        pairs.append([(longer, words), (words, longer), (longer[:len(words)], words)][number % 3])
    return pairs


def blocks_moved_beside_the_diagonal() -> list[Pair]:
    """Alignments that leave the diagonal farther than a beam lets them, of blocks that a shift may bring back."""
    source = random.Random(291)
    pairs: list[Pair] = []
    for _ in range(8):
        words: Words = [source.randrange(60) for _ in range(source.randint(30, 50))]
        moved = words[:]
        for _ in range(4):
            moved = with_block_moved(source, moved, source.randrange(len(words)), 5)
        place = source.randint(0, len(moved))
        moved[place:place] = ["x"] * source.randint(26, 50)
        pairs.append((words, moved) if source.random() < 0.5 else (moved, words))
    return pairs


def test_the_beam_changes_nothing_if_it_is_said_not_to_matter() -> None:
    found: Counter[tuple[bool, bool]] = Counter()
    for pair in (*long_pairs_beside_the_diagonal(), *random_pairs(6, 60, (2, 5, 30), 20, 60)):
        narrow = ter.edit_distance(*pair)
        wide = ter.edit_distance(*pair, ter.Rules(beam=1000))
        matters = myers.beam_matters(wide[0], len(pair[0]), len(pair[1]), ter.TERCOM.beam)
        found[matters, narrow == wide] += 1
    assert set(found) == {(False, True), (True, True), (True, False)}


# The fast search

def assert_the_fast_search_finds_the_same(pairs: list[Pair]) -> None:
    """The same numbers of edits as the plain search, and the same shifts."""
    found = [ter.edits_and_shifts(*pair) for pair in pairs]
    assert ter_search.edits_of_pairs(pairs) == [edits for edits, _ in found]
    assert ter_search.shifts_of_pairs(pairs) == found


@given(pairs=st.lists(short_pairs(), max_size=9))
def test_many_short_pairs_have_the_edits_of_the_plain_search(pairs: list[Pair]) -> None:
    assert_the_fast_search_finds_the_same(pairs)


def far_longer_pairs() -> list[Pair]:
    source = random.Random(11)
    pairs: list[Pair] = []
    for short, long in [(1, 130), (2, 130), (3, 149), (3, 151), (1, 49), (1, 50), (1, 51), (1, 52), (2, 99), (2, 101),
                        (2, 105), (4, 190), (4, 210), (5, 130), (12, 130)]:
        one: Words = [source.randrange(4) for _ in range(short)]
        two: Words = [source.randrange(6) for _ in range(long)]
        pairs += [(one, two), (two, one)]
    return pairs


def permuted_pairs() -> list[Pair]:
    source = random.Random(12)
    pairs: list[Pair] = [(source.sample(range(length), length), list(range(length))) for length in range(10, 36, 3)]
    return [*pairs, (list(range(60))[::-1], list(range(60))), ([*range(55, 75), *range(55)], list(range(75)))]


@pytest.mark.full
def test_longer_pairs_have_the_edits_of_the_plain_search() -> None:
    for pairs in (
        random_pairs(7, 200, (3, 4, 5), 4, 13),  # short ones
        random_pairs(1, 40, (1, 2, 3), 0, 19),  # few different words
        random_pairs(2, 12, (3, 4, 5), 0, 34), random_pairs(3, 4, (20, 40), 20, 70),
        random_pairs(4, 2, (120, 400), 60, 130), random_pairs(5, 1, (900,), 150, 240),  # fields of 8 to 32 bytes
        random_pairs(6, 4, (1, 2), 40, 90),  # too many shifts to try
        long_pairs_beside_the_diagonal()[:15], blocks_moved_beside_the_diagonal(), far_longer_pairs(),
        permuted_pairs(),
    ):
        assert_the_fast_search_finds_the_same(pairs)


@pytest.mark.full
def test_the_plain_search_keeps_to_the_limits() -> None:
    # (The fast search is held to these in `test_golden.py`.)
    cases = [case for case in read_fixture("ter.json.gz")["cases"] if "limit" in case["corpus"]]
    assert cases
    for case in cases:
        edits = [ter.count_edits(hypothesis.split(), reference.split())
                 for hypothesis, reference in zip(case["hypotheses"], case["references"][0])]
        assert edits == [number for number, _ in case["rows"]], case["corpus"]


def mixed_pairs() -> list[Pair]:
    pairs = [*random_pairs(13, 500, (2, 4, 9), 0, 20), *random_pairs(14, 100, (9, 80), 0, 70), *far_longer_pairs(),
             ([], []), ([1], []), ([], [1])]
    random.Random(15).shuffle(pairs)
    return pairs


def test_a_pairs_edits_do_not_depend_on_the_others() -> None:
    pairs = mixed_pairs()
    assert len(pairs) > EDIT_SEGMENTS
    edits = ter_search.edits_of_pairs(pairs)
    assert [ter_search.edits_of_pairs([pair])[0] for pair in pairs[::7]] == edits[::7]
    assert ter_search.edits_of_pairs(pairs[::-1]) == edits[::-1]
    assert ter_search.edits_of_pairs(pairs[::30] * 2) == edits[::30] * 2
    assert ter_search.edits_of_pairs([]) == []
    # Nor on the sizes of batches.
    for module, name, sizes in ((ter_search, "EDIT_SEGMENTS", (1, 7, 10**6)),
                                (myers, "_BYTES_TOGETHER", (1, 5000, 10**9))):
        for size in sizes:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(module, name, size)
                assert ter_search.edits_of_pairs(pairs[:100]) == edits[:100], (name, size)


def test_pairs_too_long_for_matrices_go_the_plain_way(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = random_pairs(16, 40, (3, 5, 40), 0, 20)
    edits = ter_search.edits_of_pairs(pairs)
    plain: list[int] = []

    def edits_and_shifts(hypothesis: Words, reference: Words, rules: ter.Rules) -> tuple[int, list[ter.Shift]]:
        plain.append(len(hypothesis) * len(reference))
        return ter.edits_and_shifts(hypothesis, reference, rules)

    monkeypatch.setattr(ter_search, "edits_and_shifts", edits_and_shifts)
    monkeypatch.setattr(ter_search, "_MAX_CELLS", 150)
    assert ter_search.edits_of_pairs(pairs) == edits
    cells = [len(hypothesis) * len(reference) for hypothesis, reference in pairs]
    assert plain == [size for size in cells if size > 150 or size == 0]
    assert [number for number, _ in ter_search.shifts_of_pairs(pairs)] == edits
    assert 0 < len([size for size in plain if size]) < len(pairs)


# Rows and scores

def test_functions_take_the_options_which_change_what_is_an_edit() -> None:
    table: list[tuple[dict[str, Any], str, str, int]] = [
        ({}, "A b, c.", "a B, c.", 0), ({"case_sensitive": True}, "A b, c.", "a B, c.", 2),
        ({"normalized": True}, "a b , c", "a b, c", 0), ({"no_punct": True}, "a (b)!", "a b", 0),
        ({"no_punct": True}, "a、b", "ab", 1), ({"no_punct": True, "asian_support": True}, "a、b", "ab", 0),
    ]
    for options, hypothesis, reference, edits in table:
        score = TER(**options).sentence_score(hypothesis, [reference])
        for found in (score, purebleu.corpus_ter([hypothesis], [[reference]], **options),
                      purebleu.sentence_ter(hypothesis, [reference], **options)):
            assert found.num_edits == edits, (options, hypothesis)
        fields = score.signature.info
        assert [fields[name] for name in ("case", "tok", "norm", "punct", "asian")] == [
            "mixed" if options.get("case_sensitive") else "lc", "tercom", options.get("normalized", False),
            not options.get("no_punct", False), options.get("asian_support", False)]


def test_lengths_are_added_up_one_after_the_other_on_every_python() -> None:
    source = random.Random(20)
    streams = [[" ".join("x" * source.randint(0, 9)) for _ in range(2000)] for _ in range(3)]
    score = TER().corpus_score(streams[0], streams)
    lengths = [sum([len(line.split()) for line in segment]) / 3 for segment in zip(*streams)]
    total = functools.reduce(operator.add, lengths)
    assert total != math.fsum(lengths)
    assert score.ref_length == total
    rows = TER().corpus_statistics(streams[0], streams)
    assert purebleu.sum_statistics(rows) == [score.num_edits, total]
    assert TER()._aggregate_and_compute(rows).ref_length == total


def test_sums_may_come_from_elsewhere() -> None:
    for sums, expected in (([3, 4.0], 75.0), ([0, 0.0], 0.0), ([5, 0], 100.0), ((1.0, 3), 100 * (1 / 3))):
        score = TER().score(sums)
        assert (score.score, score.ref_length) == (expected, sums[1])
        assert type(score.num_edits) is int
    assert str(TER().score([3, 4.0])) == "TER = 75.00"


# Errors and warnings

def test_wrong_input_is_refused() -> None:
    for sums in ([], [1], [1, 2, 3]):
        with pytest.raises(purebleu.PurebleuError, match=str(len(sums))):
            TER().score(sums)
    words = ["a", "b"]
    calls: list[Callable[[], object]] = [
        lambda: TER().corpus_score([words], [[words]]), lambda: TER(references=[[words]]),
        lambda: TER().sentence_score(words, [words]), lambda: purebleu.corpus_ter("a b", [["a b"]]),
        lambda: purebleu.sentence_ter("a b", "a b"), lambda: purebleu.corpus_ter([None], [["a b"]])]  # type: ignore[list-item]
    for call in calls:
        with pytest.raises(TypeError):
            call()
    with pytest.raises(LengthError, match=r"2.*3"):
        purebleu.corpus_ter(words, [[*words, "c"]])
    with pytest.raises(purebleu.PurebleuError, match="no reference"):
        purebleu.sentence_ter("a", [None])


@pytest.mark.parametrize("call", [
    lambda long: purebleu.corpus_ter(["a", long], [["a", "b"]]),
    lambda long: purebleu.corpus_ter(["a", "b"], [["a", long]]),
    lambda long: purebleu.sentence_ter("b", ["a", long]),
    lambda long: TER(references=[["a", long]]).corpus_score(["a", "b"], None),
], ids=["hypothesis", "reference", "sentence", "cached reference"])
def test_an_absurdly_long_segment_is_warned_about_once(call: Callable[[str], object]) -> None:
    with pytest.warns(purebleu.PurebleuWarning, match="10,002 characters") as caught:
        call("a " * 5001)
    assert [Path(warning.filename).name for warning in caught] == [Path(__file__).name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        call("a " * 5000)
