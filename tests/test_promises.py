"""What the manual's page of compatibility promises is there: a later change that breaks a promise fails here."""

from __future__ import annotations

import pytest

from .helpers import SCRIPTS, load_script, read_fixture


@pytest.mark.skipif(not SCRIPTS.is_dir(), reason="there are no scripts")
def test_promised_names_and_parameters_are_there() -> None:
    # (What is new: `python3 scripts/dev/generate promises` writes it down.)
    assert load_script("dev/generate/promises").promises() == read_fixture("promises.json")
