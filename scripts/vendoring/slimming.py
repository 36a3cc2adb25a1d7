"""The modules of a small copy that is a package: without what nothing in the copy uses."""

from __future__ import annotations

import ast
from textwrap import wrap
from typing import Iterator, Mapping

from vendoring.copy_parts import Parts, kept_at_top, kept_members, reached
from vendoring.module_graph import ModuleGraph, imports_in, is_for_types
from vendoring.pruning import (
    end_of,
    names_used,
    parsed,
    with_short_refusals,
    without_dead_code,
    without_empty_blocks,
    without_unused,
)

#: The width of lines.
_WIDTH = 120


def slimmed(graph: ModuleGraph, parts: Parts, documented: str) -> tuple[ModuleGraph, Parts]:
    """Return the modules of a copy without what nothing uses; `documented`: text with the names of public members."""
    before = {}
    for name in parts.kept:
        def fails(statement: ast.stmt, name: str = name) -> bool:
            return isinstance(statement, ast.ImportFrom) and statement.level > 0 and any(
                graph.target(one) in parts.missing for one in imports_in(statement, name))

        before[name] = with_short_refusals(without_dead_code(graph.sources[name], fails), fails)
    top, members = kept_at_top(graph, parts), kept_members(parts, documented)
    sources: Mapping[str, str] = before
    while True:
        pruned = without_unused(sources, top, members)
        pruned = {name: _with_imports(graph, name, pruned, graph.sources[name], parts) for name in pruned}
        slim = ModuleGraph({**graph.sources, **pruned})
        kept = reached(slim, parts.missing)
        if pruned == sources and len(kept) == len(pruned):
            return slim, parts._replace(kept=kept)
        sources = {name: pruned[name] for name in kept}


def _with_imports(graph: ModuleGraph, name: str, sources: Mapping[str, str], before: str, parts: Parts) -> str:
    """Return the source of a module without imports that it has no more use for."""
    text = sources[name]
    lines = text.split("\n")
    used, used_before = {*names_used(parsed(text))}, {*names_used(parsed(before))}
    for statement, for_types in reversed(list(_imports(parsed(text)))):
        kept = []
        for one, alias in zip(imports_in(statement, name), statement.names):
            bound = (alias.asname or alias.name).partition(".")[0]
            is_used = bound in used or bound not in used_before
            if one.level:
                target = graph.target(one)
                if target in parts.missing:
                    is_used = not for_types  # (At run time, it says that this part was left out.)
                elif is_used:
                    is_used = target in sources and (target.rpartition(".")[2] == one.name
                                                     or one.name in _defined(parsed(sources[target])))
            if is_used or one.module == "__future__":
                kept.append(alias.name + (f" as {alias.asname}" if alias.asname else ""))
        if len(kept) < len(statement.names):
            end = end_of(statement)
            if not kept and not for_types and statement.col_offset and not lines[end]:
                end += 1
            lines[statement.lineno - 1:end] = _import_of(statement, kept) if kept else []
    return without_empty_blocks("\n".join(lines))


def _imports(node: ast.AST, for_types: bool = False) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """The statements that import something, in order, and whether they are for type checkers."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child, for_types
        elif not isinstance(child, ast.expr):
            yield from _imports(child, for_types or is_for_types(child))


def _defined(tree: ast.AST) -> set[str]:
    """The names that the top of a module defines or imports."""
    found: set[str] = set()
    for statement in ast.iter_child_nodes(tree):
        if isinstance(statement, ast.If):
            found |= _defined(statement)
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            found |= {alias.asname or alias.name for alias in statement.names}
        elif isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            found.add(statement.name)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            found |= {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    return found


def _import_of(statement: ast.Import | ast.ImportFrom, names: list[str]) -> list[str]:
    """The lines that import these names as a statement does."""
    indent = " " * statement.col_offset
    if isinstance(statement, ast.Import):
        return [f"{indent}import {', '.join(names)}"]
    start = f"{indent}from {'.' * statement.level}{statement.module or ''} import "
    if len(start + ", ".join(names)) <= _WIDTH:
        return [start + ", ".join(names)]
    listed = wrap(", ".join(names) + ")", _WIDTH, initial_indent=f"{start}(",
                  subsequent_indent=" " * len(f"{start}("))
    return listed
