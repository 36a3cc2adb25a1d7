"""The Python API: comparisons, sums, metrics of one's own, files. (Its programs are in the manual, which is run.)"""

from __future__ import annotations

import importlib
import math
import pickle
import pydoc
import re
import sys
import types
from pathlib import Path
from typing import Any, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purebleu
from purebleu import BLEU, CHRF, TER, Accumulator, PurebleuError, compare, compare_runs, metric, metric_from
from purebleu.metrics import FURTHER_MODULES, MODULES, NIST, SegmentScores, metric_class
from purebleu.runtime.errors import LengthError, OptionError, PurebleuWarning

from .. import PACKAGE
from ..helpers import OF_SUBTITLES, assert_errors, call_cli, told, write_lines

pytestmark = pytest.mark.filterwarnings("ignore:no hypothesis has . words", "ignore:BLEU of single segments")

REFERENCES = ["The cat sat on a mat.", "It was a rainy day.", "Nobody came.", "We all left early."]
BASE = ["The cat sat on the mat.", "It was rainy day.", "No one came.", "We left early."]
NEW = ["The cat sat on a mat.", "It was a rainy day.", "Nobody came.", "We left early."]
THIRD = ["A cat sat there.", "The day was rainy.", "Nobody came.", "We left."]


#: The public modules, besides those that are attributes of the package.
FURTHER_PUBLIC = ("compat.r_sacrebleu", "runtime.errors")


def test_every_public_module_is_promised() -> None:
    names = [*purebleu._SUBMODULES, *FURTHER_PUBLIC]
    page = (Path(purebleu.__file__).parent / "manual" / "compatibility.md").read_text(encoding="utf-8")
    _, _, promise = page.partition("**The Python API** consists of the names in `__all__` of `purebleu` and of its")
    assert sorted(re.findall(r"`([\w.]+)`", promise.partition(".\n")[0].partition(". ")[0])) == sorted(names)
    assert set(dir(purebleu)) == {*purebleu.__all__, *purebleu._SUBMODULES}
    for name in names:
        module = importlib.import_module(f"{PACKAGE}.{name}")
        assert len(set(module.__all__)) == len(module.__all__) > 0, name
        for public in module.__all__:
            assert getattr(module, public) is not None, f"{name}.{public}"
        assert set(module.__all__) - {"SACREBLEU_DIR"} <= set(dir(module)), name


def test_dir_and_help_are_short() -> None:
    """Names at the top, names of a metric, and lines of help: few enough to be read."""
    assert len([name for name in purebleu.__all__ if not name.startswith("_")]) <= 45
    for name in purebleu.metrics.__all__:
        made = getattr(purebleu.metrics, name)
        if isinstance(made, type) and issubclass(made, purebleu.Metric):
            names = {shown for shown in dir(made()) if not shown.startswith("_")}
            assert len(names) <= 25 and {"corpus_score", "sentence_scores", "from_signature"} <= names, name
            assert not names & {"block_statistics", "rows_of", "values"}, name
    assert {"preprocess", "segment_statistics", "score"} <= set(dir(purebleu.Metric))
    if sys.version_info < (3, 13):  # (from there on, each parameter has a line)
        assert len(pydoc.plaintext.document(purebleu).split("\n")) <= 1500  # type: ignore[attr-defined]


# Comparisons

def table_of(tmp_path: Path, systems: dict[str, list[str]], *options: str) -> str:
    """What `purebleu test` prints of these systems."""
    for name, lines in {"ref": REFERENCES, **systems}.items():
        write_lines(tmp_path / name, lines)
    return told(tmp_path, "test", "ref", "-i", *[f"{name}={name}" for name in systems], *options)[0]


