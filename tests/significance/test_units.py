"""Documents and strata: sums of rows, resamples that keep strata, rows in files with labels, and what is refused."""

from __future__ import annotations

import contextlib
import json
import math
import random
import re
import shutil
from pathlib import Path
from typing import Any, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purebleu
from purebleu import BLEU
from purebleu.engines.resampling.packed import bootstrap_totals
from purebleu.engines.resampling.streams import make_stream
from purebleu.rows import StoredRows, label_digests, read, write
from purebleu.runtime.errors import LengthError, PurebleuError, PurebleuWarning
from purebleu.significance.sampling import _T_QUANTILES, Units, clustered_standard_error

from ..helpers import one_in, output_of, refusal, refused, runs_of, told, write_systems
from ..helpers import results_of as sampled_results_of
from ..metrics.test_metric_properties import WAYS, make_metric
from ..rows.test_rows import forge

SEGMENTS = 60
SYSTEMS = {"a": 0.9, "b": 0.85, "c": 0.5}


#: Command lines that resample.
WAYS_OF_RESAMPLING = [
    ["score", "-ci", "-cin", "60"], ["score", "-pbs", "-pbsn", "60"], ["score", "-par", "-parn", "60"],
    ["score", "-par", "-parn", "60", "-ci", "-cin", "30"],
    *[["test", "--samples", "60", "-cin", "60", "-q", *further]
      for further in ([], ["-pbs"], ["-pbs", "--against", "b"], ["--correction", "none"])],
]


def results_of(systems: Any, metrics: Any = None, **options: Any) -> Any:
    return sampled_results_of(systems, metrics or [purebleu.TER()], **{"seed": 1, **options})


def corpus(seed: int, segments: int, better: float = 1.0, systems: int = 2) -> list[list[list[tuple[int, int]]]]:
    """Rows of TER of several systems, each of which has somewhat more edits than the one before."""
    source = random.Random(seed)
    lengths = [source.randrange(5, 40) for _ in range(segments)]
    shared = [source.random() * 0.5 for _ in range(segments)]
    return [[[(round(length * (rate + source.random() * 0.4) * better ** system), length)
              for length, rate in zip(lengths, shared)]] for system in range(systems)]


