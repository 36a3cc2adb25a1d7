"""Subtitles: their files, SubER, and scores of blocks, held to SubER 0.4.0: its own tests, and random pairs."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, Iterator, Sequence

import pytest

import purebleu
from purebleu.engines.edits import ter, ter_search
from purebleu.engines.edits.character import edit_distances
from purebleu.files.subtitles import form_of_words, independent_parts, subtitle_blocks, words_of_text
from purebleu.metrics import SubER, SubERCased
from purebleu.metrics.suber import RULES, TimedBlock
from purebleu.resegmentation import resegment
from purebleu.runtime.errors import OptionError, PurebleuError

from ..helpers import load_script, read_fixture, refusal, refused, shares, told

subtitle_pair = load_script("dev/oracles/cases/suber").subtitle_pair

CASES = read_fixture("suber.json.gz")["cases"]
OF_PAIRS = [case for case in CASES if "seed" in case]

METRICS = {"SubER": SubER, "SubER-cased": SubERCased}

REFERENCE = ("1\n00:00:01,000 --> 00:00:02,000\nThis is a subtitle.\n\n"
             "2\n00:00:03,000 --> 00:00:04,000\nAnd another\none!\n")
HYPOTHESIS = ("1\n00:00:01,000 --> 00:00:02,500\nThis is a\nsubtitle. And\n\n"
              "2\n00:00:03,000 --> 00:00:04,000\nother one!\n")


@pytest.fixture
def films(tmp_path: Path) -> Path:
    (tmp_path / "ref.srt").write_text(REFERENCE, encoding="utf-8")
    (tmp_path / "hyp.srt").write_text(HYPOTHESIS, encoding="utf-8")
    return tmp_path


def has_words(language: str | None) -> bool:
    """Whether words of this language are found here: those of Japanese and Korean need a dictionary."""
    try:
        SubER(trg_lang=language or "").sentence_score(REFERENCE, [REFERENCE])
    except PurebleuError:
        return False
    return True


# SubER's own tests

def srt(segments: Sequence[Sequence[Any]]) -> str:
    """Segments of a case as a file."""
    def time(seconds: float) -> str:
        whole, milliseconds = divmod(round(1000 * seconds), 1000)
        return f"{whole // 3600}:{whole // 60 % 60}:{whole % 60},{milliseconds:03}"

    return "\n\n".join([f"1\n{time(start)} --> {time(end)}\n" + whole.replace(" <eol> ", "\n").replace(" <eob>", "")
                        for start, end, whole in segments])


def calculate_SubER(case: dict[str, Any]) -> None:
    metric = METRICS[case.get("metric", "SubER")](trg_lang=case.get("language") or "", kinds=True)
    score = metric.sentence_score(srt(case["hypothesis"]), [srt(case["reference"])])
    assert round(score.score, 3) == case["result"]
    if "statistics" in case:
        assert_kinds(score, case["statistics"])


def assert_kinds(score: Any, statistics: Sequence[int]) -> None:
    """The kinds of edits are SubER's: shifts; and of words and of breaks: deletions, insertions, substitutions."""
    shifts, *edits = statistics
    assert [score.shifts, score.deletions, score.insertions, score.substitutions] == [
        shifts, *[words + breaks for words, breaks in zip(edits[::2], edits[1::2])]]


def time_align_hypothesis_to_reference(case: dict[str, Any]) -> None:
    Path("h.srt").write_text(srt(case["hypothesis"]), encoding="utf-8")
    Path("r.srt").write_text(srt(case["reference"]), encoding="utf-8")
    language = ["-l", f"en-{case['language']}"] if case.get("language") else []
    told(".", "r.srt:seg", "-i", "h.srt:seg", "--resegment", "time", "--save-resegmented", "lines", *language)
    assert Path("lines").read_text(encoding="utf-8").split("\n")[:-1] == [
        form_of_words(words_of_text(whole), "seg", keeps_last=True) for _, _, whole in case["result"]]


def levenshtein_align_hypothesis_to_reference(case: dict[str, Any]) -> None:
    if case.get("language"):
        pytest.skip("its words are those of MeCab without marks")
    sides = "hypothesis", "reference", "result"
    hypothesis, reference, result = [[whole for _, _, whole in case[side]] for side in sides]
    found = resegment(hypothesis, [reference], "unpunctuated")
    assert " ".join(found).split() == " ".join(result).split()
    assert edits_of_lines(found, reference) == edits_of_lines(result, reference)


