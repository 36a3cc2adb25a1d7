"""What a single file does not need: code behind an error that comes first, and names that nothing uses."""

from __future__ import annotations

import ast
from collections import Counter
from textwrap import dedent, indent
from typing import Iterator, Sequence

#: The error of a part that a copy was made without.
_LEFT_OUT = "LeftOutError"


def without_dead_code(text: str) -> str:
    """Return the source without the statements behind `raise LeftOutError(...)`, which never run.

    A `try` that begins with this error is replaced by what it does for an `ImportError`.
    """
    lines = text.split("\n")
    for first, end, replacement in sorted(_dead(ast.parse(text), lines), reverse=True):
        lines[first:end] = replacement
    return "\n".join(lines)


def _dead(node: ast.AST, lines: Sequence[str]) -> Iterator[tuple[int, int, list[str]]]:
    """The lines to replace: from the first one to before the second one."""
    for field in ("body", "orelse", "handlers", "finalbody"):
        block: Sequence[ast.stmt] = getattr(node, field, ())
        for place, statement in enumerate(block if isinstance(block, list) else ()):
            if isinstance(statement, ast.Try) and _raises(statement.body[0]) and not statement.handlers[0].name:
                body = statement.handlers[0].body
                kept = dedent("\n".join(lines[body[0].lineno - 1:end_of(body[-1])]))
                ends = isinstance(body[-1], (ast.Return, ast.Raise))
                end = end_of(block[-1]) if ends else end_of(statement)
                yield statement.lineno - 1, end, indent(kept, " " * statement.col_offset).split("\n")
                if ends:
                    break
            elif _raises(statement):
                if place + 1 < len(block):
                    yield end_of(statement), end_of(block[-1]), []
                break
            elif not _is_generator(statement):
                yield from _dead(statement, lines)


def _is_generator(statement: ast.stmt) -> bool:
    """Whether it is a function with `yield`: without this word in a dead part, it would return None."""
    return isinstance(statement, ast.FunctionDef) and any(
        isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(statement))


def _raises(statement: ast.stmt) -> bool:
    """Whether it is `raise LeftOutError(...)`."""
    return isinstance(statement, ast.Raise) and isinstance(statement.exc, ast.Call) and (
        isinstance(statement.exc.func, ast.Name) and statement.exc.func.id == _LEFT_OUT)


def only_raising(text: str) -> dict[str, str]:
    """The functions at the top that do nothing but say that a part was left out, each with what it says."""
    found: dict[str, str] = {}
    for statement in ast.parse(text).body:
        last = statement.body[-1] if isinstance(statement, ast.FunctionDef) and len(statement.body) <= 2 else statement
        if isinstance(statement, ast.FunctionDef) and isinstance(last, ast.Raise) and _raises(last):
            found[statement.name] = ast.literal_eval(last.exc.args[0])  # type: ignore[union-attr]  # it is a call
    return found


def without_unused(text: str, public: Sequence[str]) -> str:
    """Return the source without the functions, classes and constants at the top that nothing uses.

    Args:
        text: the source of a module.
        public: the names that stay.
    """
    while True:
        tree = ast.parse(text)
        used = Counter(names_used(tree))
        unused = [statement for statement in tree.body for name in [_name_of(statement)]
                  if name and name not in public and not name.startswith("__")
                  and used[name] == Counter(names_used(statement))[name]]
        if not unused:
            return text
        lines = text.split("\n")
        for statement in reversed(unused):
            del lines[_first(statement, lines):end_of(statement)]
        text = "\n".join(lines)
        while "\n\n\n\n" in text:
            text = text.replace("\n\n\n\n", "\n\n\n")


def names_used(node: ast.AST) -> Iterator[str]:
    """The names that are read in a part of the source, and texts that may be names: of classes, in registries;
    in capitals, of commands."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Store):
            yield inner.id
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str) and inner.value.isidentifier():
            yield from (inner.value, inner.value.upper())


def _name_of(statement: ast.stmt) -> str:
    """The only name that a statement at the top defines; empty if it is of another kind."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return statement.name
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return statement.target.id
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return ""


def _first(statement: ast.stmt, lines: Sequence[str]) -> int:
    """The index of its first line, with decorators and the comment above it."""
    decorators: Sequence[ast.expr] = getattr(statement, "decorator_list", ())
    first = min([statement.lineno, *[decorator.lineno for decorator in decorators]]) - 1
    while lines[first - 1].startswith("#") and not lines[first - 1].startswith("# ====="):
        first -= 1
    return first


def end_of(node: ast.AST) -> int:
    """The number of the last line of a statement."""
    end: int = node.end_lineno  # type: ignore[attr-defined]
    return end