@pytest.mark.parametrize(("options", "arguments"), [
    (["--samples", "50"], {"trials": 50}),
    (["--samples", "50", "--against", "new"], {"trials": 50, "against": "new"}),
    (["--paired-bs", "--samples", "50", "--seed", "3"], {"test": "bootstrap", "trials": 50, "seed": 3}),
    (["--samples", "50", "--confidence", "--confidence-n", "40"], {"trials": 50, "intervals": True, "resamples": 40}),
    (["--samples", "50", "-j", "2"], {"trials": 50, "jobs": 2}),
])
@pytest.mark.filterwarnings("ignore:with .* samples, no p-value", "ignore:with .* trials")
def test_a_comparison_is_that_of_the_command_line(options: list[str], arguments: dict[str, Any],
                                                  tmp_path: Path) -> None:
    systems = {"base": BASE, "new": NEW, "third": THIRD}
    compared = compare(systems, [REFERENCES], metrics=["bleu", TER()], **arguments)
    assert f"{compared}\n" == table_of(tmp_path, systems, "-m", "bleu", "ter", *options)
    assert compared.format("csv") + "\n" == table_of(tmp_path, systems, "-m", "bleu", "ter", *options, "-f", "csv")
    two = compare({"base": BASE, "new": NEW}, REFERENCES, trials=50)
    assert f"{two}\n" == table_of(tmp_path, {"base": BASE, "new": NEW}, "--samples", "50")
    assert f"{compare({'base': BASE}, REFERENCES)}\n" == table_of(tmp_path, {"base": BASE})


@pytest.mark.filterwarnings("ignore:with .* samples, no p-value", "ignore:with .* trials")
def test_results_are_found_by_names() -> None:
    compared = compare({"base": BASE, "new": NEW, "third": THIRD}, [REFERENCES], metrics=["bleu", "chrf"], trials=200)
    assert compared["base", "bleu"] == compared["base", "BLEU"]
    assert compared["base", "BLEU"].p_value is compared["base", "BLEU"].difference is None
    new = compared["new", "BLEU"]
    assert (new.system, new.against, new.score) == ("new", "base", BLEU().corpus_score(NEW, [REFERENCES]).score)
    assert compared["new", "base", "BLEU"] == new
    turned = compared["base", "new", "BLEU"]
    assert (turned.difference, turned.p_value, turned.p_holm) == (-(new.difference or 0), new.p_value, new.p_holm)
    pair, mirrored = compared["third", "new", "chrF2"], compared["new", "third", "chrF2"]
    assert pair.p_value == mirrored.p_value is not None and pair.p_holm == mirrored.p_holm
    assert pair.difference == pytest.approx(pair.score - mirrored.score)
    twice = compare({"base": BASE, "new": NEW}, REFERENCES, metrics=[CHRF(), CHRF(word_order=2)], trials=200)
    assert twice["new", "chrF2"].score != twice["new", "chrF2++"].score
    with pytest.raises(KeyError, match="there is no metric 'CHRF'"):
        twice["new", "CHRF"]
    records = compared.to_records()
    assert [(line["system"], line["metric"], line["against"]) for line in records[-2:]] == [
        ("third", "BLEU", "new"), ("third", "chrF2", "new")]
    assert records[2]["p_value"] == new.p_value and isinstance(records[2]["signature"], str)
    assert_errors(
        compared.__getitem__, (("old", "BLEU"), KeyError, "there is no system 'old'; choose from base, new, third"),
        (("base", "BLUE"), KeyError, "there is no metric 'BLUE' .did you mean 'bleu'..; choose from bleu, chrf"),
        (("base", "base", "BLEU"), OptionError, "base can't be compared with itself"),
        (("base",), TypeError, "system, other system, metric"))


