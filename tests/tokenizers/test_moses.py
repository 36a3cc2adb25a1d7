"""The words of Moses: tokens as its script gives them, the fast form held to the plain one, files of prefixes.

`scripts/dev/oracles moses --write` makes the fixtures. Neither they nor the package hold Moses' own lists: the
generated lines were split with other prefixes, and of the real ones there are only checksums.
"""

from __future__ import annotations

import hashlib
import pickle
from itertools import groupby, product
from pathlib import Path
from typing import Any, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purebleu
from purebleu.audit import moses
from purebleu.audit.moses import read_prefixes
from purebleu.errors import PurebleuError
from purebleu.unicode import letters, tables
from purebleu.unicode.properties import WHITESPACE, boundaries_of

from ..helpers import SHARED, needs_wmt22, read_fixture, wmt22_lines

PREFIXES, WAYS, *CASES = read_fixture("tokens.moses.json.gz")["cases"]

DATA = SHARED / "data"
SHARED_CASES = read_fixture("moses.shared_data.json")["cases"]

#: Real files against each other: preprocessing as in Post (2018), lower case or not, and BLEU by Moses' own script.
SCORES = [(False, False, "38.380730"), (False, True, "38.774109"), (True, False, "39.044012"),
          (True, True, "39.435713")]


def tokenizer_of(way: str) -> Any:
    language, *aggressive = way.split()
    own = language in moses.ABBREVIATIONS
    return moses.MosesWords(language, bool(aggressive), None if own else PREFIXES["prefixes"])


# Moses' own tokens

@pytest.mark.parametrize("way", [f"{language}{end}" for language in ("en", "de", "fr", "fi", "ca", "so", "tdt")
                                 for end in ("", " -a")])
def test_tokens_are_those_of_moses(way: str) -> None:
    assert len(CASES) > 1500
    column = WAYS.index(way)
    # (In a line of its own, Moses takes its mark for dots.)
    cases = [case for case in CASES if "DOTMULTI" not in case[0]]
    tokenized = tokenizer_of(way).tokenize_lines([line for line, *_ in cases])
    different = [(case[0], case[column], tokens) for case, tokens in zip(cases, tokenized)
                 if " ".join(tokens) != case[column]]
    assert different == []


@needs_wmt22
@pytest.mark.parametrize("case", SHARED_CASES, ids=lambda case: f"{case['file']}{' -a' * case['aggressive']}")
def test_own_abbreviations_give_the_lines_of_moses_on_real_text(case: dict[str, Any]) -> None:
    lines = (DATA / case["file"]).read_bytes().decode("utf-8").split("\n")[:-1]
    tokenized = moses.MosesWords(case["language"], case["aggressive"]).tokenize_lines(lines)
    text = "".join([" ".join(tokens) + "\n" for tokens in tokenized])
    assert (len(tokenized), hashlib.sha256(text.encode()).hexdigest()) == (case["lines"], case["digest"])


@needs_wmt22
@pytest.mark.parametrize(("aggressive", "lowercase", "expected"), SCORES)
def test_scores_of_real_text(aggressive: bool, lowercase: bool, expected: str) -> None:
    tokenizer = moses.MosesWords("de", aggressive)
    hypotheses, references = [list(map(" ".join, tokenizer.tokenize_lines(lines)))
                              for lines in wmt22_lines("hyp.Online-B", "ref.B")]
    metric = purebleu.BLEU(tokenize="none", lowercase=lowercase, force=True)
    assert f"{metric.corpus_score(hypotheses, [references]).score:.6f}" == expected


# The plain form: all steps on the whole line, one after another

def has(table: str, character: str) -> bool:
    return sum([boundary <= ord(character) for boundary in boundaries_of(table)]) % 2 == 1


def is_letter(character: str) -> bool:
    return has(letters.ALPHANUMERIC, character) and not has(letters.DECIMAL_DIGITS, character)


def is_number(character: str) -> bool:
    return has(tables.NUMERIC, character)


