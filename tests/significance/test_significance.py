"""Resampling: packed rows, random streams, intervals and paired tests."""

from __future__ import annotations

import operator
import random
import statistics
import struct
from itertools import count, islice, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purebleu
from purebleu import significance
from purebleu.engines.resampling import intervals, packed, streams
from purebleu.engines.resampling.streams import Single
from purebleu.runtime.errors import OptionError, PurebleuError
from purebleu.significance import PairedTest

from ..helpers import refusal, results_of, runs_of, told

REFERENCES = [["the cat sat on the mat", "a dog barked", "it rained all day long", "nobody came", "so we left early"]]
SYSTEMS = [
    ("Baseline: one", ["the cat sat on a mat", "the dog barked", "it rained all day", "no one came", "we left early"]),
    ("two", ["the cat sat on the mat", "a dog barks", "it was raining all day", "nobody came", "so we left"]),
    ("three", ["the cat sat on a mat", "the dog barked", "it rained all day", "no one came", "we left early"]),
]


def pcg64_by_definition(words: Sequence[int]) -> Iterator[int]:
    """The numbers of 32 bits of PCG64 (O'Neill, 2014; XSL RR), one state after another."""
    multiplier, increment = 0x2360ED051FC65DA44385DF649FCCF645, words[2] << 65 | words[3] << 1 | 1
    state = (words[0] << 64 | words[1]) + increment
    for step in count():
        state = (state * multiplier + increment) % 2 ** 128
        if step:
            mixed = f"{state >> 64 ^ state % 2 ** 64:064b}"
            rotation = state >> 122
            rotated = int(mixed[64 - rotation:] + mixed[:64 - rotation], 2)
            yield rotated % 2 ** 32
            yield rotated >> 32


@given(st.integers(0, 2 ** 80), st.lists(st.tuples(st.integers(2, 3 << 30), st.integers(1, 5000)), max_size=4))
def test_numpys_samples_are_those_of_the_definition(seed: int, calls: list[tuple[int, int]]) -> None:
    generator = streams.NumpyGenerator(seed)
    numbers = pcg64_by_definition(streams._words(seed))
    for choices, size in calls:
        # Lemire (2019): the high half of a product, where the low half does not come too often.
        products = (number * choices for number in numbers)
        fair = (product >> 32 for product in products if product % 2 ** 32 >= 2 ** 32 % choices)
        assert list(generator.sampler(range(choices))(size)) == list(islice(fair, size))


def test_samples_of_many_segments_are_those_of_pythons_generator() -> None:
    for choices in (65_537, 99_999, 100_000, 1 << 20):
        ours, pythons = streams.MersenneTwister(choices), random.Random(choices)
        sample = ours.sampler(range(choices))
        for size in (1, 7, 4097, 1):
            assert list(sample(size)) == pythons.choices(range(choices), k=size)
        assert ours.bits(64) == pythons.getrandbits(64).to_bytes(8, "little")


def test_samples_of_fewer_segments_take_16_bits_each() -> None:
    for choices in (1, 7, 40_000, 65_536):
        ours, pythons = streams.MersenneTwister(choices), random.Random(choices)
        bits = pythons.getrandbits(16 * 50)
        numbers = [bits >> 16 * place & 0xFFFF for place in range(50)]
        fair = 65_536 // choices * choices
        assert list(ours.sampler(range(1, 1 + choices))(50)) == [
            1 + number % choices if number < fair else 0 for number in numbers]


def test_a_draw_that_python_rounds_up_is_rounded_up(monkeypatch: pytest.MonkeyPatch) -> None:
    numerator = 79134679166653
    assert numerator * 70_000 >> 53 == 614
    words = numerator >> 26 << 5 | (numerator & (1 << 26) - 1) << 38

    class NearTheNext(random.Random):
        """The product of its third fraction and 70,000 is just below 615, as an integer of any size."""

        def getrandbits(self, k: int) -> int:
            return super().getrandbits(k) & ~((1 << 64) - 1 << 128) | words << 128

    ours, pythons = streams.MersenneTwister(1), random.Random(1)
    monkeypatch.setattr(ours, "_random", NearTheNext(1))
    drawn = list(ours.sampler(range(70_000))(9))
    expected = pythons.choices(range(70_000), k=9)
    assert drawn == [*expected[:2], int(numerator / 2 ** 53 * 70_000), *expected[3:]]
    assert drawn[2] == 615


