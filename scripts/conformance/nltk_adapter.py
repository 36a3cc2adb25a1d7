"""NLTK: corpus_bleu and corpus_chrf. (corpus_bleu takes words, which purebleu's tokenizers make here.)"""

from __future__ import annotations

import warnings
from importlib import import_module

from .purebleu_adapter import words_of
from .serving import Answer, Request, Unsupported, by_task, one_reference, only_options


def bleu(request: Request) -> Answer:
    """Return the score of a corpus, with NLTK's functions for the smoothing methods of Chen and Cherry (2014)."""
    options = only_options(request, ("max_ngram_order", "force", "smooth_method", "smooth_value", "tokenize",
                                     "lowercase"), effective_order=False)
    module = import_module("nltk.translate.bleu_score")
    method, value = options.get("smooth_method", "exp"), options.get("smooth_value")
    if method == "add-k" and value not in (None, 1):
        raise Unsupported("no add-k other than with 1")
    smoothing = module.SmoothingFunction(epsilon=value if method == "floor" and value is not None else 0.1)
    function = {"none": smoothing.method0, "floor": smoothing.method1, "add-k": smoothing.method2,
                "exp": smoothing.method3}[method]
    order = options.get("max_ngram_order", 4)
    references = [[words_of(text, options) for text in several] for several in request["references"]]
    hypotheses = [words_of(text, options) for text in request["hypotheses"]]
    score = module.corpus_bleu(references, hypotheses, (1 / order,) * order, function)
    return {"score": 100 * float(score)}


def chrf(request: Request) -> Answer:
    """Return the score. NLTK averages over orders (as with `eps_smoothing`) and over sentences."""
    options = only_options(request, ("char_order", "beta", "whitespace"), word_order=0, lowercase=False,
                           eps_smoothing=True)
    score = import_module("nltk.translate.chrf_score").corpus_chrf(
        one_reference(request), request["hypotheses"], 1, options.get("char_order", 6), options.get("beta", 2),
        not options.get("whitespace", False))
    return {"score": 100 * float(score)}


warnings.simplefilter("ignore")  # (NLTK warns of short texts.)

answer = by_task({"bleu": bleu, "chrf": chrf})