@pytest.mark.filterwarnings("ignore:with .* samples, no p-value")
def test_runs_are_compared_as_on_the_command_line(tmp_path: Path) -> None:
    systems = {"base": [BASE, THIRD], "new": [NEW, BASE, NEW]}
    for name, runs in systems.items():
        for number, lines in enumerate(runs):
            write_lines(tmp_path / f"{name}.{number}", lines)
    write_lines(tmp_path / "ref", REFERENCES)
    for options, arguments in (
            ([], {}), (["--against", "new"], {"against": "new"}),
            (["--confidence", "--confidence-n", "40"], {"intervals": True, "resamples": 40})):
        line = ["test", "ref", "--runs", "base=base.*", "new=new.*", "-m", "bleu", "ter", "--samples", "50", *options]
        compared = compare_runs(systems, [REFERENCES], metrics=["bleu", TER()], trials=50, **arguments)
        for form in ("text", "csv"):
            assert compared.format(form) + "\n" == told(tmp_path, *line, "-f", form)[0]
    result = compared["new", "bleu"]
    assert result == compared["new", "BLEU"] and len(result.scores) == 3 and result.selection is not None
    assert [record["system"] for record in compared.to_records()] == ["base", "base", "new", "new"]
    assert compare_runs(systems, REFERENCES, test=None)["new", "BLEU"].p_value is None
    assert_errors(compared.__getitem__, (("old", "BLEU"), KeyError, "there is no system 'old'"),
                  ("new", TypeError, r"must be \[system, metric\]"))
    with pytest.raises(OptionError, match="the test 'bootstrap' cannot compare runs; choose randomization or None"):
        compare_runs(systems, REFERENCES, test="bootstrap")
    with pytest.raises(LengthError, match="new, run 2: 3 hypotheses can't be scored"):
        compare_runs({"base": [BASE], "new": [NEW, NEW[:3]]}, REFERENCES)


def test_rows_of_scores_from_outside_are_signed() -> None:
    one, other = SegmentScores("COMET", [0.5, 0.6]), SegmentScores("COMET", [0.7, 0.7])
    systems = {"base": [one.rows], "new": [other.rows]}
    comet = SegmentScores("COMET", signature="Comet2.2.2|x:1")
    signed = purebleu.compare_rows(systems, [comet], test=None).signatures["COMET"]
    assert "|Comet2.2.2|x:1|version:" in str(signed)
    with pytest.raises(LengthError, match="there are 2 metrics, but 1 signature"):
        purebleu.compare_rows({name: [*rows, *rows] for name, rows in systems.items()}, [one, other], test=None,
                     signatures=[signed])
    [unsigned] = {str(purebleu.compare_rows(systems, [each], test=None).signatures["COMET"]) for each in (one, other)}
    assert "|scores:" in unsigned and "scores:" in repr(one) and repr(one) != repr(other)


def test_wrong_comparisons_are_refused() -> None:
    systems = {"base": BASE, "new": NEW}
    unscored = metric_from("LENGTH", lambda line, _: pytest.fail("nothing is scored before all is checked"))
    assert_errors(
        lambda given, references, arguments: compare(given, references, **{"metrics": unscored, **arguments}),
        ([BASE, NEW], REFERENCES, {}, TypeError, "systems must be a dict"),
        ({}, REFERENCES, {}, PurebleuError, "there are no systems to compare"),
        ({"base": BASE, "new": NEW[:2]}, REFERENCES, {}, LengthError, "new: 2 hypotheses can't be scored"),
        ({"base": BASE, "new": "x"}, REFERENCES, {}, TypeError, "new: hypotheses must be a sequence"),
        (systems, REFERENCES, {"metrics": []}, OptionError, "no metrics were given"),
        (systems, REFERENCES, {"metrics": ["blue"]}, OptionError, "unknown metric 'blue' .did you mean 'bleu'"),
        (systems, REFERENCES, {"metrics": [BLEU]}, TypeError, "metrics must be names, such as 'bleu'"),
        (systems, REFERENCES, {"metrics": ["bleu", BLEU(tokenize="char")]}, OptionError, "two metrics are called BLEU"),
        (systems, REFERENCES, {"test": "ar"}, OptionError, "choose randomization, bootstrap or None"),
        (systems, REFERENCES, {"against": "old"}, OptionError, "there is no system 'old'; choose from base, new"),
        (systems, "text", {}, TypeError, "references must be a sequence"),
        (systems, REFERENCES, {"metrics": 5}, TypeError, "metrics must be names.*, not 5"),
        (systems, REFERENCES, {"documents": list("aab")}, LengthError, "but documents has ids for 3 segments"),
        (systems, REFERENCES, {"trials": -1}, OptionError, "samples must be at least 1 .*, not -1"),
        (systems, REFERENCES, {"documents": 5}, TypeError, "documents"))
    with pytest.raises(PurebleuError, match=r"systems must be rows of statistics, not texts: call purebleu.compare"):
        purebleu.significance.results_of([BASE, NEW], [BLEU()])  # type: ignore[list-item]


