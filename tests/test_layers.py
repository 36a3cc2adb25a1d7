"""The shape of the package, read from its source: which module may import which, and what none of them imports.

Also the examples in the documentation of its modules.
"""

from __future__ import annotations

import ast
import doctest
import functools
import importlib.util
import pkgutil
import sys
from typing import Any

import pytest

import purebleu

from . import PACKAGE
from .helpers import load, load_script, shares

module_graph = load_script("vendoring/module_graph")
copy_parts = load_script("vendoring/copy_parts")
single_file = load_script("vendoring/single_file")

LEVELS: dict[str, int] = module_graph.LEVELS

#: Thin modules: one starts the command line; the others stand where sacreBLEU has a module, whatever layer that path
#: is on, and hand on names from any layer. In return, no other module of the package may import one of them.
#: (The package itself, `""`, is another, which no module imports.)
THIN = ("__main__", "dataset", "utils")

#: Modules that take time to import: allowed at the top of a module only where a command always needs them.
HEAVY = {"argparse", "asyncio", "concurrent", "contextvars", "csv", "ctypes", "dataclasses", "datetime", "decimal",
         "difflib", "email", "enum", "fractions", "gzip", "hashlib", "http", "inspect", "json", "logging", "lzma",
         "multiprocessing", "pathlib", "pickle", "random", "re", "shutil", "socket", "ssl", "statistics", "string",
         "subprocess", "tarfile", "tempfile", "threading", "typing", "unicodedata", "urllib", "xml", "zipfile", "zlib"}


@functools.lru_cache(maxsize=None)
def sources() -> dict[str, str]:
    """The source of each module, by its name inside the package; the package's own name is empty."""
    modules = pkgutil.walk_packages(purebleu.__path__, PACKAGE + ".")
    found = {}
    for name in ["", *[module.name[len(PACKAGE) + 1:] for module in modules]]:
        specification = importlib.util.find_spec(f"{PACKAGE}.{name}" if name else PACKAGE)
        assert specification and specification.loader
        source = specification.loader.get_source(specification.name)  # type: ignore[attr-defined]
        assert source is not None
        found[name] = source
    return found


@functools.lru_cache(maxsize=None)
def tree(name: str) -> ast.Module:
    """The syntax tree of a module, whose syntax every supported Python has."""
    return ast.parse(sources()[name], feature_version=(3, 8))


@functools.lru_cache(maxsize=None)
def graph() -> Any:
    return module_graph.ModuleGraph(sources())


def layer_name(module: str) -> str:
    return module.split(".")[0]


@functools.lru_cache(maxsize=None)
def all_imports() -> list[Any]:
    """All imports of the package's modules."""
    return [one for importer in sources() for one in graph().imports_of(importer)]


@functools.lru_cache(maxsize=None)
def inner_imports() -> list[tuple[Any, str]]:
    """Those from inside of the package, each with the module that it imports."""
    return [(one, str(graph().target(one))) for one in all_imports() if one.level]


# The test's own reading of the source

def test_imports_are_told_apart() -> None:
    source = "import os.path\nfrom . import a\ntry:\n    from ..b import c\nexcept ImportError:\n    pass\n"
    source += "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    import d\nelse:\n    import e\ndef f():\n    import g\n"
    found = list(module_graph.imports_in(ast.parse(source), "cli.arguments.parser"))
    assert [(one.level, one.module, one.name, one.at_top, one.for_types) for one in found] == [
        (0, "os.path", "", True, False), (1, "", "a", True, False), (2, "b", "c", True, False),
        (0, "d", "", True, True), (0, "e", "", True, False), (0, "g", "", False, False)]
    for importer, level, module, name, target in [
        ("cli.arguments.parser", 3, "", "__version__", ""), ("cli", 1, "commands", "x", "cli.commands"),
        ("cli.arguments.parser", 3, "metrics", "bleu", "metrics.bleu"),
        ("cli", 2, "runtime.errors", "x", "runtime.errors"),
    ]:
        assert graph().target(module_graph.Import(importer, level, module, name, True, False)) == target


# Imports of modules

def test_every_module_has_a_layer() -> None:
    assert {layer_name(name) for name in {*sources()} - {"", *THIN}} == {*LEVELS}
    assert {*THIN, "cli.arguments.parser", "metrics.bleu", "tokenizers.tokenizer_intl"} < {*sources()}


def test_imports_point_to_lower_layers() -> None:
    assert len(inner_imports()) > 500
    for one, module in inner_imports():
        arrow = f"{one.importer or PACKAGE} imports {one.name} from {module or 'the package itself'}"
        assert module in sources(), arrow
        if one.importer == "":
            # (The package looks up its other names when they are used.)
            assert one.for_types or module == "version", arrow
            continue
        assert module not in ("", *THIN), arrow
        if one.importer not in THIN and layer_name(module) != layer_name(one.importer):
            assert LEVELS[layer_name(module)] < LEVELS[layer_name(one.importer)], arrow


