"""Makes this package importable as `sacrebleu`, for code that says `from sacrebleu.metrics import BLEU`.

`sacrebleu.metrics` is the same module object as this package's `metrics`. (When an alias is executed, it puts the real
module into `sys.modules` under its own name.) So each module is executed only once, and keeps its `__name__`,
`__spec__` and `__loader__`. Classes are pickled under their real names, and `importlib.reload` works.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import CodeType, ModuleType

from ..runtime.errors import PurebleuError
from ..runtime.hints import Mapping, Sequence

#: The name of the alias, and the name by which this package was imported.
_ALIAS = "sacrebleu"
_PACKAGE = __name__.rpartition(".compat.")[0]


def install_as_sacrebleu() -> None:
    """Make `import sacrebleu` (and imports of its modules) return the modules of this package.

    The alias exists only in this process, so child processes must also call this function. A second call has no effect.
    `importlib.metadata` still does not find a package `sacrebleu`.

    Raises:
        PurebleuError: another package `sacrebleu` has already been imported. Nothing is changed.
    """
    if _FINDER in sys.meta_path or _PACKAGE == _ALIAS:
        return
    for name, module in _modules_of_the_name():
        if sys.modules.get(_real_name(name)) is not module:
            raise PurebleuError(f"another {name} has been imported already ({getattr(module, '__file__', None)}): call "
                                "install_as_sacrebleu before anything imports sacrebleu")
    # (`_FINDER` must come before Python's path finder, which would execute this package's files again as `sacrebleu`.)
    sys.meta_path.insert(0, _FINDER)
    sys.modules[_ALIAS] = sys.modules[_PACKAGE]


def uninstall_as_sacrebleu() -> None:
    """Undo `install_as_sacrebleu`, so that `import sacrebleu` imports an installed sacreBLEU again."""
    if _FINDER in sys.meta_path:
        sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not _FINDER]
        for name, _ in _modules_of_the_name():
            del sys.modules[name]


def _modules_of_the_name() -> list[tuple[str, ModuleType]]:
    modules: Mapping[str, ModuleType | None] = dict(sys.modules)  # (modules that are `None` can't be imported)
    return [(name, module) for name, module in modules.items()
            if module is not None and (name == _ALIAS or name.startswith(_ALIAS + "."))]


def _real_name(name: str) -> str:
    return _PACKAGE + name[len(_ALIAS):]


def _find_real(name: str, path: Sequence[str] | None) -> ModuleSpec | None:
    """Return the import spec of a module of this package. `path` is the `__path__` of the module's package.

    Python holds its global import lock while it calls finders, and a thread that is importing the package may need this
    lock. So this function does not call `importlib.util.find_spec`, which would import the package.
    """
    if name in sys.modules:
        return sys.modules[name].__spec__
    found = (finder.find_spec(name, path) for finder in sys.meta_path if finder is not _FINDER)
    return next((spec for spec in found if spec is not None), None)


class _Finder:
    """Finds and loads the aliases (`importlib.abc.MetaPathFinder`, `Loader` and `InspectLoader`)."""

    def find_spec(self, name: str, path: Sequence[str] | None = None,
                  target: ModuleType | None = None) -> ModuleSpec | None:
        if not f"{name}.".startswith(_ALIAS + "."):
            return None
        real = _find_real(_real_name(name), path)
        if real is None:
            return None
        alias = ModuleSpec(name, self, origin=real.origin)  # type: ignore[arg-type]  # a loader by what it does
        alias.submodule_search_locations = real.submodule_search_locations
        return alias

    def create_module(self, spec: ModuleSpec) -> None:
        """Return `None`: Python then makes an empty module, which `exec_module` replaces by the real module."""

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = import_module(_real_name(module.__name__))

    def get_code(self, name: str) -> CodeType | None:
        """Return the code that `python -m` executes."""
        real = find_spec(_real_name(name))
        assert real is not None and real.loader is not None
        return real.loader.get_code(real.name)  # type: ignore[attr-defined, no-any-return]  # as every loader of files


_FINDER = _Finder()
