"""Meta-evaluation of metrics: how well their scores agree with human scores, as WMT measures it.

In reading order: `judged` (human scores in groups), `measures`, `accuracy` (two of the measures),
`metric_ranks` (tests between metrics), `system_ranks` (ranks of systems by human scores, or by several metrics), and
`diversity` (the segments that are most useful to annotate).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .diversity import most_diverse as most_diverse, similarities as similarities
    from .judged import Judged as Judged
    from .measures import agreement_of as agreement_of, kendall_tau_b as kendall_tau_b, pearson as pearson
    from .metric_ranks import (compare_by_pairs as compare_by_pairs, compare_by_scores as compare_by_scores,
                               rank_metrics as rank_metrics)
    from .accuracy import system_p_values as system_p_values
    from .system_ranks import (autorank as autorank, rank_systems_by_people as rank_systems_by_people,
                               wilcoxon_p_value as wilcoxon_p_value)

#: The public names, by their modules; a module is imported when one of its names is first used.
_MODULES = {
    "diversity": ("most_diverse", "similarities"),
    "judged": ("Judged",),
    "measures": ("agreement_of", "kendall_tau_b", "pearson"),
    "metric_ranks": ("compare_by_pairs", "compare_by_scores", "rank_metrics"),
    "accuracy": ("system_p_values",),
    "system_ranks": ("autorank", "rank_systems_by_people", "wilcoxon_p_value"),
}

__all__ = [name for names in _MODULES.values() for name in names]  # pyright: ignore[reportUnsupportedDunderAll]

if not TYPE_CHECKING:
    from ..lazy import lazy_names

    __getattr__, __dir__ = lazy_names(__name__, _MODULES)
