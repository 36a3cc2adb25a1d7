"""Tables, intervals and paired tests against the oracle's, and the random stream that they come from."""

from __future__ import annotations

import re
from typing import Any

import pytest

import purebleu
from purebleu.engines.resampling import streams
from purebleu.significance import PairedTest

from ..helpers import FIXTURES, call_cli, one_in, program, read_fixture

FOLDER = FIXTURES / "cli"
TABLES = read_fixture("tables.json")
PAIRED_TESTS = read_fixture("paired_tests.json.gz")
RANDOM_STREAMS = read_fixture("random_streams.json.gz")

#: Under TER, which ignores case, `capitals.txt` has the score of the baseline. The oracle stars its p-value, and
#: purebleu does not: the last star in the rows of these tables.
STARS_OF_EQUAL_SCORES = {"text": re.compile(r"(capitals\.txt[^\n]*\n[^\n]*)\*"),
                         "latex": re.compile(r"(capitals\.txt[^\n]*)\*")}


@pytest.mark.parametrize("case", one_in(3, TABLES["cases"]), ids=lambda case: case["line"])
def test_table(case: dict[str, Any]) -> None:
    stdin = (FOLDER / case["stdin"]).read_bytes() if case["stdin"] else b""
    done = call_cli(case["arguments"], stdin=stdin, cwd=FOLDER, env={**case["environment"], "PUREBLEU_RNG": "numpy"})
    stdout = done.stdout.replace(program().encode(), TABLES["oracle"].encode()).decode()
    assert done.returncode == case["exit_code"], done.stderr.decode()
    start = case["start"]
    for form, star in STARS_OF_EQUAL_SCORES.items():
        if {"ter", form} <= {*case["arguments"]} and (start := star.sub(r"\1", case["start"])) != case["start"]:
            assert re.sub(" +", " ", stdout[:stdout.index(start[-20:]) + 20]) == re.sub(" +", " ", start)
            return
    assert stdout[:len(start)] == start
    assert stdout[-len(case["end"]):] == case["end"]
    if case["start"] == case["end"]:
        assert stdout == case["start"]  # no explanation
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("case", PAIRED_TESTS["cases"], ids=lambda case: f"{case['trials']}, {case['resamples']}")
def test_intervals_beside_randomization(case: dict[str, Any]) -> None:
    metrics = {name: getattr(purebleu.metrics, name)() for name in ("BLEU", "CHRF", "TER")}
    signatures, table = PairedTest(
        case["systems"], metrics, case["references"], "ar", case["trials"], case["resamples"], rng="numpy")()
    oracle = PAIRED_TESTS["oracle"]
    assert {name: str(signed).replace(program(), oracle) for name, signed in signatures.items()} == case["signatures"]
    found = {name: [{key: None if value is None else float(value).hex() for key, value in vars(result).items()}
                    for result in table[name]] for name in signatures}
    assert found == case["results"]


def test_numpy_stream() -> None:
    for case in RANDOM_STREAMS["cases"]:
        seed, count = int(case["seed"]), case["count"]
        draw = streams.make_stream("numpy", seed).sampler(range(count))
        assert [list(draw(count)) for _ in case["draws"]] == case["draws"], (seed, count)
        flipping = streams.make_stream("numpy", seed)
        for coins in case["coins"]:
            flips = int.from_bytes(flipping.bits(count), "little")
            assert "".join([str(flips >> place & 1) for place in range(count)]) == coins, (seed, count)
