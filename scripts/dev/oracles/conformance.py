"""Write the conformance set: what any implementation of BLEU, chrF and TER, in any language, can be held to.

    python3 scripts/dev/oracles conformance OUT [--oracle PYTHON]

OUT is a file of JSON Lines; its SHA-256 checksum is written to OUT.sha256. PYTHON is an interpreter that has sacreBLEU
2.6.0 (by default the one that runs this). The same oracle writes the same bytes, on the same Python: its version of
Unicode is that of the texts. The page `conformance` of the manual has the format.

Cases are chosen: a text or a corpus becomes a case where it tells sacreBLEU apart from a simple wrong variant that
fewer cases than `TIMES` before it do; `word_variants` and `score_variants` have these. Its member `apart` names one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import random
import subprocess
import sys
from collections import Counter
from importlib import import_module
from itertools import cycle
from pathlib import Path

from conformance.sacrebleu_adapter import answer, make_metric

from dev.oracles.cases.generated_lines import random_word_segments
from dev.oracles.conformance_cases.candidates import (
    OPTIONS,
    is_settled,
    lines_for,
    pairs_of,
    request_of,
    requests_for,
    shared_words,
    word_options,
)
from dev.oracles.conformance_cases.score_variants import score_variants
from dev.oracles.conformance_cases.word_variants import Sets, is_lower_case, plain_words, word_variants

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, Iterator, Mapping, Sequence, Tuple

    from conformance.serving import Answer, Request

    Case = Dict[str, Any]
    #: A candidate, and its variants by key: whether each gives something else.
    Candidate = Tuple[Request, Dict[str, Callable[[], bool]]]

VERSION = "2.6.0"

#: The most bytes that the set may have.
MAX_BYTES = 2_000_000

#: Characters at which some readers end lines.
ESCAPED = {code: f"\\u{code:04x}" for code in (0x85, 0x2028, 0x2029)}

#: How many cases shall tell a variant apart, by task, under each set of options (one more with the usual options).
TIMES = {"tokens": 3, "bleu": 2, "chrf": 2, "ter": 2}

#: Scores that differ by a smaller fraction, or by less, are the same: those of another order of additions.
SAME, NOTHING = 1e-9, 1e-12

#: How far the scores of bootstrap resamples may be from sacreBLEU's, which computes them in single precision.
SINGLE_PRECISION = 1e-4

#: sacreBLEU takes some references in the order of a set of strings, which differs from process to process without it.
HASH_SEED = {"PYTHONHASHSEED": "3"}

#: The variants of each tokenizer and each metric: all that were tried, and those that some case tells apart.
TALLY: dict[str, tuple[set[str], set[str]]] = {}


def main(argv: Sequence[str] | None = None) -> int:
    """Write the set; returns the exit code."""
    parser = argparse.ArgumentParser(description="Write the conformance set.")
    parser.add_argument("out", type=Path, metavar="OUT", help="the file to write, in JSON Lines")
    parser.add_argument("--oracle", default=sys.executable, metavar="PYTHON",
                        help="an interpreter that has sacreBLEU (default: the one that runs this)")
    options = parser.parse_args(argv)
    if options.oracle != sys.executable or not HASH_SEED.items() <= os.environ.items():
        return subprocess.run([options.oracle, __file__, str(options.out)], env={**os.environ, **HASH_SEED}).returncode
    version = import_module("sacrebleu").__version__
    if version != VERSION:
        parser.error(f"the oracle is sacreBLEU {VERSION}, not {version}")
    logging.disable(logging.WARNING)  # of what is done to it here on purpose
    write(options.out, list(all_cases()))
    print_tally()
    return 0


def print_tally() -> None:
    """Print how many variants the cases tell apart, and those that no case does."""
    for group, (known, told) in TALLY.items():
        missed = sorted(known - told)
        print(f"{group}: {len(told):,} of {len(known):,} variants told apart" + (
            f" (not: {'; '.join(missed)})" if missed else ""))
    known_count, told_count = (sum([len(sets[index]) for sets in TALLY.values()]) for index in (0, 1))
    print(f"all: {told_count:,} of {known_count:,} variants told apart")


def write(path: Path, cases: Sequence[Case]) -> None:
    """Write the cases and their checksum, and print how many there are of each level."""
    content = "".join([line_of(case) + "\n" for case in cases]).encode("utf-8")
    if len(content) > MAX_BYTES:
        raise SystemExit(f"{len(content):,} bytes are more than {MAX_BYTES:,}")
    path.write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    path.with_name(path.name + ".sha256").write_bytes(f"{digest}  {path.name}\n".encode("ascii"))
    for level, count in Counter([case["level"] for case in cases]).items():
        print(f"{level}: {count:,} cases")
    print(f"{path.name}: {len(cases):,} cases, {len(content):,} bytes, SHA-256 {digest}")


def line_of(case: Case) -> str:
    return json.dumps(case, ensure_ascii=False, separators=(",", ":")).translate(ESCAPED)


def all_cases() -> Iterator[Case]:
    """The cases with their ids, and what sacreBLEU answers."""
    levels: dict[str, Iterable[Request]] = {
        "tokenizers": token_requests(), "bleu": score_requests("bleu"), "chrf": score_requests("chrf"),
        "ter": score_requests("ter"), "signatures": signature_requests(), "resampling": resampling_requests(),
        "significance": significance_requests(),
    }
    for level, requests in levels.items():
        for number, request in enumerate(requests, 1):
            members = {key: value for key, value in request.items() if key != "sentence" or value}
            yield {"id": f"{level}-{number:04}", "level": level, **members, "expected": answer(request)}


# Choosing

def chosen(candidates: Sequence[Candidate], times: int, seed: int, group: str) -> Iterator[Request]:
    """The candidates that tell apart a variant which too few before them do, each with the name of one.

    They come in two rounds: the shortest first, where one case is enough for a variant; then in any order. The variants
    are counted in `TALLY` under the group, a tokenizer or a metric.
    """
    counts: Counter[str] = Counter()
    taken = set()
    shuffled = random.Random(seed).sample(range(len(candidates)), len(candidates))
    for is_first, order, enough in ((True, range(len(candidates)), 1), (False, shuffled, times)):
        hopeless = set() if is_first else {name for _, variants in candidates for name in variants} - set(counts)
        for index in order:
            request, variants = candidates[index]
            if index not in taken:
                apart = [name for name, differs in variants.items()
                         if counts[name] < enough and name not in hopeless and differs()]
                if apart:
                    counts.update(apart)
                    taken.add(index)
                    yield {**request, "apart": apart[0]}
    known, told = TALLY.setdefault(group, (set(), set()))
    known.update({name for _, variants in candidates for name in variants})
    told.update(counts)


def token_requests() -> Iterator[Request]:
    """Texts for each tokenizer."""
    sets = sets_of_oracle()
    for turn, options in enumerate(word_options()):
        plain, variants = plain_words(options, sets), word_variants(options, sets)
        candidates = []
        for text in lines_for(options, sets):
            request = {"task": "tokens", "options": dict(options), "text": text}
            expected = answer(request)["tokens"]
            if plain(text) != expected:
                raise SystemExit(f"the plain form of {options} is wrong: {text!r} has {expected}, not {plain(text)}")
            candidates.append((request, {name: differing(words, text, expected) for name, words in variants.items()}))
        times = 1 if is_lower_case(options) and options["tokenize"] != "none" else TIMES["tokens"]
        yield from chosen(candidates, times, turn, str(options["tokenize"]))


def differing(words: Callable[[str], list[str]], text: str, expected: list[str]) -> Callable[[], bool]:
    return lambda: words(text) != expected


def sets_of_oracle() -> Sets:
    """The characters that sacreBLEU makes words of, or leaves out."""
    everything = [chr(code) for code in range(0x80, 0x30000)
                  if not chr(code).isspace() and not 0xD800 <= code < 0xE000]
    zh = make_metric("bleu", {"tokenize": "zh"})._preprocess_segment
    asian = make_metric("ter", {"normalized": True, "asian_support": True, "case_sensitive": True})._preprocess_segment
    mark = make_metric("ter", {"no_punct": True, "asian_support": True, "case_sensitive": True})._preprocess_segment
    return Sets(frozenset([c for c in everything if zh(f"a{c}a") != f"a{c}a"]),
                frozenset([c for c in everything if asian(f"a{c}a") != f"a{c}a"]),
                frozenset([c for c in everything if mark(f"a{c}a") != f"a{c}a"]))


def score_requests(task: str) -> Iterator[Request]:
    """Corpora and sentences for a metric, for each set of its options."""
    for turn, options in enumerate(OPTIONS[task]()):
        known: dict[str, Answer] = {}
        candidates = []
        for request in requests_for(task, options, turn):
            score = asked(known, request)["score"]
            variants = {name: scoring_other(variant, request, known, score)
                        for name, variant in score_variants(request).items()}
            candidates.append((request, variants))
        yield from chosen(candidates, TIMES[task] + (not options), turn, task)


def asked(known: dict[str, Answer], request: Request) -> Answer:
    """sacreBLEU's answer, which is kept."""
    key = json.dumps([request[name] for name in ("options", "hypotheses", "references")])
    if key not in known:
        known[key] = answer({name: value for name, value in request.items() if name != "sentence"})
    return known[key]