def test_formats_of_a_comparison_are_those_of_results() -> None:
    with pytest.raises(OptionError, match=r"unknown format 'paper'; choose from json, json-signed, text, latex"):
        compare({"base": BASE}, REFERENCES).format("paper")
    with pytest.raises(TypeError, match=r"metrics must be a list of metrics, not <BLEU"):
        purebleu.significance.results_of([[[(1, 1)]]], BLEU())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"state must be a sequence"):
        Accumulator(BLEU()).merge(5)  # type: ignore[arg-type]


def test_several_metrics_read_iterables_once() -> None:
    expected = compare({"base": BASE, "new": NEW}, [REFERENCES], metrics=["bleu", "nist"], trials=50)
    streams: Any = iter([iter(REFERENCES)])
    found = compare({"base": iter(BASE), "new": iter(NEW)}, streams, metrics=iter(["bleu", "nist"]), trials=50)
    assert str(found) == str(expected)
    running = Accumulator(BLEU())
    running.update(iter(BASE), iter(REFERENCES))
    assert running.compute() == BLEU().corpus_score(BASE, [REFERENCES])


def test_a_function_that_cannot_be_sent_is_worked_in_one_process() -> None:
    with pytest.warns(PurebleuWarning, match=r"can't be sent to other processes, so one process does all the work"):
        compared = compare({"base": BASE}, REFERENCES, metrics=metric_from("LENGTH", lambda line, _: len(line)), jobs=2)
    assert compared["base", "LENGTH"].score == sum(map(len, BASE)) / 4


# Sums that are added up

@pytest.mark.parametrize("name", [name for name in (*MODULES, *FURTHER_MODULES)
                                  if name not in ("NIST", *OF_SUBTITLES)])
@given(data=st.data())
def test_an_accumulator_is_one_corpus(name: str, data: st.DataObject) -> None:
    lines = st.sampled_from([*REFERENCES, *BASE, "", "cat"])
    segments = data.draw(st.lists(st.tuples(lines, lines, st.one_of(st.none(), lines)), min_size=1, max_size=8))
    hypotheses, *streams = map(list, zip(*segments))
    expected = metric_class(name)().corpus_score(hypotheses, streams)
    cut = data.draw(st.integers(0, len(segments)))
    parts: list[Any] = [Accumulator(metric(name.lower())) for _ in range(2)]
    for running, indices in zip(parts, (slice(0, cut), slice(cut, None))):
        if hypotheses[indices]:
            running.update(hypotheses[indices], [stream[indices] for stream in streams])
    first, second = parts
    first.merge(pickle.loads(pickle.dumps(second.state())))
    # (With up to two references, their mean length is a number that adds up exactly.)
    assert first.compute() == expected
    assert str(first.compute().signature) == str(expected.signature)


def test_states_are_added_up_by_others() -> None:
    parts: list[Any] = [Accumulator("bleu"), Accumulator("bleu")]
    parts[0].update(BASE[:1], [REFERENCES[:1]])
    parts[1].update(BASE[1:], REFERENCES[1:])
    total: Any = Accumulator("bleu")
    total.merge([float(one + other) for one, other in zip(*[part.state() for part in parts])])
    assert total.compute().score == BLEU().corpus_score(BASE, [REFERENCES]).score
    assert total.compute().signature == BLEU().corpus_score(BASE, [REFERENCES]).signature
    tokens = Accumulator(BLEU())
    tokens.update([["a", "b"]], [[["a", "b"]]])
    assert tokens.compute().signature.info["tok"] == "custom"
    with pytest.raises(PurebleuError, match=r"there are no segments to score"):
        Accumulator(CHRF()).compute()
    assert_errors(
        Accumulator(CHRF()).merge, (total.state(), LengthError, "a state of CHRF must have 22 numbers, not 14"),
        *[(Accumulator(other), OptionError, r"sums of <\w+ .*> can't be added to sums of <CHRF ")
          for other in ("bleu", "chrf3", "chrf++")])
    with pytest.raises(OptionError, match=r"NIST\(references=\[\.\.\.\]\)"):
        Accumulator(NIST())
    weighted = Accumulator(NIST(references=[REFERENCES]))
    weighted.update(BASE[:2], [REFERENCES[:2]])
    weighted.update(BASE[2:], [REFERENCES[2:]])
    assert weighted.compute() == NIST().corpus_score(BASE, [REFERENCES])
    before = total.state()
    with pytest.raises(LengthError):
        total.update(BASE, [REFERENCES[1:]])
    assert total.state() == before


