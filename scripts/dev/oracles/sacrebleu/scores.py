"""Statistics and scores of BLEU and chrF, of corpora, of single segments, and by the functions on top."""

from __future__ import annotations

import random
from itertools import chain

from dev.oracles.cases.generated_lines import random_segments

from .corpora import corpora
from .oracle import TOKENIZERS, make_oracle_metric, oracle, score_record, scored, statistics_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator

#: Smoothing methods with their values. The first ones, the defaults, go into every evaluation.
SMOOTHING: tuple[tuple[str, float | None], ...] = (
    ("exp", None), ("none", None), ("floor", None), ("add-k", None),
    ("floor", 0.0), ("add-k", 0.5), ("floor", 0.5), ("add-k", 0), ("exp", 0.0), ("floor", 1e-9), ("add-k", 2.5),
    ("none", 3.0), ("floor", 1), ("add-k", 0.1),
)
_DEFAULTS = 4


def statistics_cases() -> Iterator[dict[str, object]]:
    """A corpus, options, the row of statistics of each segment, and scores with further options.

    `repeat` tells how many times the corpus is put behind itself for a score, so that it is larger than what is worked
    on at once.
    """
    turn = 0
    for name, hypotheses, references in corpora():
        for options in statistics_options():
            rows = make_oracle_metric(options)._extract_corpus_statistics(hypotheses, references)
            scores = []
            further = [_DEFAULTS + (turn + step) % (len(SMOOTHING) - _DEFAULTS) for step in range(3)]
            for index in (*range(_DEFAULTS), *further):
                method, value = SMOOTHING[index]
                more = {"smooth_method": method, "smooth_value": value, "effective_order": (turn + index) % 3 == 0}
                repeat = 150 if turn % 10 == 0 and index == 0 else 1
                metric = make_oracle_metric({**options, **more})
                score = metric.corpus_score(hypotheses * repeat, [stream * repeat for stream in references])
                scores.append({"options": more, "repeat": repeat, **scored(metric, score)})
            yield {"corpus": name, "hypotheses": hypotheses, "references": references, "options": options,
                   "rows": rows, "scores": scores}
            turn += 1


def sentence_cases() -> Iterator[dict[str, object]]:
    """Scores of single segments."""
    segments = [random_segments(200 + streams, 50, streams, missing=streams > 1) for streams in (1, 2, 4)]
    for turn, segment in enumerate(chain.from_iterable(segments)):
        method, value = SMOOTHING[turn % len(SMOOTHING)]
        options = {"tokenize": TOKENIZERS[turn % 5], "lowercase": turn % 4 == 1, "smooth_method": method,
                   "smooth_value": value, "effective_order": turn % 3 != 1}
        metric = make_oracle_metric(options)
        score = metric.sentence_score(segment.hypothesis, segment.references)
        yield {"hypothesis": segment.hypothesis, "references": segment.references, "options": options,
               **scored(metric, score)}


def chrf_options() -> Iterator[dict[str, object]]:
    """Options of chrF: each on its own, and some together."""
    yield {}
    for name in ("lowercase", "whitespace", "eps_smoothing"):
        yield {name: True}
    yield {"beta": 1}
    yield {"char_order": 2}
    for order in (1, 2, 3):
        yield {"word_order": order}
    yield {"char_order": 0, "word_order": 2}
    yield {"char_order": 0, "word_order": 1, "eps_smoothing": True}
    yield {"char_order": 40, "word_order": 12}
    yield {"char_order": 8, "word_order": 2, "beta": 3, "lowercase": True, "whitespace": True, "eps_smoothing": True}