def scoring_other(variant: Any, request: Request, known: dict[str, Answer], expected: float) -> Callable[[], bool]:
    def differs() -> bool:
        try:
            score = variant(request, lambda other: asked(known, other))
        except (IndexError, ZeroDivisionError):  # sacreBLEU's, where all orders are 0
            return False
        return score is not None and abs(score - expected) > max(SAME * abs(score), SAME * abs(expected), NOTHING)
    return differs


# Cases that need no choosing

def signature_requests() -> Iterator[Request]:
    """Every set of options, with one, several, and various numbers of references."""
    shapes = cycle(([["a b"], ["c d"]], [["a b", "a c"], ["c d", "d"]], [["a b", "a c"], ["c d"]]))
    further: dict[str, list[dict[str, object]]] = {
        "bleu": [{"smooth_method": "floor", "smooth_value": 0.25}, {"smooth_method": "add-k", "smooth_value": 0.01},
                 {"smooth_method": "floor", "smooth_value": 1}, {"tokenize": "13a", "effective_order": True}],
        "chrf": [{"word_order": 4}, {"beta": 1, "char_order": 4}], "ter": [],
    }
    for metric, options_of in OPTIONS.items():
        # (It rounds smoothing values to two decimals; others may write them in full.)
        told = [options for options in (*options_of(), *further[metric])
                if round(smoothing_value(options), 2) == smoothing_value(options)]
        for options, references in zip(told, shapes):
            # (Its signature does not tell the order; others may.)
            yield {"task": "signature", "metric": metric, "options": {
                name: value for name, value in options.items() if name != "max_ngram_order"},
                "hypotheses": ["a b", "c d"], "references": references}