# Metrics by name, and of one's own

@pytest.mark.parametrize(("name", "expected"), [
    ("bleu", "BLEU|"), ("BLEU", "BLEU|"), ("chrf", "chrF2|"), ("chrF++", "chrF2++|"), ("CHRF+", "chrF2+|"),
    ("chrF3", "chrF3|"), ("ROUGE-L", "ROUGE-L|"), ("rougelsum", "ROUGE-Lsum|"), ("CharacTER", "CharacTER|"),
    ("BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.4.2", "BLEU|"),
    ("chrF2++|#:1|c:lc|e:yes|nc:6|nw:2|s:no|v:2.4.3", "chrF2++|"), ("chrF0.5", "chrF0.5|"),
    ("chrF0.5++", "chrF0.5++|"), ("chrF0.3333333333333333|nrefs:1", "chrF0.3333333333333333|"),
])
def test_a_metric_is_made_from_its_name_or_its_signature(name: str, expected: str) -> None:
    score = metric(name).corpus_score(BASE, [REFERENCES])
    signed = f"{score.name}|{score.signature}"
    assert signed.startswith(expected)
    assert metric(signed).corpus_score(BASE, [REFERENCES]) == score
    assert "c:lc" not in name or "case:lc" in signed


def test_unknown_metrics_are_refused() -> None:
    assert_errors(metric, ("meteor", OptionError, "unknown metric 'meteor'; choose from bleu, chrf, ter"),
                  ("chrf-x", OptionError, "unknown metric 'chrf-x'"),
                  ("BLEU|nrefs", OptionError, "field 'nrefs', which is unknown"),
                  *[(wrong, TypeError, "the name of a metric must be text, such as 'bleu', not")
                    for wrong in (5, None, BLEU(), BLEU)])
    assert "tok:zh" in repr(metric("BLEU|nrefs:1|case:lc|tok:13a", tokenize="zh"))
    assert "tok:mine-1" in repr(metric("BLEU|tok:mine-1", tokenize=str.split, tokenize_name="mine-1"))
    with pytest.warns(PurebleuWarning, match="give normalize='nfkc' to corpus_score"):
        metric("BLEU|tok:13a|unicode:nfkc")
    family = compare({"base": BASE}, REFERENCES, metrics="rouge").metrics
    assert family == ["ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-Lsum"]


def test_a_function_is_a_metric() -> None:
    unsigned = metric_from("MINE", lambda line, references: len(line) / len(references), lower_is_better=True)
    score = unsigned.corpus_score(["abc", "a"], [["x", "y"], ["z", None]], n_bootstrap=20)
    assert (score.score, score.lower_is_better) == (1.25, True) and score.signature is None
    assert score.interval is not None and not score.IS_FROM_OUTSIDE
    assert unsigned.sentence_score("abc", ["x"]).signature is None
    assert [float(one) for one in unsigned.sentence_scores(["abc", "a"], ["x", ["y", "z"]])] == [3.0, 0.5]
    signed = metric_from("MINE", lambda hypothesis, references: 0.1, signature="case:mixed|oracle:mine-1.0")
    # (Tenths are added up as decimal numbers.)
    assert signed.corpus_score(["a"] * 10, [["a"] * 10]).score == 0.1
    assert str(signed.corpus_score(["a"], [["a"]]).signature).startswith("nrefs:1|case:mixed|oracle:mine-1.0|version:")
    for value in (math.nan, None, "x", 10 ** 400):
        with pytest.raises(PurebleuError, match=r"the function of MINE has to return numbers: "):
            metric_from("MINE", lambda *_, value=value: value).sentence_score("a", ["a"])
    assert_errors(metric_from, ("BLEU", max, OptionError, "BLEU is a metric that purebleu computes"),
                  ("MINE", 1, TypeError, "function must be a function of a hypothesis"))


