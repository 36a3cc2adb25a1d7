"""Removes code that a copy does not need: code after an error, calls of missing parts, and unused names."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from functools import lru_cache
from textwrap import dedent, indent
from typing import Callable, Container, Iterable, Iterator, List, Mapping, NamedTuple, Sequence, Tuple

from vendoring.module_graph import BLOCKS, is_for_types, parsed

#: The error of a part that a copy was made without.
_LEFT_OUT = "LeftOutError"

#: Patterns of empty blocks and of too many empty lines, which remain after statements are removed; their replacements.
_EMPTY = {r"^else:\n+(?=\S|\Z)": "", r"^if (.*):\n+else:\n": r"if not \1:\n", r"^if .*:(\n+(?=\S)|\n*\Z)": "",
          r"\n{4,}": "\n\n\n"}

#: A heading (a comment) with nothing below it: the next heading, the end of the section or of the class follows.
_HEADING_OF_NOTHING = re.compile(r"(?<=\n\n)( *)# .*\n\n+(?=\1# .*\n\n|# =====)|"
                                 r"(?<=\n)\n +# .*\n(?=\n\n(?:def |class |@|# |\Z))")


#: Lines of a source to replace: from the first number to before the second one, counted from 0.
_Lines = Tuple[int, int, List[str]]


def _edited(lines: list[str], edits: Iterable[_Lines]) -> str:
    """Replace lines of a text."""
    for first, end, replacement in sorted(edits, reverse=True):
        lines[first:end] = replacement
    return "\n".join(lines)


def raises_left_out(statement: ast.stmt) -> bool:
    """Whether a statement is `raise LeftOutError(...)`."""
    return isinstance(statement, ast.Raise) and isinstance(statement.exc, ast.Call) and (
        isinstance(statement.exc.func, ast.Name) and statement.exc.func.id == _LEFT_OUT)


def without_dead_code(text: str, fails: Callable[[ast.stmt], bool] = raises_left_out) -> str:
    """Return the source without the statements after a statement that `fails`: it always raises `ImportError`.

    A `try` that begins with such a statement is replaced by its `except` block.
    """
    lines = text.split("\n")
    return _edited(lines, _dead(parsed(text), lines, fails))


def _dead(node: ast.AST, lines: Sequence[str], fails: Callable[[ast.stmt], bool]) -> Iterator[_Lines]:
    """Yield the lines to replace."""
    for field in BLOCKS:
        block: Sequence[ast.stmt] = getattr(node, field, ())
        for place, statement in enumerate(block if isinstance(block, list) else ()):
            if isinstance(statement, ast.Try) and fails(statement.body[0]) and not statement.handlers[0].name:
                body = statement.handlers[0].body
                kept = dedent("\n".join(lines[body[0].lineno - 1:end_of(body[-1])]))
                ends = isinstance(body[-1], (ast.Return, ast.Raise))
                end = end_of(block[-1]) if ends else end_of(statement)
                yield statement.lineno - 1, end, indent(kept, " " * statement.col_offset).split("\n")
                if ends:
                    break
            elif fails(statement):
                if place + 1 < len(block):
                    yield end_of(statement), end_of(block[-1]), []
                break
            elif not _is_generator(statement) and not is_for_types(statement):
                yield from _dead(statement, lines, fails)


def _is_generator(statement: ast.stmt) -> bool:
    """Whether a statement is a generator function. (Without its `yield`, it would return None.)"""
    return isinstance(statement, ast.FunctionDef) and any(
        isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(statement))


def only_raising(text: str) -> dict[str, str]:
    """Return the top-level functions that only raise an error about a missing part, with the error messages."""
    found: dict[str, str] = {}
    for statement in parsed(text).body:
        last = statement.body[-1] if isinstance(statement, ast.FunctionDef) and len(statement.body) <= 2 else statement
        if isinstance(statement, ast.FunctionDef) and isinstance(last, ast.Raise) and raises_left_out(last):
            found[statement.name] = ast.literal_eval(last.exc.args[0])  # type: ignore[union-attr]  # it is a call
    return found


def with_short_refusals(text: str, fails: Callable[[ast.stmt], bool] = raises_left_out) -> str:
    """Return the source with one-line docstrings in functions that only raise an error."""
    lines = text.split("\n")
    edits: list[_Lines] = []
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.FunctionDef) and len(node.body) == 2 and fails(node.body[1]):
            first, end = node.body[0].lineno - 1, end_of(node.body[0])
            if end > first + 1:
                edits.append((first, end, [f'{lines[first]}"""']))
    return _edited(lines, edits)