def smoothing_value(options: Mapping[str, object]) -> float:
    """The value that options name; 0, where they name none."""
    value = options.get("smooth_value")
    return float(value) if isinstance(value, (int, float)) else 0.0


SEEDS = (1, 7, 12345, 2 ** 31 - 1, 2 ** 32, 2 ** 53 - 1)


def resampling_requests() -> Iterator[Request]:
    """NumPy's random streams, and intervals from them."""
    for seed in SEEDS:
        for segments in (1, 2, 3, 7, 10, 64):
            yield {"task": "draws", "seed": seed, "segments": segments, "resamples": 3}
            yield {"task": "swaps", "seed": seed, "segments": segments, "trials": 3}
    for turn, (metric, options) in enumerate(zip(cycle(OPTIONS), metric_options(54))):
        request = corpus_for_resampling(metric, options, turn)
        seed, segments = SEEDS[turn % len(SEEDS)], len(request["hypotheses"])
        drawn = answer({"task": "draws", "seed": seed, "segments": segments, "resamples": (20, 40, 41)[turn % 3]})
        yield {**request, "task": "bootstrap", "metric": metric, "seed": seed, **drawn, "tolerance": SINGLE_PRECISION}


def metric_options(count: int) -> Iterator[dict[str, object]]:
    """Options of the metrics in turn, each metric's going on from where they were."""
    streams = {metric: cycle(options()) for metric, options in OPTIONS.items()}
    for _, metric in zip(range(count), cycle(OPTIONS)):
        yield dict(next(streams[metric]))


