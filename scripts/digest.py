"""Print digests of what purebleu computes. They have to be the same on every interpreter and machine.

    python3 scripts/digest.py                # a line for each part: the SHA-256 sum of all its figures, and its name
    python3 scripts/digest.py --check        # compare them with tests/fixtures/digest.txt; exit code 1 if they differ
    python3 scripts/digest.py --part NAME    # the figures themselves, to see where two interpreters differ
    python3 scripts/digest.py --write        # write tests/fixtures/digest.txt (after a part is added)

Other tests compare the figures with the oracle. This script shows whether the figures are the same everywhere, to the
last bit: tokens, rows of statistics, scores, scores of sentences, resampled scores, p-values and rankings. Scores of
BLEU and RIBES are compared to 12 digits. (The C library computes their logarithms and powers, and the last bit of these
depends on the processor.) `--package` selects another copy of the package by its import name.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import os
import random
import sys
import warnings
from functools import partial
from pathlib import Path
from typing import Any, Iterator, Sequence

from dev.oracles.cases.generated_lines import (
    as_streams,
    random_lines,
    random_segments,
    random_word_segments,
    special_lines,
)

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "fixtures" / "digest.txt"

SEED = 20

#: Tokenizers that need more than Python, so some machines can't have them.
NEED_DATA = {"ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K"}

#: Sets of options of each metric. Each set is a part of the digest. BLEU has another part for each tokenizer.
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "BLEU": [{"lowercase": True}, {"effective_order": True}, {"smooth_method": "none"},
             {"smooth_method": "floor", "smooth_value": 0.3}, {"smooth_method": "add-k", "smooth_value": 0.7},
             {"max_ngram_order": 1}, {"max_ngram_order": 7}],
    "CHRF": [{}, {"word_order": 2}, {"word_order": 1, "lowercase": True, "whitespace": True},
             {"char_order": 3, "beta": 1}, {"eps_smoothing": True}],
    "BLEU1": [{}],
    "BLEU2": [{"effective_order": True}],
    "BLEU3": [{"smooth_method": "floor"}],
    "TER": [{}, {"normalized": True}, {"no_punct": True}, {"case_sensitive": True},
            {"normalized": True, "no_punct": True, "asian_support": True}, {"kinds": True}],
    "WER": [{}, {"lowercase": True}],
    "CER": [{}],
    "MER": [{}],
    "WIL": [{}],
    "GLEU": [{}, {"tokenize": "intl", "lowercase": True, "min_order": 2, "max_order": 6}],
    "NIST": [{}, {"tokenize": "intl", "lowercase": True}],
    "ROUGE1": [{}, {"stemmer": True}],
    "ROUGE2": [{"tokenize": "unicode"}],
    "ROUGEL": [{}],
    "ROUGELSUM": [{"tokenize": "unicode"}],
    "RIBES": [{}],
    "CharacTER": [{}],
    "EED": [{}],
}

#: The metrics that take logarithms or powers.
C_LIBRARYS = ("BLEU", "BLEU1", "BLEU2", "BLEU3", "RIBES")

#: Attributes of scores, besides the name and the printed form.
FIGURES = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len", "ratio", "num_edits", "ref_length",
           "hits", "substitutions", "deletions", "insertions", "precision", "recall", "orders")

SEGMENTS = 300
SENTENCES = 80
RANDOM_ROWS = 20_000

#: For each system, the weights with which a segment's hypothesis, its reference or the next hypothesis is taken.
SYSTEMS = ((80, 10, 10), (80, 12, 8), (80, 13, 7), (60, 5, 35))

#: The number of resamples, large enough for the tests of all pairs of systems to be significant.
RESAMPLES = 150


def exact(value: Any) -> str:
    """Return a value in ASCII, with floats in hexadecimal notation. Different values have different texts.

    >>> exact([1, 0.1, (None, "1"), "\\u00e9"])
    "[1 0x1.999999999999ap-4 [None '1'] '\\\\xe9']"
    """
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, (list, tuple)):
        return f"[{' '.join(map(exact, value))}]"
    if value is None or isinstance(value, (int, str, bytes)):
        return ascii(value)
    raise TypeError(f"no exact notation for a {type(value).__name__}")


def to_12_digits(value: Any) -> Any:
    """Round all floats in a value to 12 digits.

    >>> to_12_digits([1, 1 / 3, ("a", 2e-9)])
    [1, '3.33333333333e-01', ['a', '2.00000000000e-09']]
    """
    if isinstance(value, float):
        return f"{value:.11e}"
    return list(map(to_12_digits, value)) if isinstance(value, (list, tuple)) else value


def parts(package: str) -> Iterator[tuple[str, Sequence[Any]]]:
    """Yield all parts of the digest. Each part is a name and a sequence of values."""
    lines = special_lines() + random_lines(SEED, 1500)
    yield "lines", lines  # if these differ, the other parts have different input
    yield from tokens(package, lines)
    yield from scores(package)
    yield "BLEU of random rows", scores_of_random_rows(package)
    yield from resampled(package)
    yield "human scores", human_scores(package)


def tokens(package: str, lines: Sequence[str]) -> Iterator[tuple[str, Sequence[Any]]]:
    """Yield the tokens of the lines, by each tokenizer."""
    for name in tokenizers(package):
        tokenizer = importlib.import_module(f"{package}.tokenizers").make_tokenizer(name)
        yield f"tokens {name}", [list(tokens) for tokens in tokenizer.tokenize_lines(lines)]


def tokenizers(package: str) -> list[str]:
    """Return the names of the tokenizers that need only Python."""
    return [name for name in importlib.import_module(f"{package}.tokenizers").TOKENIZERS if name not in NEED_DATA]


def scores(package: str) -> Iterator[tuple[str, Sequence[Any]]]:
    """Yield the rows, the score and the scores of sentences by every metric with every set of options."""
    segments = random_segments(SEED, SEGMENTS, streams=2, missing=True)
    words = random_word_segments(SEED, SEGMENTS, streams=2, missing=True)
    metric_classes = importlib.import_module(f"{package}.metrics")
    sum_statistics = importlib.import_module(package).sum_statistics
    for name, options in OPTIONS.items():
        metric_class = getattr(metric_classes, name)
        if name == "BLEU":
            options = [{"tokenize": tokenizer} for tokenizer in tokenizers(package)] + options
        corpus = [one for pair in zip(segments, words) for one in pair] if name == "TER" else segments
        hypotheses, references = as_streams(corpus)
        for chosen in options:
            metric = metric_class(**chosen)
            title = " ".join([name, *[f"{key}={value}" for key, value in chosen.items()]])
            weighted = metric_class(**chosen, references=references) if metric.lacks_weights() else metric
            rows = weighted.corpus_statistics(hypotheses, references)
            score = metric.score(sum_statistics(rows))
            if name == "RIBES":
                rows = to_12_digits([row[0] / 2 ** metric.BITS for row in rows])
            yield f"{title}: rows", rows
            yield f"{title}: score", figures(score)
            yield f"{title}: sentences", [figures(metric.sentence_score(segment.hypothesis, segment.references))
                                          for segment in corpus[:SENTENCES]]


def figures(score: Any) -> list[Any]:
    """Return all attributes of a score except its signature."""
    known = [getattr(score, name, None) for name in FIGURES]
    found = [score.name, str(score), *[figure for figure in known if figure is not None]]
    return to_12_digits(found) if score.name in C_LIBRARYS else found


def scores_of_random_rows(package: str) -> list[str]:
    """Return rounded BLEU scores of random rows. (Of so many scores, some would differ in the last bit.)"""
    bleu = importlib.import_module(f"{package}.metrics").BLEU()
    source = random.Random(SEED)
    found = []
    for _ in range(RANDOM_ROWS):
        length, reference_length = source.randrange(4, 200), source.randrange(4, 200)
        totals = [length - order for order in range(4)]
        matches: list[int] = []
        for total in totals:
            matches.append(source.randrange(min([total, *matches]) + 1))
        found.append(to_12_digits(bleu.score([length, reference_length, *matches, *totals]).score))
    return found


def resampled(package: str) -> Iterator[tuple[str, Sequence[Any]]]:
    """Yield the results of resampling several systems, for each random stream."""
    metric_classes, intervals, streams, tests, results = [
        importlib.import_module(f"{package}.{name}") for name in (
            "metrics", "engines.resampling.intervals", "engines.resampling.streams", "significance.sampling",
            "significance.results")]
    systems, references = several_systems()
    # (CharacTER and EED would take as long as all other metrics. Their rows are resampled like those of RIBES.)
    metrics = [getattr(metric_classes, name)(references=references) for name in OPTIONS
               if name not in ("CharacTER", "EED")]
    rows = [[metric.corpus_statistics(hypotheses, references) for metric in metrics] for hypotheses in systems]
    for stream in streams.STREAMS:
        new_stream = partial(streams.make_stream, stream, 12345)
        values = [metric.values for metric in metrics]
        resamples = intervals.bootstrap_scores(rows[0], values, new_stream(), RESAMPLES)
        yield f"bootstrap {stream}", rounded_by_metric(resamples)
        with_intervals = [metric.corpus_score(systems[0], references, RESAMPLES, stream) for metric in metrics]
        yield f"intervals {stream}", rounded_by_metric([[score.mean, score.ci] for score in with_intervals])
        for test in tests.PAIRED_TESTS:
            sampling = tests.Sampling(test, RESAMPLES, rng=stream, seed=12345)
            found = results.results_of(rows, metrics, sampling, rank=True)
            yield f"test {test} {stream}", [
                rounded_by_metric([list(map(list, vars(result).items())) for result in results_of_system])
                for results_of_system in found.systems]
            yield f"ranking {test} {stream}", [[ranking.clusters, ranking.ranges] for ranking in found.rankings]


def human_scores(package: str) -> list[Any]:
    """Return averages of judgements (many are ties), ranks by them, and the agreement of a metric with them."""
    import tempfile  # (On Debian's smallest Python, this import fails.)

    source = random.Random(SEED)
    rows = [(system, segment, f"{source.randrange(8) / 10}") for segment in range(1, 13) for system in "abcd"
            for _ in range(source.choice((1, 2, 3, 6)))]
    source.shuffle(rows)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "judgements.csv")
        with open(path, "w", encoding="ascii") as file:
            file.write("".join(["system,seg_id,score\n", *[f"{','.join(map(str, row))}\n" for row in rows]]))
        found = importlib.import_module(f"{package}.files.scores").read_human_scores(f"{path}:score")
    human = [[found[system].by_line[segment] for segment in range(1, 13)] for system in "abcd"]
    metric = [[source.randrange(8) / 10 for _ in scores] for scores in human]
    meta_evaluation = importlib.import_module(f"{package}.meta_evaluation")
    ranks = meta_evaluation.rank_systems_by_people(human)
    return [[list(map(float, scores)) for scores in human], list(map(list, ranks)),
            [meta_evaluation.agreement_of(measure, human, metric, by) for measure in ("acc-eq", "accuracy", "tau-b")
             for by in ("none", "item", "system")],
            meta_evaluation.agreement_of("spa", human, metric),
            meta_evaluation.autorank([*zip(*metric), *zip(*[map(float, scores) for scores in human])])]


def rounded_by_metric(by_metric: list[Any]) -> list[Any]:
    """Return the figures of each metric (in the order of `OPTIONS`), rounded for metrics in `C_LIBRARYS`."""
    return [to_12_digits(metric_figures) if name in C_LIBRARYS else metric_figures
            for name, metric_figures in zip(OPTIONS, by_metric)]


def several_systems() -> tuple[list[list[str | None]], list[list[str | None]]]:
    """Return the hypotheses of `SYSTEMS`, and two streams of references (all segments have both)."""
    source = random.Random(SEED)
    hypotheses, references = as_streams(random_segments(SEED + 1, SEGMENTS, streams=2))
    others = hypotheses[1:] + hypotheses[:1]
    systems = [[source.choices(choice, weights)[0] for choice in zip(hypotheses, references[0], others)]
               for weights in SYSTEMS]
    return systems, references


def digests(package: str) -> Iterator[str]:
    """Yield each line of the digest when it is computed. The last line is the digest of all earlier lines."""
    lines = []
    for name, values in computed(package):
        lines.append(f"{checksum(''.join([exact(value) + chr(10) for value in values]))}  {name}")
        yield lines[-1]
    yield f"{checksum(chr(10).join(lines))}  all of it"


def computed(package: str) -> Iterator[tuple[str, Sequence[Any]]]:
    """Yield `parts` without warnings. Seeds in the environment have no effect."""
    kept = {name: os.environ.pop(name) for name in ("PUREBLEU_SEED", "SACREBLEU_SEED") if name in os.environ}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield from parts(package)
    finally:
        os.environ.update(kept)


def checksum(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def differences(found: Sequence[str], golden: Sequence[str]) -> list[str]:
    """Return the names of the parts that differ, or that only one of the two lists has.

    >>> differences(["1  a", "2  b", "3  c"], ["1  a", "9  b"])
    ['b', 'c']
    """
    names = [line.partition("  ")[2] for line in [*found, *golden] if line in {*found} ^ {*golden}]
    return list(dict.fromkeys(names))


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="compare with the golden file")
    what.add_argument("--write", action="store_true", help="write the golden file")
    what.add_argument("--part", metavar="NAME", help="print the figures of a part")
    parser.add_argument("--package", default="purebleu", help="import name of the package (default: %(default)s)")
    options = parser.parse_args(argv)
    if options.part:
        return print_part(options.package, options.part)
    if not (options.check or options.write):
        for line in digests(options.package):
            print(line, flush=True)
        return 0
    lines = list(digests(options.package))
    if options.write:
        GOLDEN.write_bytes("".join([f"{line}\n" for line in lines]).encode("ascii"))
        return 0
    differing = differences(lines, golden_lines())
    print("\n".join([f"differs: {name}" for name in differing]) or f"the same: {lines[-1]}")
    return 1 if differing else 0


def golden_lines() -> list[str]:
    return GOLDEN.read_bytes().decode("ascii").split("\n")[:-1]


def print_part(package: str, wanted: str) -> int:
    for name, values in computed(package):
        if name == wanted:
            print("\n".join(map(exact, values)))
            return 0
    print(f"there is no part {wanted!r}: run digest.py without options for a list of all parts", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    raise SystemExit(main())
