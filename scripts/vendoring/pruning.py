"""What a single file does not need: code behind an error that comes first, and names that nothing uses."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from textwrap import dedent, indent
from typing import Container, Iterable, Iterator, Sequence

#: The error of a part that a copy was made without.
_LEFT_OUT = "LeftOutError"

#: What the removal of statements leaves: empty blocks at the top, and too many empty lines.
_EMPTY = {r"^else:\n+(?=\S|\Z)": "", r"^if (.*):\n+else:\n": r"if not \1:\n", r"^if .*:\n+(?=\S|\Z)": "",
          r"\n{4,}": "\n\n\n"}

#: A heading before another one, or before the end of a section.
_HEADING_OF_NOTHING = re.compile(r"(?<=\n\n)( *)# .*\n\n+(?=\1# .*\n\n|# =====)")


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


def without_unused(text: str, public: Container[str], members: Container[str]) -> str:
    """Return the source without what nothing uses: functions, classes and constants, and such members of classes.

    Args:
        text: the source of a module.
        public: the names at the top that stay.
        members: the names in classes that stay.
    """
    while True:
        tree = ast.parse(text)
        lines = text.split("\n")
        unused = {*_unused(tree, _at_top(tree.body), False, public), *_unused(tree, _in_classes(tree), True, members)}
        edits = sorted(_without(unused, tree.body, lines), reverse=True)
        if not edits:
            return _HEADING_OF_NOTHING.sub("", text)
        for first, end, replacement in edits:
            lines[first:end] = replacement
        text = "\n".join(lines)
        for pattern, left in _EMPTY.items():
            text = re.sub(pattern, left, text, flags=re.MULTILINE)


def _unused(tree: ast.AST, definitions: Iterable[tuple[str, ast.stmt]], as_members: bool,
            kept: Container[str]) -> Iterator[tuple[str, ast.stmt]]:
    """Those of the definitions whose name is used by them alone."""
    used = Counter(names_used(tree, as_members))
    defining: dict[str, list[ast.stmt]] = {}
    for name, statement in definitions:
        if name not in kept and not name.startswith(("__", "_repr_")):
            defining.setdefault(name, []).append(statement)
    for name, statements in defining.items():
        if used[name] == sum([Counter(names_used(statement, as_members))[name] for statement in statements]):
            yield from [(name, statement) for statement in statements]


def _at_top(block: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """The names that are defined at the top, also inside `if`."""
    for statement in block:
        if isinstance(statement, ast.If):
            yield from _at_top([*statement.body, *statement.orelse])
        yield from [(name, statement) for name in _names_of(statement)]


def _in_classes(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """The methods and constants of classes, unless a base that is not in this file may call them."""
    known = {*dir(builtins), "OfScore"}
    for kind in tree.body:
        if isinstance(kind, ast.ClassDef):
            bases = [base.value if isinstance(base, ast.Subscript) else base for base in kind.bases]
            if all(isinstance(base, ast.Name) and base.id in known for base in bases):
                known.add(kind.name)
                yield from [(name, member) for member in kind.body for name in _names_of(member)
                            if isinstance(member, ast.FunctionDef) or name.isupper()]


def names_used(node: ast.AST, as_members: bool = False) -> Iterator[str]:
    """The names that are read in a part of the source (`as_members`: those of attributes), and texts that may be names:
    of classes, in registries; in capitals, of commands."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute) and as_members:
            yield inner.attr
        elif isinstance(inner, ast.Name) and not as_members and not isinstance(inner.ctx, ast.Store):
            yield inner.id
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str) and inner.value.isidentifier():
            yield from (inner.value, inner.value.upper())


def _without(unused: Container[tuple[str, ast.stmt]], block: Sequence[ast.stmt],
             lines: Sequence[str]) -> Iterator[tuple[int, int, list[str]]]:
    """The changes of a block that leave out unused definitions: lines to replace, and what by."""
    for statement in block:
        names = _names_of(statement)
        gone = [name for name in names if (name, statement) in unused]
        if isinstance(statement, (ast.ClassDef, ast.If)) and not gone:
            yield from _without(unused, [*statement.body, *getattr(statement, "orelse", ())], lines)
        elif gone == names and names:
            yield _first(statement, lines), end_of(statement), []
        elif gone:  # several names of one value
            line = lines[statement.lineno - 1]
            for name in gone:
                line = line.replace(f"{name} = ", "", 1)
            yield statement.lineno - 1, statement.lineno, [line]


def _names_of(statement: ast.stmt) -> list[str]:
    """The names that a statement defines; none if it is of another kind."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return names if len(names) == len(targets) and isinstance(statement, (ast.Assign, ast.AnnAssign)) else []


def _first(statement: ast.stmt, lines: Sequence[str]) -> int:
    """The index of its first line, with decorators and the comment above it, and empty lines inside a block."""
    decorators: Sequence[ast.expr] = getattr(statement, "decorator_list", ())
    first = min([statement.lineno, *[decorator.lineno for decorator in decorators]]) - 1
    while lines[first - 1].lstrip().startswith("#") and not lines[first - 1].startswith("# ====="):
        first -= 1
    while statement.col_offset and not lines[first - 1]:
        first -= 1
    return first


def end_of(node: ast.AST) -> int:
    """The number of the last line of a statement."""
    end: int = node.end_lineno  # type: ignore[attr-defined]
    return end