def test_a_class_is_checked_when_it_is_made() -> None:
    def made(**members: Any) -> Any:
        return type("Mine", (purebleu.Metric,), members)

    step: Callable[..., Any] = lambda *_: None  # noqa: E731
    every = {"preprocess": step, "segment_statistics": step, "score": step, "column_names": step}
    made(**every)
    made(**{**every, "preprocess_lines": every["preprocess"]})
    for name in every:
        with pytest.raises(TypeError, match=f"the metric Mine has to define {name}"):
            made(**{other: function for other, function in every.items() if other != name})
    with pytest.raises(TypeError, match=r"SIGNATURE_FIELDS of Mine must contain only objects of the class Field"):
        made(**every, SIGNATURE_FIELDS=("case",))
    assert types.new_class("Base", (purebleu.Metric,), {"abstract": True})
    members = {"preprocess": lambda _, text: {*text.split()}, "column_names": lambda _: ["found", "words"],
               "segment_statistics": lambda _, ours, others: max((len(ours & one), len(one)) for one in others),
               "score": lambda _, totals: purebleu.Score("RECALL", 100 * totals[0] / totals[1])}
    compared = compare({"base": BASE, "new": NEW}, REFERENCES, metrics=[made(**members)()], trials=50)
    assert compared["new", "RECALL"].score == 100 * 16 / 17
    errors = made(**members, LOWER_IS_BETTER=True)()
    lower = compare({"base": BASE, "new": NEW}, REFERENCES, metrics=[errors], trials=50)
    assert (compared["new", "RECALL"].lower_is_better, lower["new", "RECALL"].lower_is_better) == (False, True)
    assert errors.sentence_score("a", ["a"]).lower_is_better and errors.sentence_scores(["a"], ["a"])[0].lower_is_better


@pytest.mark.parametrize(("base", "changed", "kept"), [
    (BLEU, "score", "value"), (BLEU, "preprocess", "preprocess_lines"), (TER, "value", "exact_ratio"),
    (purebleu.metrics.GLEU, "score", "exact_ratio"),
])
def test_a_subclass_that_changes_half_of_a_metric_is_refused(base: type, changed: str, kept: str) -> None:
    step: Callable[..., Any] = lambda *_: None  # noqa: E731
    with pytest.raises(TypeError, match=f"the metric Half redefines {changed}, so it has to redefine {kept} too"):
        type("Half", (base,), {changed: step})
    type("Whole", (base,), {changed: step, kept: step})
    with pytest.raises(TypeError, match=f"has to redefine {kept} too"):
        type("Mixed", (type("Mixin", (), {changed: step}), base), {})


@pytest.mark.parametrize("scale", [1, 2, 3, 10 ** 6, 1e300])
def test_fractions_in_rows_are_exact(scale: float) -> None:
    class Length(purebleu.Metric[purebleu.Score]):
        def preprocess(self, segment: Any) -> int:
            return len(segment)

        def segment_statistics(self, hypothesis: int, references: Any) -> tuple[float, int]:
            return hypothesis / scale, 1

        def score(self, totals: Any) -> purebleu.Score:
            return purebleu.Score("LENGTH", scale * totals[0] / totals[1])

        def column_names(self) -> list[str]:
            return ["length", "segments"]

    lines, longer, references = ["a", "aaa"] * 10, ["aa", "aaaa"] * 10, ["x"] * 20
    score = Length().corpus_score(longer, [references], n_bootstrap=200)
    assert score.mean is not None and 2.8 < score.mean < 3.2 and score.ci
    for test in ("bootstrap", "randomization"):
        found = compare({"A": lines, "B": longer}, references, metrics=Length(), test=test, trials=200)
        assert found["B", "LENGTH"].p_value == pytest.approx(1 / 201, rel=1e-5)
    # (Like a float32 of NumPy, this number is neither a `float` nor a `Rational`.)
    add: Callable[..., float] = lambda one, other: float(one) + other  # noqa: E731
    kind = type("Float32", (), {"__init__": lambda self, number: setattr(self, "number", number),
                                "__float__": lambda self: self.number, "__add__": add, "__radd__": add})
    rows = [[[(kind(len(line) / scale), 1) for line in system]] for system in (lines, longer)]
    compared = purebleu.compare_rows({"A": rows[0], "B": rows[1]}, [Length()], trials=200, signatures=[score.signature])
    assert compared["B", "LENGTH"].p_value == pytest.approx(1 / 201, rel=1e-5)