def without_calls(text: str, names: Container[str]) -> str:
    """Return the source without the statements that only call functions with these names.

    An `if` is also removed if its condition begins with such a call. (The condition would be false.)
    """
    lines = text.split("\n")
    return _edited(lines, _calls(parsed(text), names, lines))


def _calls(node: ast.AST, names: Container[str], lines: Sequence[str]) -> Iterator[_Lines]:
    """Yield the lines to remove."""
    for statement in ast.iter_child_nodes(node):
        if isinstance(statement, ast.stmt) and _only_calls(names, statement):
            yield _first(statement, lines), end_of(statement), []
        elif not isinstance(statement, ast.expr):
            yield from _calls(statement, names, lines)


def _only_calls(names: Container[str], statement: ast.stmt) -> bool:
    """Whether a statement only calls these functions, or is an `if` whose condition begins with such a call."""
    if isinstance(statement, (ast.For, ast.If)) and not statement.orelse:
        if isinstance(statement, ast.If):
            test = statement.test.values[0] if isinstance(statement.test, ast.BoolOp) else statement.test
            if _calls_one_of(names, test):
                return True
        return all(_only_calls(names, inner) for inner in statement.body)
    return isinstance(statement, ast.Expr) and _calls_one_of(names, statement.value)


def _calls_one_of(names: Container[str], node: ast.AST) -> bool:
    """Whether an expression calls one of these functions, or a method of the result of such a call."""
    while isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name):
            return node.func.id in names
        if isinstance(node.func, ast.Attribute):
            if node.func.attr in names:
                return True
            node = node.func.value
        else:
            break
    return False


def without_unused(texts: Mapping[str, str], public: Container[str], members: Container[str]) -> dict[str, str]:
    """Return the sources without unused functions, classes, constants, and members of classes.

    Args:
        texts: the sources of modules, by name. Functions with the same name count as one.
        public: the top-level names that stay.
        members: the names in classes that stay.
    """
    current = dict(texts)
    while True:
        trees = {name: parsed(text) for name, text in current.items()}
        unused = _unused(current.values(), public, members)
        is_changed = False
        for name, tree in trees.items():
            lines = current[name].split("\n")
            edits = list(_without(unused, tree.body, lines))
            if edits:
                current[name] = without_empty_blocks(_edited(lines, edits))
                is_changed = True
        if not is_changed:
            return {name: _HEADING_OF_NOTHING.sub("", text) for name, text in current.items()}


def without_empty_blocks(text: str) -> str:
    """Return the source without empty blocks at the top level."""
    for pattern, left in _EMPTY.items():
        text = re.sub(pattern, left, text, flags=re.MULTILINE)
    return text


class _Uses(NamedTuple):
    """How often names are used: at the top level, and as members of classes."""

    names: Counter[str]
    members: Counter[str]


def uses(node: ast.AST) -> _Uses:
    """Return how often each name is used in a syntax tree.

    Strings that may be names count, too: names of classes in registries, and names of commands, whose constants are in
    capitals. Keys of the tables `..._WAYS` do not count, because a faster function of a method does not use the method.
    """
    found = _Uses(Counter(), Counter())
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, ast.Attribute):
            found.members[inner.attr] += 1
        elif isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Store):
            found.names[inner.id] += 1
            if inner.id.isupper():  # (A class uses its own constants by their bare names.)
                found.members[inner.id] += 1
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str) and inner.value.isidentifier():
            for counter in found:
                counter.update((inner.value, inner.value.upper()))
        if isinstance(inner, ast.Assign) and isinstance(inner.value, ast.Dict) and (
                any(name.endswith("_WAYS") for name in _names_of(inner))):
            waiting += inner.value.values
        else:
            waiting += ast.iter_child_nodes(inner)
    return found


class _Unit(NamedTuple):
    """A statement at the top level or in a class, and what it uses; of a class or an `if`, only its head.

    `within` are the statements that go only together with the unit: the unit itself, and those around it.
    """

    within: tuple[ast.stmt, ...]
    uses: _Uses


def _units(block: Sequence[ast.stmt], around: tuple[ast.stmt, ...] = ()) -> Iterator[_Unit]:
    """Yield the units of a block at the top level or in a class."""
    for statement in block:
        within = (*around, statement)
        if isinstance(statement, ast.ClassDef):
            head = [*statement.decorator_list, *statement.bases, *[keyword.value for keyword in statement.keywords]]
            yield _Unit(within, uses(ast.Tuple(head)))
            yield from _units(statement.body, within)
        elif isinstance(statement, ast.If):
            yield _Unit(within, uses(statement.test))
            yield from _units([*statement.body, *statement.orelse], within)
        else:
            yield _Unit(within, uses(statement))


