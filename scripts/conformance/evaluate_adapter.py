"""evaluate: its metric `bleu`, from the folder that `EVALUATE_BLEU` names. (Without this variable, it is downloaded.)

evaluate's metrics `sacrebleu`, `chrf` and `ter` are left out, because they call sacreBLEU.
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
    """Return the score of a corpus without smoothing. (evaluate's smoothing changes all orders.)"""
    return unsmoothed_bleu(request, lambda order: metric().compute(
        predictions=request["hypotheses"], references=request["references"], max_order=order))


answer = by_task({"bleu": bleu})
