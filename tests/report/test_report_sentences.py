"""The sentences of a report, each of which was read against its definition: `report_sentences.py` keeps the list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .. import report_sentences
from ..helpers import first_by_default

KNOWN: dict[str, list[str]] = json.loads(report_sentences.LIST.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sentences")
    report_sentences.write_corpus(folder)
    return folder


@pytest.mark.parametrize("case", first_by_default(6, report_sentences.CASES))
def test_a_report_has_its_sentences_and_no_others(case: str, folder: Path) -> None:
    expected = [sentence for sentence, cases in KNOWN.items() if case in cases]
    assert report_sentences.sentences_of(folder, report_sentences.CASES[case]) == sorted(expected)
