"""The page of the report: words that differ, data in scripts, the script with its segments, in Node and Chromium."""

from __future__ import annotations

import base64
import csv
import gzip
import hashlib
import json
import os
import random
import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any, Sequence
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purebleu.analysis import segments as segment_scores
from purebleu.metrics import TER
from purebleu.report import tables
from purebleu.report.page import charts, content, markup, words
from purebleu.runtime.errors import PurebleuError
from purebleu.unicode.properties import WHITESPACE

from ..pages import NODE, seen_in_chromium, skip_without_chromium

needs_script = pytest.mark.skipif(NODE is None, reason="Node.js is not there")

#: Texts that markup, scripts, terminals and fonts stumble over.
HOSTILE = [
    "</script><script>alert(1)</script>", "<!-- <script>", "]]>", "<img src=x onerror=alert(1)>", "a\u2028b\u2029c",
    "a\0b\x01 \x7f\x80", "lone \ud800 surrogate \udfff", "a pair \ud83d\ude00 of them", "\u202eoverridden\u202c end",
    "\u2067isolated", "\"double\" and 'single' & &amp; &lt;", "one\rtwo\r\nthree\x0bfour\x1cfive\x85six", "",
    " \u3000 ", "\ufeffbom", "𝒳 \U0001f600 e\u0301", "שלום עולם", "مرحبا بالعالم 123", "{{x}} ${y} `z`",
    "a\u200bb\u2060c", "\ufffe\uffff", "javascript:alert(1)", "__proto__ constructor", "x" * 3000]

#: Few words, so that they meet; and what separates them.
_pieces = st.sampled_from(["a", "b", "c", "d", "ab", "<", "A", "ä", "\ud800", "\0", "\x7f", *WHITESPACE, " ", "  "])
texts = st.lists(_pieces, max_size=30).map("".join) | st.lists(st.sampled_from("abcd"), max_size=25).map(" ".join)


def generated_pairs(count: int) -> list[tuple[str, str]]:
    """Pairs of texts, the second often a changed copy of the first."""
    source = random.Random(20)
    vocabulary = ["the", "cat", "sat", "on", "a", "mat", "été", "中文字", "中国字", "ภาษา", "한국어", "שלום", "😀",
                  "x\0y", "<b>", "it's", "\ud800"]
    pairs = []
    for _ in range(count):
        first = source.choices(vocabulary, k=source.randrange(40))
        second = [word for word in first if source.random() < 0.8]
        for _ in range(source.randrange(6)):
            second.insert(source.randrange(len(second) + 1), source.choice(vocabulary))
        if source.random() < 0.1:
            second = source.choices(vocabulary, k=source.randrange(40))
        separators = [*source.choices(WHITESPACE, k=3), " "]
        pairs.append(tuple("".join([word + source.choice(separators) for word in some]) for some in (first, second)))
    pairs += [(one, other) for one in HOSTILE for other in (HOSTILE[0], HOSTILE[10], one, one + " a")]
    pairs += [("a " * 500, "b " * 500), ("a b " * 250, "a " * 501), ("", "a " * 200_000)]
    return pairs  # type: ignore[return-value]


def call_node(*calls: tuple[str, Sequence[Any]]) -> list[Any]:
    """The values that functions of `page_words.js` return for each of these lists of arguments."""
    script = ("const f = require(process.argv[1]); const calls = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
              "process.stdout.write(JSON.stringify(calls.map(([name, all]) => all.map((a) => f[name](...a)))));")
    path = Path(markup.__file__).parent / "page_words.js"
    assert NODE
    done = subprocess.run([NODE, "-e", script, str(path)], input=json.dumps(calls).encode("ascii"),
                          stdout=subprocess.PIPE, check=True)
    return list(json.loads(done.stdout))


# Differences of words

