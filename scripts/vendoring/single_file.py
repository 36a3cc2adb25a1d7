"""Writes the package, or a part of it, as a single module.

What defines a score comes first: the tokenizer 13a, n-grams, and BLEU, each after what it needs to be defined. The
other modules follow in the order of the layers.

All names are in one namespace. So imports inside the package are removed, and imports of the standard library move to
the top of the file. If two modules define the same name, an error names both modules.
"""

from __future__ import annotations

import ast
import builtins
import json
import re
from collections import Counter
from textwrap import wrap
from typing import Container, Iterator, Mapping, NamedTuple, Sequence

from vendoring.archives import literal
from vendoring.copy_parts import Parts, classes, kept_at_top, kept_members, metric_modules, public_names
from vendoring.module_graph import LEVELS, ModuleGraph, imports_in, is_for_types, parsed
from vendoring.pruning import end_of, only_raising, uses, with_short_refusals, without_dead_code, without_unused

#: Features and modules that no single file has: they need further files, or only a package has a use for them.
NEVER = ("datasets", "mecab", "sentencepiece", "agreement", "audit", "checks", "rows", "evaluate", "page", "serve")
_LEFT_ASIDE = ("", "__main__", "compat.alias", "compat.tables", "compat.v1", "runtime.lazy")

#: Expressions that only a package needs, and their replacements.
_REPLACED = {
    '__name__.rpartition(".")[0]': "__name__",
    '__name__.rpartition(".runtime.")[0]': "__name__",
    '__name__.partition(".")[0]': "__name__",
    "-> metrics.": "-> ",
}

#: Code that looks up faster code. A plain file lacks it.
_ASKS_FOR_FASTER = re.compile(r" *faster = .*_faster.*\n|\bfaster\([^)]*\) if faster else ")

#: Examples that call one of some names, with their output.
_EXAMPLES_WITH = r'^ *>>> .*\b(?:{})\(.*\n(?:(?! *>>>| *"""| *$).*\n)*'

#: The head of a section that is empty.
_HEAD_OF_NOTHING = re.compile(r"# ===== .*\n#\n(?:#.*\n)*\n+(?=# =====)")

_HEAD = '''\
{docstring}

from __future__ import annotations

{imports}

TYPE_CHECKING = False
if TYPE_CHECKING:
{types}
'''

#: The docstring of a copy that is a part of the package.
_DOCSTRING_OF_PART = '''\
"""A part of purebleu: scores that are comparable and reproducible, from the standard library alone.

{public}

To see how a score is computed, read these in turn (a heading such as `# ===== metrics/bleu.py` begins each module of
purebleu in a single file):

    metrics/bleu.py                 the formulas, at the top
    metrics/base.py                 Metric.corpus_score: all steps
    metrics/segments.py             checked_corpus: checks of hypotheses and references
    metrics/base.py                 Metric.block_statistics: steps 1 and 2 for many segments
    metrics/tokens.py               tokens_of: step 1, from lines to tokens
    tokenizers/tokenizer_13a.py     the usual tokenizer
    metrics/bleu.py                 BLEU.segment_statistics: step 2, a row of counts
    engines/ngrams/counting.py      count_matches: the n-grams that match
    metrics/evaluation.py           sum_statistics: the sums of the columns of rows
    metrics/bleu.py                 BLEU.compute_bleu: step 3, from sums to a score
"""'''

_TAIL = '''\


# Public names, and names that this file lacks

__all__ = [
{names}
]

#: The parts that were left out, and their names.
_LEFT_OUT = {{
{left_out}}}


def __getattr__(name: str) -> object:
    """If a name was left out, raise an error that says so."""
    for part, names in _LEFT_OUT.items():
        if name in names.split():
            raise LeftOutError(f"this copy of purebleu has no {{name}}, because it was made without {{part}}")
    raise AttributeError(f"module {{__name__!r}} has no attribute {{name!r}}")
'''

_MAIN = '''

if __name__ == "__main__":
    run()
'''

#: The width of lines.
_WIDTH = 120


class SingleFileError(Exception):
    """An error that says why the package can't be put into one file."""


class _Edit(NamedTuple):
    """Lines of a source to replace: from `first` to before `end`, counted from 0."""

    first: int
    end: int
    lines: Sequence[str]


