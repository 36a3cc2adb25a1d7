"""Meta-evaluation: how well the scores of metrics agree with human scores, measured as in WMT.

Begin with `measures`, which divides human scores into groups and has the measures of agreement. `metric_ranks` tests
metrics against each other. `system_ranks` ranks systems by human scores or by several metrics. `diversity` finds the
segments that are most useful to annotate.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .measures import agreement_of as agreement_of
    from .metric_ranks import compare_by_scores as compare_by_scores, rank_metrics as rank_metrics
    from .system_ranks import autorank as autorank, rank_systems_by_people as rank_systems_by_people

#: The public names of each module. A module is imported when one of its names is first used.
_MODULES = {
    "measures": ("agreement_of",),
    "metric_ranks": ("compare_by_scores", "rank_metrics"),
    "system_ranks": ("autorank", "rank_systems_by_people"),
}

__all__ = [name for names in _MODULES.values() for name in names]  # pyright: ignore[reportUnsupportedDunderAll]

if not TYPE_CHECKING:
    from ..runtime.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(__name__, _MODULES)
