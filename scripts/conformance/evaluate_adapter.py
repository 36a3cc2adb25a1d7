"""evaluate: its metric `bleu`, from the folder that `EVALUATE_BLEU` names (else it would be downloaded).

Its metrics `sacrebleu`, `chrf` and `ter` call sacreBLEU, and need no cases of their own.
"""

from __future__ import annotations

import os
from functools import lru_cache
from importlib import import_module
from typing import Any

from .serving import Answer, Request, by_task, unsmoothed_bleu


@lru_cache(maxsize=None)
def metric() -> Any:
    return import_module("evaluate").load(os.environ.get("EVALUATE_BLEU", "bleu"), keep_in_memory=True)


def bleu(request: Request) -> Answer:
    """The score of a corpus; without smoothing, for its own is of all orders."""
    return unsmoothed_bleu(request, lambda order: metric().compute(
        predictions=request["hypotheses"], references=request["references"], max_order=order))


answer = by_task({"bleu": bleu})
