"""Significance tests from rows of sufficient statistics, without any text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engines.resampling.intervals import estimate_ci as estimate_ci
    from .paired import Result as Result
    from .paired import _compute_p_value as _compute_p_value
    from .paired_systems import PairedTest as PairedTest
    from .results import Results as Results
    from .results import results_of as results_of
    from .runs import RunsResult as RunsResult
    from .runs import RunsResults as RunsResults
    from .runs import runs_of as runs_of
    from .units import Units as Units

#: The names of this package with their modules, which are imported on first use. (If they were imported here, a thread
#: that imports the package and one that imports a module of it could wait for each other.)
_MODULES = {
    "PairedTest": "paired_systems",
    "Result": "paired",
    "Results": "results",
    "RunsResult": "runs",
    "RunsResults": "runs",
    "Units": "units",
    "_compute_p_value": "paired",
    "estimate_ci": "paired",
    "results_of": "results",
    "runs_of": "runs",
}

__all__ = list(_MODULES)  # pyright: ignore[reportUnsupportedDunderAll]  # it sees the imports above

if not TYPE_CHECKING:
    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module("." + _MODULES[name], __name__), name)
        return globals().setdefault(name, value)