def single_file(graph: ModuleGraph, parts: Parts, documented: str = "") -> str:
    """Return the source of a module with all of `parts`. `documented` is a text with the names of public members."""
    sections = _sections(graph, parts)
    # (A single file has no module `metrics`, so all metrics are public in the file itself.)
    metrics = metric_modules(graph.sources["metrics"])
    public = {**public_names(graph), "ROUGE": "metrics.rouge",
              **{name: f"metrics.{module}" for name, module in metrics.items()}}
    body = with_short_refusals(without_dead_code("".join([section.text() for section in sections])))
    empty = only_raising(body)
    body = without_unused({"": body}, {*kept_at_top(graph, parts), *public} - empty.keys(),
                          kept_members(parts, documented))[""]
    body = _HEAD_OF_NOTHING.sub("", body)
    defined = {name for section in sections for name in section.defined(False)} - empty.keys()
    lacking = "|".join(sorted({*public, *classes(graph)} - defined))
    body = re.sub(_EXAMPLES_WITH.format(lacking), "", body, flags=re.MULTILINE)
    errors = [name for name in literal(graph.sources["runtime.errors"], "__all__") if f"\nclass {name}(" in body]
    scores = [f"{name}Score" for name in metrics if f"{name}Score" in defined]
    there, used = sorted({*(public.keys() & defined), *errors, *scores}), uses(parsed(body)).names
    text = _HEAD.format(docstring=docstring_of(graph, there), imports=_imports(sections, False, used),
                        types=_imports(sections, True, used)) + body.rstrip("\n") + "\n"
    left_out: dict[str, list[str]] = {}
    for name, module in {**public, **classes(graph)}.items():
        if name not in defined and (name in public or "cli" in parts.kept or not module.startswith("cli.")):
            part = empty.get(name, "").partition(" without ")[2] or parts.missing.get(module, "what needs a package")
            left_out.setdefault(f"{part} (only a package can have it)" if part in NEVER else part, []).append(name)
    text += _TAIL.format(names=_listed([*map(json.dumps, there), '"__version__"'], "    "),
                         left_out=table({part: sorted(named) for part, named in left_out.items()}))
    if "import_module" in text:
        raise SingleFileError("something is still imported by its name")
    return text + _MAIN if "cli" in parts.kept else text


def check_names(graph: ModuleGraph, parts: Parts) -> None:
    """Raise `SingleFileError` if two modules in `parts` define the same name."""
    _sections(graph, parts)


def _sections(graph: ModuleGraph, parts: Parts) -> list[_Section]:
    """Return the sections of a file in order. Raise `SingleFileError` if two of them define the same name."""
    names = _in_order(graph, [name for name in parts.kept if name not in _LEFT_ASIDE])
    sections = [section for section in [_Section(graph, name, parts) for name in names] if not section.is_empty()]
    _check_names(sections)
    return sections


def _complaint(module: str, parts: Parts) -> str:
    """Return a message: why a file lacks a module."""
    if module in parts.missing:
        return parts.complaint(module)
    return f"a single file of purebleu has no {module}"


def table(names: Mapping[str, Sequence[str]]) -> str:
    """Return the source of a dict's items: missing parts, and for each its names, joined by spaces."""
    text = ""
    for part, named in sorted(names.items()):
        key = f"    {json.dumps(part)}: "
        first, *rest = wrap(" ".join(named), _WIDTH - len(key) - len('" ",'))
        texts = [json.dumps(first), *[json.dumps(f" {line}") for line in rest]]
        text += key + f"\n{' ' * len(key)}".join(texts) + ",\n"
    return text


def docstring_of(graph: ModuleGraph, there: Sequence[str]) -> str:
    """Return the docstring of the package. For a part of the package, it is a list of its public names."""
    if not public_names(graph).keys() - there:
        return graph.sources[""].partition("\n\nfrom __future__")[0]
    public = "\n".join(wrap(f"What is public: {', '.join([*there, '__version__'])}.", _WIDTH))
    return _DOCSTRING_OF_PART.format(public=public)


def _listed(names: Sequence[str], indent: str) -> str:
    """Return the names, separated by commas, in lines of the usual width."""
    return "\n".join(wrap(", ".join(names) + ",", _WIDTH, initial_indent=indent, subsequent_indent=indent))


#: The modules that come first, if they are there: what defines a score.
_FIRST = ("tokenizers.tokenizer_13a", "engines.ngrams.counting", "metrics.bleu")


def _in_order(graph: ModuleGraph, names: Sequence[str]) -> list[str]:
    """Return the modules in an order in which each module comes after what it needs to be defined."""
    ordered: list[str] = []

    def visit(name: str) -> None:
        if name in ordered or name not in names:
            return
        for other in sorted(_needed_to_define(graph, name)):
            visit(other)
        ordered.append(name)

    for name in [*_FIRST, *sorted(names, key=lambda name: LEVELS[name.partition(".")[0]])]:
        visit(name)
    return ordered