class Exhaustive:
    """A stream that goes through all ways in which coins can fall, or segments be drawn."""

    NUMBER = None
    TELLS_ROUNDING_APART = False

    def __init__(self, segments: int) -> None:
        self._draws = product(range(segments), repeat=segments)
        self._flips = product([0, 1], repeat=segments)

    def sampler(self, items: Sequence[int]) -> Callable[[int], list[int]]:
        return lambda _: [items[place] for place in next(self._draws)]

    def bits(self, count: int) -> bytes:
        coins = next(self._flips)
        return sum(coin << place for place, coin in enumerate(coins)).to_bytes(-(-count // 8), "little")


#: A stream that draws each segment once.
EVERYTHING: Any = SimpleNamespace(NUMBER=None, sampler=lambda items: lambda _: items)


def resample(stream: Any, count: int) -> list[int]:
    """`count` numbers below `count`, sampled from the stream."""
    sample = stream.sampler(range(1, 1 + count))
    drawn: list[int] = []
    while len(drawn) < count:
        drawn += [item - 1 for item in sample(count - len(drawn)) if item]
    return drawn


@given(st.integers(1, 20).flatmap(lambda count: st.lists(
    st.lists(st.tuples(st.integers(0, 2**31), st.sampled_from([0.5, 3.0, 7 / 3, 1.25, 0.0]), st.integers(-300, 2**66)),
             min_size=count, max_size=count), min_size=1, max_size=4)))
def test_sums_of_packed_rows_are_sums_of_columns(groups: list[list[tuple[int, float, int]]]) -> None:
    # (Columns that follow from others: equal, or less by 1.)
    groups = [[(*row, row[0], max(0, row[0] - 1), row[2] - 1) for row in group] for group in groups]  # type: ignore[misc]
    unpacked, = packed.bootstrap_totals(groups, EVERYTHING, 1)
    for group, sums in zip(groups, unpacked):
        plain = [[sum(column)] for column in zip(*group)]
        assert sums[1] == pytest.approx(plain[1], rel=1e-12)
        assert [sums[0], *sums[2:]] == [plain[0], *plain[2:]]


def test_sums_are_exact_however_many_segments_there_are() -> None:
    totals, = packed.bootstrap_totals([[(2**24 + 1, 1)] * 5000], EVERYTHING, 1)
    assert totals == [[[5000 * (2**24 + 1)], [5000]]]


def test_systems_may_have_fractions_with_other_denominators() -> None:
    rows = [[[(1, 1 / 3), (2, 2 / 3)]], [[(1, 0.5), (0, 1.0)]]]
    [(_, unmoved), *_] = packed.randomization_totals(rows, [(0, 1)], streams.MersenneTwister(1), 5)
    assert unmoved.of_group(0).sums() == ([[3], [1.0]], [[1], [1.5]])


@pytest.mark.parametrize("limit", [0, 1 << 40], ids=["one by one", "from tables"])
@pytest.mark.parametrize("segments", [1, 7, 8, 9, 40])
def test_swapped_segments_are_those_of_the_bits(monkeypatch: pytest.MonkeyPatch, limit: int, segments: int) -> None:
    monkeypatch.setattr(packed, "_MAX_BYTES", limit)
    source = random.Random(segments)
    systems = [[(source.randrange(100), source.randrange(30000), 1, source.randrange(9) / 3) for _ in range(segments)]
               for _ in range(3)]
    for system in systems:
        system[0] = (*system[0][:3], 1 / 3)
    coins = streams.MersenneTwister(1)
    flips = [coins.bits(segments) for _ in range(20)]
    pairs = [(0, 1), (0, 2), (1, 2)]
    totals = packed.randomization_totals([[rows] for rows in systems], pairs, streams.MersenneTwister(1), 20)
    found = {pair: [list(zip(*sums)) for sums in trials.of_group(0).sums()]
             for pair, trials in list(totals)[len(pairs):]}
    assert list(found) == pairs
    for (first, second), (formers, latters) in found.items():
        for bits, former, latter in zip(flips, formers, latters):
            swapped = [bits[index >> 3] >> (index & 7) & 1 for index in range(segments)]
            one, two = zip(*[(other, own) if swap else (own, other)
                             for own, other, swap in zip(systems[first], systems[second], swapped)])
            assert former == pytest.approx([sum(column) for column in zip(*one)], rel=1e-12)
            assert latter == pytest.approx([sum(column) for column in zip(*two)], rel=1e-12)


@pytest.mark.parametrize("name", list(streams.STREAMS))
def test_streams_are_fixed_by_their_seed_and_uniform(name: str) -> None:
    stream = streams.STREAMS[name]
    one, same, other = (stream(seed) for seed in (7, 7, 8))
    drawn = resample(one, 1000)
    assert drawn == resample(same, 1000) != resample(other, 1000)
    assert one.bits(1000) == same.bits(1000)
    assert resample(stream(None), 1000) != resample(stream(None), 1000)
    source = stream(5)
    drawn = [item for _ in range(300) for item in resample(source, 100)]
    counts = [drawn.count(item) for item in range(100)]
    assert 230 < min(counts) < 300 < max(counts) < 370  # five standard deviations of 17
    heads = sum(bin(byte).count("1") for _ in range(100) for byte in source.bits(1001))
    assert abs(heads - 50_050) < 800


def test_numbers_of_samples_are_sacrebleus_unless_they_are_given() -> None:
    systems, metrics = SYSTEMS, {"BLEU": purebleu.BLEU()}
    counts = {test: PairedTest(systems, metrics, REFERENCES, test).n_samples for test in ("bs", "ar")}
    assert counts == {"bs": 1000, "ar": 10_000}
    for number, resamples in ((0, 1000), (50, 50)):
        assert PairedTest(systems, metrics, REFERENCES, n_ar_confidence=number).n_ar_confidence == resamples


def test_rows_of_nist_have_weights_from_the_references_of_a_test() -> None:
    _, table = PairedTest(SYSTEMS, {"NIST": purebleu.metrics.NIST()}, REFERENCES, "ar", 5)()
    assert [result.score for result in table["NIST"]] == [
        purebleu.metrics.NIST().corpus_score(hypotheses, REFERENCES).score for _, hypotheses in SYSTEMS]


def test_wrong_options_are_refused() -> None:
    metrics = {"BLEU": purebleu.BLEU()}
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"test_type": "t"}, "test"), ({"rng": "dice"}, "stream"), ({"n_samples": -5}, "samples"),
        ({"n_ar_confidence": -2}, "samples"), ({"named_systems": []}, "at least"), ({"metrics": {}}, "at least")]
    for options, message in wrong:
        with pytest.raises(OptionError, match=message):
            PairedTest(**{"named_systems": SYSTEMS, "metrics": metrics, "references": REFERENCES, **options})
    two = {"a": purebleu.BLEU(), "b": purebleu.BLEU(tokenize="char")}
    with pytest.raises(OptionError, match="two metrics are called BLEU, but a table has a column for each name"):
        PairedTest(SYSTEMS, two, REFERENCES, "ar", 5)()
    wrong = [({"test": "t"}, "unknown test 't'; choose from bs, ar"), ({"rank": True}, "a ranking needs a sig"),
             ({"test": "bs", "rng": "dice"}, "unknown random stream 'dice'")]
    for options, message in wrong:
        with pytest.raises(OptionError, match=message):
            results_of(rows_of_systems([purebleu.TER()]), [purebleu.TER()], **options)
    with pytest.raises(PurebleuError, match="unknown random stream 'dice'"):
        purebleu.BLEU().corpus_score(["a b c d"], [["a b c d"]], n_bootstrap=10, rng="dice")


