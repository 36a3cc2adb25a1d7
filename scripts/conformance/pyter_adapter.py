"""pyter3: TER of tokens against a single reference. Texts are lower-cased (by default) and split at white space."""

from __future__ import annotations

from importlib import import_module

from .serving import Answer, Request, Unsupported, by_task, one_reference, only_options


def ter(request: Request) -> Answer:
    """Return the score of a sentence."""
    options = only_options(request, ("case_sensitive", "asian_support"), normalized=False, no_punct=False)
    if len(request["hypotheses"]) > 1:
        raise Unsupported("sentences only")
    texts = [request["hypotheses"][0], one_reference(request)[0]]
    hypothesis, reference = [(text if options.get("case_sensitive") else text.lower()).split() for text in texts]
    return {"score": 100 * float(import_module("pyter").ter(hypothesis, reference))}


answer = by_task({"ter": ter})
