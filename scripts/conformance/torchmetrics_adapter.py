"""torchmetrics: its SacreBLEUScore, CHRFScore and TranslationEditRate.

Tensors have double precision here. With torchmetrics' default, single precision, all scores differ after seven digits.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .serving import Answer, Request, Unsupported, by_task, only_options


def text_metrics() -> Any:
    torch = import_module("torch")
    torch.set_default_dtype(torch.float64)
    return import_module("torchmetrics.text")


def tokens(request: Request) -> Answer:
    """Return the words of torchmetrics' tokenizer for BLEU."""
    if request["options"]["tokenize"] == "tercom":
        raise Unsupported("no tokenizer tercom")
    options = only_options(request, ("tokenize", "lowercase"))
    tokenizer = import_module("torchmetrics.functional.text.sacre_bleu")._SacreBLEUTokenizer
    return {"tokens": list(tokenizer(options["tokenize"], options.get("lowercase", False))(request["text"]))}


def bleu(request: Request) -> Answer:
    """Return the score of a corpus. (torchmetrics' smoothing is `add-k` with 1.)"""
    options = only_options(request, ("tokenize", "lowercase", "max_ngram_order", "force", "smooth_method",
                                     "smooth_value"), effective_order=False)
    method, value = options.get("smooth_method", "exp"), options.get("smooth_value")
    if method not in ("none", "add-k") or (method == "add-k" and value not in (None, 1)):
        raise Unsupported("no smoothing other than none, and add-k with 1")
    metric = text_metrics().SacreBLEUScore(
        n_gram=options.get("max_ngram_order", 4), smooth=method == "add-k", tokenize=options.get("tokenize", "13a"),
        lowercase=options.get("lowercase", False))
    return {"score": 100 * float(metric(request["hypotheses"], request["references"]))}


def chrf(request: Request) -> Answer:
    """Return the score of a corpus: the mean over orders, as with `eps_smoothing`."""
    options = only_options(request, ("char_order", "word_order", "beta", "lowercase", "whitespace"), eps_smoothing=True)
    if options.get("char_order", 6) < 1:
        raise Unsupported("no order of characters below 1")
    metric = text_metrics().CHRFScore(
        n_char_order=options.get("char_order", 6), n_word_order=options.get("word_order", 0),
        beta=float(options.get("beta", 2)), lowercase=options.get("lowercase", False),
        whitespace=options.get("whitespace", False))
    return {"score": 100 * float(metric(request["hypotheses"], request["references"]))}


def ter(request: Request) -> Answer:
    """Return the score of a corpus."""
    options = only_options(request, ("normalized", "no_punct", "asian_support", "case_sensitive"))
    metric = text_metrics().TranslationEditRate(
        normalize=options.get("normalized", False), no_punctuation=options.get("no_punct", False),
        lowercase=not options.get("case_sensitive", False), asian_support=options.get("asian_support", False))
    return {"score": 100 * float(metric(request["hypotheses"], request["references"]))}


answer = by_task({"tokens": tokens, "bleu": bleu, "chrf": chrf, "ter": ter})