@pytest.mark.parametrize(("test", "intervals"), [("ar", False), ("ar", True), ("bs", True)])
def test_a_single_system_has_a_row_without_a_test(test: str, intervals: bool) -> None:
    metrics = {"BLEU": purebleu.BLEU(), "TER": purebleu.TER()}
    signatures, table = PairedTest(SYSTEMS[:1], metrics, REFERENCES, test, 50, 20 if intervals else -1)()
    assert table["System"] == [SYSTEMS[0][0]]
    for name in ("BLEU", "TER"):
        result, = table[name]
        assert result.score > 0
        assert result.p_value is None
        assert (result.mean is not None, result.ci is not None) == (intervals, intervals)
        assert f"{test}:50|" in str(signatures[name])


def rows_of_systems(metrics: Sequence[Any]) -> list[list[Any]]:
    return [[metric.corpus_statistics(hypotheses, REFERENCES) for metric in metrics] for _, hypotheses in SYSTEMS]


@pytest.mark.parametrize(("test", "resamples"), [("bs", 0), ("ar", 0), ("ar", 30)])
@pytest.mark.parametrize("rng", list(streams.STREAMS))
def test_rows_alone_give_the_results_of_a_test_of_text(test: str, resamples: int, rng: str) -> None:
    metrics = [purebleu.BLEU(), purebleu.CHRF(), purebleu.TER()]
    named_metrics = dict(zip("abc", metrics))
    signatures, table = PairedTest(SYSTEMS, named_metrics, REFERENCES, test, 60, resamples or -1, rng=rng)()
    results = results_of(rows_of_systems(metrics), metrics, test=test, samples=60, resamples=resamples, rng=rng)
    assert [list(column) for column in zip(*results.systems)] == list(table.values())[1:]
    assert [results.signed(metric.get_signature()) for metric in metrics] == list(signatures.values())
    assert (results.test, results.samples, list(results.rankings)) == (test, 60, [])
    assert [[(score.score, score.mean, score.ci) for score in scores] for scores in results.scores] == [
        [(result.score, result.mean, result.ci) for result in system_results] for system_results in results.systems]


