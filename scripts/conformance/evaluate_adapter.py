"""evaluate: its metric `bleu`, from the folder that `EVALUATE_BLEU` names (else it would be downloaded).

Its metrics `sacrebleu`, `chrf` and `ter` call sacreBLEU, and need no cases of their own.
"""

from __future__ import annotations

import os
from functools import lru_cache
from importlib import import_module
from typing import Any

from .serving import Answer, Request, by_task, only_options


@lru_cache(maxsize=None)
def metric() -> Any:
    return import_module("evaluate").load(os.environ.get("EVALUATE_BLEU", "bleu"), keep_in_memory=True)


def bleu(request: Request) -> Answer:
    """The score of a corpus; without smoothing, for its own is of all orders."""
    options = only_options(request, ("max_ngram_order", "force", "smooth_value"), tokenize="13a", lowercase=False,
                           effective_order=False, smooth_method="none")
    result = metric().compute(predictions=request["hypotheses"], references=request["references"],
                              max_order=options.get("max_ngram_order", 4))
    return {"score": 100 * result["bleu"], "bp": result["brevity_penalty"],
            "precisions": [100 * precision for precision in result["precisions"]]}


answer = by_task({"bleu": bleu})
