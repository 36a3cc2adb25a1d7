"""Mutants of a module: one small edit of its source text each, located by its syntax tree.

Five kinds of faults: comparisons (`<` becomes `>=`), boundaries (`<` becomes `<=`), arithmetic (`+` becomes `-`),
constants (1 becomes 2) and conditions (negated; `and` becomes `or`). Left alone is what computes nothing: annotations,
what only type checkers see, `__all__`, and text of any kind, with the f-strings and the arguments of errors that
messages are made of.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import Iterator, NamedTuple

#: Symbols of operators, and those that take their place; each is a mutant of its own.
OPERATORS: dict[type[ast.AST], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
    ast.Add: ("+", ("-",)),
    ast.Sub: ("-", ("+",)),
    ast.Mult: ("*", ("/",)),
    ast.Div: ("/", ("*",)),
    ast.FloorDiv: ("//", ("/",)),
    ast.Mod: ("%", ("//",)),
    ast.Pow: ("**", ("*",)),
    ast.LShift: ("<<", (">>",)),
    ast.RShift: (">>", ("<<",)),
    ast.BitAnd: ("&", ("|",)),
    ast.BitOr: ("|", ("&",)),
    ast.BitXor: ("^", ("&",)),
    ast.And: ("and", ("or",)),
    ast.Or: ("or", ("and",)),
}

#: Names whose values are no computation.
DECLARATIONS = {"TYPE_CHECKING", "__all__"}

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Key(NamedTuple):
    """The name of a mutant that stays the same when other lines of its module change."""

    path: str
    #: The qualified name of the function or class around it; "" in the module itself.
    scope: str
    #: The source line without its indentation.
    text: str
    #: As `< -> <=`; with a number behind it, where the same edit is possible more than once in such a line.
    edit: str

    def __str__(self) -> str:
        return f"{self.path} {self.scope}\n    {self.text}\n    {self.edit}"


class Mutant(NamedTuple):
    """An edit of a module's bytes: `new` in place of those from `start` to `end`."""

    key: Key
    start: int
    end: int
    new: bytes
    #: The line where it is, then first and last line of the expression that it changes.
    line: int
    lines: tuple[int, int]
    #: Whether it is code that runs when the module is imported.
    at_import: bool

    def applied(self, source: bytes) -> bytes:
        """The module with this fault."""
        return source[: self.start] + self.new + source[self.end :]


class Edit(NamedTuple):
    """An edit before it has its key: one of several with the same text may follow."""

    start: int
    end: int
    new: bytes
    name: str
    node: ast.expr | ast.stmt
    scope: str
    at_import: bool


def mutants_of(path: str, source: bytes) -> list[Mutant]:
    """All mutants of a module, in the order of its text; `path` is for their keys."""
    edits = sorted(_Finder(source).edits(), key=lambda edit: (edit.start, edit.end, edit.new))
    lines = source.split(b"\n")
    counts: Counter[Key] = Counter()
    mutants = []
    for edit in edits:
        line = source.count(b"\n", 0, edit.start)
        key = Key(path, edit.scope, lines[line].decode().strip(), edit.name)
        counts[key] += 1
        if counts[key] > 1:
            key = key._replace(edit=f"{edit.name} ({counts[key]})")
        span = (edit.node.lineno, edit.node.end_lineno or edit.node.lineno)
        mutants.append(Mutant(key, edit.start, edit.end, edit.new, line + 1, span, edit.at_import))
    return mutants


