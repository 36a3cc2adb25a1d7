"""Metrics that are means of segments (ROUGE, RIBES, CharacTER, EED), held to oracles; and what they are made of."""

from __future__ import annotations

import json
import random
import re
import warnings
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import purebleu
from purebleu.engines import fixed_point, subsequences, word_order
from purebleu.engines.edits import distances, jump_planes
from purebleu.engines.edits.jumps import extended_edit_distance
from purebleu.engines.porter import stem
from purebleu.engines.subsequences import union_matches
from purebleu.errors import OptionError
from purebleu.metrics import CHARACTER, EED
from purebleu.metrics.eed import _with_decimals
from purebleu.runtime import progress
from purebleu.tokenizers import rouge_words

from ..helpers import SHARED, call_cli, load_script, output_of, part, read_fixture, write_systems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence

cases = load_script("dev/oracles/cases/means")
WAYS, segments_of = cases.WAYS, cases.segments_of

CASES = read_fixture("means.json.gz")["cases"]
WMT22 = SHARED / "data" / "wmt22"

#: The largest difference to an oracle, where that takes powers and exponentials: these are the C library's.
TOLERANCE = 1e-12

needs_data = pytest.mark.skipif(not WMT22.is_dir(), reason="PUREBLEU_SHARED names no folder with real data")


