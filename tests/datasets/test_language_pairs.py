"""Test sets with a text in each of many languages, NTREX-128 and FLORES-200: their pairs, files and checksums."""

from __future__ import annotations

import functools
import hashlib
import io
import re
from pathlib import Path
from typing import Any, Iterator

import pytest

import purebleu
from purebleu.datasets import registry as testsets
from purebleu.datasets.catalogue import Record, catalogue
from purebleu.datasets.testset import TestSet
from purebleu.files import download as downloading
from purebleu.runtime.errors import PurebleuError
from purebleu.tokenizers import language_of_code

from ..helpers import SCRIPTS, SHARED, load_script, output_of, refusal, run_cli, told, write_lines
from .conftest import Server, checksums_of, lines_of

NTREX_ARCHIVES = SHARED / "archives" / "ntrex"
needs_ntrex = pytest.mark.skipif(not NTREX_ARCHIVES.is_dir(), reason="no files of NTREX-128")
needs_scripts = pytest.mark.skipif(not SCRIPTS.is_dir(), reason="only the checkout has scripts")
GENERATE = str(SCRIPTS / "dev" / "generate")


def test_set(name: str) -> Any:
    """A test set of the catalogue that has not looked at its tables before."""
    return TestSet(name, catalogue()[name])


test_set.__test__ = False  # type: ignore[attr-defined]  # it is no test

#: The addresses and checksums of files.
NTREX_FILES = testsets.DATASETS["ntrex128"].archives
FLORES_FILES = testsets.DATASETS["flores200/dev"].archives


# Pairs

SETS = {"ntrex128": (128, 128 * 127), "ntrex128/tworefs": (128, 127),
        "flores200/dev": (204, 204 * 203), "flores200/devtest": (204, 204 * 203)}


def test_any_two_languages_are_a_pair() -> None:
    for name, (count, pair_count) in SETS.items():
        pairs = test_set(name).langpairs
        assert (len(pairs.languages), len(pairs)) == (count, pair_count), name
        found = list(pairs)
        assert len(set(found)) == len(found) == pair_count, name
        assert all(pairs.own_name(pair) == pair for pair in found[::97]), name
        assert "eng-none" not in pairs and "eng" not in pairs and "" not in pairs, name
        assert pairs.get("eng-eng") is None
        with pytest.raises(PurebleuError, match=f"choose a language pair of {name} with -l"):
            testsets.download_test_set(name)  # (all at once)
    assert test_set("ntrex128/tworefs")._record.topics == test_set("wmt19")._record.topics != {}


def test_short_names_stand_for_pairs() -> None:
    for name, pair, own in (
            ("ntrex128", "en-de", "eng-deu"), ("ntrex128", "eng-fra_CA", "eng-fra_CA"),
            ("ntrex128", "en-fr", "eng-fra"), ("ntrex128", "fr_CA-en_GB", "fra_CA-eng_GB"),
            ("ntrex128", "az-sn", "aze_Latn-sna_Latn"), ("ntrex128", "zh_CN-zho_TW", "zho_CN-zho_TW"),
            ("ntrex128", "eng-snd", "eng-snd_Arab"),
            ("ntrex128/tworefs", "de-es", "deu-spa"), ("flores200/dev", "eng_Latn-deu_Latn", "eng_Latn-deu_Latn"),
            ("flores200/dev", "en-de", "eng_Latn-deu_Latn"), ("flores200/devtest", "eng-zh_Hans", "eng_Latn-zho_Hans"),
            ("flores200/devtest", "lv-fa", "lvs_Latn-pes_Arab")):
        one = test_set(name)
        assert one.own_name(pair) == own
        assert one.langpairs[pair] == one.langpairs[own]
        assert one.stored(pair).path("src") == one.stored(own).path("src")
        assert name in testsets.get_available_testsets_for_langpair(pair)
        assert one.fieldnames(pair)[:2] == ["src", "ref"]