def is_small(character: str) -> bool:
    return has(letters.LOWER_CASE, character) and not has(letters.OTHER_LOWER_CASE, character)


def no(test: Callable[[str], bool]) -> Callable[[str], bool]:
    return lambda character: not test(character)


def step(text: str, before: Callable[[str], bool] | None, mark: str, after: Callable[[str], bool] | None,
         replacement: str) -> str:
    """The text with a mark replaced that has such a character before it and such a one after it, if one is asked for.

    What one match has is not there for the next.
    """
    found, start = "", 0
    while start < len(text):
        place = start + (before is not None)
        end = place + len(mark)
        if (text.startswith(mark, place) and (before is None or before(text[start]))
                and (after is None or (end < len(text) and after(text[end])))):
            found += text[start:place] + replacement + text[end:end + (after is not None)]
            start = end + (after is not None)
        else:
            found += text[start]
            start += 1
    return found


def with_symbols_apart(text: str, language: str) -> str:
    kept = ".'`,- " + {"fi": ":", "sv": ":", "ca": "\xb7"}.get(language, "")
    text = "".join([character if character in kept or has(letters.ALPHANUMERIC, character) else f" {character} "
                    for character in text])
    mark = {"fi": ":", "sv": ":", "tdt": "'", "ca": "\xc2\xb7"}.get(language)
    if mark is None:
        return text
    parts = text.split(mark)
    return "".join([part + (mark if following[:1] and is_small(following[0]) else f" {mark} ")
                    for part, following in zip(parts, parts[1:])]) + parts[-1]


def with_dots_marked(text: str) -> str:
    runs = [(character, len(list(group))) for character, group in groupby(text)]
    text = "".join([" DOTMULTI" + "." * (length - 1) if character == "." and length > 1 else character * length
                    for character, length in runs])
    while "DOTMULTI." in text:
        text = step(text, None, "DOTMULTI.", lambda character: character != ".", "DOTDOTMULTI ")
        text = text.replace("DOTMULTI.", "DOTDOTMULTI")
    return text


def with_apostrophes_apart(text: str, language: str) -> str:
    if language not in ("en", "fr", "it", "ga", "ca", "so", "tdt"):
        return text.replace("'", " ' ")
    text = step(text, no(is_letter), "'", no(is_letter), " ' ")
    text = step(text, (lambda one: not is_letter(one) and not is_number(one)) if language == "en" else no(is_letter),
                "'", is_letter, " ' ")
    text = step(text, is_letter, "'", no(is_letter), " ' ")
    if language == "en":
        text = step(text, is_letter, "'", is_letter, " '")
        return step(text, is_number, "'", "s".__eq__, " '")
    return text if language in ("so", "tdt") else step(text, is_letter, "'", is_letter, "' ")


def with_periods_apart(words: list[str], prefixes: dict[str, bool]) -> list[str]:
    found: list[str] = []
    for word, following in zip(words, [*words[1:], ""]):
        before = word[:-1]
        stays = following and (("." in before and any(map(is_letter, before))) or prefixes.get(before) is False
                               or has(letters.LOWER_CASE, following[0])
                               or (before in prefixes and following[0] in "0123456789"))
        found += (before, ".") if before and word[-1] == "." and not stays else (word,)
    return found


def plain_moses(line: str, language: str, aggressive: bool, prefixes: dict[str, bool]) -> list[str]:
    """Moses's result for a line."""
    white = WHITESPACE.translate(dict.fromkeys(range(0x1c, 0x20)))
    line = "".join([" " if one in white else one for one in line if one in white or one >= " "])
    text = with_symbols_apart(" ".join(filter(None, line.split(" "))), language)
    if aggressive:
        text = "".join([
            " @-@ " if character == "-" and 0 < place < len(text) - 1 and has(letters.ALPHANUMERIC, text[place - 1])
            and has(letters.ALPHANUMERIC, text[place + 1]) else character for place, character in enumerate(text)])
    text = with_dots_marked(text)
    text = step(text, no(is_number), ",", None, " , ")
    text = step(text, None, ",", no(is_number), " , ")
    if text[-1:] == ",":
        text = text[:-1] + " ,"
    words = list(filter(None, with_apostrophes_apart(text, language).split(" ")))
    text = " ".join(with_periods_apart(words, prefixes))
    if text.endswith(".'"):
        text = text[:-2] + " . '"
    while "DOTDOTMULTI" in text:
        text = text.replace("DOTDOTMULTI", "DOTMULTI.")
    return list(filter(None, text.replace("DOTMULTI", ".").split(" ")))