def rows_of(metric: Any, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[Any]:
    """The rows of segments, all in one corpus."""
    most = max([len(references) for _, references in pairs])
    streams = [[references[index] if index < len(references) else None for _, references in pairs]
               for index in range(most)]
    return list(metric.corpus_statistics([hypothesis for hypothesis, _ in pairs], streams))


def figures_of(metric: Any, row: Sequence[Any]) -> Any:
    """The numbers in a row: one, or several."""
    *numbers, _ = [Fraction(number, 2 ** metric.BITS) for number in row]
    assert all(Fraction(float(number)) == number for number in numbers)
    return list(map(float, numbers)) if len(numbers) > 1 else float(numbers[0])


# Equal to the oracles


def test_the_fixture_has_every_metric_with_all_its_options() -> None:
    assert [(case["metric"], case["options"]) for case in CASES] == [
        (metric, options) for metric, ways in WAYS.items() for options in ways]
    assert all(len(case["figures"]) >= 600 for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['metric']} {case['options']}")
def test_segments_are_scored_as_by_the_oracle(case: Any) -> None:
    metric = part("metrics", case["metric"])(**case["options"])
    segments = segments_of(case["seed"], len(case["figures"]))
    pairs = [(pair, expected) for pair, expected in zip(segments, case["figures"]) if expected is not None]
    assert len(pairs) >= 400
    for (pair, expected), row in zip(pairs, rows_of(metric, [pair for pair, _ in pairs])):
        found = figures_of(metric, row)
        assert found == (expected if isinstance(expected, list) else pytest.approx(expected, abs=TOLERANCE)), pair


def wmt22_lines(*names: str) -> list[list[str]]:
    return [(WMT22 / f"generaltest2022.en-de.{name}.de").read_text(encoding="utf-8").splitlines() for name in names]


@needs_data
@pytest.mark.parametrize(("metric", "options", "digits", "figure"), [
    ("ROUGE1", {}, 9, 0.663956791), ("ROUGE2", {}, 10, 0.4527338694), ("ROUGEL", {}, 10, 0.6324589296),
    ("ROUGE1", {"stemmer": True}, 10, 0.6721868995), ("ROUGE2", {"stemmer": True}, 10, 0.4582614025),
    ("ROUGEL", {"stemmer": True}, 10, 0.6394521911), ("ROUGELSUM", {}, 10, 0.6324589296),
    ("RIBES", {}, 6, 0.817210), ("RIBES", {"lowercase": True}, 6, 0.820260), ("CHARACTER", {}, 14, 0.36509773815697),
])
def test_figures_of_real_data(metric: str, options: dict[str, Any], digits: int, figure: float) -> None:
    hypotheses, references = wmt22_lines("hyp.Online-B", "ref.B")
    score = getattr(purebleu, metric)(**options).corpus_score(hypotheses, [references])
    assert round(score.score / 100, digits) == figure


@needs_data
def test_ribes_of_real_data_with_two_references() -> None:
    hypotheses, *references = wmt22_lines("hyp.Online-B", "ref.A", "ref.B")
    assert round(purebleu.RIBES().corpus_score(hypotheses, references).score / 100, 6) == 0.866594


@needs_data
@pytest.mark.parametrize(("metric", "digits", "figures"), [
    ("CHARACTER", 6, [0.387097, 0.209302, 0.494845, 0.131579, 0.264368]),
    ("EED", 10, [0.3786078098, 0.226039783, 0.447806354, 0.1510204082, 0.2246294185]),
])
def test_segments_of_real_data(metric: str, digits: int, figures: list[float]) -> None:
    hypotheses, references = wmt22_lines("hyp.Online-B", "ref.B")
    found = getattr(purebleu, metric)()
    rows = found.corpus_statistics(hypotheses[:500], [references[:500]])
    assert [round(figures_of(found, row), digits) for row in rows[:5]] == figures
    if metric == "EED":
        assert round(found.score(purebleu.sum_statistics(rows)).score / 100, 10) == 0.2998076458


@needs_data
def test_precision_and_recall_of_real_data() -> None:
    hypotheses, references = wmt22_lines("hyp.Online-B", "ref.B")
    score = purebleu.ROUGE1().corpus_score(hypotheses, [references])
    assert (round(score.precision / 100, 9), round(score.recall / 100, 10)) == (0.670684501, 0.6636325895)


# Parts of the scores


@given(st.lists(st.floats(0, 1).filter(lambda number: number == 0 or number > 2 ** -52), min_size=1), st.randoms())
def test_sums_of_fixed_point_are_exact(numbers: list[float], source: random.Random) -> None:
    fixed = fixed_point
    integers = [fixed.truncate_to_fixed(number, fixed.QUOTIENT_BITS) for number in numbers]
    assert [Fraction(integer, 2 ** fixed.QUOTIENT_BITS) for integer in integers] == list(map(Fraction, numbers))
    source.shuffle(integers)
    mean = fixed.fixed_mean(sum(integers), len(integers), fixed.QUOTIENT_BITS)
    assert mean == float(sum(map(Fraction, numbers)) / len(numbers))
    assert fixed.fixed_mean(0, 0, fixed.QUOTIENT_BITS) == 0.0


def plain_common(one: Sequence[Any], other: Sequence[Any]) -> list[list[int]]:
    """The matrix of lengths of longest common subsequences."""
    matrix = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for row, item in enumerate(one):
        for column, other_item in enumerate(other):
            matrix[row + 1][column + 1] = (matrix[row][column] + 1 if item == other_item else
                                           max(matrix[row][column + 1], matrix[row + 1][column]))
    return matrix


def plain_positions(one: Sequence[Any], other: Sequence[Any]) -> list[int]:
    """The positions of one of them, from the ends of both."""
    matrix = plain_common(one, other)
    row, column, found = len(one), len(other), []
    while row and column:
        if one[row - 1] == other[column - 1]:
            row, column = row - 1, column - 1
            found.append(row)
        elif matrix[row][column - 1] > matrix[row - 1][column]:
            column -= 1
        else:
            row -= 1
    return found


few_letters = st.lists(st.sampled_from("abcd"), max_size=80)


@given(few_letters, few_letters)
def test_longest_common_subsequences_are_the_plain_ones(one: list[str], other: list[str]) -> None:
    engine = subsequences
    assert engine.longest_common(one, other) == plain_common(one, other)[-1][-1]
    assert engine.common_positions(one, other) == plain_positions(one, other)
    assert engine.union_matches([one], [other]) == plain_common(one, other)[-1][-1]


@given(st.lists(few_letters, max_size=4), st.lists(few_letters, max_size=4))
def test_matches_of_texts_in_parts_are_the_plain_ones(references: list[list[str]], hypotheses: list[list[str]]) -> None:
    left = [item for hypothesis in hypotheses for item in hypothesis]
    matches = 0
    for reference in references:
        for position in {position for hypothesis in hypotheses for position in plain_positions(reference, hypothesis)}:
            if reference[position] in left:
                left.remove(reference[position])
                matches += 1
    assert union_matches(references, hypotheses) == matches


@pytest.mark.parametrize(("word", "expected"), [
    ("caresses", "caress"), ("ponies", "poni"), ("dies", "die"), ("cats", "cat"), ("feed", "feed"), ("agreed", "agre"),
    ("plastered", "plaster"), ("motoring", "motor"), ("sing", "sing"), ("conflated", "conflat"), ("hissing", "hiss"),
    ("filing", "file"), ("happy", "happi"), ("enjoy", "enjoy"), ("by", "by"), ("rationally", "ration"),
    ("apologies", "apolog"), ("geology", "geolog"), ("vietnamization", "vietnam"), ("adoption", "adopt"),
    ("replacement", "replac"), ("controll", "control"), ("rate", "rate"), ("news", "news"), ("skies", "sky"),
    ("a", "a"), ("died", "die"), ("spied", "spi"),
])
def test_stems_of_words_are_known(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_words_of_rouge() -> None:
    words = rouge_words
    lines = ["The Cat's 3.5\u00e9 \u212aelvin \u0130s", "", "a\nb", "\u4e2d\u6587 \u0939\u093f\u0928\u094d\u0926\u0940"]
    assert words.RougeTokenizer().tokenize_lines(lines) == [
        b"the cat s 3 5 kelvin i s".split(), [], [b"a", b"b"], []]
    assert words.RougeTokenizer(stemmer=True).tokenize_lines(["Ran running skis ski"]) == [b"ran run ski ski".split()]
    assert words.UnicodeWordTokenizer().tokenize_lines(lines) == [
        "the cat s 3 5\u00e9 kelvin i\u0307s".encode().split(), [], [b"a", b"b"],
        "\u4e2d \u6587 \u0939\u093f\u0928\u094d\u0926\u0940".encode().split()]
    assert words.RougeTokenizer().tokenize_lines([]) == words.UnicodeWordTokenizer().tokenize_lines([]) == []


@given(few_letters, few_letters)
def test_edit_distances_are_the_plain_ones(one: list[str], other: list[str]) -> None:
    above = list(range(len(other) + 1))
    for row, item in enumerate(one, 1):
        costs = [row]
        for column, other_item in enumerate(other, 1):
            costs.append(min(costs[-1] + 1, above[column] + 1, above[column - 1] + (item != other_item)))
        above = costs
    engine = distances
    assert engine.edit_distances([(one, other), (other, one), (one, one)]) == [above[-1], above[-1], 0]
    assert engine.long_distance(one, other) == above[-1]


spaced_texts = st.text(" ab", max_size=60).map(lambda text: f" {text} ")


@given(st.lists(st.tuples(spaced_texts, spaced_texts), max_size=5))
def test_extended_edit_distances_in_bit_planes_are_the_plain_ones(pairs: list[tuple[str, str]]) -> None:
    engine, plain = jump_planes, extended_edit_distance
    # (Enough columns for the bit planes.)
    source = random.Random(9)
    pairs += [(f" {' '.join(source.choices(['a', 'b', 'ab', 'ba', 'aab'], k=60))} ", " ab ba aab b ")] * 3
    assert engine.extended_edit_distances(pairs) == [plain(*pair) for pair in pairs]


def plain_positions_by_context(words: Sequence[str], reference: Sequence[str]) -> list[int]:
    """The positions in the reference of words that can be told by the context that grows, to the left first."""
    def places(ngram: Sequence[str], text: Sequence[str]) -> list[int]:
        return [start for start in range(len(text) - len(ngram) + 1) if text[start:start + len(ngram)] == ngram]

    found = []
    for index in range(len(words)):
        ngrams = [(words[index:index + 1], 0)]
        for count in range(1, len(words)):
            ngrams += [(words[index - count:index + 1], count)] if count <= index else []
            ngrams += [(words[index:index + count + 1], 0)] if index + count < len(words) else []
        for ngram, before in ngrams:
            if len(places(ngram, words)) == len(places(ngram, reference)) == 1:
                found.append(places(ngram, reference)[0] + before)
                break
    return found


@given(few_letters, few_letters, st.integers(0, 40))
def test_words_are_aligned_by_their_context(words: list[str], reference: list[str], shared: int) -> None:
    words, reference = words[:40], (words[:shared] + reference)[:60]
    engine = word_order
    positions = engine.aligned_positions(words, reference)
    assert positions == plain_positions_by_context(words, reference)
    assert engine.ascending_pairs(positions) == sum(
        [one < other for index, one in enumerate(positions) for other in positions[index + 1:]])


# Their options


def test_rouge_by_hand() -> None:
    # Two of three words match two of four: P 2/3, R 1/2, F 4/7 (rounded as it is computed).
    row, = purebleu.ROUGE1().corpus_statistics(["a b x"], [["a b c d"]])
    assert figures_of(purebleu.ROUGE1(), row) == pytest.approx([2 / 3, 1 / 2, 4 / 7], abs=1e-15)
    # The reference with the higher F-measure counts: 1 against 2/3.
    score = purebleu.ROUGEL().sentence_score("a b", ["a b c d", "a b", None])
    assert (score.precision, score.recall, score.score, str(score)) == (
        100, 100, 100, "ROUGE-L = 100.00 (P = 100.0 R = 100.0)")
    assert purebleu.ROUGE2().corpus_score(["a", ""], [["a", "b c"]]).score == 0.0
    # Texts in lines: no word matches twice.
    assert purebleu.ROUGELSUM().sentence_score("a b\na b", ["a b"]).precision == 50.0


@given(st.text("12 .,a", max_size=30))
@example("1 . 23 . 4")
@example("1 . 2 , 3 . 4")
def test_decimals_are_joined_as_by_a_substitution(text: str) -> None:
    line = f"x{text}x"  # (marks at the ends are not separated from anything)
    assert _with_decimals(line) == re.sub("([0-9]) ([.,]) ([0-9])", r"\1\2\3", line)


def test_rouge_signs_what_it_depends_on() -> None:
    signed: dict[str, dict[str, Any]] = {
        "case:lc|tok:rouge|stem:no|refs:best|oracle:rouge_score-0.1.2": {},
        "case:lc|tok:rouge|stem:yes|refs:best|oracle:rouge_score-0.1.2": {"stemmer": True},
        "case:lc|tok:unicode|stem:no|refs:best": {"tokenize": "unicode"},
        "tok:custom[split]|stem:no|refs:best|oracle:rouge_score-0.1.2": {"tokenize": str.split},
    }
    for text, options in signed.items():
        signature = purebleu.ROUGE1(**options).sentence_score("a", ["a", "b"]).signature
        assert str(signature) == f"nrefs:2|{text}|version:purebleu-{purebleu.__version__}"
    wrong: list[dict[str, Any]] = [{"tokenize": "13a"}, {"tokenize": "unicode", "stemmer": True}]
    for options in wrong:
        with pytest.raises(OptionError, match=r"has no tokenizer '13a'|stemmer goes with"):
            purebleu.ROUGEL(**options)


def test_references_without_words() -> None:
    # RIBES leaves segments without them out of the mean, as RIBES.py's option -z does.
    assert purebleu.RIBES().corpus_statistics(["a", "a b"], [["", "a b"]]) == [(0, 0), (2 ** 272, 1)]
    assert purebleu.RIBES().corpus_score(["a", "a b"], [["", "a b"]]).score == 100.0
    assert purebleu.RIBES().sentence_score("a", [" "]).score == 0.0
    for hypothesis, expected in (("a", 100.0), ("", 0.0)):
        assert purebleu.CHARACTER().sentence_score(hypothesis, [""]).score == expected
    assert purebleu.CHARACTER().sentence_score("", ["a"]).score == 100.0


@pytest.mark.parametrize("name", ["RIBES", "CHARACTER", "EED"])
def test_the_best_of_several_references_counts(name: str) -> None:
    metric = getattr(purebleu, name)()
    score = metric.sentence_score("the cat sat", ["a dog ran off", "the cat sat", None])
    assert score.score == metric.sentence_score("the cat sat", ["the cat sat"]).score
    assert f"|case:mixed|refs:best|oracle:{metric.ORACLE}|" in str(score.signature)
    lowered = getattr(purebleu, name)(lowercase=True)
    assert lowered.sentence_score("The CAT sat", ["the cat sat"]).score == score.score
    assert "|case:lc|" in str(lowered.get_signature())


# On the command line

ALL = "character,eed,ribes,rouge1,rouge2,rougel,rougelsum"
NAMES = ["CharacTER", "EED", "RIBES", "ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-Lsum"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_systems(tmp_path, {"ref": 1.0, "ref2": 0.9, "a.txt": 0.9, "b.txt": 0.7, "c.txt": 0.5}, 80)
    return tmp_path


def test_all_of_them_in_one_run(folder: Path) -> None:
    found = json.loads(output_of(["ref", "ref2", "-i", "a.txt", "-m", ALL, "bleu", "ter", "-w", "6"], folder))
    assert [result["name"] for result in found] == ["BLEU", *NAMES, "TER"]
    assert output_of(["ref", "-i", "a.txt", "-m", "rougeL", "-b", "-w", "6"], folder) == output_of(
        ["ref", "-i", "a.txt", "-m", "rougelsum", "-b", "-w", "6"], folder)
    assert len(output_of(["ref", "-i", "a.txt", "-m", "rouge1", "-sl", "--rouge-stemmer"], folder).splitlines()) == 80


@pytest.mark.parametrize("options", [
    ["-ci", "-cin", "30"], ["--rank", "-parn", "200"], ["--paired-bs", "-pbsn", "30", "--rng", "numpy", "-f", "text"],
    ["--paired-ar", "-parn", "30", "-f", "csv"], ["-f", "json-signed"],
], ids=" ".join)
@pytest.mark.parametrize("processes", [False, pytest.param(True, marks=pytest.mark.full)])
def test_neither_processes_nor_stored_rows_change_anything(folder: Path, options: list[str], processes: bool) -> None:
    command = ["ref", "-i", "a.txt", "b.txt", "c.txt", "-m", ALL, "bleu", "-w", "12", "-q", *options]
    expected = output_of([*command, "--save-rows", "rows.gz"], folder)
    if processes:
        assert output_of([*command, "-j", "2"], folder) == expected
    assert output_of(["--rows", "rows.gz", "-m", ALL, "bleu", "-w", "12", "-q", *options], folder) == expected


def test_a_report_of_them(folder: Path) -> None:
    output_of(["ref", "-i", "a.txt", "b.txt", "-m", ALL, "--report", "page.html", "-ci", "-cin", "20"], folder)
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert all(name in page for name in NAMES)


@pytest.mark.parametrize("options", [
    ["-m", "rougel"], ["-m", "rouge2", "--rouge-stemmer"],
    ["-m", "ribes", "-lc"], ["-m", "character"], ["-m", "eed", "-lc"],
    ["-m", "rougelsum", "--rouge-tokenize", "unicode", "-ci", "-cin", "9"],
], ids=" ".join)
def test_the_same_score_again_from_its_signature(folder: Path, options: list[str]) -> None:
    first = output_of(["ref", "-i", "a.txt", "-f", "text", *options], folder)
    signature = first.partition(" = ")[0]
    assert output_of(["ref", "-i", "a.txt", "-f", "text", "--signature", signature], folder) == first


def test_wrong_options_are_one_line(folder: Path) -> None:
    for options, message in [(["-m", "rouge3"], b"there is no metric 'rouge3'"),
                             (["-m", "rouge", "-sl"], b"--sentence-level of several metrics or systems is a table"),
                             (["-m", "rouge", "--rouge-stemmer", "--rouge-tokenize", "unicode"], b"the stemmer goes")]:
        done = call_cli(["ref", "-i", "a.txt", *options], cwd=folder)
        assert done.returncode == 2 and message in done.stderr and done.stderr.count(b"\n") == 1


# Segments that take long


def long_pair(metric: str) -> tuple[str, str]:
    """A hypothesis and a reference that the metric takes seconds for."""
    source = random.Random(7)
    words, length = {"CHARACTER": ([*"abcdefghij"], 260), "EED": (["tea", "for", "two"], 3000),
                     "CER": (["tea", "for", "two"], 12_000), "TER": (["tea"], 5001),
                     "WER": (["a", "b"], 50_000)}[metric]
    return " ".join(source.choices(words, k=length)), " ".join(source.choices(words, k=length))


@pytest.mark.parametrize(("metric", "length"), [
    ("CHARACTER", "260 words"), ("EED", "3,000 words"), ("CER", "47,999 characters"), ("TER", "5,001 words"),
    ("WER", "50,000 words"),
])
def test_segments_that_take_long_are_warned_of_before_they_are_scored(metric: str, length: str,
                                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = part("metrics", metric)()
    hypothesis, reference = long_pair(metric)

    def fail(*_: object) -> None:
        raise KeyboardInterrupt  # (so that the test need not wait)

    for name in ("block_statistics", "segment_statistics"):
        monkeypatch.setattr(type(scorer), name, fail)
    with pytest.warns(purebleu.PurebleuWarning, match="takes long for") as caught, pytest.raises(KeyboardInterrupt):
        scorer.corpus_score(["a", hypothesis, "b", hypothesis],
                            [["a", reference, "c", reference], [None, "x", "c", "c"]])
    first, second = [str(warning.message) for warning in caught]
    assert f"segment 1: {metric} takes long for {length} " in first
    assert second == f"{metric} takes long for 1 more segments"
    with pytest.warns(purebleu.PurebleuWarning, match="segment 0"), pytest.raises(KeyboardInterrupt):
        scorer.sentence_score(hypothesis, [reference])


@pytest.mark.parametrize("metric", [
    pytest.param("CHARACTER", marks=pytest.mark.full), "EED", "CER", "TER", "WER", "RIBES", "ROUGEL", "GLEU", "NIST",
])
def test_segments_of_usual_length_are_not_warned_of(metric: str) -> None:
    source = random.Random(8)
    lines = [" ".join(source.choices(["the", "cat", "sat", "on", "a", "mat"], k=120)) for _ in range(2)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        part("metrics", metric)().corpus_score(lines, [lines[::-1]])


@pytest.mark.parametrize("arguments", [
    ["ref"], pytest.param(["ref", "-j", "2"], marks=pytest.mark.full), ["ref.jsonl:r"]], ids=" ".join)
def test_the_command_line_names_the_line_before_it_starts(tmp_path: Path, arguments: list[str]) -> None:
    hypothesis, reference = long_pair("TER")  # (the same words throughout: quick, for all that the warning says)
    (tmp_path / "ref").write_text("".join([f"{line}\n" for line in ["a b", "c d", reference, reference]]))
    (tmp_path / "out").write_text("".join([f"{line}\n" for line in ["a b", "c d", hypothesis, hypothesis]]))
    (tmp_path / "ref.jsonl").write_text("".join([json.dumps({"r": [line, "x"]}) + "\n" for line in
                                                 ["a b", "c d", reference, reference]]))
    done = call_cli([*arguments, "-i", "out", "-m", "ter"], cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.decode().splitlines() == [
        "purebleu: warning: out: line 3: TER takes long for 5,001 words (is every segment on a line of its own?)",
        "purebleu: warning: TER takes long for 1 more segments"]


def test_progress_is_told_within_a_long_segment() -> None:
    shares: list[float] = []

    class Observer(progress.Observer):
        def advance_within_step(self, share: float) -> None:
            shares.append(share)

    progress.observe(Observer())
    try:
        EED().sentence_score("a " * 600, ["b " * 600])
        assert len(shares) > 1000 and shares == sorted(shares) and shares[-1] < 1
        shares.clear()
        source = random.Random(3)
        one, other = [" ".join(source.choices("abcdefgh", k=60)) for _ in range(2)]
        CHARACTER().sentence_score(one, [other])
        assert len(shares) > 1 and shares == sorted(shares)
    finally:
        progress.observe(progress.Observer())
