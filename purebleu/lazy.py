"""Public names of packages, each of which is imported when it is first used."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Mapping, Sequence


def lazy_names(package: str, modules: Mapping[str, Sequence[str]]
               ) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return two functions of a package: `__getattr__`, which imports a public name on first use, and `__dir__`.

    If a package imported its modules at once, a thread that imports the package and a thread that imports one of its
    modules could wait for each other.

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

    return lazy_name, lambda: sorted([name for names in modules.values() for name in names])
