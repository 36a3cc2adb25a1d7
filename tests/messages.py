"""The list of all texts that the code shows to people: errors, warnings, help of options, sentences of outputs.

`python3 -m tests.messages [PART OF A PATH]`, from the project's folder, prints them with their files and lines, for
somebody who reads them from top to bottom (on Python 3.9 or newer). `report_sentences` has the sentences of reports as
they are printed.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import Iterator, NamedTuple

#: The project's folder.
ROOT = Path(__file__).resolve().parents[1]

#: Two words or more, not the pieces of a page's markup or of a script.
_TEXT = re.compile(r"(?![\s\S]*(?:<\w+[ >]|</|=>|;\n|\\b))[\s\S]*[A-Za-z{][\w}’'.,:]* [\w{('\"-]")


class Message(NamedTuple):
    """A text, with expressions in braces in place of values, and where it stands."""

    path: str
    line: int
    kind: str
    text: str


def messages_of(path: Path) -> Iterator[Message]:
    """The texts of a module, in their order, without its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {id(part) for node in ast.walk(tree) for part in _parts_that_are_no_text(node)}
    found: list[Message] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            kind = ast.unparse(node.func).rpartition(".")[2]
            for argument in [*node.args, *[keyword.value for keyword in node.keywords]]:
                for part in _texts_in(argument, skipped):
                    found.append(Message(str(path.relative_to(ROOT)), part.lineno, kind, _shown(part)))
    for node in ast.walk(tree):
        for part in _texts_in(node, skipped) if isinstance(node, (ast.JoinedStr, ast.Constant)) else ():
            found.append(Message(str(path.relative_to(ROOT)), part.lineno, "", _shown(part)))
    return iter(sorted([message for message in found if _TEXT.match(message.text)], key=lambda message: message.line))


def _parts_that_are_no_text(node: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, annotations, and the pieces of f-strings."""
    body = getattr(node, "body", None)
    if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and body and isinstance(body[0], ast.Expr):
        yield body[0].value
    if isinstance(node, ast.JoinedStr):
        for value in node.values:
            yield from [part for part in ast.walk(value) if isinstance(value, ast.Constant)]
    for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
        if annotation is not None:
            yield from ast.walk(annotation)


def _texts_in(node: ast.AST, skipped: set[int]) -> list[ast.Constant | ast.JoinedStr]:
    """The texts of an argument that no call inside of it has: they are marked, so that each is found once."""
    parts = [node]
    if isinstance(node, (ast.IfExp, ast.BinOp, ast.BoolOp)):
        parts = [part for part in ast.walk(node) if not isinstance(part, ast.Call)]
    found: list[ast.Constant | ast.JoinedStr] = []
    for part in parts:
        if id(part) in skipped:
            continue
        if isinstance(part, ast.JoinedStr) or (isinstance(part, ast.Constant) and isinstance(part.value, str)):
            skipped.add(id(part))
            found.append(part)
    return found


def _shown(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return "".join([str(part.value) if isinstance(part, ast.Constant) else
                    f"{{{ast.unparse(part.value)}}}" for part in node.values])  # type: ignore[attr-defined]


def all_messages(wanted: str = "") -> list[Message]:
    """All texts of the package and of the scripts, in modules whose paths have a part."""
    modules = [*sorted((ROOT / "purebleu").rglob("*.py")), *sorted((ROOT / "scripts").rglob("*.py"))]
    paths = [path for path in modules if wanted in str(path)]
    return [message for path in paths for message in messages_of(path)]


if __name__ == "__main__":
    for message in all_messages(*sys.argv[1:]):
        text = message.text.replace("\n", "\\n")
        sys.stdout.write(f"{message.path}:{message.line}: {message.kind}: {text}\n")
