"""PyTorch-Ignite: its Bleu over all segments (`micro`). It takes words, which purebleu's tokenizers make here."""

from __future__ import annotations

from importlib import import_module

from .purebleu_adapter import words_of
from .serving import Answer, Request, Unsupported, by_task, only_options


def bleu(request: Request) -> Answer:
    """Return the score of a corpus."""
    options = only_options(request, ("max_ngram_order", "force", "smooth_method", "smooth_value", "tokenize",
                                     "lowercase"), effective_order=False)
    method, value = options.get("smooth_method", "exp"), options.get("smooth_value")
    names = {("none", None): "no_smooth", ("floor", None): "smooth1", ("add-k", None): "smooth2",
             ("add-k", 1): "smooth2"}
    name = "no_smooth" if method == "none" else names.get((method, value))
    if name is None:
        raise Unsupported("no smoothing other than none, floor with 0.1, and add-k with 1")
    metric = import_module("ignite.metrics").Bleu(options.get("max_ngram_order", 4), name, average="micro")
    metric.update(([words_of(text, options) for text in request["hypotheses"]],
                   [[words_of(text, options) for text in several] for several in request["references"]]))
    return {"score": 100 * float(metric.compute())}


answer = by_task({"bleu": bleu})
