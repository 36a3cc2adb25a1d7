"""Where the golden files are, and how they are written: the same content gives the same bytes each time."""

from __future__ import annotations

import base64
import gzip
import io
import json
import zlib
from pathlib import Path
from typing import Any, Iterable

CHECKOUT = Path(__file__).resolve().parents[3]
TARGET = CHECKOUT / "tests" / "fixtures"


def write_fixture(path: Path, cases: Iterable[object], version: str) -> int:
    """Write a JSON file with a case on each line (compressed if it is called `.gz`); returns their number.

    `version` says which oracle the cases are of.
    """
    lines = [json.dumps(case) for case in cases]
    header = f'"oracle": {json.dumps(version)}, "cases"'
    content = "\n".join([f"{{{header}: [", ",\n".join(lines), "]}", ""]).encode("ascii")
    path.write_bytes(compressed(content) if path.suffix == ".gz" else content)
    return len(lines)


def golden_cases(name: str) -> list[Any]:
    """The cases of a golden file. (A maker whose questions are told there asks these again.)"""
    content = (TARGET / name).read_bytes()
    cases: list[Any] = json.loads(gzip.decompress(content) if name.endswith(".gz") else content)["cases"]
    return cases


def compressed(content: bytes) -> bytes:
    """The content in gzip's format, without name and time."""
    buffer = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, buffer, mtime=0) as file:
        file.write(content)
    return buffer.getvalue()


def unpacked(text: str) -> bytes:
    """Binary content from the text that a fixture has of it."""
    return zlib.decompress(base64.b85decode(text))