@lru_cache(maxsize=300)
def units_of(text: str) -> Sequence[_Unit]:
    """Return the units of a source."""
    return [*_units(parsed(text).body)]


def _unused(texts: Iterable[str], public: Container[str], members: Container[str]) -> set[tuple[str, ast.stmt]]:
    """Return the definitions whose names are used only in the definitions themselves, or in other unused ones."""
    trees = [parsed(text) for text in texts]
    top = [found for tree in trees for found in _at_top(tree.body)]
    defining: dict[tuple[int, str], list[ast.stmt]] = {}
    for kind, (definitions, kept) in enumerate([(top, public), (_in_classes(trees), members)]):
        for name, statement in definitions:
            if name not in kept and not name.startswith(("__", "_repr_")):
                defining.setdefault((kind, name), []).append(statement)
    units = [unit for text in texts for unit in units_of(text)]
    unused: set[tuple[str, ast.stmt]] = set()
    while True:
        used = _Uses(Counter(), Counter())
        inside: dict[ast.stmt, list[_Unit]] = {}
        for unit in units:
            for total, own in zip(used, unit.uses):
                total.update(own)
            for statement in unit.within:
                inside.setdefault(statement, []).append(unit)
        before = len(unused)
        for (kind, name), statements in defining.items():
            own_units = [unit for statement in statements for unit in inside.get(statement, ())]
            if used[kind][name] == sum([unit.uses[kind][name] for unit in own_units]):
                unused.update([(name, statement) for statement in statements])
        if len(unused) == before:
            return unused
        gone = {statement for _, statement in unused
                if all((name, statement) in unused for name in _names_of(statement))}
        units = [unit for unit in units if gone.isdisjoint(unit.within)]


def _at_top(block: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """Yield the names that are defined at the top level, also inside an `if`, with their definitions."""
    for statement in block:
        if isinstance(statement, ast.If):
            yield from _at_top([*statement.body, *statement.orelse])
        yield from [(name, statement) for name in _names_of(statement)]


def _in_classes(trees: Iterable[ast.Module]) -> Iterator[tuple[str, ast.stmt]]:
    """Yield the methods and constants of classes whose bases are all in these modules. (Other bases may call them.)"""
    known = {*dir(builtins), "OfScore"}
    waiting = [kind for tree in trees for kind in tree.body if isinstance(kind, ast.ClassDef)]
    found = True
    while found:
        found = False
        for kind in list(waiting):
            bases = [base.value if isinstance(base, ast.Subscript) else base for base in kind.bases]
            if all(isinstance(base, ast.Name) and base.id in known for base in bases):
                known.add(kind.name)
                waiting.remove(kind)
                found = True
                yield from [(name, member) for member in kind.body for name in _names_of(member)
                            if isinstance(member, ast.FunctionDef) or name.isupper()]


def _without(unused: Container[tuple[str, ast.stmt]], block: Sequence[ast.stmt],
             lines: Sequence[str]) -> Iterator[_Lines]:
    """Yield the edits of a block that remove unused definitions."""
    for statement in block:
        names = _names_of(statement)
        gone = [name for name in names if (name, statement) in unused]
        if isinstance(statement, (ast.ClassDef, ast.If)) and not gone:
            yield from _without(unused, [*statement.body, *getattr(statement, "orelse", ())], lines)
        elif gone == names and names:
            yield _first(statement, lines), end_of(statement), []
        elif gone and not isinstance(statement.targets[0], ast.Tuple):  # type: ignore[attr-defined]  # names of one value
            line = lines[statement.lineno - 1]
            for name in gone:
                line = line.replace(f"{name} = ", "", 1)
            yield statement.lineno - 1, statement.lineno, [line]


def _names_of(statement: ast.stmt) -> list[str]:
    """Return the names that a statement defines. The list is empty if it defines none."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    if len(targets) == 1 and isinstance(targets[0], ast.Tuple):
        targets = targets[0].elts
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return names if len(names) == len(targets) and isinstance(statement, (ast.Assign, ast.AnnAssign)) else []


def _first(statement: ast.stmt, lines: Sequence[str]) -> int:
    """Return the index of a statement's first line, with decorators, comment, and (in a block) empty lines above."""
    decorators: Sequence[ast.expr] = getattr(statement, "decorator_list", ())
    first = min([statement.lineno, *[decorator.lineno for decorator in decorators]]) - 1
    while lines[first - 1].lstrip().startswith("#") and not lines[first - 1].startswith("# ====="):
        first -= 1
    while statement.col_offset and not lines[first - 1]:
        first -= 1
    return first


def end_of(node: ast.AST) -> int:
    """Return the number of the last line of a statement."""
    end: int = node.end_lineno  # type: ignore[attr-defined]
    return end