def test_without_resampling_partial_sums_give_the_same_scores() -> None:
    metrics = [purebleu.BLEU(), purebleu.CHRF(), purebleu.TER()]
    rows = rows_of_systems(metrics)
    sums: Any = [[[purebleu.sum_statistics(column)] for column in system] for system in rows]
    by_rows, by_sums = results_of(rows, metrics), results_of(sums, metrics)
    assert (by_rows.systems, by_rows.scores) == (by_sums.systems, by_sums.scores)
    assert [[score.score for score in scores] for scores in by_rows.scores] == [
        [metric.corpus_score(hypotheses, REFERENCES).score for metric in metrics] for _, hypotheses in SYSTEMS]
    assert (by_rows.test, by_rows.samples) == (None, 0)
    signature = metrics[0].get_signature()
    assert by_rows.signed(signature) is signature


def shortened_second(rows: list[list[Any]]) -> list[list[Any]]:
    """Rows of two systems, of which the second has only three segments under the first metric."""
    return [rows[0], [rows[1][0][:3], *rows[1][1:]]]


@pytest.mark.parametrize(("change", "options", "message"), [
    (shortened_second, {"test": "ar"}, "different numbers of segments: 3, 5"),
    (lambda rows: shortened_second(rows[::-1])[::-1], {"test": "bs"}, "different numbers of segments: 3, 5"),
    (shortened_second, {"resamples": 9}, "different numbers of segments: 3, 5"),
    (lambda rows: [[*system, system[0]] for system in rows], {"test": "bs"}, "system 0 has rows for 3 metrics"),
    (lambda rows: [rows[0], rows[1][:1]], {}, "system 1 has rows for 1 metrics, but 2 are expected"),
    (lambda rows: [], {}, "there are no systems"), (lambda rows: [[[], []]], {"resamples": 9}, "a system has no rows"),
    (lambda rows: rows, {"test": "ar", "samples": -5}, "the number of samples must be at least 1"),
    (lambda rows: rows, {"resamples": -5}, "the number of resamples must be at least 1"),
])
def test_rows_that_do_not_belong_together_are_refused(change: Any, options: dict[str, Any], message: str) -> None:
    metrics = [purebleu.BLEU(), purebleu.TER()]
    rows = change(rows_of_systems(metrics)[:2])
    with pytest.raises(PurebleuError, match=message):
        results_of(rows, metrics, **options)
    if options:
        options.pop("test", None)
        with pytest.raises(PurebleuError):
            runs_of([[system] for system in rows], metrics, **options)


