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

import pytest

import purebleu

from . import PACKAGE
from .helpers import load, load_script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator

module_graph = load_script("vendoring/module_graph")

LEVELS: dict[str, int] = module_graph.LEVELS

#: Thin modules: one starts the command line; the others stand where sacreBLEU has a module, whatever layer that path
#: is on, and hand on names from any layer. In return, no other module of the package may import one of them.
#: (The package itself, `""`, is another, which no module imports.)
THIN = ("__main__", "dataset", "utils", *[f"tokenizers.tokenizer_{name}" for name in (
    "13a", "base", "char", "intl", "ja_mecab", "ko_mecab", "none", "ter", "zh")])

#: The arrows between the rooms of the top level: what the modules of each import, at any time, also for types alone.
ARROWS = {
    "": ("compat dataset datasets decoding errors evaluate ids meta_evaluation metrics rows significance tokenizers "
         "utils version"),
    "__main__": "cli",
    "analysis": "blocks engines metrics runtime significance",  # engines: resampling; runtime: progress
    "audit": "engines errors files metrics tokenizers",  # engines: whether models are at hand; files: abbreviations
    "checks": "blocks metrics runtime unicode",
    "cli": ("analysis audit blocks checks datasets decoding engines errors files manual meta_evaluation metrics report "
            "rows runtime serve significance tokenizers unicode version"),
    "compat": "errors metrics report significance",  # report: sacreBLEU's tables
    "dataset": "datasets",
    "datasets": "engines errors files runtime unicode",  # engines: models of SentencePiece are downloaded, too
    "decoding": "errors metrics runtime",
    "engines": "blocks errors files runtime",  # files: models and dictionaries; runtime: progress
    "evaluate": "blocks engines errors metrics",  # engines: exact means
    "files": "blocks errors runtime unicode",
    "ids": "blocks engines errors tokenizers",
    "manual": "runtime",  # the pages are files of the package
    "meta_evaluation": "engines errors metrics runtime significance",  # runtime: progress; significance: its level
    "metrics": "blocks engines errors files runtime tokenizers unicode version",  # files: numbers in text
    "report": "analysis audit checks errors meta_evaluation metrics runtime significance unicode version",
    "rows": "errors files metrics",
    "runtime": "errors",
    "serve": "errors report runtime",  # report: the page's style and scripts
    "significance": "engines errors metrics runtime",
    "tokenizers": "engines errors unicode",
    "utils": "compat datasets files",
}

#: Modules that take time to import: allowed at the top of a module only where a command always needs them.
HEAVY = {"argparse", "asyncio", "concurrent", "contextvars", "csv", "ctypes", "dataclasses", "datetime", "decimal",
         "difflib", "email", "enum", "fractions", "gzip", "hashlib", "http", "inspect", "json", "logging", "lzma",
         "multiprocessing", "pathlib", "pickle", "random", "re", "shutil", "socket", "ssl", "statistics", "string",
         "subprocess", "tarfile", "tempfile", "threading", "typing", "unicodedata", "urllib", "xml", "zipfile", "zlib"}


@functools.lru_cache(maxsize=None)
def sources() -> dict[str, str]:
    """The source of each module, by its name inside the package; the package's own name is empty."""
    package = purebleu
    names = ["", *[found.name[len(PACKAGE) + 1:] for found in pkgutil.walk_packages(package.__path__, PACKAGE + ".")]]
    found = {}
    for name in names:
        specification = importlib.util.find_spec(f"{PACKAGE}.{name}" if name else PACKAGE)
        assert specification and specification.loader
        source = specification.loader.get_source(specification.name)  # type: ignore[attr-defined]
        assert source is not None
        found[name] = source
    return found


@functools.lru_cache(maxsize=None)
def tree(name: str) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(sources()[name])


@functools.lru_cache(maxsize=None)
def graph() -> Any:
    return module_graph.ModuleGraph(sources())


def imports_of(importer: str) -> Any:
    return graph().imports_of(importer)