def plain_length(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """The length of the longest common subsequence, by its recursive definition."""
    lengths = {(mine, other): 0 for mine in range(len(ours) + 1) for other in range(len(theirs) + 1)}
    for mine, one in enumerate(ours, 1):
        for other, two in enumerate(theirs, 1):
            lengths[mine, other] = (lengths[mine - 1, other - 1] + 1 if one == two
                                    else max(lengths[mine - 1, other], lengths[mine, other - 1]))
    return lengths[len(ours), len(theirs)]


def tokens_of_kind(output: Any, reference: Any, *kinds: str) -> list[str]:
    """The tokens of some kinds in a difference."""
    return [word for kind, start, end in words.token_difference(output, reference) if kind in kinds
            for word in (reference if kind == "del" else output).words[start:end]]


def difference_of(output: str, *references: str) -> Any:
    """The difference to the closest reference, without its spaces."""
    return [(kind, text) for kind, text, _ in words.difference_texts(output, references)[1]]


@given(texts, texts)
def test_a_difference_has_all_tokens_and_as_many_common_ones_as_there_are(output: str, reference: str) -> None:
    ours, theirs = words.split_tokens(output), words.split_tokens(reference)
    assert tokens_of_kind(ours, theirs, "same", "ins") == ours.words
    assert tokens_of_kind(ours, theirs, "same", "del") == theirs.words
    assert len(tokens_of_kind(ours, theirs, "same")) == plain_length(ours.words, theirs.words)
    kinds = [kind for kind, _, _ in words.token_difference(ours, theirs)]
    assert all(one != other for one, other in zip(kinds, kinds[1:]))
    assert ("ins", "del") not in list(zip(kinds, kinds[1:]))


@given(texts | st.text(st.sampled_from("我想你กำลังใจ안녕ab, \u3000。ｗ"), max_size=30))
def test_words_are_those_of_cpython_and_tokens_all_of_them(text: str) -> None:
    if sys.implementation.name == "cpython":
        assert words.split_words(text) == text.split()
    same = " ".join(words.split_words(text))
    assert difference_of(text, text) == [("same", same)] * bool(same)
    tokens = words.split_tokens(text)
    assert words.text_of(tokens, 0, len(tokens.words)) == same
    assert sum(tokens.gaps) == len(words.split_words(text))


def test_tokens_are_characters_if_words_have_no_spaces() -> None:
    for text, tokens in (("我爱Python3。", "我 爱 Python3 。"), ("日本の カタカナ", "日 本 の カ タ カ ナ"),
                         ("안녕 하세요", "안 녕 하 세 요"), ("กำลังใจ", "ก ำ ลั ง ใ จ"),
                         ("e\u0301te\u0301 x", "e\u0301te\u0301 x"), ("שלום 你a", "שלום 你 a"),
                         ("𠀀b𠀁", "𠀀 b 𠀁")):
        assert words.split_tokens(text).words == tokens.split(" "), text


def test_ties_are_broken_as_documented() -> None:
    assert difference_of("b a", "a b") == [("del", "a"), ("same", "b"), ("ins", "a")]
    assert difference_of("x y", "z") == [("del", "z"), ("ins", "x y")]
    assert difference_of("a a", "a") == [("same", "a"), ("ins", "a")]
    assert words.difference_texts("a b", ["x y", "a c", "d b"])[0] == 1


def test_long_texts_are_not_compared() -> None:
    most = int(words.MAX_WORD_PAIRS ** 0.5)
    assert len(difference_of("a " * most, "b " * most)) == 2
    assert difference_of("a " * most, "b " * (most + 1)) == [("same", " ".join(["a"] * most))]
    assert difference_of("", "a " * 300_000) == [("del", " ".join(["a"] * 300_000))]
    assert words.difference_texts("a " * most, ["a " * (most + 1), "b " * most])[0] == 1


@given(texts, st.lists(texts, min_size=1, max_size=4))
def test_the_closest_reference_has_the_fewest_differences(output: str, references: list[str]) -> None:
    ours, others = words.split_tokens(output), list(map(words.split_tokens, references))
    marks = [len(tokens_of_kind(ours, other, "ins", "del")) for other in others]
    assert words.closest_reference(ours, others) == marks.index(min(marks))


# TER's shifts

def block_of(some: Sequence[Any], runs: Sequence[int]) -> list[Any]:
    """The items of the runs that a shift moves."""
    return [item for start, length in zip(runs[::2], runs[1::2]) for item in some[start:start + length]]


def moved(stored: Sequence[Any], shown: Sequence[str]) -> list[str]:
    """The words after the shifts that the page's data has."""
    if stored and isinstance(stored[0], str):
        shown, stored = stored[0].split(" "), stored[1:]
    order = list(range(len(shown)))
    for target, *runs in stored:
        block = block_of(range(len(shown)), runs)
        first = order.index(block[0])
        assert order[first:first + len(block)] == block
        others = order[:first] + order[first + len(block):]
        place = others.index(target) if target < len(order) else len(others)
        order = others[:place] + block + others[place:]
    return [shown[index] for index in order]


@given(*[st.lists(st.sampled_from("abcdeÄ"), min_size=1, max_size=20).map(" ".join)] * 2)
def test_shifts_are_stored_by_the_words_that_are_shown(output: str, reference: str) -> None:
    alignment = TER().alignment(output, [reference])
    stored: Any = content.stored_shifts(alignment, output)
    shown = words.split_words(output)
    assert [word.lower() for word in moved(stored, shown)] == alignment.shifted
    for shift, (target, *runs) in zip(alignment.shifts, stored):
        assert [word.lower() for word in block_of(shown, runs)] == shift.words
        assert target < len(shown) or shift.target == len(shown)


def test_shifts_of_words_that_are_not_shown_are_stored_with_these() -> None:
    for metric, output, reference, stored in (
            (TER(normalized=True), "Today, the cat slept", "The cat slept today", ["today , the cat slept", [5, 0, 1]]),
            (TER(case_sensitive=True), "Ä b", "b Ä", [[2, 0, 1]])):
        assert content.stored_shifts(metric.alignment(output, [reference]), output) == stored


# The script's functions

def as_object(tokens: Any) -> dict[str, Any]:
    return {"words": tokens.words, "gaps": tokens.gaps}


@needs_script
def test_the_script_finds_the_same_as_python() -> None:
    pairs = [(words.visible(one), words.visible(other)) for one, other in generated_pairs(1000)]
    tokens = [tuple(map(words.split_tokens, pair)) for pair in pairs]
    several = [(ours, [theirs, *others]) for (ours, theirs), (*others, _) in zip(tokens, tokens[1:])]
    objects = [[as_object(some) for some in pair] for pair in tokens]
    found = call_node(
        ("splitTokens", [[text] for text, _ in pairs]),
        ("textOf", [[ours, 1, len(ours["words"])] for ours, _ in objects]), ("tokenDifference", objects),
        ("closestReference", [[as_object(ours), [*map(as_object, others)]] for ours, others in several]))
    assert found == json.loads(json.dumps([
        [ours for ours, _ in objects], [words.text_of(ours, 1, len(ours.words)) for ours, _ in tokens],
        [words.token_difference(*pair) for pair in tokens], [words.closest_reference(*pair) for pair in several]]))


@needs_script
def test_marks_are_of_ngrams_that_a_reference_has_and_change_no_runs() -> None:
    source = random.Random(3)
    tokens = [tuple(map(words.split_tokens, pair)) for pair in generated_pairs(300)]
    calls: list[Any] = [(ours.words, [theirs.words], 2) for ours, theirs in tokens]
    calls += [(source.choices("ab", k=source.randrange(13)),
               [source.choices("ab", k=source.randrange(9)) for _ in range(source.randrange(4))],
               source.randint(1, 5)) for _ in range(500)]
    (matched,) = call_node(("matchedNgrams", calls))
    for (output, references, order), flags in zip(calls, matched):
        ngrams, *known = [[tuple(some[start:start + order]) for start in range(len(some) - order + 1)]
                          for some in (output, *references)]
        expected = [False] * len(output)
        for start, ngram in enumerate(ngrams):
            if any(ngram in of_one for of_one in known):
                expected[start:start + order] = [True] * order
        assert flags == expected
    differences = [words.token_difference(*pair) for pair in tokens]
    (found,) = call_node(("markedRuns", list(zip(differences, matched))))
    for difference, flags, runs in zip(differences, matched, found):
        assert [(kind, stretches[0][1], stretches[-1][2]) for kind, stretches in runs if stretches] == [
            run for run in difference if run[1] < run[2]]
        assert all(one[2] == other[1] and one[0] != other[0] for _, stretches in runs
                   for one, other in zip(stretches, stretches[1:]))
        assert [flag for kind, stretches in runs if kind != "del" for flag, start, end in stretches
                for _ in range(start, end)] == flags


@needs_script
def test_the_script_reads_shifts() -> None:
    source = random.Random(5)
    outputs = [source.choices(["a", "b", "\U0001f600", "<c>"], k=source.randrange(1, 12)) for _ in range(500)]
    stored = [random_shifts(source, len(output)) for output in outputs]
    for shifts, output, marks, moves in zip(stored, outputs, *call_node(
            ("shiftMarks", [[some] for some in stored]), ("shiftMoves", list(zip(stored, outputs))))):
        places = [(target, True, number) for number, (target, *_) in enumerate(shifts, 1)]
        places += [(start, False, number) for number, (_, *runs) in enumerate(shifts, 1) for start in runs[::2]]
        assert marks == {str(place): [[there, number] for other, there, number in places if other == place]
                         for place, _, _ in places}
        assert moves == [[" ".join(block_of(output, runs)), [*output, None][target]] for target, *runs in shifts]
    others = ["today , the cat slept", [5, 0, 1], [0, 1, 2]]  # (TER's words are not those that the page shows)
    assert call_node(("shiftMarks", [[others], [[]]]), ("shiftMoves", [[others, ["Today,", "the"]], [[], ["x"]]])) == [
        [{}, {}], [[["today", None], [", the", "today"]], []]]


@needs_script
def test_the_script_has_the_same_whitespace_and_shows_the_same_characters_and_scores() -> None:
    characters = [[f"a{chr(code)}b"] for code in range(0x10000) if not 0xDC00 <= code < 0xE000]
    source = random.Random(1)
    scores = [[number / 8] for number in range(-900, 900)] + [[number / 1000] for number in range(-2000, 2000)]
    scores += [[source.uniform(-100, 200)] for _ in range(3000)] + [[0.0], [-0.0], [1e-9], [100], [2.675], [0.325]]
    assert call_node(("splitWords", characters), ("visible", characters), ("scoreText", scores)) == [
        [words.split_words(text) for [text] in characters], [words.visible(text) for [text] in characters],
        [words.score_text(score) for [score] in scores]]
    assert max(WHITESPACE) < "\U00010000"


@needs_script
def test_the_script_writes_tables_as_the_tables_of_the_report() -> None:
    rows = [["System", "BLEU & co", "chrF"], ["a_b^c~{d}\\", "1.0", "<2>"], ["#|*`[]$%", "3", ""]]
    columns = [(column[0], column[1:]) for column in zip(*rows)]
    (found,) = call_node(("tableText", [[rows, "markdown"], [rows, "latex"], [rows, "tsv"]]))
    assert found[0] == tables.markdown_table(columns)
    assert re.sub(" +", " ", found[1]) == re.sub(" +", " ", tables.latex_table(columns))
    assert found[2] == "\n".join(["\t".join(row) for row in rows])


@needs_script
def test_the_script_finds_the_hexagons_and_tenths_of_the_charts() -> None:
    source = random.Random(11)
    points = [(round(source.uniform(0, 100), 4), round(source.uniform(0, 100), 4)) for _ in range(400)]
    points += [(0.0, 0.0), (100.0, 100.0), (50.0, 50.0), (12.5, 25.0)]
    widths = [100 / 26, 3.0, 7.7]
    found, = call_node(("hexagonOf", [[x, y, width] for width in widths for x, y in points]))
    expected = [next(iter(charts.hexagon_counts([point], width))) for width in widths for point in points]
    assert list(map(tuple, found)) == expected
    scores = [x for x, _ in points] + [9.9999, 10.0, 89.9999, 90.0, 250.0, -3.0]
    for limits in ((0, 100), (0, 20), (0, 1), (-50, 50)):
        tenths, = call_node(("decileOf", [[score, limits] for score in scores]))
        assert tenths == [segment_scores.decile_counts([score], limits).index(1) for score in scores]


@needs_script
@pytest.mark.parametrize(("function", "cases"), [
    # That of most letters.
    ("direction", [(["שלום"], "rtl"), (["Google פרסמה היום"], "rtl"), (["مرحبا 123"], "rtl"),
                   (["שלום means peace in Hebrew"], "ltr"), (["", "123", "مرحبا"], "rtl"), (["Ab", "مرحبا"], "ltr"),
                   (["", "…"], "ltr"), (["\U0001e900\U0001e901 a"], "rtl")]),
    # Of a search, found across marks. (The last case has a letter that is two when it is small.)
    ("hitsIn", [((["und die", " ", "Katze"], "DIE KA"), [[[0, 4, 7], [1, 0, 1], [2, 0, 2]]]),
                ((["a ", " b a  b"], "a b"), [[[0, 0, 2], [1, 1, 2]], [[1, 3, 7]]]), ((["Straße"], "SSE"), []),
                ((["aaa"], "aa"), [[[0, 0, 2]]]), ((["a"], ""), []), ((["\u0130x"], "x"), [[[0, 1, 2]]])])])
def test_the_script_finds_directions_and_hits(function: str, cases: Sequence[tuple[Sequence[Any], Any]]) -> None:
    assert call_node((function, [arguments for arguments, _ in cases])) == [[expected for _, expected in cases]]


@needs_script
def test_numbers_of_figures_are_columns_of_their_own_in_csv() -> None:
    rows = [["Group", "Segments", "A", "B"], ["0-9, short", "427", "36.5", "35.0; -1.5 (-2.0 to -1.0)"],
            ['1"', "3", "36.50 (35.00 to 38.00)", ""]]
    (numbers,), = call_node(("numberRows", [[rows]]))
    assert numbers == [
        ["Group", "Segments", "A", "A: low end", "A: high end", "B", "B: difference", "B: low end", "B: high end"],
        ["0-9, short", "427", "36.5", "", "", "35.0", "-1.5", "-2.0", "-1.0"],
        ['1"', "3", "36.50", "35.00", "38.00", "", "", "", ""]]
    (text,), = call_node(("tableText", [[numbers, "csv"]]))
    assert list(csv.reader(text.split("\r\n"))) == numbers


@given(st.text(st.characters()))
def test_any_text_is_shown_with_all_its_words(text: str) -> None:
    shown = words.visible(text)
    assert not re.search("[\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]", shown)
    assert [len(word) for word in words.split_words(shown)] == [len(word) for word in words.split_words(text)]


# Data in scripts

@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
                    | st.text(st.characters()), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_in_a_script_is_the_same_value(value: Any) -> None:
    text = markup.json_for_script(value)
    assert not re.search("[<>&\u2028\u2029]", text)
    text.encode("utf-8")
    assert json.loads(text) == json.loads(re.sub("[\ud800-\udfff]", "\ufffd", json.dumps(value, ensure_ascii=False)))


def test_packed_text_is_gzip_and_json_has_no_numbers_that_are_none() -> None:
    with pytest.raises(ValueError):
        markup.json_for_script([float("nan")])
    given = "für\n".encode() * 1000
    packed = markup.packed(given)
    content = base64.b64decode(packed, validate=True)
    assert gzip.decompress(content) == given
    assert content[:10] == b"\x1f\x8b\x08\0\0\0\0\0\x02\xff"
    assert packed == markup.packed(given) and len(packed) < 200


def test_files_of_the_page_are_fit_for_their_elements() -> None:
    script = markup.page_script()
    assert all(markup.file_of(name) in script for name in markup.SCRIPTS)
    for text in (script, markup.file_of("page.css")):
        assert not re.search(r"</|<!--|\r|\bstyle=|https?:", text)
        assert max(map(len, text.split("\n"))) <= 120
        assert markup.csp_hash(text) == f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval|fetch|XMLHttp|setInterval", script)
    with pytest.raises(PurebleuError, match=r"lacks its file report/page/none\.js"):
        markup.file_of("none.js")


# The page

def random_shifts(source: random.Random, count: int) -> list[list[int]]:
    """Shifts of an output with `count` words, in the form of the page's data."""
    found: list[list[int]] = []
    for _ in range(source.randrange(4)):
        start = source.randrange(count)
        found.append([source.randrange(count + 1), start, source.randint(1, count - start)])
        if source.random() < 0.2:
            found[-1] += [source.randrange(count), 1]
    return found


def example_data(count: int) -> dict[str, Any]:
    """The page's data of generated segments; the hostile texts come first."""
    source = random.Random(7)
    vocabulary = ["the", "a", "cat", "dog", "house", "red", "runs", "und", "Straße", "中文", "שלום", "on", "in", "of"]
    references = [" ".join(source.choices(vocabulary, k=source.randrange(3, 45))) for _ in range(count)]

    def output_of(line: int, share: float) -> str:
        if line % 11 == 5:
            return HOSTILE[line // 11 % len(HOSTILE)]
        kept = [word if source.random() < share else source.choice(vocabulary) for word in references[line].split(" ")]
        return " ".join(kept)

    def scores() -> list[float]:
        return [round(source.uniform(0, 100), 4) if source.random() < 0.97 else 50.0 for _ in range(count)]

    outputs = [[output_of(line, share) for line in range(count)] for share in (0.9, 0.7)]
    lengths = [[len(words.split_words(output)) for output in system_values] for system_values in outputs]
    shifts: list[dict[str, Any]] = [
        {str(line): random_shifts(source, length) for line, length in enumerate(system_values)
         if length and line % 3 == system} for system, system_values in enumerate(lengths)]
    for system_values in shifts:
        system_values.update({str(line): [HOSTILE[0] + " \0 c", [3, 0, 1], [1, 2, 1]] for line in range(2, count, 50)})
    texts = [HOSTILE[line] if line < len(HOSTILE) else f"Zeile {line + 1}: {references[line]}" for line in range(count)]
    second = [None if line % 3 else references[line][::-1] for line in range(count)]
    return {
        "prefix": "", "systems": ["Online-B", "<b>\"O'NMT\" & co \u202e"],
        "languages": ["en", "de"],
        "metrics": [{"name": name, "lower": name == "TER", "limits": [0, 100], "places": 2}
                    for name in ("BLEU", "chrF", "TER")],
        "groups": [{"title": "Domains", "labels": ["news", "<chat>"], "kinds": [line % 2 for line in range(count)]}],
        "numbers": list(range(1, count + 1)), "ids": [f"doc-{line // 20}:<{line}>" for line in range(count)],
        "source": texts, "references": [references, second], "outputs": list(map(list, zip(*outputs))),
        "lengths": [len(text.split()) for text in references],
        "scores": [[scores(), scores()] for _ in range(3)], "shifts": shifts,
    }


def figures_of_kinds() -> str:
    """A figure of each of two metrics: differences on the two kinds of segments of the page's data."""
    groups: list[tuple[str, int | None]] = [("news", 2500), ("<chat>", 2500)]
    table: list[list[Any]] = [[None, None], [(-1.5, (-2.0, -1.0)), (0.25, (-0.5, 1.0))]]
    series = [charts.Series(0, "A", [(36.5, None)] * 2), charts.Series(1, "B", [(35.0, None)] * 2)]
    blocks: list[str] = []
    for metric, name in enumerate(["BLEU", "chrF"]):
        rows = f"metric={metric}&first=0&second=1&sort=either&group=0."
        head = charts.ChartHead(f"kinds{metric}", f"{name} by domain", "Differences.")
        chart = charts.difference_chart(head, groups, [charts.Series(1, "B", table[1])], 1,
                                        [f"{rows}{kind}" for kind in range(2)])
        figure = markup.figure(chart, f"{name} by domain, and its differences.",
                               charts.group_table(groups, series, table, 1), rows=rows)
        blocks.append(markup.metric_block(metric, name, figure))
    return "\n".join(blocks)


def whole_page(data: dict[str, Any], is_packed: bool) -> str:
    """A page with what the report's own has, as far as the script and the style are concerned."""
    script, content = markup.page_script(), markup.json_for_script(data)
    style = "\n".join(map(markup.file_of, ("page.css", "charts.css")))
    stored = (f'<script type="text/plain" id="data">{markup.packed(content.encode())}</script>' if is_packed
              else f'<script type="application/json" id="data">{content}</script>')
    policy = (f"default-src 'none'; script-src {markup.csp_hash(script)}; style-src {markup.csp_hash(style)}; "
              "img-src blob:; base-uri 'none'; form-action 'none'")
    rows = "\n".join([f'<tr><th scope="row">{name}</th><td>{bleu}</td><td data-value="{p}">{p} *</td></tr>'
                      for name, bleu, p in (("b", "36.5 (±1)", 0.5), ("A", "4.25", 0.001), ("c", "100.0", 0.04))])
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>A report</title><style>{style}</style></head>
<body><header><h1>Online-B and others</h1><p class="warning">A warning.</p></header>
<nav aria-label="Parts" data-report>
<ul><li><a href="#scores">Scores</a></li><li><a href="#segments">Segments</a></li></ul></nav>
<main>
<section id="scores"><h2>Scores</h2>
<table><tbody><tr><td>A table before that of the metric</td></tr></tbody></table>
<div data-metric="0" data-name="BLEU">
<div class="scroll" tabindex="0" role="group" aria-label="Scores"><table class="sortable">
<thead><tr><th scope="col">System</th><th scope="col">BLEU</th><th scope="col">p</th></tr></thead>
<tbody>{rows}</tbody></table></div>
<p><button type="button" data-copy="tsv">TSV</button> <button type="button" data-copy="markdown">Markdown</button>
<button type="button" data-copy="latex">LaTeX</button></p>
</div>
<details><summary>More</summary><p>See <a href="#s4000">segment 4000</a>.</p></details>
</section>
<section id="figures" data-segments="segments"><h2>Figures</h2>{figures_of_kinds()}</section>
<section id="segments"><h2>Segments</h2>
<noscript><p>The segments need JavaScript.</p></noscript>
<ol class="segments" data-from="data"></ol>
</section>
</main>
<footer><p>Made by purebleu.</p></footer>
{stored}
<script>{script}</script></body></html>
"""


#: References and outputs, and the direction of each: mixed ones have that of most letters.
SCRIPTS = [
    ("שלום לכולם היום", "לכולם שלום היום", "rtl"), ("Google פרסמה הודעה חדשה היום", "פרסמה Google הודעה היום", "rtl"),
    ("أعلنت الشركة 2024 عن ذلك", "الشركة أعلنت 2024 عن", "rtl"),
    ("The word שלום means peace", "Word The שלום is peace", "ltr"), ("他昨天去了学校。", "昨天他去学校了。", "ltr"),
    ("เขาไปโรงเรียน", "โรงเรียนเขาไป", "ltr"), ("학교에 갔다", "갔다 학교에서", "ltr")]


def data_in_scripts() -> dict[str, Any]:
    """The page's data of segments of several scripts, each with a shift of the first word, of three systems."""
    references, outputs, _ = zip(*SCRIPTS)
    count = len(SCRIPTS)
    shifts = [{str(line): [[0, 1, 1]] for line in range(count) if " " in outputs[line]}, {}, {}]
    return {**example_data(count), "systems": ["A", "B", "C"], "source": list(references),
            "references": [list(references)], "outputs": [[output, output, ""] for output in outputs],
            "scores": [[[float(line) for line in range(count)]] * 3] * 3, "shifts": shifts}


#: The rows of `data_of_rows`, as the script makes them.
ROWS = json.loads((Path(__file__).resolve().parents[1] / "browser" / "rows.json").read_text(encoding="utf-8"))


def data_of_rows() -> dict[str, Any]:
    """The page's data of segments whose rows are in `ROWS`: with two references, empty texts, shifts, markup."""
    return {
        **example_data(4), "systems": ["A", "<B>"],
        "metrics": [{"name": name, "lower": False, "limits": [0, 100], "places": places}
                    for name, places in (("BLEU", 2), ("<X>", 4))],
        "ids": ["doc-1", None, "<i>\0", None], "source": ["Quelle", " ", None, "a\x0bb & c"], "lengths": [6, 5, 3, 4],
        "references": [["the cat sat on the mat", "a < b c d", "שלום לכולם היום", "The cat slept today"],
                       [None, None, "שלום לכולם", "I heard: Today, the cat slept for an hour"]],
        "outputs": [["the cat sat on a mat", "\"a\" &amp; '<b>'\x07"], ["c b d x <", None], ["שלום Google לכולם", None],
                    ["Today, the cat slept", " "]],
        "scores": [[[12.345, 50, -0.0, 100], [3, 0, 2.675, 0.125]]] * 2,
        "shifts": [{"1": [[1, 4, 1], [5, 0, 1, 2, 1]], "2": [[0, 1, 1]], "3": ["today , the cat", [4, 0, 1]]}, {}],
    }


def expected_orders(data: dict[str, Any]) -> dict[str, list[int]]:
    """The numbers of the first lines in some orders, by plain Python."""
    scores, _, (first, second) = data["scores"]
    lines = range(len(data["numbers"]))
    differences = [two - one for one, two in zip(first, second)]
    texts = [data["ids"], data["source"], *data["references"], *zip(*data["outputs"])]
    found = [line for line in lines if any("straße on" in (some[line] or "").lower() for some in texts)]
    orders = {
        "difference": sorted(lines, key=lambda line: (differences[line], line)),  # (a lower score is better)
        "length": sorted(lines, key=lambda line: (data["lengths"][line], line)),
        "second is better": sorted([line for line in lines if second[line] < first[line]],
                                   key=lambda line: (-second[line], line)),
        "found": sorted(found, key=lambda line: (-abs(scores[1][line] - scores[0][line]), line)),
    }
    return {**{name: [line + 1 for line in order[:5]] for name, order in orders.items()}, "count": [len(found)]}


@pytest.fixture(scope="module")
def browsed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The driver's observations in Chromium, by name."""
    skip_without_chromium()
    folder = Path(os.environ.get("PUREBLEU_SCREENSHOTS") or str(tmp_path_factory.mktemp("browser")))
    data = example_data(5000)
    many = example_data(1000)
    many.update({key: many[key] * 100 for key in ("source", "ids", "lengths", "outputs")})
    many.update(numbers=list(range(1, 100_001)), groups=[], references=[some * 100 for some in many["references"]],
                scores=[[some * 100 for some in metric_scores] for metric_scores in many["scores"]])
    private = {**data, "source": None, "references": None, "outputs": None, "ids": None, "shifts": None}
    one = {**example_data(1), "systems": ["only"]}
    long = example_data(30)
    long["outputs"][4][0] = "word " * 200_000
    pages = {"rows": (data_of_rows(), False), "scripts": (data_in_scripts(), False), "plain": (data, False),
             "packed": (data, True), "many": (many, True), "private": (private, False), "one": (one, False),
             "long": (long, False)}
    for name, (some, is_packed) in pages.items():
        (folder / f"{name}.html").write_text(whole_page(some, is_packed), encoding="utf-8")
    static = re.sub(r"<script.*?</script>", "", whole_page(data, False), flags=re.DOTALL)
    (folder / "static.html").write_text(static, encoding="utf-8")
    return {**seen_in_chromium("page.mjs", folder), "data": data}


def elements_of(row: str) -> set[str]:
    """The names of the elements of a row's HTML; their attributes are checked."""
    tags = re.findall(r"<(\w[^>]*)>", row)
    assert {*re.findall(r' ([\w-]+)="', " ".join(tags))} <= {"id", "href", "dir", "class", "lang"}
    return {tag.split(" ")[0] for tag in tags}


def test_rows_are_as_written_down(browsed: dict[str, Any]) -> None:
    assert browsed["rows"]["rows"] == ROWS
    rows, data = browsed["rows"]["plain"], browsed["data"]
    assert browsed["rows"]["packed"] == rows and len(rows) == 100
    for line in range(100):
        row = rows[f"s{line + 1}"]
        assert not re.search("[\0-\x08\x0b-\x1f\x7f-\x9f]", row)
        assert elements_of(row) <= {"li", "p", "a", "span", "dl", "div", "dt", "dd", "del", "ins", "u", "i", "sup",
                                    "bdi"}
        own = re.sub(r"<(del|sup)\b.*?</\1>", "", row, flags=re.DOTALL)
        texts_of_row = [unescape(re.sub("<.*?>", "", text))
                        for text in re.findall("<dd dir=.*?>(.*?)</dd>", own, re.DOTALL)]
        *shown, one, two = [words.visible(text) for text in (data["source"][line], *[
            stream[line] for stream in data["references"]], *data["outputs"][line]) if text is not None]
        assert texts_of_row[:-2] == [text if words.split_words(text) else "(empty)" for text in shown]
        assert [words.split_words(text.replace("(empty)", "")) for text in texts_of_row[-2:]] == [
            words.split_words(one), words.split_words(two)]
    assert len(browsed["rows"]["private"]) > 5
    for row in browsed["rows"]["private"].values():
        assert elements_of(row) == {"li", "p", "a", "span", "dl", "div", "dt", "dd"}


def test_segments_are_missed_without_scripts_or_decompression(browsed: dict[str, Any]) -> None:
    assert browsed["static"] == [0, "Segments\n\nThe segments need JavaScript."]
    assert browsed["no decompression"] == [0, "The segments cannot be shown: this browser cannot decompress them."]


def test_a_page_makes_no_requests_and_has_no_errors(browsed: dict[str, Any]) -> None:
    assert browsed["requests"] == browsed["complaints"] == []
    assert 5 < browsed["most rows"] < 60
    assert (browsed["notes"], browsed["longest"]) == (0, [5])


def test_sorting_and_filtering(browsed: dict[str, Any]) -> None:
    expected = expected_orders(browsed["data"])
    for name in ("difference", "length", "second is better", "found"):
        found = browsed["orders"][name]
        assert len(found) > 2  # (where rows are high, fewer are in the tree)
        assert found == expected[name][:len(found)], name
    assert browsed["status"] == {"all": "5,000 segments", "found": f"{expected['count'][0]} of 5,000 segments",
                                 "none": "0 of 5,000 segments", "reset": "5,000 segments"}


def test_each_text_has_its_direction_and_marks_do_not_turn_it(browsed: dict[str, Any]) -> None:
    # (An output without letters has the direction of its reference.)
    assert browsed["scripts"]["directions"] == [[way] * 4 for _, _, way in SCRIPTS]
    assert all(direction == "ltr" for direction, _ in browsed["scripts"]["marks"])
    marked = [way == "rtl" for _, output, way in SCRIPTS if " " in output for _ in range(2)]
    assert [is_right for _, is_right in browsed["scripts"]["marks"]] == marked
    assert browsed["scripts"]["heads"] == [["Source", "Reference", *systems] for systems in ("ABC", "AC")]


def test_figures_open_their_segments(browsed: dict[str, Any]) -> None:
    assert browsed["opened"] == {
        "chart": ["#segments?metric=0&first=0&second=1&sort=either&group=0.1", "2,500 of 5,000 segments", [0]],
        "row": ["#segments?metric=1&first=0&second=1&sort=either&group=0.0", "2,500 of 5,000 segments", [1]],
        "address": ["#segments?group=0.1&sort=either", "2,500 of 5,000 segments", [0]],
        "decile": ["#segments?decile=3", *browsed["opened"]["decile"][1:]],
        "reset": ["#segments", "5,000 segments", [0, 1]]}
    scores = browsed["data"]["scores"][0][0]
    found = f"{sum([30 <= score < 40 for score in scores])} of 5,000 segments"
    assert browsed["opened"]["decile"][1] == f"{found}, those with BLEU of Online-B from 30 to below 40"


def test_a_view_is_in_the_address(browsed: dict[str, Any]) -> None:
    assert browsed["shared"]["address"] == "#segments?text=stra%C3%9Fe+on&marks=first&order=reversed"
    assert browsed["shared"]["again"] == browsed["shared"]["before"]
    assert {hit.lower() for hit in browsed["shared"]["hits"]} == {"straße on"}
    # (Against the first system, the first system itself has no marks.)
    assert browsed["shared"]["marks"] == [0, True]
    assert browsed["switched"] == [[True, False], [False, True], [True, True]]
    for name in ("link", "address", "filtered", "many", "after a long one"):
        assert browsed["linked"][name] == {"marked": True, "focused": True, "in sight": True}, name


def test_figures_are_downloaded(browsed: dict[str, Any]) -> None:
    (svg_name, svg), (png_name, png) = [browsed["downloads"][kind] for kind in ("SVG", "PNG")]
    assert (svg_name, png_name) == ("BLEU-by-domain.svg", "BLEU-by-domain.png")
    assert ElementTree.fromstring(svg).get("width") == "600" and "var(" not in svg and "#d55e00" in svg
    assert png.startswith("iVBORw0KGgo")
    assert list(csv.reader(browsed["downloads"]["CSV"][1].splitlines())) == [
        ["Group", "Segments", "A", "B", "B: difference", "B: low end", "B: high end"],
        ["news", "2500", "36.5", "35.0", "-1.5", "-2.0", "-1.0"],
        ["<chat>", "2500", "36.5", "35.0", "+0.2", "-0.5", "+1.0"]]


def test_keyboard_and_scroll_bar_reach_every_row(browsed: dict[str, Any]) -> None:
    assert browsed["keyboard"]["long"] == {"first": 1, "last": 30}
    for name, count in (("plain", 5000), ("many", 100_000)):
        seen = browsed["keyboard"][name]
        assert seen["down"] == list(range(1, len(seen["down"]) + 1)) and len(seen["down"]) > 30
        assert seen["up"] == list(range(1, seen["up"][-1] + 1)) and len(seen["up"]) > 30
        assert (seen["first"], seen["last"]) == (1, count)
        for share, number in browsed["dragged"][name]:
            assert abs(number - share * count) <= max(0.01 * count, 10), (name, share, number)


def test_pages_are_accessible_and_are_printed_without_controls(browsed: dict[str, Any]) -> None:
    assert browsed["axe"] == {"light": [], "dark": [], "phone": [], "static": [], "private": [], "one": []}
    assert browsed["overflow"] == 0
    assert 3 < browsed["printed"]["rows"] < 60
    assert browsed["printed"]["others"] == 0
    assert browsed["printed"]["paper"] == 100
    assert browsed["printed"]["summary"] == 0  # (segments are printed where that is asked for)
    assert 690 < browsed["printed"]["after"] <= 700  # (some browsers lay a page out for paper before they say so)


def test_tables_are_sorted_and_copied(browsed: dict[str, Any]) -> None:
    assert browsed["tables"] == [["c", "b", "A", "descending"], ["A", "b", "c", "ascending"],
                                 ["A", "b", "c", "ascending"], ["b", "c", "A", "descending"]]
    assert browsed["copied"]["tsv"] == "System\tBLEU\tp\nb\t36.5 (±1)\t0.5 *\nA\t4.25\t0.001 *\nc\t100.0\t0.04 *"
    assert browsed["copied"]["markdown"].startswith("| System | BLEU | p |\n| ---: | :---: | :---: |\n")
    assert browsed["copied"]["selected"].startswith("\\begin{tabular}{rcc}\n\\toprule\n System & BLEU & p \\\\\n")