def test_equal_scores_and_results_compare_equal() -> None:
    bleu, hypotheses = purebleu.BLEU(), SYSTEMS[0][1]
    one, other = bleu.corpus_score(hypotheses, REFERENCES), bleu.corpus_score(list(hypotheses), REFERENCES)
    pairs = [(one, other), (one.signature, other.signature), (significance.Result(1, 0.5), significance.Result(1, 0.5))]
    assert all(first == second and hash(first) == hash(second) for first, second in pairs)
    assert significance.Result(1.0, 0.5) != significance.Result(1.0)
    assert one not in (purebleu.BLEU(lowercase=True).corpus_score(hypotheses, REFERENCES),
                       bleu.corpus_score(hypotheses, REFERENCES, n_bootstrap=10), one.score)


def test_seeds_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PUREBLEU_SEED", raising=False)
    for name, text, seed in (("SACREBLEU_SEED", "0", 0), ("SACREBLEU_SEED", "17", 17), ("SACREBLEU_SEED", "None", None),
                             ("SACREBLEU_SEED", "none", None), ("PUREBLEU_SEED", "3", 3)):
        monkeypatch.setenv(name, text)
        assert streams.seed_from_environment() == seed
    for text in ("-1", "x", "1.5", "", "²", "9" * 5000):
        monkeypatch.setenv("PUREBLEU_SEED", text)
        with pytest.raises(PurebleuError, match="PUREBLEU_SEED"):
            streams.seed_from_environment()


def test_random_streams_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    def score(n_bootstrap: int = 50, **options: Any) -> purebleu.Score:
        return purebleu.BLEU().corpus_score(SYSTEMS[0][1], REFERENCES, n_bootstrap=n_bootstrap, **options)

    given = {rng: score(rng=rng) for rng in streams.STREAMS}
    assert given["numpy"].mean != given["mt19937"].mean
    monkeypatch.delenv("PUREBLEU_RNG", raising=False)
    assert score().mean == given["mt19937"].mean
    monkeypatch.setenv("PUREBLEU_RNG", "numpy")
    assert (score().mean, score().signature) == (given["numpy"].mean, given["numpy"].signature)
    assert score(rng="mt19937").mean == given["mt19937"].mean
    for test_type in ("bs", "ar"):
        (signatures, table), (asked_for, expected) = [
            PairedTest(SYSTEMS[:2], {"BLEU": purebleu.BLEU()}, REFERENCES, test_type, 50, rng=rng)()
            for rng in ("environment", "numpy")]
        assert (str(signatures["BLEU"]), table["BLEU"]) == (str(asked_for["BLEU"]), expected["BLEU"])
        assert "rng:" not in str(signatures["BLEU"])  # as sacreBLEU's, which has no other
    monkeypatch.setenv("PUREBLEU_RNG", "dice")
    with pytest.raises(PurebleuError, match="stream 'dice' in PUREBLEU_RNG; choose from mt19937, numpy"):
        score()
    assert score(n_bootstrap=1).mean is None


def test_the_command_line_takes_a_random_stream_from_the_environment(corpus: Path) -> None:
    args = ["ref", "-i", "one", "two", "-pbs", "-pbsn", "50"]
    asked_for = told(corpus, *args, "--rng", "numpy")
    assert told(corpus, *args, PUREBLEU_RNG="numpy") == asked_for
    assert told(corpus, *args, "--rng", "mt19937", PUREBLEU_RNG="numpy") != asked_for
    assert "'dice' in PUREBLEU_RNG" in refusal(corpus, *args, PUREBLEU_RNG="dice")
    plain = ["ref", "-i", "one"]  # which resamples nothing
    assert told(corpus, *plain, PUREBLEU_RNG="dice") == told(corpus, *plain)


SHARES, SEGMENTS = {"ref": 1, "one": 0.9, "two": 0.7, "three": 0.88}, 60


# Intervals through the API

