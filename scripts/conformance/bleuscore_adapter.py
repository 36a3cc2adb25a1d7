"""bleuscore: BLEU with the 13a tokenizer, without smoothing or with its own. Its scores are fractions."""

from __future__ import annotations

from importlib import import_module

from .serving import Answer, Request, Unsupported, by_task, only_options


def tokens(request: Request) -> Answer:
    """The words of 13a."""
    only_options(request, tokenize="13a", lowercase=False)
    return {"tokens": import_module("bleuscore").tokenizer_13a(request["text"])}


def bleu(request: Request) -> Answer:
    """The score, with the closest length of references, as in sacreBLEU."""
    options = only_options(request, ("max_ngram_order", "force", "smooth_value"), tokenize="13a", lowercase=False,
                           effective_order=False, smooth_method="none")
    if options.get("max_ngram_order", 4) < 1:
        raise Unsupported("no order below 1")
    result = import_module("bleuscore").compute(
        request["references"], request["hypotheses"], max_order=options.get("max_ngram_order", 4),
        ref_len_method="closest")
    return {"score": 100 * result["bleu"], "bp": result["brevity_penalty"],
            "precisions": [100 * precision for precision in result["precisions"]]}


answer = by_task({"tokens": tokens, "bleu": bleu})