class _Finder:
    """Finds the edits of a module."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.starts = [0]  # of lines, in bytes: the columns of syntax trees count bytes, too
        for line in source.split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def edits(self) -> Iterator[Edit]:
        return self.within(ast.parse(self.source), "", True)

    def within(self, node: ast.AST, scope: str, at_import: bool) -> Iterator[Edit]:
        """The edits of a node and of all that it contains."""
        if computes_nothing(node):
            return
        if isinstance(node, (ast.expr, ast.stmt)):
            for start, end, new, name in self.at(node):
                yield Edit(start, end, new, name, node, scope, at_import)
        inner_scope, inner_import = scope, at_import
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inner_scope = f"{scope}.{node.name}" if scope else node.name
        if isinstance(node, FUNCTIONS):
            inner_import = False
        for name, value in ast.iter_fields(node):
            values = value if isinstance(value, list) else [value]
            if name in ("annotation", "returns"):
                continue
            is_body = name == "body"  # (decorators and defaults are evaluated outside)
            for child in values:
                if isinstance(child, ast.AST):
                    yield from self.within(child, inner_scope, inner_import if is_body else at_import)

    def at(self, node: ast.AST) -> Iterator[tuple[int, int, bytes, str]]:
        """The edits of one node: start, end, what takes the place, and the name of the edit."""
        if isinstance(node, ast.Compare):
            operands = [node.left, *node.comparators]
            for left, operator, right in zip(operands, node.ops, operands[1:]):
                yield from self.operator(operator, self.end(left), self.start(right))
        elif isinstance(node, ast.BoolOp):
            for left, right in zip(node.values, node.values[1:]):
                yield from self.operator(node.op, self.end(left), self.start(right))
        elif isinstance(node, ast.BinOp):
            if not (is_text(node.left) or is_text(node.right)):
                yield from self.operator(node.op, self.end(node.left), self.start(node.right))
        elif isinstance(node, ast.AugAssign):
            if not is_text(node.value):
                yield from self.operator(node.op, self.end(node.target), self.start(node.value))
        elif isinstance(node, ast.UnaryOp):
            symbol = {ast.Not: "not", ast.USub: "-"}.get(type(node.op))
            if symbol is not None:
                yield self.start(node), self.start(node) + len(symbol), b"", f"{symbol} -> nothing"
        elif isinstance(node, ast.Constant):
            new = other_constant(node.value)
            if new is not None:
                old = self.source[self.start(node) : self.end(node)].decode()
                yield self.start(node), self.end(node), new.encode(), f"{old} -> {new}"
        conditions = [node.test] if isinstance(node, (ast.If, ast.While, ast.IfExp)) else []
        for generator in getattr(node, "generators", []):
            conditions += generator.ifs
        for test in conditions:
            if not has_negation(test):
                yield self.start(test), self.end(test), b"not (%b)" % self.source[self.start(test) : self.end(test)], \
                    "condition negated"

    def operator(self, node: ast.AST, start: int, end: int) -> Iterator[tuple[int, int, bytes, str]]:
        """The edits of an operator that stands between these two, where there may be parentheses and comments, too."""
        symbol, others = OPERATORS.get(type(node), ("", ()))
        between = re.sub(rb"#[^\n]*", lambda comment: b" " * len(comment[0]), self.source[start:end])
        found = re.search(re.escape(symbol).replace(r"\ ", r"\s+").encode(), between)
        if symbol and found:
            for other in others:
                yield start + found.start(), start + found.end(), other.encode(), f"{symbol} -> {other}"

    def start(self, node: ast.expr) -> int:
        return self.starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr) -> int:
        return self.starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)


def computes_nothing(node: ast.AST) -> bool:
    """Whether a node is a message, a declaration or what only type checkers see."""
    if isinstance(node, (ast.JoinedStr, ast.Raise)):
        return True
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return any(isinstance(target, ast.Name) and target.id in DECLARATIONS for target in targets)


def is_text(node: ast.expr) -> bool:
    """Whether a node is text as it stands: nothing but a crash comes of arithmetic with it."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)))


def has_negation(test: ast.expr) -> bool:
    """Whether another edit of this condition is its negation already."""
    return isinstance(test, (ast.UnaryOp, ast.Constant)) or (isinstance(test, ast.Compare) and len(test.ops) == 1)


def other_constant(value: object) -> str | None:
    """The source of another truth value, or of a number that is larger by one."""
    if isinstance(value, bool):
        return repr(not value)
    if isinstance(value, (int, float)) and value + 1 != value:
        return repr(value + 1)
    return None