def chrf_cases() -> Iterator[dict[str, object]]:
    """A corpus, options of chrF, the row of each segment, the score of the corpus and of its first segment."""
    for name, hypotheses, references in corpora():
        for options in chrf_options():
            metric = oracle().CHRF(**options)
            rows = metric._extract_corpus_statistics(hypotheses, references)
            score = metric.corpus_score(hypotheses, references)
            signature = metric.get_signature()
            sentence = metric.sentence_score(hypotheses[0], [stream[0] for stream in references])
            yield {"corpus": name, "hypotheses": hypotheses, "references": references, "options": options,
                   "rows": rows, "score": float(score.score).hex(), "name": score.name, "text": str(score),
                   "signature": signature.format(), "short": signature.format(True),
                   "sentence": float(sentence.score).hex()}


def compute_bleu_cases() -> Iterator[dict[str, object]]:
    """Scores from counts: some of them as no corpus has them."""
    rng = random.Random(300)
    counts: list[tuple[list[float], list[float], int, int]] = [
        ([0, 0, 0, 0], [0, 0, 0, 0], 0, 0), ([0, 0, 0, 0], [0, 0, 0, 0], 0, 9), ([0, 0, 0, 0], [9, 8, 7, 6], 9, 0),
        ([9, 8, 7, 6], [9, 8, 7, 6], 9, 9), ([1, 0, 0, 0], [1, 0, 0, 0], 1, 1), ([2, 1, 0, 0], [2, 1, 0, 0], 2, 5000),
        ([5, 0, 1, 0], [9, 8, 7, 6], 9, 8), ([0, 0, 0, 1], [9, 8, 7, 6], 9, 10), ([3, 1, 0, 0], [3, 2, 0, 4], 3, 3),
        ([2.5, 1.25, 0.5, 0.0], [7.5, 6.5, 5.5, 4.5], 7, 8), ([7, 5, 3, 2], [5, 4, 3, 2], 5, 5), ([1], [7], 7, 3),
        ([4, 2, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1], 6, 7), ([10**12, 9, 8, 7], [10**13, 9**9, 8**9, 7**9], 10**13, 10**14),
    ]
    for length in range(1, 40):
        totals: list[float] = [max(0, length - order) for order in range(4)]
        counts.append(([rng.randint(0, int(total)) for total in totals], totals, length, rng.randint(1, 50)))
    for correct, total, sys_len, ref_len in counts:
        for method, value in SMOOTHING[:8]:
            for effective in (False, True):
                arguments = {"correct": correct, "total": total, "sys_len": sys_len, "ref_len": ref_len,
                             "smooth_method": method, "smooth_value": value, "effective_order": effective,
                             "max_ngram_order": len(correct)}
                score = oracle().BLEU.compute_bleu(**{**arguments, "correct": correct[:], "total": total[:]})
                yield {"arguments": arguments, "result": score_record(score)}


def function_cases() -> Iterator[dict[str, object]]:
    """Calls of the functions on top: `corpus_bleu`, `raw_corpus_bleu`, `sentence_bleu`."""
    calls: list[tuple[str, dict[str, object]]] = [
        ("corpus_bleu", {}), ("corpus_bleu", {"smooth_method": "floor", "smooth_value": 0.01, "lowercase": True}),
        ("corpus_bleu", {"tokenize": "intl", "use_effective_order": True}),
        ("corpus_bleu", {"tokenize": "char", "force": True}),
        ("raw_corpus_bleu", {}), ("raw_corpus_bleu", {"smooth_value": 0.5}),
        ("raw_corpus_bleu", {"smooth_value": None}),
    ]
    for _, hypotheses, references in corpora():
        for function, arguments in calls:
            score = getattr(oracle(), function)(hypotheses, references, **arguments)
            yield {"function": function, "input": [hypotheses, references], "arguments": arguments,
                   "result": score_record(score)}
    for segment in random_segments(400, 40, 2):
        for arguments in ({}, {"smooth_method": "add-k", "tokenize": "zh", "lowercase": True},
                          {"use_effective_order": False, "tokenize": "none"}):
            score = oracle().sentence_bleu(segment.hypothesis, segment.references, **arguments)
            yield {"function": "sentence_bleu", "input": [segment.hypothesis, segment.references],
                   "arguments": arguments, "result": score_record(score)}
