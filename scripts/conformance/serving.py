"""Reads requests of the conformance set from standard input, and writes the answers to standard output.

Each line is a JSON object. `tests/fixtures/conformance.md` explains the tasks and the members of their answers.
Standard library only.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Callable, Dict, Iterable, Mapping

#: A case without the expected values; and the members of an answer, without the id.
Request = Dict[str, Any]
Answer = Dict[str, Any]
Answering = Callable[[Request], Answer]


class Unsupported(Exception):
    """The library does not support the request."""


def serve(answer: Answering) -> int:
    """Answer each line of standard input immediately with a line on standard output. Return the exit code."""
    output, sys.stdout = sys.stdout, sys.stderr  # (Libraries may print, and standard output is for answers.)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        text = json.dumps({"id": request["id"], **answered(answer, request)})
        output.write(text + "\n")
        output.flush()
    return 0


def answered(answer: Answering, request: Request) -> Answer:
    """Return the answer to a request. If a library fails, return its error, which is scored as a wrong answer."""
    try:
        return answer(request)
    except Unsupported as unsupported:
        return {"unsupported": str(unsupported)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def by_task(tasks: Mapping[str, Answering]) -> Answering:
    """Return a function that answers only requests for these tasks."""
    def answer(request: Request) -> Answer:
        if request["task"] not in tasks:
            raise Unsupported(f"no task {request['task']}")
        return tasks[request["task"]](request)
    return answer


def tokenizing_metric(request: Request, make_metric: Callable[[str, dict[str, Any]], Any]) -> Any:
    """Return the metric whose words a request asks for."""
    options = dict(request["options"])
    if options["tokenize"] == "tercom":
        del options["tokenize"]
        return make_metric("ter", options)
    return make_metric("bleu", options)


def scored_by(metric: Any, request: Request, rows: Iterable[Iterable[float]]) -> Answer:
    """Return the score of a corpus or of a single sentence, with the rows of the corpus."""
    if request.get("sentence"):
        score = metric.sentence_score(request["hypotheses"][0], request["references"][0])
    else:
        score = metric.corpus_score(request["hypotheses"], streams_of(request))
    further = {"bp": score.bp, "precisions": score.precisions} if request["task"] == "bleu" else {}
    return {"score": score.score, **further, "statistics": list(map(list, rows))}


def streams_of(request: Request) -> list[list[str | None]]:
    """Return streams of references, as sacreBLEU takes them. `None` is a missing reference."""
    references = request["references"]
    return [[several[index] if index < len(several) else None for several in references]
            for index in range(max(map(len, references)))]


def only_options(request: Request, known: Iterable[str] = (), **fixed: object) -> dict[str, Any]:
    """Return the options of a request that the library takes.

    Args:
        request: the request.
        known: the options that the library takes.
        fixed: options that the library does not take, with the values that it always uses.

    Raises:
        Unsupported: the library lacks an option, or always uses another value.
    """
    options = dict(request["options"])
    for name, value in fixed.items():
        default = DEFAULTS[request["task"]].get(name)
        if options.pop(name, default) != value:
            raise Unsupported(f"no option {name} other than {value}")
    for name in options:
        if name not in known:
            raise Unsupported(f"no option {name}")
    return options


def unsmoothed_bleu(request: Request, compute: Callable[[int], Any]) -> Answer:
    """Return an answer with unsmoothed BLEU of 13a's words. `compute` returns the library's result for an order."""
    options = only_options(request, ("max_ngram_order", "force", "smooth_value"), tokenize="13a", lowercase=False,
                           effective_order=False, smooth_method="none")
    result = compute(options.get("max_ngram_order", 4))
    return {"score": 100 * result["bleu"], "bp": result["brevity_penalty"],
            "precisions": [100 * precision for precision in result["precisions"]]}


def one_reference(request: Request) -> list[str]:
    """Return the single reference of each segment."""
    if any(len(several) != 1 for several in request["references"]):
        raise Unsupported("one reference only")
    return [several[0] for several in request["references"]]


#: The options of each task, with their default values.
DEFAULTS: dict[str, dict[str, object]] = {
    "tokens": {"tokenize": "13a", "lowercase": False, "normalized": False, "no_punct": False, "asian_support": False,
               "case_sensitive": False},
    "bleu": {"tokenize": "13a", "lowercase": False, "smooth_method": "exp", "smooth_value": None,
             "max_ngram_order": 4, "effective_order": False, "force": False},
    "chrf": {"char_order": 6, "word_order": 0, "beta": 2, "lowercase": False, "whitespace": False,
             "eps_smoothing": False},
    "ter": {"normalized": False, "no_punct": False, "asian_support": False, "case_sensitive": False},
}