OWN = {"Mr": False, "No": True, "\u0438": False, "a": True, "1": False}

pieces = st.one_of(*map(st.sampled_from, [
    [*"''',,..-:`"], [*"''',. "], [*"aBsD1"], [*"a1. "], ["Mr.", "No.", "x.y.", "'s", "...", ".'", "' '"],
    ["DOT", "MULTI", ".."], [*"é\xc2\xb7\u0438\u0663½\u2170\u24d0\u0301中\U00010400\ud800"],
    [*"\t\x0b\x1c\x1f\x85\xa0\u2028\u3000\x00\x07\x7f\u200b\u180e\ufeff\"&<>|\n\r"],
]))
#: (Moses turns a word with DOTMULTI into dots.)
texts = st.lists(pieces, max_size=16).map("".join).filter(lambda text: "DOTMULTI" not in text)
languages = st.sampled_from(["en", "de", "fr", "it", "fi", "sv", "ca", "so", "tdt", "zh", "xx"])


@given(lines=st.lists(texts, max_size=4), language=languages, aggressive=st.booleans())
def test_tokens_are_those_of_the_plain_form(lines: list[str], language: str, aggressive: bool) -> None:
    tokenizer = moses.MosesWords(language, aggressive, OWN)
    expected = [plain_moses(line, language, aggressive, OWN) for line in lines]
    assert tokenizer.tokenize_lines(lines) == expected
    assert [tokenizer(line) for line in lines] == list(map(" ".join, expected))


@pytest.mark.parametrize("language", ["en", "de", "fr", "fi", "ca", "tdt"])
@pytest.mark.parametrize("longest", [3, pytest.param(4, marks=pytest.mark.full)])
def test_tokens_of_every_short_line_are_those_of_the_plain_form(language: str, longest: int) -> None:
    lines = ["".join(symbols) for length in range(longest + 1) for symbols in product("a1',. ", repeat=length)]
    tokenized = moses.MosesWords(language, True, OWN).tokenize_lines(lines)
    assert tokenized == [plain_moses(line, language, True, OWN) for line in lines]


@pytest.mark.parametrize("way", ["en", "fr -a", "tdt"])
def test_the_plain_form_is_that_of_moses(way: str) -> None:
    language, *aggressive = way.split()
    prefixes = moses.own_prefixes(language) or PREFIXES["prefixes"]
    column = WAYS.index(way)
    assert [case for case in CASES[::15]
            if " ".join(plain_moses(case[0], language, bool(aggressive), prefixes)) != case[column]] == []


# The class and its tables

def test_few_words_and_languages() -> None:
    english = moses.MosesWords("en")
    for line in ("", " ", "\n", "\t\u3000", "\x07", "\x1f \x00"):
        assert english.tokenize_lines([line, "a", line]) == [[], ["a"], []]
    assert english('<seg id="1">') == '< seg id = " 1 " >'
    # Languages without a table have no abbreviations.
    assert english("Mr. X") == "Mr. X"
    assert moses.MosesWords("xx")("Mr. X") == moses.MosesWords("en", prefixes={})("Mr. X") == "Mr . X"