def _needed_to_define(graph: ModuleGraph, name: str) -> set[str]:
    """Return the modules whose names a module uses outside of the bodies of its functions, such as base classes."""
    used: set[str] = set()
    calls: set[str] = set()
    waiting: list[ast.AST] = list(parsed(graph.sources[name]).body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            waiting += [*node.decorator_list, *node.args.defaults, *[value for value in node.args.kw_defaults if value]]
        elif isinstance(node, ast.AnnAssign):
            waiting += [node.value] if node.value else []  # (Annotations are not evaluated.)
        elif not isinstance(node, ast.Lambda) and not (isinstance(node, ast.If) and is_for_types(node)):
            waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Name):
            used.add(node.id)
        if isinstance(node, ast.ImportFrom):  # (An import with another name becomes an assignment.)
            used.update([alias.name for alias in node.names if alias.asname])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            calls.add(node.func.id)
    needed: set[str] = set()
    for one in graph.imports_of(name):
        module = graph.target(one)
        if one.level and one.at_top and not one.for_types and one.name in used:
            needed.add(module)
            if one.name in calls:  # (The function may use all that its module imports.)
                needed |= graph.imported_by(module, at_top=True)
    return needed - {name}


class _Section:
    """One module of the package as a part of the file."""

    def __init__(self, graph: ModuleGraph, name: str, parts: Parts) -> None:
        self.name = name
        self.source = graph.sources[name]
        self.tree = parsed(self.source)
        self._graph = graph
        self._parts = parts
        self._lines = self.source.splitlines()

    def defined(self, for_types: bool) -> Iterator[str]:
        """Yield the names that the section defines at the top level."""
        for statement in _statements(self.tree, for_types):
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                yield statement.name
            elif isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value:
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                yield from [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]

    def imported(self, for_types: bool) -> Iterator[tuple[str, str]]:
        """Yield the top-level imports of the standard library: modules, and names in them (or "")."""
        for statement in _statements(self.tree, for_types):
            if isinstance(statement, ast.Import):
                yield from [(alias.name, "") for alias in statement.names]
            elif isinstance(statement, ast.ImportFrom) and not statement.level and statement.module not in (
                    "__future__", "importlib"):
                yield from [(statement.module or "", alias.name + (f" as {alias.asname}" if alias.asname else ""))
                            for alias in statement.names]

    def is_empty(self) -> bool:
        """Whether the section has only a docstring."""
        return all(isinstance(statement, ast.Expr) for statement in self.tree.body)

    def text(self) -> str:
        """Return the text of the section: a head, and the edited source of the module."""
        lines = list(self._lines)
        for edit in sorted(self._edits(self.tree), reverse=True):
            lines[edit.first:edit.end] = edit.lines
        body = "\n".join(lines).strip("\n")
        for expression, replacement in _REPLACED.items():
            body = body.replace(expression, replacement)
        body = re.sub(r" *>>> (from purebleu[\w.]* import .*|import purebleu)\n", "", body)
        if "metrics.faster" in self._parts.missing:
            body = _ASKS_FOR_FASTER.sub("", body)
        body = re.sub("\n{4,}", "\n\n\n", body)
        docstring = ast.get_docstring(self.tree) or ""
        if self._graph.is_package(self.name):  # (Its other paragraphs are about its modules.)
            docstring = docstring.partition("\n\n")[0]
        described = [f"# {line}".rstrip() for line in docstring.splitlines()]
        head = "\n".join([f"# ===== {self._graph.path_of(self.name)}", "#", *described])
        return f"\n\n{head}\n\n{body}\n"

    def _edits(self, node: ast.AST) -> Iterator[_Edit]:
        """Yield the edits of a syntax tree."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt) and self._goes(child, node):
                yield self._without(child)
            elif isinstance(child, ast.ImportFrom) and child.module == "importlib":
                yield self._without(child)  # only registries in packages need `importlib`
            elif isinstance(child, ast.ImportFrom) and child.level:
                yield self._inner_import(child, node)
            elif isinstance(child, ast.If) and is_for_types(child):
                yield from self._types(child)
            elif isinstance(child, ast.Call) and _is_lookup(child):
                yield self._lookup(child)
            else:
                yield from self._edits(child)

    def _goes(self, statement: ast.stmt, parent: ast.AST) -> bool:
        """Whether a statement is removed: it is at the top level, and only a package needs it."""
        if not isinstance(parent, ast.Module):
            return False
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            return True  # (The docstring becomes the head of the section.)
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            return not isinstance(statement, ast.ImportFrom) or not statement.level
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            return statement.targets[0].id in ("TYPE_CHECKING", "__all__")
        if isinstance(statement, ast.If):  # (Code in `if not TYPE_CHECKING:` looks names up in the package.)
            return isinstance(statement.test, ast.UnaryOp)
        return isinstance(statement, ast.FunctionDef) and statement.name in ("__getattr__", "__dir__")

    def _without(self, statement: ast.stmt) -> _Edit:
        """Remove a statement and the comment above it."""
        first = statement.lineno - 1
        while first and self._lines[first - 1].lstrip().startswith("#"):
            first -= 1
        return _Edit(first, self._end_with_blanks(statement), ())

    def _end_with_blanks(self, statement: ast.stmt) -> int:
        """Return the number of a statement's last line. In a block, empty lines after the statement are included."""
        end = end_of(statement)
        while statement.col_offset and end < len(self._lines) and not self._lines[end]:
            end += 1
        return end

    def _inner_import(self, statement: ast.ImportFrom, parent: ast.AST) -> _Edit:
        """Remove an import of a module that the file has. Replace an import of a missing module by an error."""
        lines: list[str] = []
        indent = " " * statement.col_offset
        for one, alias in zip(imports_in(statement, self.name), statement.names):
            module = self._graph.target(one)
            if module in self._parts.missing or module in _LEFT_ASIDE:
                lines = [f"{indent}raise LeftOutError(", f"{indent}    {json.dumps(_complaint(module, self._parts))})"]
                break
            if module == "metrics":  # (Only annotations need it, and `_REPLACED` changes these.)
                continue
            if module != self._graph.target(one._replace(name="")):
                raise SingleFileError(f"{self.name} imports the module {module}, not names in it")
            if alias.asname not in (None, alias.name):
                lines.append(f"{indent}{alias.asname} = {alias.name}")
        block: Sequence[ast.stmt] = getattr(parent, "body", ())
        if not lines and block and statement is block[0] and all(
                isinstance(other, ast.ImportFrom) and other.level for other in block):
            lines = [f"{indent}pass"]  # a block can't be empty
        return _Edit(statement.lineno - 1, end_of(statement) if lines else self._end_with_blanks(statement), lines)

    def _types(self, block: ast.If) -> Iterator[_Edit]:
        """Remove the imports in a block for type checkers. If it has only imports, remove the block."""
        imports = [one for one in block.body if isinstance(one, (ast.Import, ast.ImportFrom))]
        if len(imports) == len(block.body) and not block.orelse:
            yield self._without(block)
        else:
            yield from [_Edit(one.lineno - 1, self._end_with_blanks(one), ()) for one in imports]
            for statement in block.orelse:
                yield from self._edits(statement)

    def _lookup(self, call: ast.Call) -> _Edit:
        """Replace the lookup of a class in a module by a lookup in the file."""
        number = call.lineno - 1
        line = self._lines[number]
        name = ast.get_source_segment(self.source, call.args[1])
        found = f"globals().get({name}) or __getattr__({name})"
        return _Edit(number, end_of(call), [line[:call.col_offset] + found + line[call.end_col_offset:]])


