"""Meta-evaluation of metrics: how well their scores agree with human scores, as WMT measures it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .accuracy import accuracy_with_ties as accuracy_with_ties
    from .accuracy import calibrated_accuracy as calibrated_accuracy
    from .accuracy import pairwise_accuracy as pairwise_accuracy
    from .auto_ranks import autorank as autorank
    from .comparison import Stopping as Stopping
    from .comparison import compare_by_pairs as compare_by_pairs
    from .comparison import compare_by_scores as compare_by_scores
    from .correlations import average_correlation as average_correlation
    from .correlations import kendall_tau_b as kendall_tau_b
    from .correlations import kendall_tau_c as kendall_tau_c
    from .correlations import pearson as pearson
    from .judged import Judged as Judged
    from .measures import agreement_of as agreement_of
    from .metric_ranks import rank_metrics as rank_metrics
    from .selection import most_diverse as most_diverse
    from .selection import similarities as similarities
    from .signed_ranks import rank_systems_by_people as rank_systems_by_people
    from .signed_ranks import wilcoxon_p_value as wilcoxon_p_value
    from .soft_accuracy import soft_pairwise_accuracy as soft_pairwise_accuracy
    from .soft_accuracy import system_p_values as system_p_values

#: The names of this package with their modules, which are imported on first use, as in `significance`.
_MODULES = {
    "Judged": "judged",
    "Stopping": "comparison",
    "accuracy_with_ties": "accuracy",
    "agreement_of": "measures",
    "autorank": "auto_ranks",
    "average_correlation": "correlations",
    "calibrated_accuracy": "accuracy",
    "compare_by_pairs": "comparison",
    "compare_by_scores": "comparison",
    "kendall_tau_b": "correlations",
    "kendall_tau_c": "correlations",
    "most_diverse": "selection",
    "pairwise_accuracy": "accuracy",
    "pearson": "correlations",
    "rank_metrics": "metric_ranks",
    "rank_systems_by_people": "signed_ranks",
    "similarities": "selection",
    "soft_pairwise_accuracy": "soft_accuracy",
    "system_p_values": "soft_accuracy",
    "wilcoxon_p_value": "signed_ranks",
}

__all__ = list(_MODULES)  # pyright: ignore[reportUnsupportedDunderAll]  # it sees the imports above

if not TYPE_CHECKING:
    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module("." + _MODULES[name], __name__), name)
        globals()[name] = value
        return value
