"""bleuscore: BLEU with the 13a tokenizer, without smoothing. (bleuscore also has a smoothing method of its own.)"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .serving import Answer, Request, Unsupported, by_task, only_options, unsmoothed_bleu


def tokens(request: Request) -> Answer:
    """Return the words of the tokenizer 13a."""
    only_options(request, tokenize="13a", lowercase=False)
    return {"tokens": import_module("bleuscore").tokenizer_13a(request["text"])}


def bleu(request: Request) -> Answer:
    """Return the score. The closest reference length is used, as in sacreBLEU."""
    def compute(order: int) -> Any:
        if order < 1:
            raise Unsupported("no order below 1")
        return import_module("bleuscore").compute(request["references"], request["hypotheses"], max_order=order,
                                                  ref_len_method="closest")

    return unsmoothed_bleu(request, compute)


answer = by_task({"tokens": tokens, "bleu": bleu})
