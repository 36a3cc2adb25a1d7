"""Reads and writes golden files (the same content gives the same bytes), and runs commands with the oracle's Python."""

from __future__ import annotations

import base64
import gzip
import json
import os
import subprocess
import sys
import zlib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Callable, Dict, Iterable

CHECKOUT = Path(__file__).resolve().parents[3]
TARGET = CHECKOUT / "tests" / "fixtures"

#: A case, or the answer that is added to it: members of a JSON object.
Case = Dict[str, Any]

#: A fixed hash seed. (sacreBLEU takes some references in the order of a set, which depends on the hash seed.)
HASH_SEED = {"PYTHONHASHSEED": "3"}


def run_by_oracle(name: str, python: str = sys.executable) -> int | None:
    """Run this command in the interpreter with the hash seed; return its exit code (`None` if it runs so already)."""
    if os.path.abspath(python) == sys.executable and HASH_SEED.items() <= os.environ.items():
        return None
    command = [python, str(Path(__file__).resolve().parent), name, *sys.argv[1:]]
    return subprocess.run(command, env={**os.environ, **HASH_SEED}).returncode


def write_answers(name: str, answer: Callable[[Case], Case], oracle: str) -> int:
    """Write a golden file again, with new answers to its cases; return the exit code."""
    return write_cases(name, [{**case, **answer(case)} for case in golden_cases(name)], oracle)


def write_cases(name: str, cases: Iterable[object], oracle: str) -> int:
    """Write a JSON file with a case on each line, and print whether it has changed; return the exit code.

    `oracle` names the program that answered the cases. A file whose name ends with `.gz` is compressed. A file with the
    same content is not written again, because versions of zlib compress differently.
    """
    path = TARGET / name
    lines = [json.dumps(case) for case in cases]
    header = f'"oracle": {json.dumps(oracle)}, "cases"'
    content = "\n".join([f"{{{header}: [", ",\n".join(lines), "]}", ""]).encode("ascii")
    is_unchanged = path.exists() and content_of(path) == content
    if path.suffix == ".gz" and not is_unchanged:
        with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
            file.write(content)
    elif not is_unchanged:
        path.write_bytes(content)
    print(f"{path.relative_to(CHECKOUT).as_posix()}: {len(lines)} cases, {'unchanged' if is_unchanged else 'changed'}")
    return 0


def content_of(path: Path) -> bytes:
    """Return the content of a golden file."""
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


def module_at(path: Path) -> Any:
    """Import a module from a path outside installed packages."""
    spec = spec_from_file_location(path.stem, str(path))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def golden_cases(name: str) -> list[Any]:
    """Return the cases of a golden file."""
    cases: list[Any] = json.loads(content_of(TARGET / name))["cases"]
    return cases


def unpacked(text: str) -> bytes:
    """Decode binary content from its text in a fixture."""
    return zlib.decompress(base64.b85decode(text))
