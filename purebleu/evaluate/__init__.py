"""Metrics in the shape of Hugging Face's evaluate: `load(name).compute(predictions=..., references=...)`.

In reading order: `modules` (`load` and what it returns), `cards` (the metrics by name), `definitions`.

>>> import purebleu.evaluate
>>> ter = purebleu.evaluate.load("ter")
>>> ter.compute(predictions=["does this match??"], references=[["does this match", "does this match!"]])
{'score': 33.33333333333333, 'num_edits': 1, 'ref_length': 3.0}
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .modules import CombinedEvaluations as CombinedEvaluations
    from .modules import EvaluationModule as EvaluationModule
    from .modules import combine as combine
    from .modules import load as load

#: The public names. (They are not imported here: see `significance`.)
__all__ = ["CombinedEvaluations", "EvaluationModule", "combine", "load"]

if not TYPE_CHECKING:
    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return globals().setdefault(name, getattr(import_module(".modules", __name__), name))
