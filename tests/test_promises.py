"""What the manual's page of compatibility promises is there: a later change that breaks a promise fails here."""

from __future__ import annotations

from typing import Any, Iterator

import pytest

from .helpers import SCRIPTS, load_script, read_fixture

pytestmark = pytest.mark.skipif(not SCRIPTS.is_dir(), reason="there are no scripts")


def broken(promised: Any, found: Any, path: str = "") -> Iterator[str]:
    """The promises that are not kept: what is lacking, and parameters that lost their place."""
    if isinstance(promised, dict):
        for name, value in promised.items():
            if name not in found:
                yield f"{path}/{name}"
            else:
                yield from broken(value, found[name], f"{path}/{name}")
    elif isinstance(promised, list):
        positional = [name for name in promised if not name.endswith("=")]
        if path.startswith("/api/") and found[:len(positional)] != positional:
            yield f"{path}: {', '.join(found)}"
        by_name = {name.rstrip("=") for name in found}
        yield from [f"{path}/{name}" for name in promised if name.rstrip("=") not in by_name]
    elif promised != found:
        yield path


def test_promised_names_are_there() -> None:
    promised, found = read_fixture("promises.json"), load_script("dev/generate/promises").promises()
    assert list(broken(promised, found)) == []
    assert list(broken(found, promised)) == []  # new: `python3 scripts/dev/generate promises` writes it down


def test_a_broken_promise_is_reported() -> None:
    promised = {"api": {"purebleu": {"f": ["a", "b", "c="]}}, "commands": {"test": {"--exact": [], "-f": ["csv"]}}}
    kept = {"api": {"purebleu": {"f": ["a", "b", "c", "d="], "g": []}}, "commands": {"test": {"--exact": [], "-f": [
        "csv", "tsv"]}}}
    assert list(broken(promised, kept)) == []
    lost = {"api": {"purebleu": {"f": ["b", "a", "c="]}}, "commands": {"test": {"-f": ["tsv"]}}}
    assert list(broken(promised, lost)) == ["/api/purebleu/f: b, a, c=", "/commands/test/--exact",
                                            "/commands/test/-f/csv"]