def corpus_for_resampling(metric: str, options: dict[str, object], turn: int) -> Request:
    """A corpus of a few segments; with 1, 2 or 4 references each, whose mean length is exact in binary."""
    rng = random.Random(800 + turn)
    references = (1, 2, 4)[turn // 3 % 3]
    if turn % 2:
        pairs = pairs_of(random_word_segments(800 + turn, 40, references))
        pairs = [(one, several) for one, several in pairs
                 if 0 < len(one) < 40 and max(map(len, several)) < 40 and all(map(is_settled, (one, *several)))]
    else:
        pairs = [(text, [text, *several][:1] if rng.random() < 0.2 else several)
                 for text, several in [shared_words(rng, 1) for _ in range(20)]]
    return request_of(metric, options, pairs[:rng.randint(3, 9)])


def significance_requests() -> Iterator[Request]:
    """Paired tests whose p-values do not hang on how scores are rounded."""
    kept = 0
    for turn, options in enumerate(metric_options(400)):
        metric, test = list(OPTIONS)[turn % 3], ("bs", "ar")[turn // 3 % 2]
        if test == "ar" and options.get("smooth_method") == "add-k" and smoothing_value(options) % 1:
            continue  # sacreBLEU cuts smoothed counts to integers
        request = corpus_for_resampling(metric, options, 1000 + turn)
        rng = random.Random(turn)
        segments = len(request["hypotheses"])
        baseline = [rng.choice((text, several[0], " ".join(text.split()[::-1])))
                    for text, several in zip(request["hypotheses"], request["references"])]
        if turn % 25 == 0:
            baseline = list(request["hypotheses"])
        seed = SEEDS[turn % len(SEEDS)]
        samples = (19, 40, 59)[turn % 3]
        if test == "bs":
            chance = answer({"task": "draws", "seed": seed, "segments": segments, "resamples": samples})
        else:
            chance = answer({"task": "swaps", "seed": seed, "segments": segments, "trials": samples})
        made = {**request, "task": f"paired_{test}", "metric": metric, "baseline": baseline, "seed": seed, **chance,
                **({"tolerance": SINGLE_PRECISION} if test == "bs" else {})}
        if is_clear(made) and (turn % 25 == 0 or baseline != request["hypotheses"]):
            yield made
            kept += 1
        if kept == 72:
            return


def is_clear(request: Request) -> bool:
    """Whether every trial is well above or below the observed difference, or its equal to the last bit.

    (The least margin is absolute where scores differ by less than 1: there, they may be equal but for their rounding.)
    """
    significance: Any = import_module("sacrebleu.significance")
    usual, margins = significance._compute_p_value, []

    def noting(trials: Any, observed: float) -> Any:
        margins.extend([(abs(float(trial) - observed), max(abs(float(trial)), observed, 1.0)) for trial in trials])
        return usual(trials, observed)

    significance._compute_p_value = noting
    try:
        answer(request)
    finally:
        significance._compute_p_value = usual
    nearest = SINGLE_PRECISION if request["task"] == "paired_bs" else SAME
    return all(margin == 0 or margin > nearest * size for margin, size in margins)


if __name__ == "__main__":
    raise SystemExit(main())