def test_thin_modules_are_thin() -> None:
    for name in THIN:
        body = [statement for statement in tree(name).body
                if not isinstance(statement, ast.FunctionDef) or statement.name != "__getattr__"]
        kinds = {type(statement) for statement in body}
        assert kinds <= {ast.Expr, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.If}, name
        assert len([statement for statement in body if not isinstance(statement, ast.ImportFrom)]) < 6


def assert_no_circle(edges: dict[str, set[str]]) -> None:
    finished: list[str] = []

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join([*path, name])
        if name not in finished:
            for other in sorted(edges[name] - {"", name}):
                visit(other, (*path, name))
            finished.append(name)

    for name in edges:
        visit(name, ())


def test_no_modules_import_each_other_in_circles() -> None:
    edges: dict[str, set[str]] = {name: set() for name in sources()}
    for one, module in inner_imports():
        if not one.for_types:
            edges[one.importer].add(module)
    assert_no_circle(edges)


def test_no_package_imports_modules_in_it() -> None:
    """Else two threads could wait for each other: one has the package and needs the module, one the other way round.

    (Python holds the lock of a module while it imports the package that it is in. What it does about circles of locks
    is an error, or with some bad luck to wait for ever.)
    """
    edges: dict[str, set[str]] = {name: {name.rpartition(".")[0]} for name in sources()}
    for one, module in inner_imports():
        if one.at_top and not one.for_types:
            edges[one.importer].add(module)
    assert_no_circle(edges)


def test_only_the_standard_library_is_imported_and_nothing_heavy_too_early() -> None:
    # (Before 3.10, Python does not tell what it holds.)
    standard: frozenset[str] = getattr(sys, "stdlib_module_names", frozenset())
    for one in all_imports():
        if one.level:
            continue
        name, arrow = one.module.split(".")[0], f"{one.importer} imports {one.module}"
        assert name not in {"purebleu", "sacrebleu", *PACKAGE.split(".")}, arrow
        assert name in standard or not standard, arrow
        assert name not in HEAVY or not one.at_top or one.for_types or layer_name(one.importer) == "cli", arrow


# Parts of the package, as `scripts/vendor.py` copies them (`scripts/test_vendor.py` makes copies)

@pytest.mark.full
def test_no_two_modules_of_a_single_file_have_the_same_name_at_their_top() -> None:
    single_file.check_names(graph(), copy_parts.chosen_parts(graph(), copy_parts.Choice(without=single_file.NEVER)))


@pytest.mark.parametrize(("options", "kept"), [
    ("--only bleu chrf ter --with cli", {"cli.commands.score", "cli.output.results", "report.formats"}),
    ("--without significance", {"cli.commands.score", "cli.commands.rows", "cli.commands.align", "report.tables"}),
])
def test_a_copy_keeps_the_commands_that_need_nothing_left_out(options: str, kept: set[str]) -> None:
    chosen = copy_parts.chosen_parts(graph(), copy_parts.Choice.of_options(options))
    assert kept <= {*chosen.kept}
    assert chosen.missing["significance"].startswith("significance")


# Sources of modules

#: Calls that only the command line may have; and the modules that may have some of them, with the reason.
COMMANDS = {"print", "exit", "_exit", "abort", "input", "breakpoint", "eval", "exec", "SystemExit"}
ALLOWED = {
    "runtime.workers": {"_exit", "SystemExit"},  # a worker whose command line is gone; a process that can't start some
    "serve.jobs": {"_exit"},  # a job that has no memory left
    "compat.tables": {"print"},  # what clients of sacreBLEU call it for
}


def test_only_the_command_line_prints_and_ends_the_process() -> None:
    for name in sources():
        if layer_name(name) in ("cli", "__main__") or not any(command in sources()[name] for command in COMMANDS):
            continue  # (To walk through all trees takes seconds.)
        nodes = list(ast.walk(tree(name)))
        called = {getattr(node.func, "id", getattr(node.func, "attr", "")) for node in nodes
                  if isinstance(node, ast.Call)}
        named = {node.id for node in nodes if isinstance(node, ast.Name) and node.id == "SystemExit"}
        assert (called | named) & COMMANDS <= ALLOWED.get(name, set()), name


def test_sources_are_for_every_supported_python_and_say_what_they_are_for() -> None:
    for name, source in sources().items():
        assert tree(name).body, name
        # Annotations may be newer than that only where nobody evaluates them.
        if "from __future__ import annotations" not in source:
            assert not any(isinstance(node, (ast.FunctionDef, ast.AnnAssign)) for node in ast.walk(tree(name))), name
        assert ast.get_docstring(tree(name)), name


@shares(3)
def test_examples_in_the_documentation_are_right(monkeypatch: pytest.MonkeyPatch, share: int) -> None:
    monkeypatch.setitem(sys.modules, "purebleu", purebleu)  # the name in the examples, whatever the copy is called
    tried = 0
    for name in sorted(sources())[share::3]:
        if name != "__main__":
            failed, attempted = doctest.testmod(load(name))
            assert failed == 0, name
            tried += attempted
    assert tried > 30