@pytest.mark.parametrize("name", ["BLEU", "GLEU", "NIST"])
def test_a_tokenizer_of_ones_own_has_a_name(name: str) -> None:
    one = metric_class(name)(tokenize=str.split, tokenize_name="mine-1")  # type: ignore[call-arg]
    assert "tok:mine-1|" in str(one.corpus_score(BASE, [REFERENCES]).signature)
    wrong = [{"tokenize": str.split, "tokenize_name": name} for name in ("13a", "a|b", "a:b", " a", "a\n")]
    for arguments in ({"tokenize_name": "mine-1"}, {"tokenize": "13a", "tokenize_name": "mine-1"}, *wrong):
        with pytest.raises(OptionError, match=r"tokenize_name|can't name a tokenizer"):
            metric_class(name)(**arguments)  # type: ignore[arg-type]


# Files and test sets

def test_a_file_is_scored_as_by_the_command_line(tmp_path: Path) -> None:
    write_lines(tmp_path / "out.txt", BASE)
    write_lines(tmp_path / "ref.txt", REFERENCES)
    out, reference = tmp_path / "out.txt", tmp_path / "ref.txt"
    length = metric_from("L", lambda line, _: len(line))
    scores = purebleu.score_files(out, [reference], metrics=["bleu", NIST(), length])
    assert scores == {"BLEU": BLEU().corpus_score(BASE, [REFERENCES]), "NIST": NIST().corpus_score(BASE, [REFERENCES]),
                      "L": scores["L"]}
    assert str(scores["NIST"].signature) == str(NIST().corpus_score(BASE, [REFERENCES]).signature)
    assert purebleu.score_files(str(out), reference, jobs=2) == purebleu.score_files(out, [reference])
    write_lines(tmp_path / "short", REFERENCES[1:])
    assert_errors(
        lambda outputs, references, *more: purebleu.score_files(outputs, references, metrics=["bleu", *more]),
        (out, reference, BLEU(tokenize="char"), OptionError, "two metrics are called BLEU"),
        (out, tmp_path / "short", LengthError, "short"), (out, [], PurebleuError, "scoring needs references"),
        (tmp_path / "none", reference, PurebleuError, "none: No such file"),
        (out, reference, SegmentScores("COMET", [0.5]), PurebleuError, "COMET has only scores from another program"))


def test_a_pair_of_a_test_set_has_its_texts() -> None:
    pair = purebleu.test_set("sample", "en-de")
    assert repr(pair) == "<TestPair sample, en-de>"
    assert {len(pair.source), *map(len, pair.references), len(pair.documents or ()), *map(len, pair.outputs.values())
            } == {24} and pair.citation is None
    assert list(zip(*pair.references)) == [tuple([line.rstrip("\n") for line in lines])
                                           for lines in purebleu.DATASETS["sample"].references("en-de")]
    with pytest.raises(OptionError, match=r"sample has no language pair 'en-xx'"):
        purebleu.test_set("sample", "en-xx")
    for look in (purebleu.DATASETS.__getitem__, lambda name: purebleu.test_set(name, "en-de")):
        with pytest.raises(KeyError, match=r"^there is no test set 'wmt2022' .did you mean 'wmt22'.."):
            look("wmt2022")
    assert purebleu.DATASETS.get("wmt2022") is None and "wmt2022" not in purebleu.DATASETS


