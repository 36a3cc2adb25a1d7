"""fastchrf: chrF of sentences, against a single reference."""

from __future__ import annotations

from importlib import import_module

from .serving import Answer, Request, Unsupported, by_task, one_reference, only_options


def chrf(request: Request) -> Answer:
    """Return the score of a sentence."""
    options = only_options(request, ("char_order", "beta", "whitespace", "eps_smoothing"), word_order=0,
                           lowercase=False)
    if len(request["hypotheses"]) > 1:
        raise Unsupported("sentences only")
    scores = import_module("fastchrf").pairwise_chrf(
        [request["hypotheses"]], [one_reference(request)], char_order=options.get("char_order", 6),
        beta=float(options.get("beta", 2)), remove_whitespace=not options.get("whitespace", False),
        eps_smoothing=options.get("eps_smoothing", False))
    return {"score": scores[0][0][0]}


answer = by_task({"chrf": chrf})
