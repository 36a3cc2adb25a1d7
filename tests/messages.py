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

#: The project's folder.
ROOT = Path(__file__).resolve().parents[1]

#: Two words or more, not the pieces of a page's markup or of a script.
_TEXT = re.compile(r"(?![\s\S]*(?:<\w+[ >]|</|=>|;\n|\\b))[\s\S]*[A-Za-z{][\w}’'.,:]* [\w{('\"-]")


class _Reader(ast.NodeVisitor):
    """Reads the texts of a module, without docstrings and annotations: lines, the calls that take them, texts."""

    def __init__(self) -> None:
        self.found: list[tuple[int, str, str]] = []
        self._call = ""

    def visit_Call(self, node: ast.Call) -> None:
        before, self._call = self._call, ast.unparse(node.func).rpartition(".")[2]
        self.generic_visit(node)
        self._call = before

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.found.append((node.lineno, self._call, node.value))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """An f-string, with its expressions in braces in place of values."""
        parts = [part.value if isinstance(part, ast.Constant) else f"{{{ast.unparse(part.value)}}}"  # type: ignore[attr-defined]
                 for part in node.values]
        self.found.append((node.lineno, self._call, "".join(map(str, parts))))
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # (a docstring)
            self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_arg(self, node: ast.arg) -> None:
        """An argument of a function has only an annotation."""


if __name__ == "__main__":
    modules = [*sorted((ROOT / "purebleu").rglob("*.py")), *sorted((ROOT / "scripts").rglob("*.py"))]
    for path in [path for path in modules if all(part in str(path) for part in sys.argv[1:])]:
        reader = _Reader()
        reader.visit(ast.parse(path.read_text(encoding="utf-8")))
        for line, call, text in sorted(reader.found):
            if _TEXT.match(text):
                shown = text.replace("\n", "\\n")
                sys.stdout.write(f"{path.relative_to(ROOT)}:{line}: {call}: {shown}\n")
