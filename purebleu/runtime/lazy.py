"""Imports the public names of a package when they are first used."""

from __future__ import annotations

from itertools import chain

from .hints import Callable, Mapping, Sequence


def lazy_names(package: str,
               modules: Mapping[str, Sequence[str]]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the functions `__getattr__`, which imports a name when it is first used, and `__dir__` of a package.

    (If a package imported all its modules during its own import, two threads could wait for each other forever: one
    thread imports the package, and the other thread imports a module of the package.)

    Args:
        package: the name of the package.
        modules: the public names in each module of the package.
    """
    def lazy_name(name: str) -> object:
        from importlib import import_module

        for module, names in modules.items():
            if name in names:
                value = getattr(import_module("." + module, package), name)
                return vars(import_module(package)).setdefault(name, value)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return lazy_name, lambda: sorted(chain.from_iterable(modules.values()))