def all_imports() -> list[Any]:
    return [one for importer in sources() for one in imports_of(importer)]


def target(one: Any) -> str:
    return str(graph().target(one))


def layer_name(module: str) -> str:
    return module.split(".")[0]


# The test's own reading of the source


def test_the_source_of_all_modules_is_found() -> None:
    for name in ("", "__main__", "cli", "cli.arguments.options", "errors", "metrics.bleu", "tokenizers.intl"):
        assert name in sources()
    assert sum(not one.for_types for one in all_imports()) > 30


def test_imports_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "import os.path\nfrom . import a\ntry:\n    from ..b import c\nexcept ImportError:\n    pass\n"
    source += "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    import d\nelse:\n    import e\ndef f():\n    import g\n"
    found = list(module_graph.imports_in(ast.parse(source), "cli.arguments.options"))
    assert [(one.level, one.module, one.name, one.at_top, one.for_types) for one in found] == [
        (0, "os.path", "", True, False), (1, "", "a", True, False), (2, "b", "c", True, False),
        (0, "d", "", True, True), (0, "e", "", True, False), (0, "g", "", False, False)]
    assert target(module_graph.Import("cli.arguments.options", 3, "", "__version__", True, False)) == ""
    assert target(module_graph.Import("cli.arguments.options", 3, "metrics", "bleu", True, False)) == "metrics.bleu"
    assert target(module_graph.Import("cli", 1, "modes", "x", True, False)) == "cli.modes"
    assert target(module_graph.Import("cli", 2, "errors", "x", True, False)) == "errors"


# Imports of modules


def test_every_module_has_a_layer() -> None:
    assert {layer_name(name) for name in {*sources()} - {"", *THIN}} == {*LEVELS}
    assert {*THIN} < {*sources()}


@pytest.mark.parametrize("importer", list(sources()))
def test_imports_point_to_lower_layers(importer: str) -> None:
    for one in imports_of(importer):
        if one.level == 0 or one.for_types:
            continue
        module = target(one)
        assert module in sources(), f"{importer or PACKAGE} imports {module}, which does not exist"
        assert module != "", f"{importer} imports {one.name} from the package itself"
        if importer == "":
            assert module == "version", "the package looks up its other names when they are used"
        else:
            assert module not in THIN, f"{importer} imports {module}"
            if importer not in THIN and layer_name(module) != layer_name(importer):
                assert LEVELS[layer_name(module)] < LEVELS[layer_name(importer)], f"{importer} imports {module}"


@pytest.mark.parametrize("importer", list(sources()))
def test_types_come_from_lower_layers_too(importer: str) -> None:
    for one in imports_of(importer):
        if one.level and one.for_types and importer not in ("", *THIN):
            module = layer_name(target(one))
            assert module == layer_name(importer) or LEVELS[module] < LEVELS[layer_name(importer)]


def test_thin_modules_are_thin() -> None:
    for name in THIN:
        body = [statement for statement in tree(name).body
                if not isinstance(statement, ast.FunctionDef) or statement.name != "__getattr__"]
        kinds = {type(statement) for statement in body}
        assert kinds <= {ast.Expr, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.If}, name
        assert len([statement for statement in body if not isinstance(statement, ast.ImportFrom)]) < 6


def test_no_modules_import_each_other_in_circles() -> None:
    edges: dict[str, set[str]] = {
        name: {target(one) for one in imports_of(name) if one.level and not one.for_types} - {"", name}
        for name in sources()
    }
    assert_no_circle(edges)


def test_no_package_imports_what_is_in_it() -> None:
    """Else two threads could wait for each other: one has the package and needs the module, one the other way round.

    (Python holds the lock of a module while it imports the package that it is in. What it does about circles of locks
    is an error, or with some bad luck to wait for ever.)
    """
    edges: dict[str, set[str]] = {
        name: {target(one) for one in imports_of(name) if one.level and one.at_top and not one.for_types}
        | {name.rpartition(".")[0]} for name in sources()
    }
    assert_no_circle({name: others - {"", name} for name, others in edges.items()})