def edits_of_lines(lines: Sequence[str], references: Sequence[str]) -> int:
    """The fewest edits of words, as they are compared, that turn lines into those of the references."""
    def words(line: str) -> list[str]:
        removed = str.maketrans("", "", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
        return [word.lower().translate(removed) or word.lower() for word, _ in words_of_text(line)]

    return sum(edit_distances([(words(line), words(reference)) for line, reference in zip(lines, references)]))


def _get_independent_parts(case: dict[str, Any]) -> None:
    def blocks(segments: Sequence[Any]) -> list[Any]:
        return [TimedBlock(round(1e6 * start), round(1e6 * end), [whole]) for start, end, whole in segments]

    def plain(parts: Any) -> list[Any]:
        return [[[(block.start, block.words) for block in side] for side in part] for part in parts]

    found = independent_parts([blocks(case["hypothesis"]), blocks(case["reference"])])
    assert plain(found) == plain([map(blocks, part) for part in case["result"]])


#: (Further ones compute figures of blocks, as `test_figures_of_blocks_of_random_pairs_are_subers` does.)
OF_TESTS = [case for case in CASES if case.get("call") in globals()]


@pytest.mark.parametrize("case", OF_TESTS, ids=[case["test"].rpartition(".")[2] for case in OF_TESTS])
def test_figures_of_subers_own_tests(case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not has_words(case.get("language")):
        pytest.skip("needs a dictionary of MeCab")
    monkeypatch.chdir(tmp_path)
    globals()[case["call"]](case)


# Random pairs

@shares(50, full=8)
def test_scores_of_random_pairs_are_subers(share: int) -> None:
    assert len(OF_PAIRS) == 2000
    for case in OF_PAIRS[share::50]:
        hypothesis, reference, language = subtitle_pair(case["seed"])
        for name, metric in METRICS.items() if has_words(language) else ():
            score, *statistics = case[name]
            for kinds in (False, True):
                found = metric(trg_lang=language, kinds=kinds).sentence_score(hypothesis, [reference])
                assert round(found.score, 3) == score, (case["seed"], name)
            assert_kinds(found, statistics)


@shares(50, full=8)
def test_figures_of_blocks_of_random_pairs_are_subers(share: int, tmp_path: Path) -> None:
    for case in OF_PAIRS[4 * share::200]:
        hypothesis, reference, language = subtitle_pair(case["seed"])
        (tmp_path / "h.srt").write_text(hypothesis, encoding="utf-8")
        (tmp_path / "r.srt").write_text(reference, encoding="utf-8")
        for way, option in (("t-", ["--resegment", "time"]), ("", ["--srt-unit", "block"])):
            for form in ("", "seg", "br"):
                end, column = (f"-{form}", f":{form}") if form else ("", "")
                # (Results come in the order of names.)
                names = [name for name in ("BLEU", "chrF", "TER") if way + name + end in case]
                if names and has_words(language):
                    more = ["-l", f"en-{language}"] if language else []
                    asian = ["--ter-normalized", "--ter-asian-support"] if language and "TER" in names else []
                    output, _ = told(tmp_path, f"r.srt{column}", "-i", f"h.srt{column}", "-m", *names, *option, *more,
                                     *asian, "-w", "3")
                    found: Any = json.loads(output)
                    scores = [score["score"] for score in (found if isinstance(found, list) else [found])]
                    assert scores == [case[way + name + end] for name in names], (case["seed"], way, form)


# The engine

class Placed(str):
    place: Any


def placed_words(rng: random.Random, blocks: int) -> list[Placed]:
    words: list[Placed] = []
    start = rng.randint(0, 3)
    for _ in range(blocks):
        end = start + rng.randint(1, 5)
        for text in [*[rng.choice("abcdef") for _ in range(rng.randint(1, 7))], "|"]:
            words.append(Placed(text))
            words[-1].place = start, end, text == "|"
        start = end + rng.choice((0, 0, 1, 2))
    return words


@pytest.mark.parametrize("columns", [198, 199, 200, 201, 399, 400, 401])
def test_a_steep_diagonal_has_a_band_without_gaps(columns: int) -> None:
    rng = random.Random(columns)
    few, many = placed_words(rng, 1)[:2], placed_words(rng, columns)[:columns]
    assert ter_search.edits_of_pairs([(few, many)], RULES) == [ter.count_edits(few, many, RULES)]


def test_a_segment_of_several_parts_has_one_alignment() -> None:
    found = SubER().alignment(HYPOTHESIS, [REFERENCE])
    assert found.reference == ["this", "is", "a", "subtitle", "<eob>", "and", "another", "<eol>", "one", "<eob>"]
    assert (found.num_edits, found.ref_length) == SubER().corpus_statistics([HYPOTHESIS], [[REFERENCE]])[0]
    assert found.num_edits == len(found.shifts) + sum([kind != "match" for kind, _, _ in found.operations()])
    assert SubER().sentence_score("", [""]).score == 0
    assert SubER().sentence_score("", [REFERENCE]).score == SubER().sentence_score(REFERENCE, [""]).score == 100


# Files

def test_blocks_of_webvtt() -> None:
    text = ("WEBVTT - a film\nKind: captions\n\nNOTE nothing\nof it --> is shown\n\nSTYLE\n::cue {}\n\nintro\n"
            "00:01.000 --> 00:02.500 align:start\n<v Ann>Yes &amp; <i>no</i>.</v>\n\n"
            "01:00:00.000 --> 01:00:01.000\nNo.\nYes.")
    blocks = list(subtitle_blocks(text.split("\n")))
    assert [block.text() for block in blocks] == ["0\n00:00:01,000 --> 00:00:02,500\nYes & no.",
                                                  "2\n01:00:00,000 --> 01:00:01,000\nNo.\nYes."]
    assert form_of_words(blocks[1].words(), "seg") == "No. eol Yes."
    assert form_of_words(blocks[1].words(), "br", keeps_last=True) == "mask eol mask eob"


def test_lines_of_spaces_do_not_end_a_block_of_webvtt() -> None:
    lines = ["WEBVTT", "", "intro", "00:01.000 --> 00:02.000", " \n", "Yes,<00:01.500><c> yes</c>\n", "\n",
             "00:02.000 --> 00:03.000", "Yes, yes", " ", "no", ""]
    assert [(block.number, form_of_words(block.words(), "seg")) for block in subtitle_blocks(lines)] == [
        ("intro", "Yes, yes"), ("2", "Yes, yes eol no")]


def test_every_block_can_be_read_again(films: Path) -> None:
    (films / "named.vtt").write_text("WEBVTT\n\nintro\n00:01.000 --> 00:02.000\nYes.\n<i></i>\n \nNo.\n")
    (films / "named.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nYes.\n<i></i>\nNo.\n")
    assert told(films, "named.srt", "-i", "named.vtt", "-m", "suber", "-b")[0] == "0.0\n"


def broken_files() -> Iterator[tuple[str, str]]:
    """Two hundred ways in which a file of subtitles may be broken, with a word of the error."""
    blocks = [[f"{number}", f"00:00:{number:02},000 --> 00:00:{number:02},900", f"Line {number}."]
              for number in range(1, 11)]

    def text(changed: Sequence[Sequence[str]]) -> str:
        return "\n\n".join(["\n".join(block) for block in changed]) + "\n"

    def with_line(block: int, line: int, content: str) -> str:
        changed = [*blocks[block][:line], content, *blocks[block][line + 1:]]
        return text([*blocks[:block], changed, *blocks[block + 1:]])

    times = ["00:00:01,000", "00:00:01,000 -->", "--> 00:00:01,000", "00:00:01,000 00:00:02,000", "a --> b",
             "00:00:01,000 --> 00:00:02,000 x", "00:61:01,000 --> 00:62:02,000", "00:00:61,000 --> 00:00:62,000",
             "00:00:01 --> 00:00:02", "-00:00:01,000 --> 00:00:02,000", "00:00:01,1234567 --> 00:00:02,000",
             "00:00:01,000 =--> 00:00:02,000", "00:00:01;000 --> 00:00:02;000", "٠٠:00:01,000 --> 00:00:02,000",
             "00:00:59,000 --> 00:00:01,000"]
    for block in range(10):
        for content in times:
            yield with_line(block, 1, content), ""
        yield with_line(block, 0, "x"), "expected the number"
    for block in range(9):
        line, early = f"Line {block + 1}.", f"00:00:{block + 1:02},500 --> 00:00:{block + 2:02},900"
        yield text([*blocks[:block], blocks[block + 1], blocks[block], *blocks[block + 2:]]), "the previous block"
        yield with_line(block + 1, 1, early), "the previous block"
        yield text(blocks).replace(f"{line}\n\n", f"{line}\n"), "a blank line is missing"
        yield text(blocks).replace(line, f"{line}\n\nAnd so on."), "expected the number"
    yield text(blocks)[:-len("00:00:10,000 --> 00:00:10,900\nLine 10.\n")], "ends before the times of this block"
    yield text(blocks)[:-len(",900\nLine 10.\n")], "is not a time"
    yield text(blocks)[:-len("0:10,900\nLine 10.\n")], "is not a time"
    yield "WEBVTT\n\n" + text(blocks).replace(":03,000 -->", ":03.000 ->>"), "form"


def test_broken_files_are_one_line_with_file_and_block(films: Path) -> None:
    broken = list(broken_files())
    assert len({content for content, _ in broken}) >= 200
    for index, (content, word) in enumerate(broken):
        with pytest.raises(PurebleuError, match=r"^film.srt: line \d+: block \d+: .") as raised:
            list(subtitle_blocks(content.split("\n"), "film.srt"))
        assert word in str(raised.value) and "\n" not in str(raised.value)
        if index % 20 == 0:
            (films / "film.srt").write_text(content, encoding="utf-8")
            assert str(raised.value) in refusal(films, "ref.srt", "-i", "film.srt", "-m", "suber", code=1)


# The command line

def test_subtitles_stay_lines_unless_they_are_asked_for(films: Path) -> None:
    output, errors = told(films, "ref.srt", "-i", "ref.srt", "-b")
    assert output == "100.0\n" and "--srt-unit block" in errors
    assert told(films, "ref.srt:line", "-i", "ref.srt:line", "-b", "-m", "chrf")[0] == "100.0\n"


def test_lines_of_text_take_the_breaks_of_blocks(films: Path) -> None:
    (films / "hyp.txt").write_text("This is\na subtitle. And another one!\n", encoding="utf-8")
    assert told(films, "ref.srt", "-i", "hyp.txt", "--resegment", "-b", "-m", "ter")[0] == "0.0\n"


def test_blocks_have_to_be_parallel_unless_they_are_made_so(films: Path) -> None:
    (films / "one.srt").write_text(HYPOTHESIS.partition("\n\n")[0], encoding="utf-8")
    error = refusal(films, "ref.srt", "-i", "one.srt", "--srt-unit", "block", code=1)
    assert "1 in one.srt, 2 in ref.srt" in error and "--resegment time" in error and "-m suber" in error
    _, errors = told(films, "ref.srt", "-i", "one.srt", "--resegment", "time")
    assert "one.srt: left out 2 words outside the times of the references' blocks" in errors


@refused("subtitles")
def test_options_that_do_not_go_with_subtitles(films: Path, arguments: list[str], code: int, message: str) -> None:
    assert message in refusal(films, *arguments, code=code)


def test_files_are_scored_in_python(films: Path) -> None:
    expected = SubER().corpus_score([HYPOTHESIS], [[REFERENCE]])
    assert purebleu.score_files(films / "hyp.srt", films / "ref.srt", metrics="suber")["SubER"].score == expected.score
    with pytest.raises(OptionError, match="-m suber takes only subtitles"):
        purebleu.score_files(films / "ref", films / "ref", metrics=["suber"])


def test_intervals_and_tests_resample_parts(films: Path) -> None:
    (films / "other.srt").write_text(REFERENCE.replace("subtitle", "word"), encoding="utf-8")
    output, _ = told(films, "test", "ref.srt", "-i", "hyp.srt", "other.srt", "-m", "suber", "suber-cased", "-f", "text")
    assert "SubER" in output and "SubER-cased" in output
    output, _ = told(films, "ref.srt", "-i", "hyp.srt", "-m", "suber", "--ter-kinds", "--confidence", "-f", "text")
    assert "SubER|nrefs:1|bs:1000|seed:12345|rng:mt19937|case:lc|tok:none|kinds:yes" in output
    for metric in METRICS.values():
        signed = metric(kinds=True).corpus_score([HYPOTHESIS], [[REFERENCE]])
        assert metric.from_signature(f"{signed.name}|{signed.signature}").kinds


def test_reports_show_blocks_with_their_times(films: Path) -> None:
    for options in (["-m", "suber"], ["--srt-unit", "block"], ["--resegment", "time"]):
        told(films, "report", "ref.srt", "-i", "hyp.srt", *options, "-o", "page.html")
        assert "00:00:03,000 --" in (films / "page.html").read_text(encoding="utf-8")
