"""Warnings about texts that can be scored, but hardly are what was meant, from Python and from the command line."""

from __future__ import annotations

import unicodedata
import warnings
from pathlib import Path
from typing import Any, Callable, Sequence

import pytest

from purebleu.metrics import BLEU, CHRF
from purebleu.metrics.warnings import TextWarnings
from purebleu.runtime.errors import OptionError

from ..helpers import SHARED, output_of, part, refusal, told, write_lines

CHINESE = ["他昨天去了学校,没有回来。", "我们都很高兴见到你们大家。", "Yes"]
SHORT = ["你好。", "谢谢你。", "再见了。"]
JAPANESE = ["彼は昨日学校に行きました。"]
THAI, TIBETAN = ["เขาไปโรงเรียนเมื่อวานนี้"], ["བོད་སྐད་ཤེས་ཀྱི་ཡོད་པ་རེད།"]
VIETNAMESE = ["Tôi đã đi đến trường hôm qua.", "Hôm nay trời đẹp quá.", "OK"]
SUBTITLES = ["1", "00:00:01,000 --> 00:00:02,500", "Yes."]


def decomposed(lines: Sequence[str]) -> list[str]:
    return [unicodedata.normalize("NFD", line) for line in lines]


def messages(function: Callable[..., object], *arguments: Any, **options: Any) -> list[str]:
    """The warnings of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", ResourceWarning)  # (What other tests left may be collected meanwhile.)
        function(*arguments, **options)
    return [str(warning.message) for warning in caught]


def messages_of(metric: Any, hypotheses: Sequence[str], references: Sequence[str]) -> list[str]:
    return messages(metric.corpus_score, hypotheses, [references])


# Text without spaces

@pytest.mark.parametrize(("name", "options", "lines", "advice"), [
    ("BLEU", {}, CHINESE, "-tok zh (-l en-zh), flores200 or char"), ("BLEU", {}, SHORT, "-tok zh"),
    ("BLEU", {"tokenize": "intl"}, CHINESE, "-tok zh"),
    ("BLEU", {"tokenize": "none"}, JAPANESE, "-tok ja-mecab (-l en-ja)"),
    ("BLEU", {"tokenize": "zh"}, THAI, "-tok flores200 or char"), ("BLEU", {}, TIBETAN, "-tok flores200 or char"),
    ("GLEU", {}, THAI, "-tok flores200 or char"), ("NIST", {}, CHINESE, "-tok zh"),
    ("ROUGE1", {}, CHINESE, "--rouge-tokenize unicode"), ("ROUGELSUM", {}, JAPANESE, "--rouge-tokenize unicode"),
    ("ROUGEL", {}, THAI, "-m chrf"),
    ("TER", {}, CHINESE, "--ter-normalized --ter-asian-support"), ("TER", {"normalized": True}, JAPANESE, "--ter-norm"),
    ("TER", {}, SHORT, "--ter-normalized"), ("TER", {"normalized": True, "asian_support": True}, THAI, "-m chrf"),
    ("WER", {}, CHINESE, "-m cer"), ("RIBES", {}, CHINESE, "-m chrf"),
    ("TER", {}, [CHINESE[0]] * 26 + ["a b"] * 34, "--ter-normalized"),  # (of which the first 50 are looked at)
])
def test_text_without_spaces_is_warned_of(name: str, options: dict[str, Any], lines: list[str], advice: str) -> None:
    [message] = messages_of(part("metrics", name)(**options), lines, lines)
    assert message.startswith("most lines of references have hardly any spaces (first: segment ")
    assert f"but {name} compares words separated by spaces: use {advice}" in message


@pytest.mark.parametrize(("name", "options", "lines"), [
    ("BLEU", {"tokenize": "zh"}, CHINESE), ("BLEU", {"tokenize": "char"}, THAI), ("BLEU", {"tokenize": list}, THAI),
    ("CHRF", {}, CHINESE), ("CHRF", {"word_order": 2}, CHINESE), ("CER", {}, CHINESE), ("EED", {}, CHINESE),
    ("CharacTER", {}, CHINESE), ("ROUGEL", {"tokenize": "unicode"}, CHINESE),
    ("TER", {"normalized": True, "asian_support": True}, CHINESE), ("BLEU", {}, ["他 昨天 去 了 学校 , 没有 回来 。"]),
    ("BLEU", {}, ["학교에 갔다가 어제 돌아왔습니다"]),
    ("BLEU", {}, ["Er ging „gestern“ in 東京 aus dem Haus", "été", "a"]),
    ("BLEU", {"effective_order": True}, ["\u3000", ""]), ("TER", {}, ["a b", CHINESE[0]] * 25 + [CHINESE[0]] * 12),
])
def test_text_with_spaces_and_metrics_of_characters_are_fine(name: str, options: Any, lines: list[str]) -> None:
    assert messages_of(part("metrics", name)(**options), lines, lines) == []


def test_rouge_without_words_is_warned_of() -> None:
    rouge, russian = part("metrics", "ROUGE1"), ["Кошка сидит на ковре."] * 3
    [message] = messages_of(rouge(), russian, russian)
    assert "but words of ROUGE1 have only these letters: use --rouge-tokenize unicode" in message
    assert messages_of(rouge(tokenize="unicode"), russian, russian) == messages_of(BLEU(), russian, russian) == []
    assert messages_of(rouge(), VIETNAMESE, VIETNAMESE) == []


def test_the_advice_on_short_text_is_the_right_one() -> None:
    for metric, lines, has_orders in ((BLEU(), SHORT, False), (BLEU(), ["a b", "c"], True),
                                      (BLEU(tokenize="zh"), ["你好"], True)):  # (with words that it finds)
        [message] = messages_of(metric, lines, lines)
        assert ("effective_order" in message) == has_orders


def test_codes_that_people_write_suggest_the_right_one() -> None:
    table = {
        ("zh", "zh"): ("chinese", "Chinese", "zho_Hans", "zh_CN", "zh-TW", "en-zh", "cn", "en-cn",
                       "eng_Latn-zho_Hant"),
        ("ja", "ja-mecab"): ("jp", "JA", "jpn"), ("ko", "ko-mecab"): ("kor_Hang", "korean"),
    }
    for name in ("BLEU", "GLEU", "NIST"):
        metric = part("metrics", name)
        for (meant, tokenizer), codes in table.items():
            for code in codes:
                assert messages(metric, trg_lang=code) == [
                    f"the language code {code!r} selects no tokenizer, so 13a is used; the code {meant!r} "
                    f"(-l en-{meant}) selects {tokenizer}"]
                assert len(messages(metric, trg_lang=code, tokenize="13a")) == 1
                assert messages(metric, trg_lang=code, tokenize="char") == []
    for code in ("", "zh", "de", "en", "zh-en", "deu_Latn", "en-de", "ja-en", "th-en", "pt-BR"):
        assert messages(BLEU, trg_lang=code) == [], code


def test_languages_without_a_tokenizer_get_the_usual_one_as_advice() -> None:
    for usual, codes in (
        ("flores200 (spBLEU), the tokenizer char, or the metric chrF",
         ("th", "lo", "km", "my", "bo", "tha", "en-khm_Khmr")),
        ("zh, or flores200 (spBLEU)", ("yue", "wuu", "yue_Hant")),
    ):
        for code in codes:
            said = messages(lambda code=code: BLEU(trg_lang=code).corpus_score(THAI, [THAI]))
            assert said[0] == (f"the language {code!r} has no tokenizer of its own, so 13a is used, which needs spaces "
                               f"between words: use the tokenizer {usual} (purebleu help choose)")
            assert not [one for one in said if "hardly any spaces" in one]  # (no second warning)
            said = messages(lambda code=code: BLEU(trg_lang=code, tokenize="none").corpus_score(THAI, [THAI]))
            assert [one for one in said if "hardly any spaces" in one]  # (the constructor does not warn of `none`)


# Normal forms

@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_other_normal_forms_are_warned_of(name: str) -> None:
    metric = part("metrics", name)()
    for hypotheses, references in ((decomposed(VIETNAMESE), VIETNAMESE), (VIETNAMESE, decomposed(VIETNAMESE))):
        [message] = messages_of(metric, hypotheses, references)
        assert message.startswith("hypotheses and references differ in Unicode's normal form (first: segment 0; 67 % "
                                  "of a sample)") and "--normalize nfc" in message
    assert messages_of(metric, decomposed(VIETNAMESE), decomposed(VIETNAMESE)) == []
    lines = ["é"] * 99
    assert messages_of(CHRF(), decomposed(lines[:1]) + lines[1:], lines) == []  # (so few count for nothing)
    assert len(messages_of(CHRF(), decomposed(lines[:2]) + lines[2:], lines)) == 1


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER", "NIST"])
def test_normalize_makes_both_sides_alike_and_is_signed(name: str) -> None:
    metric = part("metrics", name)()
    expected = metric.corpus_score(VIETNAMESE, [VIETNAMESE, VIETNAMESE])
    found = metric.corpus_score(decomposed(VIETNAMESE), [VIETNAMESE, decomposed(VIETNAMESE)], normalize="nfc")
    assert found.score == expected.score
    assert str(found.signature).replace("|unicode:nfc", "") == str(expected.signature)
    assert "|uc:nfc|" in found.signature.format(short=True)
    assert metric.corpus_score(["ｆｉｎｅ words here ①"], [["fine words here 1"]], normalize="nfkc").score == (
        metric.corpus_score(["fine words here 1"], [["fine words here 1"]]).score)
    rows = BLEU().corpus_statistics(decomposed(VIETNAMESE), [VIETNAMESE], normalize="nfc")
    assert rows == BLEU().corpus_statistics(VIETNAMESE, [VIETNAMESE])


def test_tokens_and_cached_references_are_not_normalized() -> None:
    with pytest.raises(OptionError, match="normalize must be nfc or nfkc, not 'nfd'"):
        BLEU().corpus_score(["a"], [["a"]], normalize="nfd")
    with pytest.raises(OptionError, match="not in the constructor"):
        BLEU(references=[["a"]]).corpus_score(["a"], None, normalize="nfc")
    with pytest.raises(TypeError, match="segments are sequences of tokens"):
        BLEU().corpus_score([["a"]], [[["a"]]], normalize="nfc")


def test_subtitles_are_warned_of() -> None:
    for lines in (SUBTITLES, ["WEBVTT", "", "a"], ["\ufeffWEBVTT", "", "00:01.000 --> 00:02.000"],
                  ["", "12", "0:00:01.000 --> 0:00:02.000 align:left"]):
        [message] = messages_of(CHRF(), ["a"] * len(lines), lines)
        assert message.startswith("the subtitles in references are scored as lines")
        [message] = messages_of(CHRF(), lines, lines)
        assert message.startswith("the subtitles in hypotheses, references are scored as lines")
    for lines in (["a --> b"], ["A: x --> y"], ["12 --> 13"], [*"abc", SUBTITLES[1]], ["WEBVTT is a format"]):
        assert messages_of(CHRF(), lines, lines) == []


@pytest.mark.parametrize(("outputs", "references", "related"), [
    (["the cat sat on a mat today"], ["die Katze sass heute auf der Matte"], False),
    (["the cat sat on a mat today"], ["他昨天去了学校,没有回来。"], False),
    (["他昨天去了学校,没有回来。"], ["我昨天没有去学校,回来了。"], True),
    (["THE dogs were in some house"], ["the cat sat on a mat today"], True), (["die Katze"], ["the cat"], True),
    (["", "", "the cat sat on a mat today"], ["a", "b", "the cat sat on a mat today"], True),
], ids=str)
def test_another_file_than_the_outputs_is_warned_of(outputs: list[str], references: list[str], related: bool) -> None:
    metric = BLEU(tokenize="char")
    said = messages_of(metric, outputs * 20, references * 20)
    assert said == [] if related else said == [
        "the lines of hypotheses and of references have hardly a word in common: is one of the files wrong, such as "
        "the source, or are its lines in another order?"]
    assert messages_of(metric, outputs * 2, references * 2) == []
    assert messages(metric.corpus_score, outputs * 20, [references * 20, outputs * 20]) == []


def test_subtitles_with_other_numbers_of_lines_are_reported(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.srt", SUBTITLES)
    write_lines(tmp_path / "b.srt", [*SUBTITLES, "More."])
    error = refusal(tmp_path, "a.srt", "-i", "b.srt", "-b", code=1)
    assert "; there are subtitles in b.srt, a.srt: --resegment (or" in error


# On the command line: once a run

@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {"zh": CHINESE[:2], "th": THAI * 2, "vi": VIETNAMESE, "vi.nfd": decomposed(VIETNAMESE), "a.srt": SUBTITLES,
             "long.zh": CHINESE[:2] * 3000}
    for name, lines in texts.items():
        write_lines(tmp_path / name, lines)
    write_lines(tmp_path / "all.tsv", ["name\tpair\treferences\thypothesis", "A\ten-x\tzh\tzh", "A\ten-y\tth\tth",
                                       "B\ten-x\tzh\tzh", "B\ten-y\tth\tth"])
    return tmp_path


def stderr_of(folder: Path, *arguments: str) -> list[str]:
    """The lines on standard error but those that say what a report has tested, and where it is."""
    lines = told(folder, *arguments)[1].splitlines()
    return [line for line in lines if "tested: " not in line and "the report is in" not in line]


@pytest.mark.parametrize("command", [
    "zh -i zh", "zh -i zh -m bleu gleu nist rouge1 ter wer", "zh -i zh -m nist", "zh -i zh -sl", "zh -i zh -ci -cin 3",
    pytest.param("zh -i zh -j 2", marks=pytest.mark.full), "report zh -i zh -o r.html -m bleu ter",
    "compare zh -i zh --worst 1"])
def test_a_run_warns_once(folder: Path, command: str) -> None:
    [line] = stderr_of(folder, *command.split())
    assert line.startswith("purebleu: warning: most lines of zh have hardly any spaces (first: line 1; 100 %")
    assert stderr_of(folder, *command.split(), "-q") == []
    if command.startswith("report"):
        assert "most lines of zh have hardly any spaces" in (folder / "r.html").read_text(encoding="utf-8")


def test_several_systems_and_metrics_are_one_warning(folder: Path) -> None:
    (folder / "zh2").write_bytes((folder / "zh").read_bytes())
    [line] = stderr_of(folder, "zh", "-i", "zh", "zh2", "-m", "bleu", "ter", "rouge1")
    assert "but BLEU, ROUGE1, TER compare words" in line and line.count("use ") == 1
    assert all(option in line for option in ("-tok zh", "--ter-asian-support", "--rouge-tokenize unicode"))
    assert len(stderr_of(folder, "--manifest", "all.tsv")) == 1
    lines = stderr_of(folder, "report", "--manifest", "all.tsv", "-m", "ter", "bleu", "-o", "r.html")
    assert len([line for line in lines if "hardly any spaces" in line]) == 1


@pytest.mark.parametrize(("pair", "words"), [
    ("en-cn", "'zh' (-l en-zh) selects zh"), ("en-jp", "'ja' (-l en-ja)"), ("eng_Latn-Chinese", "'zh' (-l en-zh)"),
    ("en-th", "use the tokenizer flores200 (spBLEU), the tokenizer char, or the metric chrF"),
    ("en-yue", "use the tokenizer zh")])
def test_codes_on_the_command_line(folder: Path, pair: str, words: str) -> None:
    for command in (["th"], ["th", "-m", "bleu", "gleu"], ["report", "th", "-o", "r.html"]):
        [line] = stderr_of(folder, *command, "-i", "th", "-l", pair)
        assert words in line
    assert words in (folder / "r.html").read_text(encoding="utf-8").replace("&#x27;", "'").replace("&#39;", "'")
    assert stderr_of(folder, "zh", "-i", "zh", "-l", "eng_Latn-zho_Hans") == []


def test_normal_forms_and_subtitles_of_files(folder: Path) -> None:
    [line] = stderr_of(folder, "vi", "-i", "vi.nfd", "-m", "chrf", "bleu")
    assert line.startswith("purebleu: warning: vi.nfd and vi differ in Unicode's normal form (first: line 1; 67 % of")
    assert stderr_of(folder, "vi", "-i", "vi", "vi.nfd", "-m", "chrf") == [line]  # (named by its own file)
    assert stderr_of(folder, "vi", "-i", "vi.nfd", "-m", "chrf", "--normalize", "nfc", "--save-rows", "rows") == []
    assert "unicode:nfc" in output_of(["--rows", "rows", "-f", "json-signed", "-q"], folder)
    [line] = stderr_of(folder, "a.srt", "-i", "a.srt", "-m", "chrf")
    assert line.startswith("purebleu: warning: the subtitles in a.srt, a.srt are scored as lines")


@pytest.mark.parametrize("options", ["", pytest.param("-j 2", marks=pytest.mark.full), "-sl", "-f csv", "--resegment"])
def test_files_in_one_normal_form_score_the_same(folder: Path, options: str) -> None:
    output = output_of(["vi", "-i", "vi.nfd", "-m", "chrf", "--normalize", "nfc", *options.split()], folder)
    same, _ = told(folder, "vi", "-i", "vi", "-m", "chrf", *options.split())
    unsigned = output.replace("|unicode:nfc", "").replace(' "unicode": "nfc",\n', "")
    assert unsigned == same.replace("vi,", "vi.nfd,")


def test_a_signature_asks_for_its_normal_form(folder: Path) -> None:
    signature = "chrF2|nrefs:1|unicode:nfc|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0"
    text = output_of(["vi", "-i", "vi.nfd", "--signature", signature, "-f", "text"], folder)
    assert "|unicode:nfc|" in text and "= 100.0" in text


@pytest.mark.full
def test_processes_look_at_the_same_lines(folder: Path) -> None:
    lines = ["a b c d"] * 2500 + CHINESE[:2] * 4000
    write_lines(folder / "mixed", lines)
    one, two = [stderr_of(folder, "mixed", "-i", "mixed", "-j", jobs) for jobs in "12"]
    assert one == two and "(first: line 2561; 52 % of a sample)" in one[0]


@pytest.mark.skipif(not (SHARED / "data").is_dir(), reason="there is no real data")
def test_shared_data_gives_no_false_alarm() -> None:
    corpora = {path.parent / path.name.partition(".hyp.")[0] for path in (SHARED / "data").glob("*/*.hyp.*")}
    assert len(corpora) >= 6
    for corpus in sorted(corpora):
        systems, references = [sorted(corpus.parent.glob(f"{corpus.name}.{kind}.*")) for kind in ("hyp", "ref")]
        columns = [path.read_text(encoding="utf-8").split("\n")[:-1] for path in [*systems, *references]]
        target = references[0].suffix[1:]
        # (Text in Chinese and Japanese without a tokenizer is no false alarm.)
        bleu = BLEU(tokenize={"zh": "zh", "ja": "char"}.get(target, "13a"))
        texts = TextWarnings([bleu, CHRF()])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            texts.see(columns[:len(systems)], columns[len(systems):], range(len(columns[0])))
            texts.warn()
        words = BLEU()
        assert texts.suits(words) == (target not in ("zh", "ja")), corpus
        for source in (SHARED / "data").glob(f"*/{corpus}.src.*"):
            [message] = messages_of(CHRF(), source.read_text(encoding="utf-8").split("\n")[:-1], columns[-1])
            assert message.startswith("the lines of hypotheses and of references have hardly a word in common")