def _is_lookup(call: ast.Call) -> bool:
    """Whether a call is `getattr(import_module(...), ...)`."""
    return isinstance(call.func, ast.Name) and call.func.id == "getattr" and isinstance(call.args[0], ast.Call) and (
        isinstance(call.args[0].func, ast.Name) and call.args[0].func.id == "import_module")


def _statements(tree: ast.Module, for_types: bool) -> Iterator[ast.stmt]:
    """Yield the top-level statements of a module that run, or (with `for_types`) those for type checkers."""
    for statement in tree.body:
        if isinstance(statement, ast.If) and is_for_types(statement):
            yield from statement.body if for_types else statement.orelse
        elif not for_types:
            yield statement


def _check_names(sections: Sequence[_Section]) -> None:
    """Raise `SingleFileError` if a name has two definitions in the file."""
    ignored = {"TYPE_CHECKING", "__all__", "__getattr__", "__dir__"}
    counts = Counter([name for section in sections for name in {*section.defined(False)} - ignored])
    imported = {(name or module).rpartition(" ")[2] for section in sections for module, name in section.imported(False)}
    twice = sorted([name for name, count in counts.items() if count > 1 or name in imported or hasattr(builtins, name)])
    if twice:
        raise SingleFileError(f"these names mean more than one thing in the modules: {', '.join(twice)}")


def _imports(sections: Sequence[_Section], for_types: bool, used: Container[str]) -> str:
    """Return the import statements for all names of the standard library that the sections use, sorted."""
    found: dict[tuple[str, bool], set[str]] = {}
    for section in sections:
        for module, name in section.imported(for_types):
            if (name.rpartition(" ")[2] or module.partition(".")[0]) in used:
                found.setdefault((module, bool(name)), set()).add(name)
    indent = "    " if for_types else ""
    lines = [f"{indent}import {module}" for module, has_names in sorted(found) if not has_names]
    for (module, has_names), names in sorted(found.items()):
        if has_names:
            line = f"{indent}from {module} import {', '.join(sorted(names))}"
            lines.append(line if len(line) <= _WIDTH else "\n".join(
                [f"{indent}from {module} import (", _listed(sorted(names), indent + "    "), f"{indent})"]))
    return "\n".join(lines)
