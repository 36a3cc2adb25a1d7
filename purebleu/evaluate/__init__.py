"""Metrics in the shape of Hugging Face's evaluate: `load(name).compute(predictions=..., references=...)`.

In reading order: `modules` (`load` and what it returns), `definitions` (the metrics, and their names).

>>> import purebleu.evaluate
>>> ter = purebleu.evaluate.load("ter")
>>> ter.compute(predictions=["does this match??"], references=[["does this match", "does this match!"]])
{'score': 33.33333333333333, 'num_edits': 1, 'ref_length': 3.0}
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .modules import (combine as combine, CombinedEvaluations as CombinedEvaluations,
                          EvaluationModule as EvaluationModule, load as load)

#: The public names, by their modules; a module is imported when one of its names is first used.
_MODULES = {
    "modules": ("CombinedEvaluations", "EvaluationModule", "combine", "load"),
}

__all__ = [name for names in _MODULES.values() for name in names]  # pyright: ignore[reportUnsupportedDunderAll]

if not TYPE_CHECKING:
    from ..lazy import lazy_names

    __getattr__, __dir__ = lazy_names(__name__, _MODULES)
