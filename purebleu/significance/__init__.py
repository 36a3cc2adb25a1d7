"""Significance tests, computed from rows of sufficient statistics instead of texts.

Begin with `sampling` (the settings of tests) and `results` (the results and ranks of systems). `paired` has the two
paired tests and their power, and `runs` tests systems with several runs. `groups` has means over groups of segments,
and `paired_systems` has sacreBLEU's `PairedTest`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engines.resampling.intervals import estimate_ci as estimate_ci
    from .paired import Result as Result, _compute_p_value as _compute_p_value
    from .paired_systems import PairedTest as PairedTest
    from .results import Results as Results, results_of as results_of
    from .runs import runs_of as runs_of, RunsResult as RunsResult, RunsResults as RunsResults
    from .sampling import Sampling as Sampling, Units as Units

#: The public names of each module. A module is imported when one of its names is first used.
_MODULES = {
    "paired": ("Result", "_compute_p_value"),
    "paired_systems": ("PairedTest",),
    "results": ("Results", "estimate_ci", "results_of"),
    "runs": ("RunsResult", "RunsResults", "runs_of"),
    "sampling": ("Sampling", "Units"),
}

__all__ = [name for names in _MODULES.values() for name in names]  # pyright: ignore[reportUnsupportedDunderAll]

if not TYPE_CHECKING:
    from ..runtime.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(__name__, _MODULES)
