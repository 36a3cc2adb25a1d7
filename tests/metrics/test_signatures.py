"""The same score again, from its signature: `from_signature` and `--signature`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purebleu
from purebleu.datasets import get_test_set
from purebleu.runtime.errors import OptionError
from purebleu.version import FULL_VERSION as VERSION

from ..helpers import lines_of_section, output_of, part, refusal, refused, told

yes_or_no = st.booleans()
OPTIONS: dict[str, dict[str, Any]] = {
    "BLEU": {"lowercase": yes_or_no, "tokenize": st.sampled_from(["13a", "intl", "zh", "char", "none"]),
             "smooth_method": st.sampled_from(["exp", "floor", "add-k", "none"]),
             "smooth_value": st.sampled_from([None, 0.25, 2]), "max_ngram_order": st.integers(1, 6),
             "effective_order": yes_or_no},
    "CHRF": {"char_order": st.integers(1, 7), "word_order": st.integers(0, 3), "beta": st.integers(0, 4),
             "lowercase": yes_or_no, "whitespace": yes_or_no, "eps_smoothing": yes_or_no},
    "TER": {"normalized": yes_or_no, "no_punct": yes_or_no, "asian_support": yes_or_no, "case_sensitive": yes_or_no},
    **{name: {"lowercase": yes_or_no} for name in ("WER", "CER", "MER", "WIL")},
    "GLEU": {"lowercase": yes_or_no, "tokenize": st.sampled_from(["13a", "intl"]), "min_order": st.integers(1, 2),
             "max_order": st.integers(2, 5)},
    "NIST": {"lowercase": yes_or_no, "tokenize": st.sampled_from(["13a", "intl"])},
    **{name: {"lowercase": yes_or_no} for name in ("RIBES", "CharacTER", "EED")},
    **{name: {"stemmer": yes_or_no} for name in ("ROUGE1", "ROUGE2", "ROUGEL", "ROUGELSUM")},
}
HYPOTHESES = ["The cat sat on the mat.", "a b c d", "Hello there, General Kenobi!"]
REFERENCES = [["the cat sat on a mat .", "a b d c", "Hello there General Kenobi!"]]


@pytest.mark.parametrize("name", list(OPTIONS))
@given(data=st.data())
def test_a_metric_comes_back_from_its_signature(name: str, data: st.DataObject) -> None:
    metric_class = part("metrics", name)
    score = metric_class(**data.draw(st.fixed_dictionaries(OPTIONS[name]))).corpus_score(HYPOTHESES, REFERENCES)
    for short in (False, True):
        text = f"{score.name}|{score.signature.format(short)}"
        again = metric_class.from_signature(text).corpus_score(HYPOTHESES, REFERENCES)
        assert (again, again.signature) == (score, score.signature)


@pytest.mark.parametrize("line", lines_of_section("signatures.txt", "read"))
def test_forms_that_sacrebleu_prints(line: str) -> None:
    text, _, signed = line.partition(" -> ")
    metric_class = part("metrics", {"B": "BLEU", "c": "CHRF", "T": "TER"}[text.strip()[0]])
    assert repr(metric_class.from_signature(text)) == f"<{metric_class.__name__} {signed}|version:purebleu-{VERSION}>"


@pytest.mark.parametrize("value, signed", [(0.001, "0.001"), (1e-05, "1e-05"), (1 / 3, repr(1 / 3)), (0.25, "0.25"),
                                           (2, "2.00"), (0.1, "0.10"), (0, "0.00")])
def test_parameters_of_smoothing_are_read_back_exactly(value: float, signed: str) -> None:
    metric = purebleu.BLEU(smooth_method="add-k", smooth_value=value)
    score = metric.corpus_score(HYPOTHESES, REFERENCES)
    assert f"|smooth:add-k[{signed}]|" in str(score.signature)
    again = purebleu.BLEU.from_signature(f"BLEU|{score.signature}")
    assert again.smooth_value == value
    assert again.corpus_score(HYPOTHESES, REFERENCES) == score


def test_the_version_stays_last_whatever_clients_add() -> None:
    signature = purebleu.BLEU().corpus_score(HYPOTHESES, REFERENCES).signature
    signature.info["note"] = "wmt22"
    assert str(signature).endswith(f"|smooth:exp|note:wmt22|version:purebleu-{VERSION}")


def test_further_arguments_are_the_metrics() -> None:
    metric = purebleu.BLEU.from_signature("BLEU|nrefs:1|tok:intl", references=REFERENCES, force=True)
    assert metric.corpus_score(HYPOTHESES, None) == purebleu.BLEU(tokenize="intl").corpus_score(HYPOTHESES, REFERENCES)


@pytest.mark.parametrize("line", lines_of_section("signatures.txt", "refused"))
def test_signatures_that_no_metric_has_are_refused(line: str) -> None:
    text, _, message = line.partition(" -> ")
    metric_class = part("metrics", {"TER": "TER", "chr": "CHRF", "WER": "WER", "CER": "CER"}.get(text[:3], "BLEU"))
    with pytest.raises(OptionError, match=re.escape(message)):
        metric_class.from_signature(text)


# The command line

SHARES, SEGMENTS = {"ref": 1.0, "ref2": 0.9, "a.txt": 0.9, "b.txt": 0.7}, 80


@pytest.mark.parametrize("options", [
    "-lc -tok intl", "-s floor -sv 0.5", "-m chrf -cw 2 --chrf-beta 3", "-m ter --ter-normalized",
    "-m gleu -tok intl --gleu-max-order 3", "-m cer -lc", "-m nist -lc", "-m wil", "-ci -cin 50",
    "-ci -cin 50 --rng numpy --seed 7", "-sl", "-m rougel", "-m rouge2 --rouge-stemmer", "-m ribes -lc", "-m character",
    "-m eed -lc", "-m rougelsum --rouge-tokenize unicode -ci -cin 9"])
def test_the_same_score_again(folder: Path, options: str) -> None:
    command = ["ref", "-i", "a.txt", "-f", "text"]
    first = output_of([*command, *options.split()], folder)
    again = [*command, "--signature", first.partition(" = ")[0], *(["-sl"] if options == "-sl" else [])]
    assert output_of(again, folder) == first


def test_tests_between_systems_again(folder: Path) -> None:
    command = ["ref", "-i", "a.txt", "b.txt", "-f", "json-signed"]
    for options in (["--paired-ar", "-parn", "40"], ["--paired-ar", "-parn", "40", "-ci", "-cin", "30"]):
        first = output_of([*command, *options], folder)
        signature = first.split('"BLEU": "')[1].partition('"')[0]
        assert output_of([*command, "--signature", f"BLEU|{signature}"], folder) == first


def test_a_test_set_is_part_of_it(folder: Path) -> None:
    sample = get_test_set("sample").get_reference_files("en-de")[0]
    by_options = output_of(["-t", "sample", "-l", "en-de", "-i", sample], folder)
    signature = "BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+test.sample+tok.13a"
    assert told(folder, "-i", sample, "--signature", signature)[0] == by_options


@pytest.mark.parametrize(("signature", "message"), [
    ("BLEU|nrefs:2|tok:13a|version:2.6.0",
     "the signature of the result differs from the given signature: nrefs:1 instead of 2"),
    ("BLEU|nrefs:1|tok:13a|version:2.4.3", f"version:purebleu-{VERSION} instead of 2.4.3"),
    ("BLEU+numrefs.1+smooth.floor+version.1.4.2", f"signature: version:purebleu-{VERSION} instead of 1.4.2"),
    ("BLEU+numrefs.1+smooth.add-k+version.1.4.2", f"signature: version:purebleu-{VERSION} instead of 1.4.2"),
])
def test_differences_are_reported(folder: Path, signature: str, message: str) -> None:
    _, errors = told(folder, "ref", "-i", "a.txt", "--signature", signature)
    assert errors.count("\n") == 1 and message in errors


def test_the_same_version_and_resampling_are_no_difference(folder: Path) -> None:
    for version in (f"purebleu-{VERSION}", purebleu.__version__, "2.6.0"):
        given = ["ref", "-i", "a.txt", "--signature", f"BLEU|nrefs:1|tok:13a|version:{version}"]
        output_of(given, folder)
        output_of([*given, "-ci", "-cin", "20"], folder)


@refused("signatures")
def test_contradictions_are_wrong_usage(folder: Path, arguments: list[str], code: int, message: str) -> None:
    assert message in refusal(folder, *arguments, code=code)