def test_an_unknown_pair_says_what_is_near() -> None:
    for name, pair, message in (
            ("ntrex128", "en-zh", "'zh' can mean several languages of ntrex128: zho_CN, zho_TW"),
            ("ntrex128", "sr-en", "'sr' can mean several languages of ntrex128: srp_Cyrl, srp_Latn"),
            ("ntrex128", "en-frr", "ntrex128 has no language 'frr' (did you mean fra or afr?) (see purebleu --list -t "
                                   "ntrex128)"),
            ("ntrex128", "en-qq", "ntrex128 has no language 'qq' (see purebleu --list -t ntrex128)"),
            ("ntrex128", "en-de_DE", "ntrex128 has no language 'de_DE' (did you mean deu?) (see purebleu --list -t "
                                     "ntrex128)"),
            ("ntrex128", "en-eng", "ntrex128 has no language pair 'en-eng': source and target are the same"),
            ("ntrex128", "eng-fra-CA", "ntrex128 has no language pair 'eng-fra-CA': a language pair has the form "
                                       "SRC-TRG, with codes such as aze_Latn"),
            ("ntrex128/tworefs", "en-de", "ntrex128/tworefs has no language pair 'en-de': the target must be spa"),
            ("flores200/dev", "ar-en", "'ar' can mean several languages of flores200/dev: arb_Arab, arb_Latn"),
            ("flores200/dev", "eng_latn-deu_Latn", "flores200/dev has no language 'eng_latn' (did you mean eng_Latn "
                                                   "or ")):
        with pytest.raises(PurebleuError) as caught:
            test_set(name).files(pair)
        assert str(caught.value).startswith(message)
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", ["ntrex128", "flores200/dev"])
def test_short_codes_mean_one_language(name: str) -> None:
    pairs = test_set(name).langpairs
    short = pairs.short_codes()
    assert len(set(short.values())) == len(short) > 90
    other = {code: next(one for one in pairs.languages if one != code) for code in short}
    assert {code: pairs.own_name(f"{short[code]}-{other[code]}").split("-")[0] for code in short} == {
        code: code for code in short}
    assert all(re.fullmatch("[a-z]{2}", code) for code in short.values())
    assert all(re.fullmatch("[a-z]{3}(_[A-Z][a-z]{3}|_[A-Z]{2})?", code) for code in pairs.languages)


# NTREX-128

@pytest.fixture
def served(tmp_path: Path) -> Path:
    """The folder of the server."""
    folder = tmp_path / "mirror"
    folder.mkdir()
    return folder


@pytest.fixture
def mirror(server: Server) -> Iterator[Server]:
    """The server, as the mirror that is asked."""
    with downloading.fetching(server.address, False):
        yield server


def add(mirror: Server, url: str, content: bytes) -> None:
    (mirror.folder / url.rpartition("/")[2]).write_bytes(content)


def names_asked_for(mirror: Server) -> list[str]:
    return [request.rpartition("/")[2] for request in mirror.requests]


def git_id(content: bytes) -> str:
    return "git:" + downloading.checksum_of(io.BytesIO(content), "git")


def made_up(code: str, count: int = 1997) -> list[str]:
    return [f"{code} line {number} with an end." for number in range(count)]


