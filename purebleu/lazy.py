"""Public names of packages, each of which is imported when it is first used."""

from __future__ import annotations

from itertools import chain

from .hints import Callable, Mapping, Sequence


def lazy_names(package: str,
               modules: Mapping[str, Sequence[str]]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` of a package, which imports a public name when it is first used, and its `__dir__`.

    If a package imported its modules at once, two threads, one of which imports the package and the other one of its
    modules, could wait for each other.

    Args:
        package: the name of the package.
        modules: for each module of the package, the public names in it.
    """
    def lazy_name(name: str) -> object:
        from importlib import import_module

        for module, names in modules.items():
            if name in names:
                value = getattr(import_module("." + module, package), name)
                return vars(import_module(package)).setdefault(name, value)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return lazy_name, lambda: sorted(chain.from_iterable(modules.values()))
