"""Removes unused code from the modules of a small copy that is a package."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from itertools import chain
from textwrap import wrap
from typing import Container, Iterator, Mapping

from vendoring.copy_parts import Parts, classes, kept_at_top, kept_members, public_names, reached
from vendoring.module_graph import BLOCKS, ModuleGraph, imports_in, is_for_types, parsed
from vendoring.pruning import (
    end_of,
    units_of,
    with_short_refusals,
    without_dead_code,
    without_empty_blocks,
    without_unused,
)

#: The width of lines.
_WIDTH = 120

#: A line of an example.
_EXAMPLE = re.compile(r"^ *(?:>>>|\.\.\.) .*", re.MULTILINE)


def slimmed(graph: ModuleGraph, parts: Parts, documented: str) -> tuple[ModuleGraph, Parts]:
    """Return the modules of a copy without unused code. `documented` is a text with the names of public members."""
    before = {}
    for name in parts.kept:
        def fails(statement: ast.stmt, name: str = name) -> bool:
            return isinstance(statement, ast.ImportFrom) and statement.level > 0 and any(
                graph.target(one) in parts.missing for one in imports_in(statement, name))

        before[name] = with_short_refusals(without_dead_code(graph.sources[name], fails), fails)
    named = {**public_names(graph), **classes(graph)}
    lacking = {name for name, module in named.items() if module in parts.missing}
    # (Examples in docstrings call members. Perhaps nothing else in the copy uses these.)
    examples = "\n".join([line for text in before.values() for line in _EXAMPLE.findall(text)])
    called = " ".join(re.findall(r"\.\w+", examples))
    top, members = kept_at_top(graph, parts), kept_members(parts, f"{documented} {called}")
    sources: Mapping[str, str] = before
    while True:
        pruned = _without_faster_ways(without_unused(sources, top, members), lacking)
        pruned = {name: _with_imports(graph, name, pruned, lacking) for name in pruned}
        slim = ModuleGraph({**graph.sources, **pruned})
        kept = reached(slim, parts.missing)
        if pruned == sources and len(kept) == len(pruned):
            return slim, parts._replace(kept=kept)
        sources = {name: pruned[name] for name in kept}


def _without_faster_ways(sources: Mapping[str, str], lacking: Container[str]) -> dict[str, str]:
    """Return the sources without unused faster functions, which are items of tables.

    A tokenizer names its faster function in `FASTER`, and a metric gets one by calling `_faster`.
    """
    asked = {name for source in sources.values() for name in _asked(source)}
    found = dict(sources)
    for name in sources:
        for statement in parsed(sources[name]).body:
            value = getattr(statement, "value", None)
            [target] = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
            if isinstance(value, ast.Dict) and isinstance(target, ast.Name):
                if target.id == "_WAYS":  # the modules of metrics
                    entries = [place for place, key in enumerate(value.keys)
                               if ast.literal_eval(key or value) not in lacking]
                elif target.id == "FASTER" or target.id.endswith("_WAYS"):
                    entries = [place for place, key in enumerate(value.keys) if ast.literal_eval(key or value) in asked]
                else:
                    continue
                if len(entries) < len(value.keys):
                    found[name] = _with_entries(sources[name], value, entries)
    return found


@lru_cache(maxsize=300)
def _asked(source: str) -> list[object]:
    """Return the names of faster functions that a module uses."""
    asked: list[object] = []
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "_faster":
            asked.append(ast.literal_eval(node.args[0]))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and (
                node.targets[0].id == "FASTER" and isinstance(node.value, ast.Constant)):
            asked.append(node.value.value)
    return asked


def _with_entries(text: str, table: ast.Dict, entries: list[int]) -> str:
    """Return the source with only these entries of a table. (Nothing else may be on its last line.)"""
    listed = [f"{ast.get_source_segment(text, table.keys[place] or table)}: "
              f"{ast.get_source_segment(text, table.values[place])}," for place in entries]
    lines = text.split("\n")
    start = lines[table.lineno - 1][:table.col_offset]
    filled = [" " * 3]
    for entry in listed:
        if len(f"{filled[-1]} {entry}") > _WIDTH:
            filled.append(" " * 3)
        filled[-1] += f" {entry}"
    lines[table.lineno - 1:end_of(table)] = [f"{start}{{", *filled, "}"]
    return "\n".join(lines)


def _with_imports(graph: ModuleGraph, name: str, sources: Mapping[str, str], lacking: Container[str]) -> str:
    """Return the source of a module without unused imports, and without imports for types of names in `lacking`."""
    text = sources[name]
    lines = text.split("\n")
    used = {used for unit in units_of(text) for used in unit.uses.names}
    for statement, for_types in reversed(list(_imports(parsed(text)))):
        kept: list[str] = []
        for one, alias in zip(imports_in(statement, name), statement.names):
            # (The import of a missing module stays: at run time, it raises an error. `X as X` is for other modules.)
            is_used = (alias.asname or alias.name).partition(".")[0] in used or alias.asname == alias.name
            if one.level and graph.target(one) not in sources:
                is_used = not for_types
            if (is_used and not (for_types and one.name in lacking)) or one.module == "__future__":
                kept.append(alias.name + (f" as {alias.asname}" if alias.asname else ""))
        if len(kept) < len(statement.names):
            end = end_of(statement)
            if not kept and not for_types and statement.col_offset and not lines[end]:
                end += 1
            lines[statement.lineno - 1:end] = _import_of(statement, kept) if kept else []
    return without_empty_blocks("\n".join(lines))


def _imports(node: ast.AST, for_types: bool = False) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Yield the import statements in order, and whether they are for type checkers."""
    for child in chain.from_iterable([getattr(node, block, ()) for block in BLOCKS]):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child, for_types
        else:
            yield from _imports(child, for_types or is_for_types(child))


def _import_of(statement: ast.Import | ast.ImportFrom, names: list[str]) -> list[str]:
    """Return the lines of an import statement with only these names."""
    indent = " " * statement.col_offset
    if isinstance(statement, ast.Import):
        return [f"{indent}import {', '.join(names)}"]
    start = f"{indent}from {'.' * statement.level}{statement.module or ''} import "
    if len(start + ", ".join(names)) <= _WIDTH:
        return [start + ", ".join(names)]
    listed = wrap(", ".join(names) + ")", _WIDTH, initial_indent=f"{start}(", subsequent_indent=" " * len(f"{start}("))
    return listed
