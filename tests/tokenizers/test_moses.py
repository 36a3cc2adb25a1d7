"""The words of Moses: tokens as its script gives them, signatures, files of prefixes.

`scripts/dev/oracles moses --write` makes the fixtures. Neither they nor the package hold Moses' own lists: the
generated lines were split with other prefixes, and of the real ones there are only checksums.
"""

from __future__ import annotations

import hashlib
import pickle
from pathlib import Path
from typing import Any

import pytest

from purebleu.audit import moses
from purebleu.audit.moses import read_prefixes
from purebleu.runtime.errors import PurebleuError

from ..helpers import SHARED, needs_wmt22, read_fixture

PREFIXES, WAYS, *CASES = read_fixture("tokens.moses.json.gz")["cases"]

DATA = SHARED / "data"
SHARED_CASES = read_fixture("moses.shared_data.json")["cases"]

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
    for case, tokens in zip(cases, tokenized):
        assert " ".join(tokens) == case[column], case[0]


@pytest.mark.parametrize(("language", "like"), [("it", "fr"), ("ga", "fr"), ("sv", "fi")])
def test_further_languages_are_split_like_one_of_these(language: str, like: str) -> None:
    lines = [line for line, *_ in CASES]
    one, other = [moses.MosesWords(code, prefixes=PREFIXES["prefixes"]) for code in (language, like)]
    assert one.tokenize_lines(lines) == other.tokenize_lines(lines)


@needs_wmt22
@pytest.mark.parametrize("case", SHARED_CASES, ids=lambda case: f"{case['file']}{' -a' * case['aggressive']}")
def test_own_abbreviations_give_the_lines_of_moses_on_real_text(case: dict[str, Any]) -> None:
    lines = (DATA / case["file"]).read_bytes().decode("utf-8").split("\n")[:-1]
    tokenized = moses.MosesWords(case["language"], case["aggressive"]).tokenize_lines(lines)
    text = "".join([" ".join(tokens) + "\n" for tokens in tokenized])
    assert (len(tokenized), hashlib.sha256(text.encode()).hexdigest()) == (case["lines"], case["digest"])


# The class and its tables

def test_few_words_and_languages() -> None:
    english = moses.MosesWords("en")
    for line in ("", " ", "\n", "\t\u3000", "\x07", "\x1f \x00"):
        assert english.tokenize_lines([line, "a", line]) == [[], ["a"], []]
    assert english('<seg id="1">') == '< seg id = " 1 " >'
    # Languages without a table have no abbreviations.
    assert english("Mr. X") == "Mr. X"
    assert moses.MosesWords("xx")("Mr. X") == moses.MosesWords("en", prefixes={})("Mr. X") == "Mr . X"


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
    line = "it's a few. Words, they're all... cached " + "x." * 40
    [expected] = moses.MosesWords("en").tokenize_lines([line])
    monkeypatch.setattr(moses, "_MAX_WORDS", 3)
    tokenizer = moses.MosesWords("en")
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