@pytest.mark.parametrize("rng", ["mt19937", "numpy"])
@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_a_corpus_score_can_have_an_interval(monkeypatch: pytest.MonkeyPatch, name: str, rng: str) -> None:
    monkeypatch.setenv("PUREBLEU_SEED", "5")
    hypotheses = [line for _, system in SYSTEMS for line in system]
    references = [line for _ in SYSTEMS for line in SYSTEMS[0][1]]
    metric = getattr(purebleu.metrics, name)()
    score = metric.corpus_score(hypotheses, [references], n_bootstrap=200, rng=rng)
    rows = metric.corpus_statistics(hypotheses, [references])
    stream = streams.make_stream(rng, 5)
    resamples = [metric.value(purebleu.sum_statistics([rows[place] for place in resample(stream, len(rows))]))
                 for _ in range(200)]
    assert score.mean == pytest.approx(sum(resamples) / 200, rel=1e-6)
    assert score.ci == pytest.approx((sorted(resamples)[194] - sorted(resamples)[5]) / 2, rel=1e-5)
    assert f"|bs:200|seed:5|{'rng:mt19937|' if rng == 'mt19937' else ''}" in str(score.signature)
    assert "μ = " in score.format()
    again = metric.corpus_score(hypotheses, [references])
    assert (again.score, again.mean) == (score.score, None)
    assert "bs:" not in str(again.signature)


@pytest.mark.full
@pytest.mark.parametrize("test", ["bs", "ar"])
def test_several_processes_find_the_same(test: str) -> None:
    metrics = {"BLEU": purebleu.BLEU(), "TER": purebleu.TER()}
    one, two = [str(PairedTest(SYSTEMS, metrics, [SYSTEMS[0][1]], test, 50, n_jobs=jobs)()) for jobs in (1, 2)]
    assert one == two


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.full)])
def test_a_signature_is_of_the_test_alone(jobs: int) -> None:
    metric = purebleu.BLEU()
    before = metric.corpus_score(SYSTEMS[0][1], REFERENCES * 2)
    signatures, _ = PairedTest(SYSTEMS, {"BLEU": metric}, REFERENCES, "bs", 50, n_jobs=jobs)()
    assert str(signatures["BLEU"]).startswith("nrefs:1|bs:50|seed:12345|rng:mt19937|")
    assert str(before.signature).startswith("nrefs:2|case:")
    assert "bs:" not in str(metric.get_signature())


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.sampled_from("+-*/"))
def test_every_result_is_rounded_to_single_precision(one: float, other: float, operation: str) -> None:
    def rounded(number: float) -> float:
        return float(struct.unpack("f", struct.pack("f", number))[0])

    function = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}[operation]
    expected = rounded(function(rounded(one), rounded(other)))
    for left, right in ((Single(one), Single(other)), (Single(one), other), (one, Single(other))):
        result = function(left, right)
        assert (type(result), float(result)) == (Single, expected)
    assert (abs(Single(one)), Single(one) > other) == (abs(rounded(one)), rounded(one) > rounded(other))


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=600))
def test_the_mean_is_the_mean(numbers: list[float]) -> None:
    assert intervals.pairwise_mean(numbers) == pytest.approx(statistics.mean(numbers), abs=1e-9)


@pytest.mark.parametrize("test", [None, "bs", "ar"])
def test_means_of_resampled_scores_are_those_of_the_function(test: str | None) -> None:
    metrics = [purebleu.TER()]
    rows = rows_of_systems(metrics)
    found = results_of(rows, metrics, test=test, samples=9 if test else 0, resamples=9, mean=max)
    usual = results_of(rows, metrics, test=test, samples=9 if test else 0, resamples=9)
    for [one], [other] in zip(found.systems, usual.systems):
        assert one.mean is not None and other.mean is not None and one.mean > other.mean
        assert (one.score, one.p_value, one.ci) == (other.score, other.p_value, other.ci)


def test_rows_may_be_generators() -> None:
    metrics = [purebleu.TER()]
    rows = rows_of_systems(metrics)

    def generated() -> Any:
        return ((iter(of_metric) for of_metric in system) for system in rows)

    found, expected = [results_of(given, metrics, test="ar", samples=9, seed=1) for given in (generated(), rows)]
    assert found.systems == expected.systems
    runs: Any = (iter([system]) for system in generated())
    found, expected = [runs_of(given, metrics, samples=9, seed=1) for given in (runs, [[system] for system in rows])]
    assert found.systems == expected.systems
    found, expected = [str(purebleu.compare_rows(dict(zip("abc", given)), metrics, trials=99, seed=1))
                       for given in (generated(), rows)]
    assert found == expected
