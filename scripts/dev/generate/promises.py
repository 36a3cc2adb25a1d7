"""Write the list of what later releases keep: commands, options, members of JSON, columns, exit codes, the API.

    python3 scripts/dev/generate promises

A test compares the list with the package. Run this command after something was added to the package. The list may get
further lines, but may not lose any.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import json
import os
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Iterator

from dev.generate.man_page import EXIT_CODES
from purebleu import cli
from purebleu.cli.commands import COMMANDS, command_named

ROOT = Path(__file__).resolve().parents[3]
PROMISES = ROOT / "tests" / "fixtures" / "promises.json"

#: The public modules, besides the package itself.
MODULES = ("compat", "compat.r_sacrebleu", "compat.v1", "dataset", "datasets", "evaluate", "harness", "meta_evaluation",
           "metrics", "rows", "runtime.errors", "significance", "tokenizers", "utils")

#: The lines of small files.
FILES = {"ref": "the cat sat on the mat\nit rained all day long\nthe end came\n",
         "a": "the cat sat on a mat\nit rained all day\nthe end came\n",
         "b": "a cat sat on the mat\nit rained all day long\n\n",
         "a.human": "1\n2\n3\n", "b.human": "3\n1\n2\n"}

#: Command lines with output for programs.
LINES = ("score ref -i a -f json", "score ref -i a -f json-signed", "score ref -i a -f csv", "score ref -i a b -f json",
         "score ref -i a -sl -f csv", "test ref -i a b -f json", "test ref -i a b -f json-signed",
         "test ref -i a b -f csv", "gate ref -i a --min bleu=1 -f json", "compare ref -i a b -f json",
         "check ref -i a b -f json", "agree ref -i a b -m chrf --human a.human b.human -f json",
         "align ref -i a -m ter -f json", "audit ref -i a -f json")


def commands() -> dict[str, dict[str, Any]]:
    """Return the options of each command. Each option has a list of its choices."""
    return {name: {option.names[0] if option.form == "positional" else " ".join(option.names): list(option.choices)
                   for option in command_named(name).all_options} for name in COMMANDS}


def members() -> dict[str, list[str]]:
    """Return, for each command line, the members (or columns) of its output."""
    found: dict[str, list[str]] = {}
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        os.chdir(folder)
        try:
            for line in LINES:
                output = io.StringIO()
                with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
                    ended = cli.main(line.split())
                if ended:
                    raise SystemExit(f"promises: error: `{line}` ended with exit code {ended}")
                text = output.getvalue()
                found[line] = text.split("\n")[0].split(",") if line.endswith("csv") else sorted(
                    set(_paths(json.loads(text))))
        finally:
            os.chdir(before)
    return found


def _paths(value: Any, path: str = "") -> Iterator[str]:
    """Yield the paths of all members of a JSON value. Items of a list have the path of the list and `[]`."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield f"{path}.{name}".lstrip(".")
            yield from _paths(member, f"{path}.{name}".lstrip("."))
    elif isinstance(value, list):
        for item in value:
            yield from _paths(item, f"{path}[]")


def api() -> dict[str, dict[str, list[str]]]:
    """Return, for each public module, its public names with their parameters."""
    found: dict[str, dict[str, list[str]]] = {}
    for name in ("", *MODULES):
        module = importlib.import_module(f"purebleu.{name}".rstrip("."))
        found[f"purebleu.{name}".rstrip(".")] = {public: _parameters(getattr(module, public))
                                                 for public in sorted(module.__all__)}
    return found


def _parameters(value: Any) -> list[str]:
    """Return the parameters of a function or a class. Keyword-only parameters end with `=`."""
    is_error = inspect.isclass(value) and issubclass(value, Exception)
    if is_error or not (inspect.isclass(value) or inspect.isfunction(value)):
        return []
    parameters = inspect.signature(value).parameters.values()
    by_name = [f"{parameter.name}=" for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]
    return [*[parameter.name for parameter in parameters if parameter.kind is not parameter.KEYWORD_ONLY], *by_name]


def promises() -> dict[str, Any]:
    """Return everything that later versions keep."""
    return {"commands": commands(), "members": members(), "exit codes": {str(code): text for code, text in
                                                                       EXIT_CODES.items()}, "api": api()}


def main(parser: ArgumentParser) -> int:
    parser.parse_args()
    PROMISES.write_text(json.dumps(promises(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0