def assert_no_circle(edges: dict[str, set[str]]) -> None:
    finished: list[str] = []

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join([*path, name])
        if name not in finished:
            for other in sorted(edges[name]):
                visit(other, (*path, name))
            finished.append(name)

    for name in edges:
        visit(name, ())
    assert len(finished) == len(edges)


def test_arrows_between_rooms_are_those_of_the_table() -> None:
    found: dict[str, set[str]] = {layer_name(name): set() for name in sources()}
    for one in all_imports():
        if one.level:
            found[layer_name(one.importer)].add(layer_name(target(one)))
    for room, rooms in found.items():
        assert sorted(rooms - {room}) == ARROWS.get(room, "").split(), room


def test_imports_inside_the_package_are_relative() -> None:
    names = {"purebleu", "sacrebleu", *PACKAGE.split(".")}
    for one in all_imports():
        assert one.level or one.module.split(".")[0] not in names, f"{one.importer} imports {one.module}"


@pytest.mark.skipif(not hasattr(sys, "stdlib_module_names"), reason="before 3.10, Python does not tell what it holds")
def test_only_the_standard_library_is_imported() -> None:
    standard: frozenset[str] = getattr(sys, "stdlib_module_names", frozenset())
    for one in all_imports():
        assert one.level or one.module.split(".")[0] in standard, f"{one.importer} imports {one.module}"


def test_nothing_heavy_is_imported_at_the_top_outside_the_command_line() -> None:
    for one in all_imports():
        if one.at_top and not one.for_types and not one.level and layer_name(one.importer) != "cli":
            assert one.module.split(".")[0] not in HEAVY, f"{one.importer} imports {one.module}"


def test_only_the_options_of_the_command_line_import_argparse() -> None:
    importers = {one.importer for one in all_imports() if one.module == "argparse" and not one.for_types}
    assert importers == {"cli.arguments.parser", "cli.arguments.values"}


# Calls of modules


def calls_in(name: str) -> Iterator[str]:
    """The names of the functions and methods that a module calls."""
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id
            elif isinstance(node.func, ast.Attribute):
                yield node.func.attr


@pytest.mark.parametrize("name", [name for name in sources() if layer_name(name) not in ("cli", "__main__")])
def test_only_the_command_line_prints_and_ends_the_process(name: str) -> None:
    unwanted = {"print", "exit", "_exit", "abort", "input", "breakpoint", "eval", "exec"}
    if name == "runtime.workers":
        unwanted.remove("_exit")  # a worker whose command line is gone
    if name == "serve.memory":
        unwanted.remove("_exit")  # a job that has no memory left
    if name == "compat.tables":
        unwanted.remove("print")  # what clients of sacreBLEU call it for
    assert not unwanted & set(calls_in(name))
    raised = [node.id for node in ast.walk(tree(name)) if isinstance(node, ast.Name)]
    assert "SystemExit" not in raised or name == "runtime.workers"  # a process that was to become one, or to start some


@pytest.mark.parametrize("name", list(sources()))
def test_the_source_is_for_every_supported_python(name: str) -> None:
    ast.parse(sources()[name], feature_version=(3, 8))
    # Annotations may be newer than that only where nobody evaluates them.
    has_annotations = any(isinstance(node, (ast.FunctionDef, ast.AnnAssign)) for node in ast.walk(tree(name)))
    assert not has_annotations or "from __future__ import annotations" in sources()[name]


@pytest.mark.parametrize("name", [name for name in sources() if name != ""])
def test_modules_say_what_they_are_for(name: str) -> None:
    assert ast.get_docstring(tree(name))


# Examples in the documentation


@pytest.mark.parametrize("name", [name for name in sources() if name != "__main__"])
def test_examples_in_the_documentation_are_right(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(sys.modules, "purebleu", purebleu)  # the name in the examples, whatever the copy is called
    assert doctest.testmod(load(name)).failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [test for name in sources() if name != "__main__" for test in finder.find(load(name)) if test.examples]
    assert len(found) >= 10