# Mistakes

def test_swapped_arguments_are_reported() -> None:
    functions: list[Callable[..., Any]] = [purebleu.corpus_bleu]
    functions += [function for one in (BLEU(), CHRF(), TER()) for function in (one.corpus_score, one.corpus_statistics)]
    for function in functions:
        assert_errors(function, ([REFERENCES], BASE, TypeError, "hypotheses and references look swapped"),
                      (BASE, REFERENCES, TypeError, r"for one stream, give \[references\]"))


def test_a_square_of_references_that_is_read_the_wrong_way_is_warned_of() -> None:
    streams = [REFERENCES, NEW, BASE, [f"{line} Yes." for line in REFERENCES]]
    lists = [list(references) for references in zip(*streams)]
    expected = BLEU().corpus_score(BASE, streams)
    assert BLEU().corpus_score(BASE, lists, transpose_references=True) == expected
    with pytest.warns(PurebleuWarning, match=r"as one list per hypothesis \(transpose_references=True\)"):
        assert BLEU().corpus_score(BASE, lists).score < expected.score
    with pytest.warns(PurebleuWarning, match=r"as one stream per reference \(transpose_references=False\)"):
        CHRF().corpus_score(BASE, streams, transpose_references=True)


# Orders of BLEU

words = st.lists(st.sampled_from("abcd"), max_size=7).map(" ".join)


@given(words, words, st.sampled_from(sorted(BLEU.SMOOTH_DEFAULTS)), st.booleans())
def test_the_orders_of_a_score_are_those_of_bleu_with_fewer(hypothesis: str, reference: str, method: str,
                                                            effective: bool) -> None:
    options: dict[str, Any] = {"smooth_method": method, "effective_order": effective}
    score = BLEU(**options).corpus_score([hypothesis], [[reference]])
    assert score.orders == [metric(f"bleu{order}", **options).corpus_score([hypothesis], [[reference]]).score
                            for order in (1, 2, 3, 4)]
    assert score.orders[1] == BLEU(max_ngram_order=2, **options).corpus_score([hypothesis], [[reference]]).score


def test_one_run_has_several_orders_of_bleu(tmp_path: Path) -> None:
    write_lines(tmp_path / "ref", REFERENCES)
    write_lines(tmp_path / "base", BASE)
    rows = ["ref", "-i", "base", "-m", "bleu1", "bleu-2", "bleu4", "-lc", "--save-rows", "rows"]
    for line in (rows, ["score", "--rows", "rows"]):
        lines = call_cli(line, cwd=tmp_path).stdout.decode("utf-8").replace('"score": ', "").split("\n")
        heads = [line.strip() for line in lines if '"name"' in line or '"signature"' in line]
        assert [head for head in heads if "name" in head] == ['"name": "BLEU",', '"name": "BLEU-1",',
                                                              '"name": "BLEU-2",'], lines
        assert ["|order:" in head for head in heads if "signature" in head] == [False, True, True]
    score = metric("bleu2", lowercase=True).corpus_score(BASE, [REFERENCES])
    assert repr(metric(f"BLEU-2|{score.signature}")) == repr(metric("bleu2", lowercase=True))
    assert metric(f"BLEU|{score.signature}").corpus_score(BASE, [REFERENCES]).score == score.score


# Notebooks

def test_notebooks_show_scores_and_comparisons() -> None:
    score = metric_from("A<B", lambda *_: 1.0, signature="a&b:1").corpus_score(BASE, [REFERENCES], n_bootstrap=9)
    assert score._repr_html_().startswith("<b>A&lt;B = 1.00 (μ = 1.00 ± 0.00)</b> <br><small><code>nrefs:1|")
    assert "a&amp;b" in score._repr_html_()
    shown = compare({"a<b": BASE, "new": NEW}, [REFERENCES], test=None)._repr_html_()
    assert shown.startswith("\n<table>") and ">a&lt;b<" in shown and shown.endswith("</details>")
    assert shown.count("<table>") == shown.count("</table>") and "<body>" not in shown