def printed(folder: Path, arguments: Sequence[str]) -> str:
    """The output of the command line in a folder, if all goes well."""
    return told(folder, *arguments)[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Systems, and files of documents and strata: all lines alone, by fours, by twenties, and files that are wrong."""
    made = tmp_path_factory.mktemp("units")
    write_systems(made, {"ref": 1.0, **SYSTEMS}, SEGMENTS)
    for name, size in {"single": 1, "twos": 2, "fours": 4, "twenties": 20, "whole": SEGMENTS}.items():
        (made / name).write_text("".join([f"{name} {index // size}\n" for index in range(SEGMENTS)]))
    lines = (made / "fours").read_text().splitlines(keepends=True)
    (made / "short").write_text("".join(lines[:7]))
    (made / "long").write_text("".join([*lines, "one more\n"]))
    (made / "hole").write_text("".join([*lines[:12], " \n", *lines[13:]]))
    (made / "fours.jsonl").write_text("".join([json.dumps({"doc": line.strip()}) + "\n" for line in lines]))
    return made


# One segment in each document, one stratum

@pytest.mark.parametrize("way", one_in(3, WAYS_OF_RESAMPLING), ids=" ".join)
def test_documents_of_one_segment_and_a_single_stratum_change_nothing(folder: Path, way: list[str]) -> None:
    for rng in ("mt19937", "numpy"):
        command = [*way, "ref", "-i", *SYSTEMS, "-m", "bleu", "ter", "--rng", rng, "-f", "json-signed"]
        expected = printed(folder, command)
        by_documents = printed(folder, [*command, "--docs", "single"])
        assert "|unit:doc|" in by_documents
        assert by_documents.replace("|unit:doc|", "|").replace("swapped: documents", "swapped: segments") == expected
        assert printed(folder, [*command, "--strata", "whole"]).replace("|strata:file|", "|") == expected


@given(st.integers(1, 5).flatmap(lambda documents: st.lists(st.integers(0, documents), min_size=2, max_size=15)),
       st.integers(0, 99))
def test_rows_of_documents_are_sums_wherever_their_segments_stand(documents: list[int], seed: int) -> None:
    if len(set(documents)) < 2:
        return
    rows = corpus(seed, len(documents))[0][0]
    units = Units(documents)
    expected: dict[int, list[int]] = {}
    for document, row in zip(documents, rows):
        sums = expected.setdefault(document, [0, 0])
        sums[0] += row[0]
        sums[1] += row[1]
    assert list(map(list, units.sums(rows))) == list(expected.values())
    assert (units.count, units.segments, units.plural) == (len(expected), len(documents), "documents")


@pytest.mark.parametrize("way", ["BLEU", "chrF", "TER", "WER", "ROUGE-L", "NIST"])
@pytest.mark.parametrize("options", [
    {"test": "bs", "samples": 40}, {"test": "ar", "samples": 300}, {"test": "ar", "exact": True}, {"resamples": 40}],
    ids=str)
def test_documents_are_resampled_as_their_sums_are(way: str, options: Any) -> None:
    source = random.Random(way)
    texts = [[" ".join(source.choices("abcd", k=source.randrange(4, 8))) for _ in range(24)] for _ in range(3)]
    documents = [index // 3 if index % 5 else 0 for index in range(24)]
    metric = make_metric(way, **({"references": texts[:1]} if WAYS[way][0] == "NIST" else {}))
    rows = [metric.corpus_statistics(output, texts[:1]) for output in texts[1:]]
    units = Units(documents)
    is_bootstrap = "resamples" in options or options["test"] == "bs"
    with pytest.warns(PurebleuWarning) if is_bootstrap else contextlib.nullcontext():
        document_results = results_of([[system_rows] for system_rows in rows], [metric], units=units, **options)
    if options.get("test") == "ar" and "exact" not in options:
        options = {**options, "exact": True}  # (2 ** 8 trials are fewer than 300)
    sum_results = results_of([[units.sums(system_rows)] for system_rows in rows], [metric], **options)
    for [found], [expected] in zip(document_results.systems, sum_results.systems):
        assert (found.p_value, found.ci, found.mean) == (expected.p_value, expected.ci, expected.mean)
        assert found.score == pytest.approx(expected.score, rel=1e-12)


# Strata

@pytest.mark.parametrize("rng", ["mt19937", "numpy"])
@pytest.mark.parametrize("sizes", [(1, 9), (3, 4, 5), (2, 2), (1, 1, 30)])
def test_every_resample_keeps_the_sizes_of_strata(rng: str, sizes: Sequence[int]) -> None:
    # (A column for each stratum counts its segments.)
    stream = make_stream(rng, 5)
    labels = [stratum for stratum, size in enumerate(sizes) for _ in range(size)]
    random.Random(1).shuffle(labels)
    rows = [(*[int(stratum == label) for stratum in range(len(sizes))], index) for index, label in enumerate(labels)]
    [sums] = [columns for [columns] in bootstrap_totals([rows], stream, 200, Units(None, labels).strata)]
    for size, column in zip(sizes, sums):
        assert set(column) == {size}
    assert len(set(sums[-1])) > 10 or sum(sizes) < 5  # which segments these are is random


def test_documents_have_their_strata() -> None:
    units = Units(["x", "y", "x", "z", "w"], ["news", "talk", "news", "talk", "news"], "domain")
    assert units.strata == [[0, 3], [1, 2]]
    assert units.fields == {"unit": "doc", "strata": "domain"}


@pytest.mark.parametrize("rng", ["mt19937", "numpy"])
@pytest.mark.parametrize("units", [None, "documents", "strata"])
@pytest.mark.parametrize("options", [{"test": "bs", "samples": 60}, {"test": "ar", "samples": 60}], ids=["bs", "ar"])
def test_swapping_two_systems_mirrors_every_figure(options: Any, units: str | None, rng: str) -> None:
    grouping = {None: None, "documents": Units([index // 2 for index in range(60)]),
                "strata": Units(None, [index // 20 for index in range(60)])}[units]
    for seed in range(3):
        one, other = corpus(seed, 60, 1.05)
        results = results_of([one, other], differences=60, rng=rng, units=grouping, **options)
        mirrored = results_of([other, one], differences=60, rng=rng, units=grouping, **options)
        [[first], [second]], [[first_mirrored], [second_mirrored]] = results.systems, mirrored.systems
        assert second.p_value == second_mirrored.p_value
        for here, there in ((first, second_mirrored), (second, first_mirrored)):
            assert (here.score, here.mean, here.ci) == (there.score, there.mean, there.ci)
        assert -results.differences[0][0, 1] == mirrored.differences[0][0, 1]
        assert mirrored.standard_errors == results.standard_errors[::-1]


# Few documents

def test_few_documents_are_warned_of_with_the_closed_form() -> None:
    source = random.Random(2)
    texts = [[" ".join(source.choices("abcdef", k=8)) for _ in range(30)] for _ in range(3)]
    documents = [index // 3 for index in range(30)]
    metrics = [purebleu.BLEU(), purebleu.metrics.ROUGE1()]
    rows = [[metric.corpus_statistics(text, [texts[0]]) for metric in metrics] for text in texts[1:]]
    closed = [2.262 * clustered_standard_error(
        list(map(metrics[1].value, system_rows[1])), documents) for system_rows in rows]
    # sqrt(10 / 9) = 1.054
    with pytest.warns(PurebleuWarning, match=re.escape(
            "bootstrap intervals over fewer than 20 documents are too narrow: with 10 documents, by 5 % or more; "
            f"a formula for few documents gives the intervals ROUGE-1 ± {closed[0]:.2f}, ± {closed[1]:.2f}")):
        results_of(rows, metrics, resamples=20, units=Units(documents))


@pytest.mark.parametrize("test, has_low_p_values", [("bs", True), ("ar", False)])
def test_the_warning_of_few_documents_says_which_p_values_are_too_low(test: str, has_low_p_values: bool) -> None:
    with pytest.warns(PurebleuWarning) as warned:
        results_of(corpus(1, 10), test=test, samples=20, resamples=20, units=Units(range(10)))
    [message] = [str(warning.message) for warning in warned if "documents are too narrow" in str(warning.message)]
    assert ("the bootstrap test's p-values are too low" in message) == has_low_p_values


def test_quantiles_of_students_t() -> None:
    # The density of t with n degrees of freedom, integrated from 0 to the quantile, is 0.475 (Simpson's rule).
    for degrees, quantile in enumerate(_T_QUANTILES, 1):
        constant = math.gamma((degrees + 1) / 2) / (math.sqrt(degrees * math.pi) * math.gamma(degrees / 2))
        steps = 2000
        density = [constant * (1 + (quantile * step / steps) ** 2 / degrees) ** (-(degrees + 1) / 2)
                   for step in range(steps + 1)]
        area = quantile / steps / 3 * (density[0] + density[-1] + 4 * sum(density[1:-1:2]) + 2 * sum(density[2:-1:2]))
        assert area == pytest.approx(0.475, abs=3e-5)


@pytest.mark.parametrize("options", [{"resamples": 20}, {"test": "ar", "samples": 20, "differences": 20}])
def test_intervals_of_one_segment_come_with_a_warning(options: dict[str, Any]) -> None:
    metric = BLEU(effective_order=True)
    warning = "with one segment, all bootstrap resamples are the same"
    with pytest.warns(PurebleuWarning, match=warning):
        results_of([[metric.corpus_statistics(["a b"], [["a c"]])]] * 2, [metric], **options)
    with pytest.warns(PurebleuWarning, match=warning):
        metric.corpus_score(["a b"], [["a c"]], n_bootstrap=20)


def test_the_warning_is_of_the_bootstrap_over_fewer_than_20() -> None:
    table: list[tuple[int, dict[str, Any], bool]] = [
        (19, {"resamples": 20}, True), (20, {"resamples": 20}, False), (19, {"test": "bs", "samples": 20}, True),
        (19, {"test": "ar", "samples": 20}, False), (19, {"differences": 20}, True)]
    for documents, options, is_warned_of in table:
        with pytest.warns(match="documents are too narrow") if is_warned_of else contextlib.nullcontext():
            results_of(corpus(1, documents), units=Units(range(documents)), **options)
        results_of(corpus(1, 5), **options)


def test_units_that_cannot_be_resampled_are_refused() -> None:
    table: list[tuple[Any, str]] = [
        ((["a", "a"],), "resampling needs at least 2 documents, not 1 (in 2 segments)"),
        (([],), "resampling needs at least 2 documents, not 0 (in 0 segments)"),
        ((["a", "b"], ["x"]), "2 segments have documents, but 1 segments have strata"),
        ((["a", "b", "a"], ["x", "y", "y"]), "in one stratum, but the document with segment 1 is in strata x, y"),
        ((["a", "b", "a"], ["x", "y", "x"]), "a stratum with at least 2 documents, but each stratum has 1"),
        ((None, ["x", "y"]), "resampling needs a stratum with at least 2 segments, but each stratum has 1"),
    ]
    for arguments, message in table:
        with pytest.raises(PurebleuError, match=re.escape(message)):
            Units(*arguments)
    with pytest.raises(LengthError, match="4 segments have documents or strata, but there are 5"):
        results_of(corpus(1, 5), test="bs", samples=10, units=Units(["a", "a", "b", "b"]))


@refused("units")
def test_wrong_files_and_options_are_refused(folder: Path, arguments: list[str], code: int, message: str) -> None:
    assert message in refusal(folder, *arguments, code=code)


@refused("exact tests")
def test_exact_tests_that_can_not_be_made_are_refused(folder: Path, arguments: list[str], code: int,
                                                      message: str) -> None:
    assert message in refusal(folder, *arguments, code=code)


# Columns, runs, rows in files

def test_documents_in_a_column_are_those_of_lines(folder: Path) -> None:
    command = ["ref", "-i", *SYSTEMS, "-par", "-parn", "60", "--docs"]
    assert printed(folder, [*command, "fours.jsonl:doc"]) == printed(folder, [*command, "fours"])
    # (Names count for nothing: `twos` in other words.)
    (folder / "named").write_text("".join([f"name {index // 2 * 7 % 60}\n" for index in range(SEGMENTS)]))
    assert printed(folder, [*command, "named"]) == printed(folder, [*command, "twos"])


def test_runs_swap_whole_documents(folder: Path) -> None:
    command = ["test", "ref", "--runs", "A=a", "B=[bc]", "-m", "ter", "--samples", "200", "-f", "json-signed", "--docs"]
    found = json.loads(printed(folder, [*command, "fours"]))
    assert "|sar:200|seed:12345|rng:mt19937|unit:doc|" in found["signatures"]["TER"]
    texts = {name: (folder / name).read_text().splitlines() for name in ("ref", *SYSTEMS)}
    metric = purebleu.TER()
    units = Units((folder / "fours").read_text().splitlines())
    rows = {name: units.sums(metric.corpus_statistics(texts[name], [texts["ref"]])) for name in SYSTEMS}
    results = runs_of([[[rows["a"]]], [[rows["b"]], [rows["c"]]]], [metric], samples=200, seed=12345)
    assert found["systems"][1]["TER"]["p_value"] == pytest.approx(results.systems[1][0].p_value, rel=1e-5)


@pytest.mark.parametrize("units", [["--docs", "twos"], ["--strata", "twenties"],
                                   ["--docs", "twos", "--strata", "twenties"]], ids=" ".join)
def test_stored_rows_know_their_units(folder: Path, tmp_path: Path, units: list[str]) -> None:
    path = str(tmp_path / "all.rows")
    command = ["ref", "-i", *SYSTEMS, "-m", "bleu", "ter"]
    way = ["test", "-pbs", "--samples", "60", "-cin", "60", "-f", "json-signed"]
    from_text = printed(folder, [*way, *command, *units])
    printed(folder, [*command, "--save-rows", path, *units])
    content = Path(path).read_text()
    assert not re.search("twos|twenties", content)  # which segments are of one document, but not its name
    assert printed(folder, [*way, "--rows", path, *units]) == from_text
    stored = [*["--unit", "doc"] * ("--docs" in units), *["--strata", "file"] * ("--strata" in units)]
    assert printed(tmp_path, [*way, "--rows", path, *stored]) == from_text
    assert printed(folder, [*way, "--rows", path]) == printed(folder, [*way, *command])


@pytest.fixture(scope="module")
def stored_parts(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows of both halves of system a, with documents; those of the whole; and those of a half without documents."""
    made = tmp_path_factory.mktemp("parts")
    for name in ("a", "ref", "fours"):
        lines = (folder / name).read_text().splitlines(keepends=True)
        for half in (0, 1):
            (made / f"{name}{half}").write_text("".join(lines[30 * half:30 * half + 30]))
    second = ["ref1", "-i", "a=a1", "--offset", "30", "--save-rows"]
    for command in (["ref0", "-i", "a=a0", "--save-rows", "0.rows", "--docs", "fours0"],
                    [*second, "1.rows", "--docs", "fours1"], [*second, "plain.rows"],
                    [str(folder / "ref"), "-i", f"a={folder / 'a'}", "--save-rows", "all.rows", "--docs",
                     str(folder / "fours")]):
        output_of(command, made)
    return made


@pytest.fixture
def parts(stored_parts: Path, tmp_path: Path) -> Path:
    """A folder with these rows, to change them."""
    for path in stored_parts.glob("*.rows"):
        shutil.copy(str(path), str(tmp_path))
    return tmp_path


def test_parts_have_the_documents_of_the_whole(parts: Path) -> None:
    # (Document 7 has segments in both halves.)
    command = ["-ci", "-cin", "60", "--unit", "doc", "-q", "--rows"]
    assert printed(parts, [*command, "1.rows", "0.rows"]) == printed(parts, [*command, "all.rows"])
    for name in ("0", "1"):
        stored = read(str(parts / f"{name}.rows"))
        assert [len(rows.labels["docid"]) for rows in stored] == [30]


def test_rows_without_documents_are_refused(folder: Path, parts: Path) -> None:
    said = refusal(parts, "--rows", "0.rows", "plain.rows", "-ci", "--unit", "doc", code=2)
    assert "--unit doc needs documents, but the rows have none: save rows with --unit doc, or give --docs FILE" in said
    command = ["-ci", "-cin", "60", "-q", "--docs", str(folder / "fours"), "--rows"]
    assert printed(parts, [*command, "0.rows", "plain.rows"]) == printed(parts, [*command, "all.rows"])


def test_files_of_other_lengths_than_rows_are_refused(folder: Path, parts: Path) -> None:
    for arguments, message in ((["--docs", "short"], "7 segments have documents or strata, but there are 60"),
                               (["--strata", "short", "--unit", "doc"], "60 segments have documents, but 7 segments"),
                               (["--docs", "hole"], "line 13: the document or stratum of the segment is missing")):
        paths = [str(folder / argument) if argument in ("short", "hole") else argument for argument in arguments]
        assert message in refusal(parts, "--rows", "all.rows", "-ci", *paths, code=1)


@pytest.mark.parametrize("labels", [
    {"docid": [["00", 29]]}, {"docid": [["00", 31]]}, {"docid": [["00", -1]]}, {"docid": [["00", 30.0]]},
    {"docid": "00"}, {"docid": [["00"]]}, {"docid": None}, {"docid": {}}, {"author": [["00", 30]]}, [["00", 30]],
], ids=str)
def test_labels_that_were_tampered_with_are_refused(parts: Path, labels: object) -> None:
    path = parts / "0.rows"
    forge(path, labels=labels)
    with pytest.raises(PurebleuError, match=r"0\.rows, line \d+: the (header's|part that ends on)"):
        read(str(path))


def test_labels_are_part_of_what_checksums_are_of(parts: Path) -> None:
    path = parts / "0.rows"
    content = path.read_text()
    digest = label_digests(["fours 0"])[0]
    assert content.count(digest) == 1
    path.write_text(content.replace(digest, "0" * 16))
    with pytest.raises(PurebleuError, match="the file was changed"):
        read(str(path))


def test_systems_with_other_documents_are_refused(folder: Path, tmp_path: Path) -> None:
    for name, documents in (("a", "fours"), ("b", "twos")):
        printed(folder, ["ref", "-i", name, "--save-rows", str(tmp_path / f"{name}.rows"), "--docs", documents])
    said = refusal(tmp_path, "--rows", "a.rows", "b.rows", "-pbs", "--unit", "doc", code=1)
    assert "a.rows and b.rows differ in the docid of segments" in said


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=20))
def test_labels_read_back(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    path = str(tmp_path_factory.mktemp("rows") / "file.rows")
    digests = label_digests(names)
    write(path, [StoredRows("a", "BLEU", {}, "", BLEU().column_names(), [(0,) * 10] * len(names),
                            labels={"docid": digests})])
    assert read(path)[0].labels == {"docid": digests}
    assert [digests[index] == digests[0] for index in range(len(names))] == [name == names[0] for name in names]


def test_units_of_a_test_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUREBLEU_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PUREBLEU_OFFLINE", "1")
    sample = ["-t", "sample", "-l", "en-de"]
    for name in ("ref", "docid", "origlang"):
        (tmp_path / name).write_text(printed(tmp_path, [*sample, "--echo", name]), encoding="utf-8")
    (tmp_path / "system").write_text((tmp_path / "ref").read_text(encoding="utf-8").replace("e", "a", 400),
                                     encoding="utf-8")
    command = [*sample, "-i", "system", "-m", "chrf", "-ci", "-cin", "40", "-q"]
    printed_by_field = printed(tmp_path, [*command, "--unit", "doc"])
    assert json.loads(printed_by_field)["unit"] == "doc"
    assert printed(tmp_path, [*command, "--docs", "docid"]) == printed_by_field
    printed_by_field = printed(tmp_path, [*command, "--strata", "origlang"])
    assert json.loads(printed_by_field)["strata"] == "origlang"
    printed_by_file = printed(tmp_path, [*command, "--strata", str(tmp_path / "origlang")])
    assert printed_by_file.replace("strata:file", "strata:origlang").replace('"file"', '"origlang"') == printed_by_field
    assert "--strata domain needs the domain of each segment, which sample does not have: give --strata FILE" in (
        refusal(tmp_path, *command, "--strata", "domain", code=2))
