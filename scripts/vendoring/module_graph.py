"""The modules of the package and their imports, read from the source without running it.

The names of modules lack the package's name (`metrics.bleu`). The package itself has an empty name.
"""

from __future__ import annotations

import ast
import functools
from itertools import chain
from typing import Iterator, Mapping, NamedTuple

#: The layers, lowest first. A module imports only from lower layers, or from its own package. The name of a package
#: stands for all modules in it: everything in `metrics/` is on the layer of `metrics`.
LAYERS = (
    ("runtime", "version"),
    ("unicode",),
    ("files",),
    ("engines",),
    ("datasets", "tokenizers"),
    ("metrics",),
    ("audit", "checks", "decoding", "resegmentation", "rows", "significance"),
    ("analysis", "meta_evaluation"),
    ("report",),
    ("compat", "evaluate", "harness", "manual", "serve"),
    ("cli",),
)
LEVELS = {name: level for level, layer in enumerate(LAYERS) for name in layer}

#: The fields of statements with further statements, or with handlers of errors, which have statements, too.
BLOCKS = ("body", "orelse", "handlers", "finalbody")


class Import(NamedTuple):
    """An import statement for one name."""

    importer: str
    level: int  # the number of dots
    module: str  # as written, without dots
    name: str  # the name that is imported from the module, or ""
    at_top: bool  # whether the statement runs when the importer is imported
    for_types: bool  # whether it is only for type checkers


class ModuleGraph:
    """The modules of a package, and the imports of each module.

    Attributes:
        sources: the source of each module by its name.
    """

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.sources = sources
        self._packages = {name.rpartition(".")[0] for name in sources}
        self._imports: dict[str, list[Import]] = {}
        self._imported: dict[tuple[str, bool], frozenset[str]] = {}

    @classmethod
    def of_files(cls, files: Mapping[str, bytes]) -> ModuleGraph:
        """Make the graph of a package from its files, by their paths in its folder."""
        sources = {}
        for *parents, name in sorted([path.split("/") for path in files if path.endswith(".py")]):
            content = files["/".join([*parents, name])].decode("utf-8").replace("\r\n", "\n")
            sources[".".join(parents if name == "__init__.py" else [*parents, name[:-len(".py")]])] = content
        return cls(sources)

    def is_package(self, name: str) -> bool:
        """Whether a module is a package."""
        return name in self._packages

    def path_of(self, name: str) -> str:
        """Return the path of a module's file inside the package's folder."""
        return "/".join([*name.split("."), "__init__.py"]).lstrip("/") if self.is_package(name) else (
            name.replace(".", "/") + ".py")

    def imports_of(self, importer: str) -> list[Import]:
        """Return all imports in a module, including imports in functions."""
        if importer not in self._imports:
            self._imports[importer] = _imports_in_source(self.sources[importer], importer)
        return self._imports[importer]

    def target(self, one: Import) -> str:
        """Return the module of the package that a relative import imports."""
        parts = one.importer.split(".") if one.importer else []
        if not self.is_package(one.importer):
            parts = parts[:-1]
        parts = parts[:len(parts) - (one.level - 1)] + (one.module.split(".") if one.module else [])
        submodule = ".".join([*parts, one.name])
        return submodule if submodule in self.sources else ".".join(parts)

    def imported_by(self, name: str, at_top: bool = False) -> frozenset[str]:
        """Return the modules of the package that a module imports. With `at_top`, leave out imports in functions."""
        if (name, at_top) not in self._imported:
            self._imported[name, at_top] = frozenset(
                self.target(one) for one in self.imports_of(name)
                if one.level and not one.for_types and (one.at_top or not at_top))
        return self._imported[name, at_top]


@functools.lru_cache(maxsize=300)
def parsed(text: str) -> ast.Module:
    """Return the syntax tree of a source."""
    return ast.parse(text)


@functools.lru_cache(maxsize=None)  # (Making a copy spends most of its time here, and the tests make many copies.)
def _imports_in_source(source: str, importer: str) -> list[Import]:
    """Return the imports in the source of a module."""
    return list(imports_in(ast.parse(source), importer))


def imports_in(node: ast.AST, importer: str, at_top: bool = True, for_types: bool = False) -> Iterator[Import]:
    """Yield the imports in a syntax tree."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Import(importer, 0, alias.name, "", at_top, for_types)
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            yield Import(importer, node.level, node.module or "", alias.name, at_top, for_types)
    at_top = at_top and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    guarded = node.body if isinstance(node, ast.If) and is_for_types(node) else []
    for child in chain.from_iterable([getattr(node, block, ()) for block in BLOCKS]):
        yield from imports_in(child, importer, at_top, for_types or child in guarded)


def is_for_types(node: ast.AST) -> bool:
    """Whether a statement is `if TYPE_CHECKING:`."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