def test_tables_are_sorted_and_have_everything_once() -> None:
    for table in (moses.ABBREVIATIONS, moses.ABBREVIATIONS_BEFORE_NUMBERS):
        for text in table.values():
            assert text.split() == sorted({*text.split()})
            assert not any("." in word for word in text.split())
    for language, text in moses.ABBREVIATIONS_BEFORE_NUMBERS.items():
        assert not {*text.split()} & {*moses.ABBREVIATIONS[language].split()}
    for property_table in (letters.ALPHANUMERIC, letters.DECIMAL_DIGITS, letters.LOWER_CASE, letters.OTHER_LOWER_CASE):
        boundaries = boundaries_of(property_table)
        assert list(boundaries) == sorted({*boundaries}) and len(boundaries) % 2 == 0


def test_a_copy_for_another_process_is_equal() -> None:
    tokenizer = moses.MosesWords("en", True, {"Foo": False})
    assert tokenizer("Foo. Bar-Baz.") == "Foo. Bar @-@ Baz ."
    copy = pickle.loads(pickle.dumps(tokenizer))
    assert (copy("Foo. Bar-Baz."), copy.signature()) == ("Foo. Bar @-@ Baz .", tokenizer.signature())


def test_signatures_tell_all_that_tokens_depend_on() -> None:
    ways: list[tuple[Any, ...]] = [("en",), ("de",), ("en", True), ("en", False, {}), ("en", False, {"Mr": False}),
                                   ("en", False, {"Mr": True}), ("en", True, {"Mr": True})]
    signatures = [moses.MosesWords(*way).signature() for way in ways]
    assert signatures[:3] == ["moses-en", "moses-de", "moses-en-a"]
    assert len({*signatures}) == len(ways)
    assert not any(set(":|+ ") & set(signature) for signature in signatures)
    one, other = [moses.MosesWords("en", False, dict.fromkeys(order, False)) for order in ("ab", "ba")]
    assert one.signature() == other.signature()


def test_the_cache_is_emptied_when_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moses, "_MAX_WORDS", 3)
    tokenizer = moses.MosesWords("en")
    line = "it's a few. Words, they're all... cached " + "x." * 40
    expected = plain_moses(line, "en", False, moses.own_prefixes("en"))
    assert [tokenizer.tokenize_lines([line])[0] for _ in range(3)] == [expected] * 3
    assert len(tokenizer._splitter) <= 3
    assert not any(len(word) > 64 for word in tokenizer._splitter)


# Files of prefixes

def written(folder: Path, content: bytes) -> str:
    path = folder / "nonbreaking_prefix.xx"
    path.write_bytes(content)
    return str(path)


def test_prefixes_of_a_file(tmp_path: Path) -> None:
    path = written(tmp_path, b"# titles\nMr\nDr\n\nNo #NUMERIC_ONLY#\n0\nArt \t#NUMERIC_ONLY# x\n"
                             b"pp#NUMERIC_ONLY#\nbzw\n #no comment\nNo\nDr #NUMERIC_ONLY#\n\xc3\xa9 \nlast")
    assert read_prefixes(path) == {
        "Mr": False, "Dr": True, "No": False, "Art ": True, "pp#NUMERIC_ONLY#": False, "bzw": False,
        " #no comment": False, "\xe9 ": False, "last": False}
    assert read_prefixes(written(tmp_path, b"")) == {}


def test_prefixes_change_what_keeps_its_period(tmp_path: Path) -> None:
    prefixes = read_prefixes(written(tmp_path, b"Abb\nBd #NUMERIC_ONLY#\n"))
    tokenizer = moses.MosesWords("de", prefixes=prefixes)
    assert tokenizer("Abb. A Bd. A Bd. 5 Nr. 5 nr. a z.B. A Abb.") == "Abb. A Bd . A Bd. 5 Nr . 5 nr. a z.B. A Abb ."


def test_a_file_that_cannot_be_read_is_an_error_of_one_line(tmp_path: Path) -> None:
    for path in (str(tmp_path / "missing"), str(tmp_path), written(tmp_path, b"a\nb\xff\n")):
        with pytest.raises(PurebleuError) as error:
            read_prefixes(path)
        assert str(error.value).startswith(f"{path}: ")
        assert "\n" not in str(error.value)