@pytest.fixture
def made_up_ntrex(mirror: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A mirror of files as those of NTREX-128, for some of its languages, with text of their own."""
    registered = []
    for url, _ in NTREX_FILES:
        name = url.rpartition("/")[2]
        lines = [f"document.{number // 16}" for number in range(1997)] if name == "DOCUMENT_IDS.tsv" else made_up(name)
        end = "\n" if name == "DOCUMENT_IDS.tsv" or ".yue." in name else "\r\n"
        content = "".join([line + end for line in lines]).encode()
        if any(part in name for part in ("DOCUMENT", "eng.", "deu", "spa.", "zho", "yue", "fra-CA")):
            add(mirror, url, content)
        registered.append((url, git_id(content)))
    monkeypatch.setattr(Record, "archives", registered)
    monkeypatch.setattr(Record, "checksums", lambda self, langpair: {})
    return mirror


def test_only_the_files_of_a_pair_are_fetched(made_up_ntrex: Server) -> None:
    one = test_set("ntrex128")
    files = one.files("en-de")
    assert list(files) == one.fieldnames("en-de") == ["src", "ref", "docid", "origlang"]
    assert sorted(names_asked_for(made_up_ntrex)) == ["DOCUMENT_IDS.tsv", "newstest2019-ref.deu.txt",
                                                      "newstest2019-src.eng.txt"]
    assert lines_of(files["src"]) == made_up("newstest2019-src.eng.txt")
    assert lines_of(files["ref"]) == made_up("newstest2019-ref.deu.txt")
    assert lines_of(files["docid"])[15:17] == ["document.0", "document.1"]
    assert set(lines_of(files["origlang"])) == {"eng"}
    assert [url.rpartition("/")[2] for url, _ in one.archives_of("eng-deu")] == [
        "DOCUMENT_IDS.tsv", "newstest2019-src.eng.txt", "newstest2019-ref.deu.txt"]
    made_up_ntrex.requests.clear()
    for pair, field, name in (("deu-eng", "ref", "src.eng"), ("yue-fra_CA", "ref", "ref.fra-CA"),
                              ("yue-fra_CA", "src", "ref.yue")):
        assert lines_of(one.files(pair)[field]) == made_up(f"newstest2019-{name}.txt")
    assert sorted(names_asked_for(made_up_ntrex)) == ["newstest2019-ref.fra-CA.txt", "newstest2019-ref.yue.txt"]
    assert one.pairs_at_hand() == ["deu-eng", "eng-deu", "yue-fra_CA"]


def test_spanish_has_a_second_reference(made_up_ntrex: Server) -> None:
    first, second = made_up("newstest2019-ref.spa.txt"), made_up("newstest2019-ref-2.spa.txt")
    both = test_set("ntrex128/tworefs")
    assert [lines_of(path) for path in both.get_reference_files("en-es")] == [first, second]
    fetched = len(made_up_ntrex.requests)
    one = test_set("ntrex128")
    assert one.fieldnames("en-es") == ["src", "ref", "ref:2", "docid", "origlang"]
    assert [lines_of(path) for path in one.get_reference_files("eng-spa")] == [first]
    assert one.read_fields("en-es", ["ref:2"]) == [second]
    assert one.fieldnames("es-en") == ["src", "ref", "docid", "origlang"]
    assert len(made_up_ntrex.requests) == fetched  # the two have their files in common


def test_a_spoiled_file_is_refused(made_up_ntrex: Server, cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spoiled = next(made_up_ntrex.folder.rglob("*.deu.txt"))
    spoiled.write_bytes(spoiled.read_bytes().replace(b"\r\n", b"\n"))  # as some of git's settings do it
    monkeypatch.setattr(downloading.Source, "addresses", lambda self, url: [f"{self.mirror}/{url.split('://')[1]}"])
    with pytest.raises(PurebleuError, match=r"^ntrex128: http://127\S*\.deu\.txt: the git id of the file is \w{40}, "):
        test_set("ntrex128").files("en-de")
    assert not list(cache_folder.rglob("*.src")) and not list(cache_folder.rglob("*deu.txt"))


def test_lines_are_counted(made_up_ntrex: Server, monkeypatch: pytest.MonkeyPatch, cache_folder: Path) -> None:
    for count in (1996, 1998):
        content = "".join([line + "\n" for line in made_up("x", count)]).encode()
        registered = [(url, git_id(content)) for url, _ in NTREX_FILES]
        for url, _ in NTREX_FILES:
            add(made_up_ntrex, url, content)
        monkeypatch.setattr(Record, "archives", registered)
        with pytest.raises(PurebleuError, match=f"^ntrex128/eng-deu: there are {count:,} lines, but 1,997 were"):
            test_set("ntrex128").files("en-de")
        assert not list(cache_folder.rglob("*.src"))


# The command line, with what is in the cache

@pytest.fixture
def filled(made_up_ntrex: Server, cache_folder: Path) -> dict[str, str]:
    """The environment in which some pairs are in the cache."""
    for pair in ("eng-zho_CN", "eng-fra_CA", "yue-spa"):
        test_set("ntrex128").files(pair)
    return {"PUREBLEU_CACHE": str(cache_folder), "PUREBLEU_OFFLINE": "1"}


def test_scores_are_those_of_files(filled: Any, tmp_path: Path) -> None:
    lines = made_up("newstest2019-ref.zho-CN.txt")
    write_lines(tmp_path / "reference", lines)
    output = "".join([line.replace(" with", "") + "\n" for line in lines]).encode()
    expected = output_of(["reference", "-l", "en-zh", "-m", "bleu", "chrf"], tmp_path, output)
    assert "tok:zh" in expected
    for arguments in ("-t ntrex128 -l en-zh_CN", "-t ntrex128 -l eng-zho_CN", "reference -l eng-zho",
                      "reference -l eng_Latn-zho_Hans"):
        assert output_of([*arguments.split(), "-m", "bleu", "chrf"], tmp_path, output, **filled) == expected


def test_bundles_hold_chosen_pairs(filled: Any, tmp_path: Path) -> None:
    other = {**filled, "PUREBLEU_CACHE": str(tmp_path / "other")}
    told(tmp_path, "bundle", "file", "ntrex128", "-l", "en-fr_CA", **filled)
    assert told(tmp_path, "unbundle", "file", **other)[0] == "ntrex128 eng-fra_CA\n"
    first, second = [told(tmp_path, "-t", "ntrex128", "-l", "eng-fra_CA", "--echo", "all", **one)
                     for one in (filled, other)]
    assert first == second and first[0].count("\n") == 1997
    refusal(tmp_path, "bundle", "file", "ntrex128", **filled)


def test_pairs_are_listed_without_a_network(tmp_path: Path) -> None:
    env: Any = {"PUREBLEU_CACHE": str(tmp_path / "cache"), "PUREBLEU_OFFLINE": "1"}
    listed, warning = told(tmp_path, "--list", "-t", "wmt22", **env)
    assert sorted(listed.splitlines()) == sorted(purebleu.get_langpairs_for_testset("wmt22"))
    assert warning.startswith("purebleu: warning: the fields of wmt22 are only known after the test set is fetched: ")
    assert warning.count("\n") == 1
    refusal(tmp_path, "--list", "-t", "wmt22", "-l", "en-de", code=1, **env)


def test_lists_are_compact(filled: Any, tmp_path: Path) -> None:
    listed = told(tmp_path, "--list", "-t", "ntrex128,flores200/dev", **filled)[0].splitlines()
    assert listed[0] == "ntrex128: src, ref, docid, origlang, for 16,256 pairs of 128 languages:"
    assert "flores200/dev: src, ref, docid, domain, origlang, for 41,412 pairs of 204 languages:" in listed
    assert len(listed) < 70 and max(map(len, listed)) < 100
    assert "spa (es)" in " ".join(listed) and "zho_CN, " in " ".join(listed)
    assert told(tmp_path, "--list", "-t", "ntrex128", "-l", "en-es", **filled)[0] == (
        "eng-spa: src, ref, ref:2, docid, origlang\n")
    found = " ".join(told(tmp_path, "doctor", "-t", "ntrex128", "-l", "en-zh_CN", **filled)[0].split())
    assert "ntrex128 eng-fra_CA, ntrex128 eng-zho_CN" in found and "ok ntrex128 eng-zho_CN in the cache" in found
    assert refusal(tmp_path, "-t", "ntrex128", **filled) == (
        "purebleu: error: choose a language pair of ntrex128 with -l: any two of its 128 languages (see purebleu "
        "--list -t ntrex128)\n")


def test_codes_that_choose_a_tokenizer() -> None:
    for codes, expected in (("zh zho zho_CN zho_Hant cmn zh_TW", "zh"), ("jpn jpn_Jpan ja", "ja"),
                            ("kor kor_Hang ko", "ko"), *zip(*[("de", "deu_Latn", "yue_Hant", "zhx")] * 2)):
        assert {language_of_code(code) for code in codes.split()} == {expected}
    assert language_of_code("") == ""


# NTREX-128's real files

@pytest.fixture
def real_ntrex(mirror: Server) -> Server:
    by_name = {url.rpartition("/")[2]: url for url, _ in NTREX_FILES}
    for path in NTREX_ARCHIVES.iterdir():
        if path.name in by_name:
            add(mirror, by_name[path.name], path.read_bytes())
    return mirror


@needs_ntrex
def test_real_ids_are_registered() -> None:
    listed = [line.split("\t") for line in (NTREX_ARCHIVES / "files.tsv").read_text(encoding="utf-8").splitlines()]
    paths = {path: f"git:{checksum}" for checksum, _, path in listed}
    for url, checksum in NTREX_FILES:
        assert paths["/".join(url.split("/")[6:])] == checksum
    assert len([path for path in paths if path.startswith("NTREX-128/")]) == len(NTREX_FILES) - 1
    for path in NTREX_ARCHIVES.glob("newstest*"):
        with open(path, "rb") as file:
            downloading.check_file(file, paths[f"NTREX-128/{path.name}"])


@needs_ntrex
@pytest.mark.parametrize(("pair", "source", "target"), [
    ("en-de", "src.eng", "ref.deu"), ("deu-eng", "ref.deu", "src.eng"), ("rus-kor", "ref.rus", "ref.kor"),
    ("en-es", "src.eng", "ref.spa"),
])
def test_real_files_come_through_a_mirror(real_ntrex: Server, pair: str, source: str, target: str) -> None:
    one = testsets.DATASETS["ntrex128"]
    files = one.files(pair)
    for field, name in (("src", source), ("ref", target), *([("ref:2", "ref-2.spa")] if pair == "en-es" else [])):
        text = (NTREX_ARCHIVES / f"newstest2019-{name}.txt").read_bytes().decode("utf-8")
        assert lines_of(files[field]) == [line.rstrip() for line in text.split("\n")[:-1]]
    assert {len(lines_of(path)) for path in files.values()} == {1997}
    assert len(set(lines_of(files["docid"]))) == 123
    assert sum(one.select(pair, None, "sport")) == 331
    assert checksums_of(files) == one._record.checksums(one.own_name(pair))


# FLORES-200

FLORES_LANGUAGES = ("eng_Latn", "deu_Latn", "zho_Hans", "arb_Latn", "jpn_Jpan")


@functools.lru_cache(maxsize=None)
def flores_members() -> dict[str, bytes]:
    members: dict[str, bytes] = load_script("dev/oracles/cases/flores_archive").members_of(FLORES_LANGUAGES)
    return members


def serve_flores(mirror: Server, monkeypatch: pytest.MonkeyPatch, members: dict[str, bytes]) -> None:
    """Have the archive with these members on the mirror, and registered."""
    content: bytes = load_script("dev/oracles/cases/flores_archive").archive_of(members)
    (url, _), = FLORES_FILES
    add(mirror, url, content)
    monkeypatch.setattr(Record, "archives", [(url, f"sha256:{hashlib.sha256(content).hexdigest()}")])


@needs_scripts
def test_flores_is_read_from_its_archive(mirror: Server, monkeypatch: pytest.MonkeyPatch, cache_folder: Path) -> None:
    serve_flores(mirror, monkeypatch, flores_members())
    for split, count in (("dev", 997), ("devtest", 1012)):
        one = test_set(f"flores200/{split}")
        files = one.files("en-zho_Hans")
        assert list(files) == ["src", "ref", "docid", "domain", "origlang"]
        for field, code in (("src", "eng_Latn"), ("ref", "zho_Hans")):
            text = flores_members()[f"flores200_dataset/{split}/{code}.{split}"].decode()
            assert lines_of(files[field]) == text.splitlines()
        assert {len(lines_of(path)) for path in files.values()} == {count}
        assert lines_of(files["docid"])[2:4] == ["https://en.wikinews.org/wiki/0", "https://en.wikibooks.org/wiki/1"]
        assert one.subsets("en-zho_Hans") == ["wikibooks", "wikinews", "wikivoyage"]
        assert sum(one.select("en-zho_Hans", "eng_Latn", "wikinews")) > count / 4
        assert test_set(f"flores200/{split}").get_reference_files("deu_Latn-eng_Latn")
        assert one.pairs_at_hand() == ["deu_Latn-eng_Latn", "eng_Latn-zho_Hans"]
    assert names_asked_for(mirror) == ["flores200_dataset.tar.gz"]  # both have it in common
    parts, _ = told(cache_folder, "-t", "flores200/dev", "-l", "eng_Latn-zho_Hans", "-d", "-m", "chrf",
                    stdin=flores_members()["flores200_dataset/dev/eng_Latn.dev"],
                    PUREBLEU_CACHE=str(cache_folder), PUREBLEU_OFFLINE="1")
    assert "origlang=eng_Latn domain=wikivoyage" in parts


@needs_scripts
@pytest.mark.parametrize(("part", "change", "message"), [
    ("", lambda content: content.partition(b"\n")[2],
     "flores200_dataset/metadata_dev.tsv: there is no column 'URL'; the columns are 'https"),
    ("", lambda content: content.replace(b"URL\t", b"address\t"),
     "flores200_dataset/metadata_dev.tsv: there is no column 'URL'; the columns are 'address', "),
    ("deu", None, "flores200: the archives of this test set lack flores200_dataset/dev/deu_Latn.dev$"),
    ("metadata", lambda content: content + b"alone\n",
     "metadata_dev.tsv: line 999 has 1 columns, but column 2 is needed"),
])
def test_another_form_of_flores_is_refused(mirror: Server, monkeypatch: pytest.MonkeyPatch, cache_folder: Path,
                                           part: str, change: Any, message: str) -> None:
    members = {name: content for name, content in flores_members().items() if change or part not in name}
    serve_flores(mirror, monkeypatch, {name: change(content) if change and part in name else content
                                       for name, content in members.items()})
    with pytest.raises(PurebleuError, match=message):
        test_set("flores200/dev").files("en-de")
    assert not list(cache_folder.rglob("*.src"))


@needs_scripts
def test_sentences_of_flores_are_counted(mirror: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    shorter = {name: content.rpartition(b"\n")[0].rpartition(b"\n")[0] + b"\n"
               for name, content in flores_members().items()}
    serve_flores(mirror, monkeypatch, shorter)
    for split, message in (("dev", "996 lines, but 997 were"), ("devtest", "1,011 lines, but 1,012 were")):
        with pytest.raises(PurebleuError, match=message):
            test_set(f"flores200/{split}").files("en-de")


# Scripts

@needs_scripts
@pytest.mark.full
def test_a_record_is_made_with_git_ids(tmp_path: Path) -> None:
    paths = [tmp_path / f"news.en-de.{language}" for language in ("en", "de")]
    for path in paths:
        path.write_bytes(b"hello\r\n")
    done = run_cli(["--checksum", "git", "new/set", *map(str, paths)], start=[GENERATE, "test_set"])
    assert (done.returncode, done.stderr) == (0, b"")
    start_of_record, _, text = done.stdout.decode().replace("\r\n", "\n").partition("\n")
    record = Record("new/set", text)
    assert start_of_record == "[new/set]"
    assert record.pairs == {"en-de": ["new_set.news.en-de.en", "new_set.news.en-de.de"]}
    assert [checksum for _, checksum in record.archives] == 2 * ["git:ef0493b275aa2080237f676d2ef6559246f56636"]
